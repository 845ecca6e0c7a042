// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Options that all runs of LAMMPS have in common.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "workloads/skeleton/host_profile.h"
#include "workloads/skeleton/lammps/grid.h"

namespace fabrictwin::skeleton::lammps {

/// The most steps of a run, and between two rebuilds of neighbour lists.
inline constexpr uint32_t kMaxLammpsSteps = 100'000'000;

/// A run: time steps and the machine that it computes on.
struct Options {
  uint32_t ranks = 1;
  uint64_t atoms = 32000;
  uint32_t steps = 100;
  HostProfile host;
};

/// InvalidArgument if a run of this many ranks or steps is impossible.
absl::Status check_run(const Options& options);

/// InvalidArgument if ghosts would come from beyond the next rank: the box of a rank is `edges` divided by the grid,
/// and must be as wide as `cutoff` in dimensions with several ranks. `unit` is that of both, preceded by a space, or
/// empty.
absl::Status check_ghosts(const Options& options, const Grid& grid, const std::array<double, 3>& edges, double cutoff,
                          std::string_view unit);

}  // namespace fabrictwin::skeleton::lammps
