// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What miniFE communicates, without running it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "workloads/skeleton/box_partition.h"
#include "workloads/skeleton/host_profile.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

struct MinifeOptions {
  uint32_t ranks = 1;
  Extent elements{};          ///< Of the whole grid.
  uint32_t iterations = 200;  ///< Of conjugate gradients.
  /// Iterations (from 1, ascending) in which the solver tests for a breakdown, which it does near convergence: two more
  /// reductions each. When depends on the numbers; a recording says it.
  std::vector<uint32_t> breakdown_tests;
  HostProfile host;
};

/// The events of a run of miniFE 2.0, one for one (wildcard receives with their sources); the equations are in
/// docs/models/skeletons.md. Events are made when they are asked for.
class Minife final : public TraceSource {
 public:
  /// InvalidArgument if the options are not those of a run that miniFE can do.
  static absl::StatusOr<std::shared_ptr<const Minife>> create(const MinifeOptions& options);

  const TraceInfo& info() const override { return info_; }
  std::unique_ptr<EventSource> rank(uint32_t rank) const override;

 private:
  struct Plan {
    MinifeOptions options;
    BoxPartition partition;
  };

  Minife(TraceInfo info, std::shared_ptr<const Plan> plan) : info_(std::move(info)), plan_(std::move(plan)) {}

  TraceInfo info_;
  std::shared_ptr<const Plan> plan_;

  friend class MinifeRank;
};

}  // namespace fabrictwin
