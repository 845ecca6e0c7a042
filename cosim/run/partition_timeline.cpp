// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/partition_timeline.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

namespace fabrictwin::run {
namespace {

using Counts = std::vector<std::pair<int32_t, uint32_t>>;

void count(Counts& counts, int32_t peer, uint32_t looks) {
  const auto found = std::ranges::find(counts, peer, &Counts::value_type::first);
  if (found == counts.end()) {
    counts.emplace_back(peer, looks);
  } else {
    found->second += looks;
  }
}

/// The first of those that are counted most, as the number of a row; 0 if there is none.
uint32_t most_frequent(const Counts& counts) {
  if (counts.empty()) return 0;
  return static_cast<uint32_t>(std::ranges::max_element(counts, {}, &Counts::value_type::second)->first) + 1;
}

double busy_seconds_of(const v1::Report& report, std::string_view partition) {
  for (const v1::PartitionReport& each : report.partitions())
    if (each.name() == partition) return each.busy_seconds();
  return 0;
}

}  // namespace

void PartitionTimeline::begin(size_t partitions) {
  busy_ns_.assign(partitions, 0);
  asked_.assign(partitions, true);
  most_intervals_ = std::clamp<size_t>(kMostCells / partitions, 2, kMostIntervals);
}

void PartitionTimeline::make_room() {
  if (!intervals_.empty() && intervals_.back().looks < looks_each_) return;
  if (intervals_.size() >= most_intervals_) {
    for (size_t i = 0; 2 * i < intervals_.size(); ++i) {
      Interval merged = std::move(intervals_[2 * i]);
      if (2 * i + 1 < intervals_.size()) {
        const Interval& next = intervals_[2 * i + 1];
        merged.end = next.end;
        merged.length += next.length;
        merged.looks += next.looks;
        for (size_t p = 0; p < merged.cells.size(); ++p) {
          merged.cells[p].busy += next.cells[p].busy;
          for (const auto& [peer, looks] : next.cells[p].waits_for) count(merged.cells[p].waits_for, peer, looks);
        }
      }
      intervals_[i] = std::move(merged);
    }
    intervals_.resize((intervals_.size() + 1) / 2);
    looks_each_ *= 2;
    if (intervals_.back().looks < looks_each_) return;
  }
  intervals_.emplace_back().cells.resize(busy_ns_.size());
}

// Counters tell of an advance when it is over, so a long one belongs to earlier intervals, too.
void PartitionTimeline::add_busy(size_t partition, double seconds) {
  for (auto interval = intervals_.rbegin(); interval != intervals_.rend() && seconds > 0; ++interval) {
    double& busy = interval->cells[partition].busy;
    const double part = std::clamp(interval->length - busy, 0.0, seconds);
    busy += part;
    seconds -= part;
  }
}

void PartitionTimeline::add(const RunLook& look) {
  const double length = look.wall_seconds - end_;
  if (look.partitions.empty() || length <= 0) return;
  if (intervals_.empty()) begin(look.partitions.size());
  make_room();
  Interval& interval = intervals_.back();
  interval.end = end_ = look.wall_seconds;
  interval.length += length;
  ++interval.looks;
  for (size_t p = 0; p < busy_ns_.size(); ++p) {
    const PartitionLook& partition = look.partitions[p];
    if (partition.waits_for != engine::Lookahead::kNobody) {
      count(interval.cells[p].waits_for, partition.waits_for, 1);
      waits_[{static_cast<int32_t>(p), partition.waits_for}] += length;
    }
    asked_[p] = partition.busy_ns.has_value();
    if (partition.busy_ns.has_value()) {
      add_busy(p, static_cast<double>(*partition.busy_ns - busy_ns_[p]) * 1e-9);
      busy_ns_[p] = *partition.busy_ns;
    } else if (look.waits_known && partition.waits_for == engine::Lookahead::kNobody) {
      interval.cells[p].busy += length;
    }
  }
}

std::vector<double> PartitionTimeline::spread_busy(size_t partition, double seconds) const {
  double all = 0;
  for (const Interval& interval : intervals_) all += interval.cells[partition].busy;
  std::vector<double> busy;
  for (const Interval& interval : intervals_) {
    // Without a look at which it could act, it acted between looks.
    const double part = all > 0 ? interval.cells[partition].busy / all : interval.length / end_;
    busy.push_back(seconds * part);
  }
  return busy;
}

v1::PartitionTimeline PartitionTimeline::timeline(const system::Plan& plan, const v1::Report& report) const {
  v1::PartitionTimeline timeline;
  for (const Interval& interval : intervals_) timeline.add_wall_end_seconds(interval.end);
  for (size_t p = 0; p < std::min(busy_ns_.size(), plan.partitions.size()); ++p) {
    const system::PartitionPlan& planned = plan.partitions[p];
    v1::PartitionRow& row = *timeline.add_rows();
    row.set_partition(planned.name);
    row.set_place(plan.places[static_cast<size_t>(planned.place)].name);
    row.set_spread(!asked_[p]);
    const std::vector<double> spread =
        asked_[p] ? std::vector<double>() : spread_busy(p, busy_seconds_of(report, planned.name));
    for (size_t i = 0; i < intervals_.size(); ++i) {
      const double share = (asked_[p] ? intervals_[i].cells[p].busy : spread[i]) / intervals_[i].length;
      row.add_busy_permille(static_cast<uint32_t>(std::lround(1000 * std::clamp(share, 0.0, 1.0))));
      row.add_waits_for(most_frequent(intervals_[i].cells[p].waits_for));
    }
  }
  std::vector<std::pair<double, std::pair<int32_t, int32_t>>> most;
  for (const auto& [pair, seconds] : waits_) most.emplace_back(seconds, pair);
  std::ranges::stable_sort(most, std::greater(), &decltype(most)::value_type::first);
  for (const auto& [seconds, pair] : most) {
    v1::PartitionWait& wait = *timeline.add_waits();
    wait.set_partition(static_cast<uint32_t>(pair.first));
    wait.set_peer(static_cast<uint32_t>(pair.second));
    wait.set_wall_seconds(seconds);
  }
  return timeline;
}

}  // namespace fabrictwin::run
