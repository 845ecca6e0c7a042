// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What LAMMPS' rhodopsin benchmark (bench/in.rhodo) communicates, without running it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "workloads/skeleton/fluid_slabs.h"
#include "workloads/skeleton/lammps_options.h"
#include "workloads/skeleton/pppm_mesh.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

/// The calls of a run, one for one for the recorded 20 steps on 32000 atoms, with the mesh exact and the sizes that
/// depend on where atoms are as averages; docs/models/skeletons.md has the equations and the error.
class LammpsRhodo final : public TraceSource {
 public:
  /// InvalidArgument if the options are not those of a run that the skeleton describes.
  static absl::StatusOr<std::shared_ptr<const LammpsRhodo>> create(const LammpsOptions& options);

  const TraceInfo& info() const override { return info_; }
  std::unique_ptr<EventSource> rank(uint32_t rank) const override;

 private:
  friend class LammpsRhodoRank;

  struct Plan {
    LammpsOptions options;
    std::array<double, 3> edges{};
    LammpsGrid grid;
    FluidSlabs slabs;
    PppmMesh mesh;
  };

  LammpsRhodo(TraceInfo info, std::shared_ptr<const Plan> plan) : info_(std::move(info)), plan_(std::move(plan)) {}

  TraceInfo info_;
  std::shared_ptr<const Plan> plan_;
};

}  // namespace fabrictwin
