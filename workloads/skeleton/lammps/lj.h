// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The communication of LAMMPS' Lennard-Jones benchmark (bench/in.lj), generated without running it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "workloads/skeleton/lammps/lattice_slabs.h"
#include "workloads/skeleton/lammps/options.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::skeleton::lammps {

/// The calls of a run, one for one. Sizes are exact until the first rebuild of neighbour lists (step 20), while the
/// atoms are still a crystal, and averages after it; docs/models/skeletons.md has the equations and the error.
class Lj final : public trace::format::Source {
 public:
  /// InvalidArgument if the skeleton does not describe a run with these options.
  static absl::StatusOr<std::shared_ptr<const Lj>> create(const Options& options);

  const trace::format::Info& info() const override { return info_; }
  std::unique_ptr<trace::format::EventSource> rank(uint32_t rank) const override;

 private:
  friend class LammpsLjRank;
  struct Plan {
    Options options;
    Grid grid;
    LatticeSlabs crystal;
    LatticeSlabs later;
  };

  Lj(trace::format::Info info, std::shared_ptr<const Plan> plan) : info_(std::move(info)), plan_(std::move(plan)) {}

  trace::format::Info info_;
  std::shared_ptr<const Plan> plan_;
};

}  // namespace fabrictwin::skeleton::lammps
