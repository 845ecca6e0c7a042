// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What all runs of LAMMPS have in common.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "workloads/skeleton/host_profile.h"
#include "workloads/skeleton/lammps_grid.h"

namespace fabrictwin {

/// Of a run, and between two rebuilds of neighbour lists.
inline constexpr uint32_t kMaxLammpsSteps = 100'000'000;

/// A run: time steps and the machine that it computes on.
struct LammpsOptions {
  uint32_t ranks = 1;
  uint64_t atoms = 32000;
  uint32_t steps = 100;
  HostProfile host;
};

/// InvalidArgument if there can be no run of so many ranks or steps.
absl::Status check_run(const LammpsOptions& options);

/// InvalidArgument if ghosts would come from further than the next rank: the box of a rank is `edges` divided by the
/// grid, and must be as wide as `cutoff` where there are several. `unit` of both, with a space in front, or empty.
absl::Status check_ghosts(const LammpsOptions& options, const LammpsGrid& grid, const std::array<double, 3>& edges,
                          double cutoff, std::string_view unit);

}  // namespace fabrictwin
