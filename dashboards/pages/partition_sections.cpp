// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/pages/partition_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace fabrictwin::dashboards::pages {
namespace {

using html::Page;
using html::Table;
using html::Timeline;

/// Finer than intervals are, with few digits.
constexpr uint32_t kWallTicks = 10'000;
constexpr int kMostWaits = 50;

const std::string& partition_name(const v1::PartitionTimeline& timeline, uint32_t row) {
  static const std::string kUnknown = "?";
  return row < static_cast<uint32_t>(timeline.rows_size()) ? timeline.rows(static_cast<int>(row)).partition()
                                                           : kUnknown;
}

/// Equal intervals one after the other are one.
Timeline::Row drawn_row(const v1::PartitionTimeline& timeline, const v1::PartitionRow& of, double end) {
  Timeline::Row row{of.partition(), {}, {}, {}};
  const int intervals = std::min({timeline.wall_end_seconds_size(), of.busy_permille_size(), of.waits_for_size()});
  uint32_t begin = 0;
  for (int i = 0; i < intervals; ++i) {
    const auto until = static_cast<uint32_t>(std::lround(timeline.wall_end_seconds(i) / end * kWallTicks));
    const uint32_t level = (of.busy_permille(i) + 5) / 10;
    const uint32_t ticks = until - std::min(begin, until);
    begin = until;
    if (ticks == 0) continue;
    if (!row.states.empty() && row.states.back() == of.waits_for(i) && row.levels.back() == level) {
      row.ticks.back() += ticks;
      continue;
    }
    row.states.push_back(of.waits_for(i));
    row.levels.push_back(level);
    row.ticks.push_back(ticks);
  }
  return row;
}

void add_waits(const v1::PartitionTimeline& timeline, double end, Page& page) {
  double all = 0;
  for (const v1::PartitionWait& wait : timeline.waits()) all += wait.wall_seconds();
  Table table{"Who waits for whom", {"partition", "waits for", "of all waiting [%]", "of the wall time [%]"}, {}};
  for (int i = 0; i < std::min(kMostWaits, timeline.waits_size()); ++i) {
    const v1::PartitionWait& wait = timeline.waits(i);
    table.rows.push_back({partition_name(timeline, wait.partition()), partition_name(timeline, wait.peer()),
                          fmt::format("{:.1f}", all > 0 ? 100 * wait.wall_seconds() / all : 0),
                          fmt::format("{:.1f}", 100 * wait.wall_seconds() / end)});
  }
  table.note =
      "By looks from outside at what partitions tell each other. A partition waits for another one if it can do "
      "nothing before that has come further; who waits for a core of the machine, or for space in a full link, is not "
      "counted.";
  if (table.rows.empty()) {
    table.note = "No partition was seen to wait for another one.";
  } else if (timeline.waits_size() > kMostWaits) {
    table.note += fmt::format(" {} of {} pairs.", kMostWaits, timeline.waits_size());
  }
  page.add_table(std::move(table));
}

}  // namespace

void add_partition_timeline(const v1::Report& report, Page& page) {
  const v1::PartitionTimeline& from = report.partition_timeline();
  if (from.wall_end_seconds().empty() || from.rows().empty()) return;
  const double end = from.wall_end_seconds(from.wall_end_seconds_size() - 1);
  if (!(end > 0)) return;
  const bool short_run = end < 1;
  Timeline timeline{"Partitions over wall-clock time", {"wall time", short_run ? "ms" : "s"}, {}, kWallTicks, {}, {}};
  timeline.end = short_run ? end * 1e3 : end;
  timeline.row_title = "partition";
  timeline.level = {"busy", "%"};
  timeline.states.emplace_back();
  for (const v1::PartitionRow& row : from.rows()) timeline.states.push_back("waits for " + row.partition());
  bool elsewhere = false;
  std::string spread;
  for (const v1::PartitionRow& row : from.rows()) {
    timeline.rows.push_back(drawn_row(from, row, end));
    elsewhere = elsewhere || row.place() != from.rows(0).place();
    if (row.spread()) spread += (spread.empty() ? "" : ", ") + row.partition();
  }
  timeline.note =
      "Drag to zoom, double click for all; or use the buttons, and keys + - \u2190 \u2192 \u2191 \u2193 Home. The "
      "partition that is "
      "busy all the time holds the others up; where none is, they wait for messages between processes, or for cores.";
  if (elsewhere) {
    timeline.note +=
        " Partitions of other processes are asked up to ten times a second how long they were busy; that is spread "
        "over the moments since the answer before at which they did not wait.";
  }
  if (!spread.empty())
    timeline.note += fmt::format(" Told only at the end, and spread over all of the run: {}.", spread);
  page.add_timeline(timeline);
  add_waits(from, end, page);
}

}  // namespace fabrictwin::dashboards::pages
