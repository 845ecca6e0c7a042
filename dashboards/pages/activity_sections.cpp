// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/pages/activity_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fabrictwin::dashboards::pages {
namespace {

using html::Chart;
using html::Matrix;
using html::Page;
using html::Table;
using html::Timeline;

/// The ranks of a cell: "8", or "8-15".
std::string cell_label(int64_t cell, const v1::MessageMatrix& matrix) {
  const auto first_of = [&](int64_t of) { return (of * matrix.ranks() + matrix.cells() - 1) / matrix.cells(); };
  const int64_t first = first_of(cell);
  const int64_t last = first_of(cell + 1) - 1;
  return first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
}

/// A unit in which a time has few digits before the point, and how many of it are a second.
std::pair<std::string, double> unit_of(double seconds) {
  for (const auto& [unit, scale] : {std::pair<std::string, double>{"s", 1}, {"ms", 1e3}, {"us", 1e6}}) {
    if (seconds * scale >= 1) return {unit, scale};
  }
  return {"ns", 1e9};
}

/// Those with most time first.
void add_times(const v1::RankTimeline& timeline, int ranks, Page& page) {
  std::vector<const v1::RankStateTime*> times;
  for (const v1::RankStateTime& time : timeline.times()) times.push_back(&time);
  std::ranges::stable_sort(times, std::greater(), [](const v1::RankStateTime* time) { return time->seconds(); });
  double all = 0;
  for (const v1::RankStateTime* time : times) all += time->seconds();
  const auto [unit, scale] = unit_of(timeline.end_seconds());
  Table table{
      "Time of ranks by call",
      {"call", "share [%]", fmt::format("mean of ranks [{}]", unit), fmt::format("most [{}]", unit), "rank with most"},
      {}};
  for (const v1::RankStateTime* time : times) {
    table.rows.push_back({time->state(), fmt::format("{:.2f}", all > 0 ? 100 * time->seconds() / all : 0),
                          fmt::format("{:.5g}", time->seconds() / ranks * scale),
                          fmt::format("{:.5g}", time->most_seconds() * scale), fmt::format("{}", time->most_rank())});
  }
  table.note = "\"ended\" is the time after a rank's last call, until the last rank ended.";
  page.add_table(std::move(table));
}

}  // namespace

void add_message_matrix(const v1::Report& report, Page& page) {
  const v1::MessageMatrix& from = report.message_matrix();
  if (from.cells() == 0) return;
  Matrix matrix{"Messages between ranks", "source", "destination", {}, {{"bytes", "B"}, {"messages", ""}}, {}};
  for (int cell = 0; cell < from.cells(); ++cell) matrix.labels.push_back(cell_label(cell, from));
  matrix.values = {{from.bytes().begin(), from.bytes().end()}, {from.messages().begin(), from.messages().end()}};
  matrix.note = "Steps of collectives are messages, too. Colours are logarithmic.";
  if (from.cells() < from.ranks()) matrix.note += fmt::format(" {} ranks are added up in cells.", from.ranks());
  page.add_matrix(matrix);
}

void add_rank_timeline(const v1::Report& report, Page& page) {
  const v1::RankTimeline& from = report.rank_timeline();
  if (from.rows_size() == 0) return;
  const auto [unit, scale] = unit_of(from.end_seconds());
  Timeline timeline{"What ranks did", {"simulated time", unit}, from.end_seconds() * scale, from.ticks(), {}, {}};
  timeline.states.assign(from.states().begin(), from.states().end());
  for (const v1::RankRow& row : from.rows()) {
    timeline.rows.push_back({fmt::format("{}", row.rank()),
                             {row.states().begin(), row.states().end()},
                             {row.ticks().begin(), row.ticks().end()}});
  }
  timeline.note =
      "Drag to zoom, double click for all; or use the buttons, and keys + - \u2190 \u2192 \u2191 \u2193 Home.";
  if (from.rows_size() < report.ranks_size())
    timeline.note += fmt::format(" {} of {} ranks.", from.rows_size(), report.ranks_size());
  if (from.condensed_rows() > 0) {
    timeline.note += fmt::format(
        " {} rows had more changes than fit: spans of time are given to what filled them, in proportion; the table "
        "below is exact.",
        from.condensed_rows());
  }
  page.add_timeline(timeline);
  add_times(from, std::max(1, report.ranks_size()), page);
}

void add_link_series(const v1::Report& report, Page& page) {
  const v1::LinkSeriesReport& series = report.link_series();
  if (series.intervals_size() == 0) return;
  const auto [unit, scale] = unit_of(report.simulated_seconds());
  Chart chart{"Load of links over time", {"simulated time", unit}, {"load", "%"}, {}, {{"mean", {}}, {"most", {}}}};
  for (const v1::LinkInterval& interval : series.intervals()) {
    chart.x.push_back(interval.end_seconds() * scale);
    chart.curves[0].y.push_back(interval.mean_utilization() * 100);
    chart.curves[1].y.push_back(interval.max_utilization() * 100);
  }
  chart.note = "Each value is that of the interval that ends there.";
  page.add_chart(std::move(chart));
}

void add_partitions(const v1::Report& report, Page& page) {
  if (report.partitions_size() == 0) return;
  Table table{
      "Partitions",
      {"number", "partition", "kind", "place", "events", "busy [s]", "waiting [s]", "records in", "records out"},
      {}};
  // Bars are drawn over each other: what is waited for stands above what is simulated.
  Chart chart{"Wall time of partitions",
              {"partition", ""},
              {"wall time", "s"},
              {},
              {{"busy and waiting", {}}, {"busy", {}}},
              report.partitions_size() <= 256};
  chart.note = "Numbers are those of the table of partitions.";
  for (const v1::PartitionReport& of : report.partitions()) {
    const auto number = static_cast<double>(chart.x.size());
    chart.x.push_back(number);
    chart.curves[0].y.push_back(of.busy_seconds() + of.wait_seconds());
    chart.curves[1].y.push_back(of.busy_seconds());
    table.rows.push_back({fmt::format("{}", number), of.name(), of.kind(), of.place(), fmt::format("{}", of.events()),
                          fmt::format("{:.4g}", of.busy_seconds()), fmt::format("{:.4g}", of.wait_seconds()),
                          fmt::format("{}", of.records_in()), fmt::format("{}", of.records_out())});
  }
  if (report.partitions_size() > 1) page.add_chart(std::move(chart));
  page.add_table(std::move(table));
}

}  // namespace fabrictwin::dashboards::pages
