// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/pages/validation_page.h"

#include <fmt/format.h>

#include "dashboards/pages/result_page.h"

namespace fabrictwin::dashboards::pages {
namespace {

html::Table errors_table(const v1::ValidationReport& report) {
  const v1::LatencyErrors& errors = report.errors();
  html::Table table{"Errors of latencies", {"", "mean", "p50", "p99", "most"}, {}};
  const auto row = [&](const char* name, const v1::MessageDistribution& of, double scale) {
    table.rows.push_back({name, fmt::format("{:.4g}", of.mean() * scale), fmt::format("{:.4g}", of.p50() * scale),
                          fmt::format("{:.4g}", of.p99() * scale), fmt::format("{:.4g}", of.max() * scale)});
  };
  row("relative [%]", errors.relative(), 100);
  row("absolute [ns]", errors.absolute_seconds(), 1e9);
  return table;
}

/// What coarser routers change for messages of an island.
html::Table island_table(const v1::IslandErrors& island) {
  html::Table table{
      "Messages of the island",
      {"messages", "number", "mean [ns]", "with words [ns]", "error of the mean [%]", "of p50 [%]", "of p99 [%]"},
      {}};
  for (const v1::IslandLatencies& group : island.latencies()) {
    table.rows.push_back(
        {group.messages(), fmt::format("{}", group.count()), fmt::format("{:.4g}", group.model_seconds().mean() * 1e9),
         fmt::format("{:.4g}", group.reference_seconds().mean() * 1e9),
         fmt::format("{:+.3g}", group.error_of_mean() * 100), fmt::format("{:+.3g}", group.error_of_p50() * 100),
         fmt::format("{:+.3g}", group.error_of_p99() * 100)});
  }
  table.note = fmt::format(
      "Latencies with the coarser routers of the experiment, for messages that begin or end at the {} hosts beside "
      "routers of words (out: they leave the island; in: they come into it), against words only. The tolerance of the "
      "mean of all is {:g} %: {}. docs/models/word-edge.md says where it is worse, and why.",
      island.hosts(), island.tolerance() * 100, island.within_tolerance() ? "kept" : "exceeded");
  return table;
}

html::Table runs_table(const v1::ValidationReport& report) {
  html::Table table{"Runs", {"seed", "same payload", "same times", "messages", "model [s]", "reference [s]"}, {}};
  for (const v1::ValidatedRun& run : report.runs()) {
    table.rows.push_back({fmt::format("{}", run.seed()), run.same_payload() ? "yes" : "no",
                          run.same_timing() ? "yes" : "no", fmt::format("{}", run.compared()),
                          fmt::format("{:.3g}", run.model().wall_seconds()),
                          fmt::format("{:.3g}", run.reference().wall_seconds())});
  }
  return table;
}

html::Table worst_table(const v1::ValidationReport& report) {
  html::Table table{"Largest errors", {"seed", "from", "to", "number", "bytes", "error [%]"}, {}};
  for (const v1::MessageError& error : report.errors().worst()) {
    table.rows.push_back({fmt::format("{}", error.seed()), fmt::format("{}", error.source()),
                          fmt::format("{}", error.destination()), fmt::format("{}", error.number()),
                          fmt::format("{}", error.bytes()), fmt::format("{:+.3g}", error.relative() * 100)});
  }
  return table;
}

/// The share of messages with at most a relative error.
html::Chart errors_chart(const v1::ValidationReport& report) {
  html::Chart chart{"Messages by their error", {"relative error", "%"}, {"messages", "%"}, {}, {{"at most this", {}}}};
  const double all = static_cast<double>(report.errors().messages());
  double sum = 0;
  for (const v1::ErrorBucket& bucket : report.errors().histogram()) {
    sum += static_cast<double>(bucket.early() + bucket.late());
    if (!bucket.has_up_to() || all == 0) continue;
    chart.x.push_back(bucket.up_to() * 100);
    chart.curves[0].y.push_back(100 * sum / all);
  }
  return chart;
}

}  // namespace

std::string validation_page(const v1::ValidationReport& report, std::string_view alert, std::string_view text) {
  ResultContent content;
  content.title = "FabricTwin validation";
  content.alert = alert;
  content.provenance = report.provenance();
  content.tables = {errors_table(report), runs_table(report)};
  if (report.has_island()) content.tables.push_back(island_table(report.island()));
  if (!report.errors().worst().empty()) content.tables.push_back(worst_table(report));
  if (html::Chart chart = errors_chart(report); chart.x.size() > 1) content.charts.push_back(std::move(chart));
  content.text = text;
  return result_page(content);
}

}  // namespace fabrictwin::dashboards::pages
