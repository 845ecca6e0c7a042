// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What LAMMPS' Lennard-Jones benchmark (bench/in.lj) communicates, without running it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "workloads/skeleton/lammps_options.h"
#include "workloads/skeleton/lattice_slabs.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

/// The calls of a run, one for one. Sizes are exact until the first rebuild of neighbour lists (step 20), when the
/// atoms are still a crystal, and averages after it; docs/models/skeletons.md has the equations and the error.
class LammpsLj final : public TraceSource {
 public:
  /// InvalidArgument if the options are not those of a run that the skeleton describes.
  static absl::StatusOr<std::shared_ptr<const LammpsLj>> create(const LammpsOptions& options);

  const TraceInfo& info() const override { return info_; }
  std::unique_ptr<EventSource> rank(uint32_t rank) const override;

 private:
  friend class LammpsLjRank;
  struct Plan {
    LammpsOptions options;
    LammpsGrid grid;
    LatticeSlabs crystal;
    LatticeSlabs later;
  };

  LammpsLj(TraceInfo info, std::shared_ptr<const Plan> plan) : info_(std::move(info)), plan_(std::move(plan)) {}

  TraceInfo info_;
  std::shared_ptr<const Plan> plan_;
};

}  // namespace fabrictwin
