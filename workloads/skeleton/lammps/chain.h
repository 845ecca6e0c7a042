// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The communication of LAMMPS' benchmark of bead-spring chains (bench/in.chain, bench/in.chain.scaled), generated
// without running it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "workloads/skeleton/extent.h"
#include "workloads/skeleton/lammps/fluid_slabs.h"
#include "workloads/skeleton/lammps/options.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::skeleton::lammps {

/// A number of atoms other than 32000 means that many copies of the box, as `replicate` makes them.
struct ChainOptions : Options {
  /// LAMMPS rebuilds its lists when an atom has moved by half the skin: in every fourth step in all recorded runs.
  uint32_t rebuild_steps = 4;
};

/// The calls of a run, one for one; sizes that depend on positions of atoms are averages of a melt of even density.
/// docs/models/skeletons.md has the equations and the error.
class Chain final : public trace::format::Source {
 public:
  /// InvalidArgument if the skeleton does not describe a run with these options.
  static absl::StatusOr<std::shared_ptr<const Chain>> create(const ChainOptions& options);

  const trace::format::Info& info() const override { return info_; }
  std::unique_ptr<trace::format::EventSource> rank(uint32_t rank) const override;

 private:
  friend class LammpsChainRank;
  struct Plan {
    ChainOptions options;
    Extent copies{};
    std::array<double, 3> edges{};
    Grid grid;
    FluidSlabs slabs;
  };

  Chain(trace::format::Info info, std::shared_ptr<const Plan> plan) : info_(std::move(info)), plan_(std::move(plan)) {}

  trace::format::Info info_;
  std::shared_ptr<const Plan> plan_;
};

}  // namespace fabrictwin::skeleton::lammps
