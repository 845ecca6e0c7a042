// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/partition_timeline.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>

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

}  // namespace

void PartitionTimeline::begin(size_t partitions) {
  busy_ns_.assign(partitions, 0);
  told_.assign(partitions, 0);
  in_time_.assign(partitions, false);
  most_intervals_ = std::clamp<size_t>(kMostCells / partitions, 2, kMostIntervals);
}

void PartitionTimeline::make_space() {
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
          merged.cells[p].could += next.cells[p].could;
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

void PartitionTimeline::settle(size_t partition, double seconds) {
  const double told = std::exchange(told_[partition], end_);
  const auto begin = std::ranges::find_if(intervals_, [&](const Interval& interval) { return interval.end > told; });
  const std::span<Interval> since(begin, intervals_.end());
  double could = 0;
  for (const Interval& interval : since) could += interval.cells[partition].could;
  double rest = seconds;
  for (Interval& interval : since) {
    Cell& cell = interval.cells[partition];
    const double part = could > 0 ? std::min(1.0, seconds / could) * std::exchange(cell.could, 0) : 0;
    cell.busy += part;
    rest -= part;
  }
  // What is more than that fell between looks.
  const auto unused_of = [&](const Interval& interval) {
    return std::clamp(interval.length - interval.cells[partition].busy, 0.0, interval.end - told);
  };
  double unused = 0;
  for (const Interval& interval : since) unused += unused_of(interval);
  const double share = unused > 0 ? std::clamp(rest / unused, 0.0, 1.0) : 0;
  for (Interval& interval : since) {
    const double part = share * unused_of(interval);
    interval.cells[partition].busy += part;
    rest -= part;
  }
  add_busy(partition, rest);
}

void PartitionTimeline::add(const RunLook& look) {
  const double length = look.wall_seconds - end_;
  if (look.partitions.empty() || (intervals_.empty() && length <= 0)) return;
  if (intervals_.empty()) begin(look.partitions.size());
  if (length > 0) {
    make_space();
    Interval& interval = intervals_.back();
    interval.end = end_ = look.wall_seconds;
    interval.length += length;
    ++interval.looks;
    for (size_t p = 0; p < busy_ns_.size(); ++p) {
      const int32_t waits_for = look.partitions[p].waits_for;
      if (waits_for != engine::Lookahead::kNobody) {
        count(interval.cells[p].waits_for, waits_for, 1);
        waits_[{static_cast<int32_t>(p), waits_for}] += length;
      } else if (look.waits_known) {
        interval.cells[p].could += length;
      }
    }
  }
  for (size_t p = 0; p < busy_ns_.size(); ++p) {
    const std::optional<uint64_t> busy = look.partitions[p].busy_ns;
    if (!busy.has_value()) continue;
    in_time_[p] = in_time_[p] || !look.ended || intervals_.size() == 1;
    // Another process may tell less than before.
    const uint64_t before = std::exchange(busy_ns_[p], std::max(busy_ns_[p], *busy));
    settle(p, static_cast<double>(busy_ns_[p] - before) * 1e-9);
  }
}

v1::PartitionTimeline PartitionTimeline::timeline(const system::Plan& plan) const {
  v1::PartitionTimeline timeline;
  for (const Interval& interval : intervals_) timeline.add_wall_end_seconds(interval.end);
  for (size_t p = 0; p < std::min(busy_ns_.size(), plan.partitions.size()); ++p) {
    const system::PartitionPlan& planned = plan.partitions[p];
    v1::PartitionRow& row = *timeline.add_rows();
    row.set_partition(planned.name);
    row.set_place(plan.places[static_cast<size_t>(planned.place)].name);
    row.set_spread(!in_time_[p]);
    for (const Interval& interval : intervals_) {
      const double share = interval.cells[p].busy / interval.length;
      row.add_busy_permille(static_cast<uint32_t>(std::lround(1000 * std::clamp(share, 0.0, 1.0))));
      row.add_waits_for(most_frequent(interval.cells[p].waits_for));
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
