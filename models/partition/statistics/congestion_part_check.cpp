// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/statistics/congestion_part_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "fmt/format.h"
#include "models/partition/statistics/point_series.h"

namespace fabrictwin::partition::statistics {
namespace {

/// Windows are no longer than the latency of a link.
constexpr int64_t kMostWindow = 1'000'000'000'000'000;

/// More queues than all routers of a network have.
constexpr int32_t kMostSetAside = 1 << 28;

bool negative(int64_t value) { return value < 0; }

bool is_sound(const v1::QueuesPart& queues, int64_t outputs) {
  return queues.most_bytes() >= 0 && std::isfinite(queues.area()) && queues.area() >= 0 && queues.until_fs() >= 0 &&
         queues.bytes() >= 0 && queues.mean_most_bytes() >= 0 && std::ranges::none_of(queues.bucket_fs(), negative) &&
         queues.paused_outputs() >= 0 && queues.paused_outputs() <= outputs &&
         std::ranges::none_of(queues.set_aside_fs(), negative) &&
         std::ranges::all_of(queues.set_aside_change(),
                             [](int32_t change) { return change >= -kMostSetAside && change <= kMostSetAside; });
}

bool is_sound(const v1::SeriesPointPart& point) { return point.queue_bytes() >= 0 && point.set_aside() >= 0; }

bool is_sound(const v1::GoodputWindowPart& window) {
  return window.flow_bytes_before_size() == window.flow_bytes_after_size() &&
         window.class_bytes_before_size() == window.class_bytes_after_size();
}

/// Intervals double when there are too many points.
bool is_sound(const v1::SeriesPart& series, Time asked) {
  if (series.interval_fs() == 0) return series.points().empty();
  constexpr auto kMost = static_cast<int64_t>(PointSeries<int>::kMostPoints);
  int64_t interval = asked.fs();
  if (interval <= 0) return false;
  while (interval < series.interval_fs() && interval <= std::numeric_limits<int64_t>::max() / 2) interval *= 2;
  return interval == series.interval_fs() && series.points_size() <= kMost &&
         std::numeric_limits<int64_t>::max() / kMost >= interval &&
         std::ranges::all_of(series.points(), [](const v1::SeriesPointPart& point) { return is_sound(point); }) &&
         is_sound(series.rest());
}

}  // namespace

absl::Status check_congestion_part(const experiment::Experiment& experiment, const system::SystemGraph& graph,
                                   const v1::CongestionPart& part) {
  int64_t outputs = 0;
  for (const system::Element& element : graph.elements) outputs += static_cast<int64_t>(element.ports.size());
  const auto faults = static_cast<int32_t>(experiment.faults.size());
  const auto of_fault = [faults](const v1::FaultPart& fault) {
    return fault.fault() >= 0 && fault.fault() < faults && fault.queue_bytes() >= 0 && fault.recovered_fs() >= 0;
  };
  const auto of_tree = [](const v1::TreePart& tree) { return std::ranges::none_of(tree.bytes(), negative); };
  std::string_view what;
  if (part.window_fs() < 0 || part.window_fs() > kMostWindow) {
    what = "a window";
  } else if (!is_sound(part.queues(), outputs)) {
    what = "queues";
  } else if (!std::ranges::all_of(part.faults(), of_fault)) {
    what = "a fault";
  } else if (!is_sound(part.series(), experiment.statistics.series_interval)) {
    what = "a series over time";
  } else if (!is_sound(part.series().goodput_window())) {
    what = "a goodput window";
  } else if (!std::ranges::all_of(part.trees(), of_tree)) {
    what = "a tree of congestion";
  }
  if (what.empty()) return absl::OkStatus();
  return absl::DataLossError(fmt::format("a place tells of {} that cannot be in this run", what));
}

}  // namespace fabrictwin::partition::statistics
