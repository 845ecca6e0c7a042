// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/pages/history_site.h"

#include <fmt/format.h>

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "dashboards/history/text.h"
#include "dashboards/html/page.h"

namespace fabrictwin::dashboards::pages {
namespace {

using history::Better;
using history::Trend;

/// What a result is called in a chart: its number, as in the list of changes, its commit and its day.
std::string result_text(size_t number, const history::TrendPoint& point) {
  constexpr size_t kDay = std::string_view("2026-03-01").size();
  return fmt::format("{}: {} {}", number, point.commit, point.date.substr(0, kDay));
}

/// The values of a metric over its results, and the levels between change points.
html::Chart chart_of(const Trend& trend) {
  html::Chart chart{trend.metric.name, {"result", ""}, {"value", trend.metric.unit}, {}, {{"value", {}, true}}};
  html::Chart::Curve levels{"level", {}};
  size_t next = 0;
  double level = trend.changes.empty() ? std::numeric_limits<double>::quiet_NaN() : trend.changes.front().before;
  for (size_t i = 0; i < trend.points.size(); ++i) {
    if (next < trend.changes.size() && trend.changes[next].index == i) level = trend.changes[next++].after;
    chart.x.push_back(static_cast<double>(i + 1));
    chart.x_labels.push_back(result_text(i + 1, trend.points[i]));
    chart.curves[0].y.push_back(trend.points[i].value);
    levels.y.push_back(level);
  }
  if (!trend.changes.empty()) chart.curves.push_back(std::move(levels));
  chart.note = fmt::format("Results 1 to {}, of commits {} to {}{}.", trend.points.size(), trend.points.front().commit,
                           trend.points.back().commit, trend.machine.empty() ? "" : ", on " + trend.machine);
  return chart;
}

void add_changes(const Trend& trend, html::Table& table) {
  for (const statistics::ChangePoint& change : trend.changes) {
    const history::TrendPoint& point = trend.points[change.index];
    table.rows.push_back({trend.metric.name, std::to_string(change.index + 1), point.date, point.commit,
                          history::value_text(change.before, trend.metric.unit),
                          history::value_text(change.after, trend.metric.unit),
                          history::change_text(change.before, change.after)});
  }
}

SitePage series_page(std::span<const Trend> trends, const std::string& file) {
  const history::Series& series = trends.front().series;
  html::Page page(fmt::format("{} ({})", series.name, series.kind));
  html::Table changes{"Changes", {"metric", "result", "date", "commit", "before", "after", "change"}, {}};
  html::Table constant{"Metrics that have not changed", {"metric", "value"}, {}};
  for (const Trend& trend : trends) {
    add_changes(trend, changes);
    if (trend.metric.better == Better::kExact && trend.changes.empty()) {
      constant.rows.push_back({trend.metric.name, history::value_text(trend.points.back().value, trend.metric.unit)});
    }
  }
  if (changes.rows.empty()) changes.note = "There are none.";
  page.add_table(std::move(changes));
  for (const Trend& trend : trends)
    if (trend.metric.better != Better::kExact || !trend.changes.empty()) page.add_chart(chart_of(trend));
  if (!constant.rows.empty()) page.add_table(std::move(constant));
  page.add_links("Other pages", {{"All results", "index.html"}});
  return {file, page.html()};
}

html::Table findings_table(const history::CheckResult& check) {
  html::Table table{"Commit " + check.head, {"", "results", "metric", "before", "after", "change", "since"}, {}};
  for (const history::Finding& finding : check.findings) {
    const history::Difference& difference = finding.difference;
    const std::string what = finding.is_regression()        ? "regression"
                             : finding.acknowledged.empty() ? std::string(verdict_name(difference.verdict))
                                                            : "expected: " + finding.acknowledged;
    auto [base, head] = history::side_texts(difference);
    const bool changed = !difference.is_text && difference.on_both_sides() && !difference.varies();
    table.rows.push_back({what, finding.series, difference.name, std::move(base), std::move(head),
                          changed ? history::change_text(difference.base, difference.head) : "", finding.head});
  }
  table.note = fmt::format("{} series with {} metrics and digests were compared with the commit before{}.",
                           check.series, check.metrics, check.findings.empty() ? "; nothing has changed" : "");
  return table;
}

}  // namespace

std::vector<SitePage> history_site(const std::vector<Trend>& trends, const history::CheckResult& check) {
  std::vector<SitePage> site(1);
  std::vector<std::pair<std::string, std::string>> links;
  for (size_t begin = 0; begin < trends.size();) {
    size_t end = begin;
    while (end < trends.size() && trends[end].series.id == trends[begin].series.id) ++end;
    const history::Series& series = trends[begin].series;
    const std::string file = fmt::format("series-{}.html", series.id);
    size_t changes = 0;
    for (size_t i = begin; i < end; ++i) changes += trends[i].changes.size();
    links.emplace_back(fmt::format("{} ({}{}): {} results, {} changes", series.name, series.kind,
                                   series.experiment.empty() ? "" : ", experiment " + series.experiment,
                                   trends[begin].points.size(), changes),
                       file);
    site.push_back(series_page(std::span(trends).subspan(begin, end - begin), file));
    begin = end;
  }
  html::Page index("FabricTwin: history of results");
  if (check.has_regression()) index.set_alert("The newest commit has regressions.");
  index.add_table(findings_table(check));
  index.add_links("Series", links);
  site.front() = {"index.html", index.html()};
  return site;
}

}  // namespace fabrictwin::dashboards::pages
