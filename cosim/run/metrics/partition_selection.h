// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Which partitions of a run have series of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cosim/run/run.h"
#include "cosim/system/plan.h"

namespace fabrictwin::run::metrics {

/// The partitions with series of their own, and the pairs of them that say who waits for whom. Not thread-safe.
class PartitionSelection {
 public:
  /// Series of who waits for whom, all together, unless all partitions are selected on request.
  static constexpr size_t kMostPairs = 256;

  /// Selects all partitions if there are up to `all_up_to`, and otherwise, with each update(), the `busiest` and those
  /// that they wait for, up to twice as many in all. Once a partition is selected, its series go on.
  PartitionSelection(const system::Plan& plan, size_t busiest, size_t all_up_to);

  /// Looks at how busy partitions have been, and for whom they wait.
  void update(const RunSample& sample);

  bool contains(size_t partition) const { return selected_[partition]; }
  /// True for names that the plan does not have, too.
  bool contains(std::string_view partition) const;
  /// Whether `partition`, which is selected, has a series for its neighbour `peer`: where there are too many pairs,
  /// only once it has been seen to wait for it.
  bool contains_pair(size_t partition, int32_t peer, bool waits);

  /// The partitions from which links enter one.
  const std::set<int32_t>& neighbours(size_t partition) const { return neighbours_[partition]; }

 private:
  void select(size_t partition);

  size_t busiest_;
  bool all_;
  bool all_pairs_;
  std::vector<bool> selected_;
  size_t selected_count_ = 0;
  std::unordered_map<std::string, size_t> index_;  ///< By name.
  std::vector<std::set<int32_t>> neighbours_;
  std::set<std::pair<size_t, int32_t>> pairs_;  ///< Those with series, unless all pairs have some.
};

}  // namespace fabrictwin::run::metrics
