// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The communication of LAMMPS' rhodopsin benchmark (bench/in.rhodo), generated without running it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "workloads/skeleton/lammps/fluid_slabs.h"
#include "workloads/skeleton/lammps/options.h"
#include "workloads/skeleton/lammps/pppm_mesh.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::skeleton::lammps {

/// The calls of a run, one for one for the recorded 20 steps on 32000 atoms. The mesh is exact; sizes that depend on
/// positions of atoms are averages. docs/models/skeletons.md has the equations and the error.
class Rhodo final : public trace::format::Source {
 public:
  /// InvalidArgument if the skeleton does not describe a run with these options.
  static absl::StatusOr<std::shared_ptr<const Rhodo>> create(const Options& options);

  const trace::format::Info& info() const override { return info_; }
  std::unique_ptr<trace::format::EventSource> rank(uint32_t rank) const override;

 private:
  friend class LammpsRhodoRank;

  struct Plan {
    Options options;
    std::array<double, 3> edges{};
    Grid grid;
    FluidSlabs slabs;
    PppmMesh mesh;
  };

  Rhodo(trace::format::Info info, std::shared_ptr<const Plan> plan) : info_(std::move(info)), plan_(std::move(plan)) {}

  trace::format::Info info_;
  std::shared_ptr<const Plan> plan_;
};

}  // namespace fabrictwin::skeleton::lammps
