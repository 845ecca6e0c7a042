// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "dashboards/history/units.h"
#include "dashboards/statistics/mann_whitney.h"
#include "dashboards/statistics/quantiles.h"

namespace fabrictwin::dashboards::history {
namespace {

struct Samples {
  Metric metric;
  std::vector<double> base;
  std::vector<double> head;
};

/// The different values in order; none if there are not several.
std::vector<double> several_of(const std::vector<double>& values) {
  const std::set<double> different(values.begin(), values.end());
  return different.size() > 1 ? std::vector<double>(different.begin(), different.end()) : std::vector<double>();
}

Difference difference_of(const std::string& name, Samples samples) {
  Difference made;
  made.name = name;
  made.unit = samples.metric.unit;
  made.better = samples.metric.better;
  made.base_count = samples.base.size();
  made.head_count = samples.head.size();
  made.base = statistics::median(samples.base);
  made.head = statistics::median(samples.head);
  if (made.better == Better::kExact) {
    made.base_values = several_of(samples.base);
    made.head_values = several_of(samples.head);
  }
  if (samples.base.empty() || samples.head.empty()) {
    made.verdict = samples.base.empty() ? Verdict::kOnlyHead : Verdict::kOnlyBase;
  } else if (made.better == Better::kExact) {
    made.verdict = !made.varies() && made.base == made.head ? Verdict::kSame : Verdict::kChanged;
  } else {
    if (made.base != 0)
      made.noise = 2 * statistics::median_difference_error(samples.base, samples.head) / std::abs(made.base);
    made.probability = statistics::mann_whitney(samples.base, samples.head);
    made.base_samples = std::move(samples.base);
    made.head_samples = std::move(samples.head);
  }
  return made;
}

/// The values of a digest on both sides. Several values of what should be one are a change, too.
struct Texts {
  std::set<std::string> base;
  std::set<std::string> head;
};

void add_texts(std::span<const Result> base, std::span<const Result> head, std::vector<Difference>& differences) {
  std::map<std::string, Texts> texts;
  for (const Result& result : base)
    for (const Text& each : result.texts) texts[each.name].base.insert(each.value);
  for (const Result& result : head)
    for (const Text& each : result.texts) texts[each.name].head.insert(each.value);
  for (const auto& [name, values] : texts) {
    Difference& difference = differences.emplace_back();
    difference.name = name;
    difference.is_text = true;
    difference.base_texts.assign(values.base.begin(), values.base.end());
    difference.head_texts.assign(values.head.begin(), values.head.end());
    difference.base_count = values.base.size();
    difference.head_count = values.head.size();
    if (values.base.empty() || values.head.empty()) {
      difference.verdict = values.base.empty() ? Verdict::kOnlyHead : Verdict::kOnlyBase;
    } else if (values.base != values.head || values.base.size() > 1) {
      difference.verdict = Verdict::kChanged;
    }
  }
}

Verdict verdict_of(const Difference& difference, const Significance& significance) {
  if (difference.base == difference.head) return Verdict::kSame;
  if (difference.probability > significance.alpha) return Verdict::kSame;
  // Beside nothing, anything is much.
  const double change = std::abs(difference.change());
  if (difference.base != 0 && (change < significance.least_change || change < difference.noise)) return Verdict::kSame;
  const bool rises = difference.head > difference.base;
  return rises == (difference.better == Better::kHigher) ? Verdict::kBetter : Verdict::kWorse;
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSame:
      return "same";
    case Verdict::kChanged:
      return "changed";
    case Verdict::kBetter:
      return "better";
    case Verdict::kWorse:
      return "worse";
    case Verdict::kTooFew:
      return "too few";
    case Verdict::kOnlyBase:
      return "only before";
    case Verdict::kOnlyHead:
      return "only after";
  }
  return "";
}

std::vector<Difference> compare(std::span<const Result> base, std::span<const Result> head) {
  // The kind and the dimension of a metric belong to its name: one that has become exact is another metric.
  std::map<std::tuple<std::string, Better, std::string>, Samples> metrics;
  const auto find = [&](const Metric& metric) -> Samples& {
    return metrics[{metric.name, metric.better, dimension_of(metric.unit)}];
  };
  // The last unit is that of both sides.
  for (const std::span<const Result> results : {base, head})
    for (const Result& result : results)
      for (const Metric& metric : result.metrics) find(metric).metric = metric;
  const auto collect = [&](std::span<const Result> results, std::vector<double> Samples::*values) {
    for (const Result& result : results) {
      for (const Metric& metric : result.metrics) {
        Samples& samples = find(metric);
        (samples.*values).push_back(in_unit(metric.value, metric.unit, samples.metric.unit));
      }
    }
  };
  collect(base, &Samples::base);
  collect(head, &Samples::head);
  std::vector<Difference> differences;
  add_texts(base, head, differences);
  for (auto& [key, samples] : metrics) differences.push_back(difference_of(std::get<0>(key), std::move(samples)));
  return differences;
}

void add_interval(Difference& difference, const Significance& significance) {
  if (difference.base_samples.empty() || difference.base == 0) return;
  difference.ratio =
      statistics::ratio_interval(difference.base_samples, difference.head_samples, significance.confidence, 1);
}

void judge(std::span<Difference> differences, const Significance& significance) {
  std::vector<Difference*> tested;
  for (Difference& difference : differences) {
    if (!difference.is_text && difference.better != Better::kExact && difference.base_count > 0 &&
        difference.head_count > 0)
      tested.push_back(&difference);
  }
  // Tests that cannot tell anything do not count among those that the others are corrected for.
  std::vector<double> least;
  for (const Difference* difference : tested)
    least.push_back(statistics::least_mann_whitney(difference->base_count, difference->head_count));
  const double bound = statistics::largest_least(least, significance.alpha);
  const size_t enough =
      tested.empty() ? 0 : statistics::enough_samples(significance.alpha / static_cast<double>(tested.size()));
  std::erase_if(tested, [&](Difference* difference) {
    if (statistics::least_mann_whitney(difference->base_count, difference->head_count) <= bound) return false;
    difference->verdict = Verdict::kSame;
    if (difference->base == difference->head) return true;
    difference->differs_alone = verdict_of(*difference, significance) != Verdict::kSame;
    difference->verdict = Verdict::kTooFew;
    difference->results_needed = enough;
    return true;
  });
  std::vector<double> probabilities;
  for (const Difference* difference : tested) probabilities.push_back(difference->probability);
  probabilities = statistics::holm(probabilities);
  for (size_t i = 0; i < tested.size(); ++i) {
    tested[i]->probability = probabilities[i];
    tested[i]->verdict = verdict_of(*tested[i], significance);
  }
}

}  // namespace fabrictwin::dashboards::history
