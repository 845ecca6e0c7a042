// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "dashboards/history/known_names.h"
#include "dashboards/history/trend.h"
#include "dashboards/history/units.h"
#include "dashboards/statistics/bootstrap.h"
#include "dashboards/statistics/quantiles.h"

namespace fabrictwin::dashboards::history {
namespace {

constexpr size_t kTail = 60;         ///< Results in which change points are sought,
constexpr size_t kRecent = 10;       ///< and those of them in which one may begin.
constexpr size_t kMostResults = 30;  ///< The newest results of a commit that are compared.

/// The commits of a series between base and head.
struct Sides {
  std::string base_commit;
  std::vector<Summary> base;
  std::vector<Summary> head;
  std::set<std::string> since;  ///< Commits after the earlier of base and head, the later one included.
};

/// Splits the results of a series with numbers above `after`, which are in order of dates. A base that is named may be
/// later than head.
Sides sides_of(const std::vector<Summary>& results, const std::string& head, const std::string& base, int64_t after) {
  Sides sides;
  std::vector<std::string> commits;
  std::unordered_set<std::string_view> seen;
  for (const Summary& result : results) {
    if (result.commit != kNoCommit && seen.insert(result.commit).second) commits.push_back(result.commit);
    if (result.commit == head && result.id > after) sides.head.push_back(result);
  }
  const auto at = std::find(commits.begin(), commits.end(), head);
  for (auto it = at; it != commits.begin();) {
    --it;
    if (base.empty() || *it == base) {
      sides.base_commit = *it;
      break;
    }
    sides.since.insert(*it);
  }
  if (sides.base_commit.empty() && base != head && seen.contains(base)) {
    // What lies between them is what came after head.
    sides.base_commit = base;
    sides.since.clear();
    if (at != commits.end()) sides.since.insert(std::next(at), std::next(std::find(at, commits.end(), base)));
  } else {
    sides.since.insert(head);
  }
  for (const Summary& result : results)
    if (!sides.base_commit.empty() && result.commit == sides.base_commit && result.id > after)
      sides.base.push_back(result);
  return sides;
}

/// A series and its newest results up to those of the commit that is checked, in which change points are sought.
struct Tail {
  Series series;
  std::vector<SeriesMetric> metrics;
  std::vector<Summary> results;
};

/// The last results up to those of head.
std::vector<Summary> tail_of(const std::vector<Summary>& results, const std::string& head) {
  const auto last =
      std::find_if(results.rbegin(), results.rend(), [&](const Summary& result) { return result.commit == head; });
  const auto end = last.base();
  const auto count = std::min(kTail, static_cast<size_t>(end - results.begin()));
  return {end - static_cast<std::ptrdiff_t>(count), end};
}

absl::StatusOr<std::vector<Result>> load(const Database& database, const std::vector<Summary>& summaries) {
  std::vector<Result> results;
  const size_t first = summaries.size() > kMostResults ? summaries.size() - kMostResults : 0;
  for (size_t i = first; i < summaries.size(); ++i) {
    absl::StatusOr<Result> result = database.get(summaries[i].id);
    if (!result.ok()) return result.status();
    results.push_back(*std::move(result));
  }
  return results;
}

/// The names of what only one of two sets of results has, as the end of a message: "; only after: luts".
std::string only_in(const std::vector<Finding>& findings, Verdict side) {
  constexpr size_t kMost = 5;
  std::set<std::string_view> names;
  for (const Finding& each : findings)
    if (each.difference.verdict == side) names.insert(each.difference.name);
  if (names.empty()) return {};
  const size_t shown = std::min(names.size(), kMost);
  std::string text =
      fmt::format("; {}: {}", verdict_name(side),
                  fmt::join(names.begin(), std::next(names.begin(), static_cast<std::ptrdiff_t>(shown)), ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

/// Whether a tree had changes that were not committed: others of other content have the same name.
bool is_uncommitted(const std::string& commit) { return commit.ends_with('+'); }

/// Leaves what is exact only of the newest result.
void keep_newest_exact(std::vector<Result>& results) {
  for (size_t i = 0; i + 1 < results.size(); ++i) {
    results[i].texts.clear();
    std::erase_if(results[i].metrics, [](const Metric& metric) { return metric.better == Better::kExact; });
  }
}

/// Leaves the measured metrics only of results that come from the machine of the newest result of head. Adds the names
/// of others to `left_out`.
bool keep_one_machine(std::vector<Result>& base, std::vector<Result>& head, std::set<std::string>& left_out) {
  const std::string machine = machine_name(head.back().provenance);
  bool mixed = false;
  for (std::vector<Result>* results : {&base, &head}) {
    for (Result& result : *results) {
      if (machine_name(result.provenance) == machine) continue;
      mixed = true;
      std::erase_if(result.metrics, [&left_out](const Metric& metric) {
        if (metric.better != Better::kExact) left_out.insert(metric.name);
        return metric.better != Better::kExact;
      });
    }
  }
  return mixed;
}

class Checker {
 public:
  /// `base` is the whole name of a commit, or empty.
  Checker(const Database& database, const CheckOptions& options, std::string base,
          std::vector<Acknowledgement> acknowledged)
      : database_(database), options_(options), base_(std::move(base)), acknowledged_(std::move(acknowledged)) {}

  absl::Status check_series(const Series& series, const std::vector<Summary>& results, const std::string& head) {
    const Sides sides = sides_of(results, head, base_, options_.after);
    if (sides.head.empty()) {
      if (!results.empty()) last_commits_.emplace_back(results.back().commit, series.name);
      return absl::OkStatus();
    }
    if (sides.base.empty()) {
      ++result_.no_base;
      return absl::OkStatus();
    }
    absl::StatusOr<std::vector<Result>> before = load(database_, sides.base);
    if (!before.ok()) return before.status();
    absl::StatusOr<std::vector<Result>> after = load(database_, sides.head);
    if (!after.ok()) return after.status();
    absl::StatusOr<std::vector<SeriesMetric>> metrics = database_.metrics_of(series.id);
    if (!metrics.ok()) return metrics.status();
    ++result_.series;
    bases_.insert(sides.base_commit);
    if (is_uncommitted(sides.base_commit)) keep_newest_exact(*before);
    if (is_uncommitted(head)) keep_newest_exact(*after);
    std::set<std::string> of_other_machines;
    result_.machines += keep_one_machine(*before, *after, of_other_machines) ? 1 : 0;
    std::vector<Difference> differences = compare(*before, *after);
    judge(differences, options_.significance);
    for (Difference& difference : differences) {
      // What another machine has measured is not gone, nor is it new.
      const bool measured = !difference.is_text && difference.better != Better::kExact;
      if (measured && !difference.on_both_sides() && of_other_machines.contains(difference.name)) continue;
      differences_.push_back(std::move(difference));
      origins_.push_back({tails_.size(), sides.base_commit, sides.since});
    }
    tails_.push_back({series, *std::move(metrics), tail_of(results, head)});
    return absl::OkStatus();
  }

  absl::StatusOr<CheckResult> finish(const std::string& head) {
    result_.head = head;
    for (const auto& [commit, name] : last_commits_)
      if (bases_.contains(commit)) result_.lost.push_back(name);
    result_.metrics = static_cast<size_t>(std::ranges::count_if(differences_, &Difference::on_both_sides));
    for (size_t i = 0; i < differences_.size(); ++i) {
      if (differences_[i].verdict == Verdict::kSame) continue;
      const Tail& tail = tails_[origins_[i].tail];
      Finding finding{tail.series.name, tail.series.kind, origins_[i].base, head, differences_[i]};
      if (finding.difference.verdict == Verdict::kTooFew) {
        const absl::StatusOr<bool> found = find_change_point(tail, origins_[i].since, finding);
        if (!found.ok()) return found.status();
        if (!*found) {
          ++result_.too_few;
          result_.results_needed = std::max(result_.results_needed, finding.difference.results_needed);
          if (!finding.difference.differs_alone) continue;
        }
      }
      if (!finding.by_change_point) add_interval(finding.difference, options_.significance);
      finding.acknowledged = reason_for(finding, origins_[i].since);
      result_.findings.push_back(std::move(finding));
    }
    return std::move(result_);
  }

 private:
  struct Origin {
    size_t tail;  ///< Index of its series.
    std::string base;
    std::set<std::string> since;
  };

  std::string reason_for(const Finding& finding, const std::set<std::string>& since) const {
    for (const Acknowledgement& each : acknowledged_) {
      const bool meant = std::any_of(since.begin(), since.end(),
                                     [&](const std::string& commit) { return commit.starts_with(each.commit); }) ||
                         finding.head.starts_with(each.commit);
      if (meant && matches(each.name, finding.series) && matches(each.metric, finding.difference.name))
        return each.reason;
    }
    return {};
  }

  /// Looks for a change of the level of a metric among the newest results.
  absl::StatusOr<bool> find_change_point(const Tail& tail, const std::set<std::string>& since, Finding& finding) const {
    std::vector<SeriesMetric> metrics;
    for (const SeriesMetric& each : tail.metrics) {
      if (each.name == finding.difference.name && each.better == finding.difference.better &&
          dimension_of(each.unit) == dimension_of(finding.difference.unit))
        metrics.push_back(each);
    }
    if (metrics.empty()) return false;
    const absl::StatusOr<Trend> trend =
        trend_over(database_, tail.series, metrics, tail.results, options_.significance.least_change);
    if (!trend.ok()) return trend.status();
    if (trend->changes.empty()) return false;
    const statistics::ChangePoint& last = trend->changes.back();
    if (last.index + kRecent < trend->points.size()) return false;
    // What was before a base that is named is not asked for.
    if (!base_.empty() && !since.contains(trend->points[last.index].commit)) return false;
    finding.base = trend->points[last.index - 1].commit;
    finding.head = trend->points[last.index].commit;
    finding.by_change_point = true;
    std::vector<double> before, after;
    for (size_t i = 0; i < trend->points.size(); ++i)
      (i < last.index ? before : after).push_back(trend->points[i].value);
    finding.difference.unit = trend->metric.unit;
    if (last.before != 0) {
      finding.difference.ratio = statistics::ratio_interval(before, after, options_.significance.confidence, 1);
      finding.difference.noise = 2 * statistics::median_difference_error(before, after) / std::abs(last.before);
    }
    finding.difference.base = last.before;
    finding.difference.head = last.after;
    finding.difference.base_count = last.index;
    finding.difference.head_count = trend->points.size() - last.index;
    finding.difference.probability = last.probability;
    const bool rises = last.after > last.before;
    finding.difference.verdict =
        rises == (finding.difference.better == Better::kHigher) ? Verdict::kBetter : Verdict::kWorse;
    return true;
  }

  const Database& database_;
  const CheckOptions& options_;
  std::string base_;
  std::vector<Acknowledgement> acknowledged_;
  CheckResult result_;
  std::vector<Difference> differences_;
  std::vector<Origin> origins_;  ///< By difference.
  std::vector<Tail> tails_;
  std::set<std::string> bases_;
  std::vector<std::pair<std::string, std::string>> last_commits_;  ///< Of series without head, with their names.
};

}  // namespace

bool CheckResult::has_regression() const {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& each) { return each.is_regression(); });
}

absl::StatusOr<CheckResult> check(const Database& database, const CheckOptions& options) {
  if (absl::Status known = check_known(database, options.name); !known.ok()) return known;
  const absl::StatusOr<std::string> head = find_commit(database, options.head, options.name);
  if (!head.ok()) return head.status();
  std::string base;
  if (!options.base.empty()) {
    absl::StatusOr<std::string> found = find_commit(database, options.base);
    if (!found.ok()) return found.status();
    base = *std::move(found);
  }
  absl::StatusOr<std::vector<Acknowledgement>> acknowledged = database.acknowledgements();
  if (!acknowledged.ok()) return acknowledged.status();
  const absl::StatusOr<std::vector<Series>> all = database.all_series();
  if (!all.ok()) return all.status();
  Checker checker(database, options, std::move(base), *std::move(acknowledged));
  for (const Series& series : *all) {
    if (!matches(options.name, series.name)) continue;
    const absl::StatusOr<std::vector<Summary>> results = database.results_of(series.id);
    if (!results.ok()) return results.status();
    if (absl::Status status = checker.check_series(series, *results, *head); !status.ok()) return status;
  }
  absl::StatusOr<CheckResult> result = checker.finish(*head);
  if (result.ok() && result->series == 0 && result->no_base == 0 && options.base.empty() && !options.name.empty()) {
    return absl::NotFoundError(
        fmt::format("nothing called \"{}\" has results of commit {}", options.name, result->head));
  }
  if (result.ok() && result->series == 0 && result->no_base == 0 && options.base.empty() && options.after > 0) {
    return absl::NotFoundError(
        fmt::format("no result of commit {} has a number above {}", result->head, options.after));
  }
  if (result.ok() && result->series == 0 && !options.base.empty()) {
    return absl::NotFoundError(fmt::format("nothing of commit {} can be compared: no series has results of {}, too{}",
                                           result->head, options.base,
                                           options.after > 0 ? fmt::format(", after result {}", options.after) : ""));
  }
  if (result.ok() && result->series > 0 && result->metrics == 0 && !(options.base.empty() && options.name.empty())) {
    return absl::NotFoundError(
        fmt::format("nothing of commit {} can be compared: its results and those before have no digest or metric in "
                    "common{}{}{}",
                    result->head, result->machines > 0 ? " that one machine has measured" : "",
                    only_in(result->findings, Verdict::kOnlyBase), only_in(result->findings, Verdict::kOnlyHead)));
  }
  return result;
}

}  // namespace fabrictwin::dashboards::history
