// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <google/protobuf/message.h>

#include <nlohmann/json.hpp>

#include "cosim/report/message_json.h"
#include "dashboards/history/text.h"

namespace fabrictwin::dashboards::history {
namespace {

using nlohmann::ordered_json;

ordered_json summary_object(const Summary& each) {
  return {{"id", each.id},     {"name", each.name},     {"kind", each.kind},
          {"date", each.date}, {"commit", each.commit}, {"machine", each.machine}};
}

std::string joined(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, " ")); }

ordered_json difference_object(const Difference& each) {
  ordered_json object = {{"metric", each.name}, {"verdict", verdict_name(each.verdict)}};
  if (each.is_text) {
    object["base"] = joined(each.base_texts);
    object["head"] = joined(each.head_texts);
    return object;
  }
  object["unit"] = each.unit;
  object["better"] = better_name(each.better);
  object["base_count"] = each.base_count;
  object["head_count"] = each.head_count;
  // The median of exact values would be none of them.
  if (!each.base_values.empty()) {
    object["base_values"] = each.base_values;
  } else if (each.base_count > 0) {
    object["base"] = each.base;
  }
  if (!each.head_values.empty()) {
    object["head_values"] = each.head_values;
  } else if (each.head_count > 0) {
    object["head"] = each.head;
  }
  if (each.better == Better::kExact || each.base_count == 0 || each.head_count == 0) return object;
  object["change"] = each.change();
  object["ratio_low"] = each.ratio.low;
  object["ratio_high"] = each.ratio.high;
  object["noise"] = each.noise;
  object["probability"] = each.probability;
  if (each.verdict == Verdict::kTooFew) object["results_needed"] = each.results_needed;
  return object;
}

std::string lines(const ordered_json& object) { return report::json_text(object, 2) + "\n"; }

}  // namespace

std::string list_json(const std::vector<Summary>& results) {
  ordered_json all = ordered_json::array();
  for (const Summary& each : results) all.push_back(summary_object(each));
  return lines({{"results", std::move(all)}});
}

std::string show_json(const Result& result) {
  ordered_json object = {{"id", result.id}, {"name", result.name}, {"kind", result.kind}};
  object["provenance"] = report::message_object(result.provenance);
  ordered_json metrics = ordered_json::array();
  for (const Metric& each : result.metrics) {
    metrics.push_back(
        {{"metric", each.name}, {"value", each.value}, {"unit", each.unit}, {"better", better_name(each.better)}});
  }
  object["metrics"] = std::move(metrics);
  object["digests"] = ordered_json::object();
  for (const Text& each : result.texts) object["digests"][each.name] = each.value;
  return lines(object);
}

std::string diff_json(const std::vector<SeriesDifference>& differences) {
  ordered_json all = ordered_json::array();
  for (const SeriesDifference& series : differences) {
    ordered_json fields = ordered_json::array();
    for (const FieldDifference& field : series.fields)
      fields.push_back({{"field", field.path}, {"base", field.base}, {"head", field.head}});
    ordered_json metrics = ordered_json::array();
    for (const Difference& each : series.differences) metrics.push_back(difference_object(each));
    all.push_back({{"name", series.name},
                   {"kind", series.kind},
                   {"base_name", series.base_name},
                   {"base_kind", series.base_kind},
                   {"experiment", std::move(fields)},
                   {"results", std::move(metrics)}});
  }
  return lines({{"series", std::move(all)}});
}

std::string trend_json(const std::vector<Trend>& trends) {
  ordered_json all = ordered_json::array();
  for (const Trend& trend : trends) {
    ordered_json points = ordered_json::array();
    for (const TrendPoint& point : trend.points) {
      points.push_back({{"id", point.result}, {"date", point.date}, {"commit", point.commit}, {"value", point.value}});
    }
    ordered_json changes = ordered_json::array();
    for (const statistics::ChangePoint& change : trend.changes) {
      changes.push_back({{"id", trend.points[change.index].result},
                         {"commit", trend.points[change.index].commit},
                         {"before", change.before},
                         {"after", change.after},
                         {"probability", change.probability}});
    }
    all.push_back({{"name", trend.series.name},
                   {"kind", trend.series.kind},
                   {"metric", trend.metric.name},
                   {"unit", trend.metric.unit},
                   {"better", better_name(trend.metric.better)},
                   {"machine", trend.machine},
                   {"points", std::move(points)},
                   {"changes", std::move(changes)}});
  }
  return lines({{"trends", std::move(all)}});
}

std::string check_json(const CheckResult& result) {
  ordered_json findings = ordered_json::array();
  for (const Finding& finding : result.findings) {
    ordered_json object = {{"name", finding.series},
                           {"kind", finding.kind},
                           {"base_commit", finding.base},
                           {"head_commit", finding.head},
                           {"regression", finding.is_regression()},
                           {"by_change_point", finding.by_change_point}};
    if (!finding.acknowledged.empty()) object["acknowledged"] = finding.acknowledged;
    object.update(difference_object(finding.difference));
    findings.push_back(std::move(object));
  }
  return lines({{"commit", result.head},
                {"regression", result.has_regression()},
                {"series", result.series},
                {"metrics", result.metrics},
                {"too_few", result.too_few},
                {"results_needed", result.results_needed},
                {"no_base", result.no_base},
                {"lost", result.lost},
                {"findings", std::move(findings)}});
}

}  // namespace fabrictwin::dashboards::history
