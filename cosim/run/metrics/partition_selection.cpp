// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/metrics/partition_selection.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::run::metrics {

PartitionSelection::PartitionSelection(const system::Plan& plan, size_t busiest, size_t all_up_to)
    : busiest_(busiest), all_(plan.partitions.size() <= all_up_to), selected_(plan.partitions.size(), all_) {
  for (size_t p = 0; p < plan.partitions.size(); ++p) index_.emplace(plan.partitions[p].name, p);
  neighbours_.resize(plan.partitions.size());
  for (const int32_t channel : plan.cut_channels)
    neighbours_[static_cast<size_t>(plan.target_partition(channel))].insert(plan.source_partition(channel));
  size_t pairs = 0;
  for (const std::set<int32_t>& each : neighbours_) pairs += each.size();
  all_pairs_ = pairs <= kMostPairs || (all_ && all_up_to == std::numeric_limits<size_t>::max());
}

void PartitionSelection::select(size_t partition) {
  if (selected_[partition] || selected_count_ >= 2 * busiest_) return;
  selected_[partition] = true;
  ++selected_count_;
}

void PartitionSelection::update(const RunSample& sample) {
  if (all_) return;
  std::vector<std::pair<double, size_t>> most;
  for (const v1::PartitionReport& each : sample.partitions)
    if (const auto found = index_.find(each.name()); found != index_.end() && each.busy_seconds() > 0)
      most.emplace_back(each.busy_seconds(), found->second);
  const size_t kept = std::min(busiest_, most.size());
  std::partial_sort(most.begin(), most.begin() + static_cast<std::ptrdiff_t>(kept), most.end(), std::greater<>());
  for (size_t i = 0; i < kept; ++i) select(most[i].second);
  // Who holds the busiest up need not be busy: a board, or a worker that hangs.
  const size_t known = std::min(sample.look.partitions.size(), selected_.size());
  for (size_t i = 0; i < kept; ++i) {
    if (most[i].second >= known) continue;
    const int32_t peer = sample.look.partitions[most[i].second].waits_for;
    if (peer >= 0 && static_cast<size_t>(peer) < selected_.size()) select(static_cast<size_t>(peer));
  }
}

bool PartitionSelection::contains(std::string_view partition) const {
  const auto found = index_.find(std::string(partition));
  return found == index_.end() || selected_[found->second];
}

bool PartitionSelection::contains_pair(size_t partition, int32_t peer, bool waits) {
  if (all_pairs_) return true;
  if (waits && pairs_.size() < kMostPairs) pairs_.emplace(partition, peer);
  return pairs_.contains({partition, peer});
}

}  // namespace fabrictwin::run::metrics
