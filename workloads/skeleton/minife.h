// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The communication of miniFE, generated without running it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "workloads/skeleton/box_partition.h"
#include "workloads/skeleton/host_profile.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::skeleton {

struct MinifeOptions {
  uint32_t ranks = 1;
  Extent elements{};          ///< Elements of the whole grid.
  uint32_t iterations = 200;  ///< Iterations of conjugate gradients.
  /// Iterations (from 1, ascending) in which the solver tests for a breakdown, with two more reductions each. It does
  /// so near convergence, which depends on the numbers; a recording shows when.
  std::vector<uint32_t> breakdown_tests;
  HostProfile host;
};

/// The events of a run of miniFE 2.0, one for one (wildcard receives with their sources); the equations are in
/// docs/models/skeletons.md. Events are generated on request.
class Minife final : public trace::format::Source {
 public:
  /// InvalidArgument if miniFE cannot run with these options.
  static absl::StatusOr<std::shared_ptr<const Minife>> create(const MinifeOptions& options);

  const trace::format::Info& info() const override { return info_; }
  std::unique_ptr<trace::format::EventSource> rank(uint32_t rank) const override;

 private:
  struct Plan {
    MinifeOptions options;
    BoxPartition partition;
  };

  Minife(trace::format::Info info, std::shared_ptr<const Plan> plan) : info_(std::move(info)), plan_(std::move(plan)) {}

  trace::format::Info info_;
  std::shared_ptr<const Plan> plan_;

  friend class MinifeRank;
};

}  // namespace fabrictwin::skeleton
