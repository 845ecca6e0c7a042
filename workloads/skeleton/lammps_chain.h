// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What LAMMPS' benchmark of bead-spring chains (bench/in.chain, bench/in.chain.scaled) communicates, without running
// it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "workloads/skeleton/extent.h"
#include "workloads/skeleton/fluid_slabs.h"
#include "workloads/skeleton/lammps_options.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

/// A number of atoms that is not 32000 is that many copies of the box, as `replicate` makes them.
struct LammpsChainOptions : LammpsOptions {
  /// LAMMPS makes new lists when an atom has moved by half the skin; all recorded runs did in every fourth step.
  uint32_t rebuild_steps = 4;
};

/// The calls of a run, one for one, with the sizes that depend on where atoms are as averages of a melt of even
/// density; docs/models/skeletons.md has the equations and the error.
class LammpsChain final : public TraceSource {
 public:
  /// InvalidArgument if the options are not those of a run that the skeleton describes.
  static absl::StatusOr<std::shared_ptr<const LammpsChain>> create(const LammpsChainOptions& options);

  const TraceInfo& info() const override { return info_; }
  std::unique_ptr<EventSource> rank(uint32_t rank) const override;

 private:
  friend class LammpsChainRank;
  struct Plan {
    LammpsChainOptions options;
    Extent copies{};
    std::array<double, 3> edges{};
    LammpsGrid grid;
    FluidSlabs slabs;
  };

  LammpsChain(TraceInfo info, std::shared_ptr<const Plan> plan) : info_(std::move(info)), plan_(std::move(plan)) {}

  TraceInfo info_;
  std::shared_ptr<const Plan> plan_;
};

}  // namespace fabrictwin
