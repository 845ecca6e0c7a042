// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/lammps/options.h"

#include "fmt/format.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::skeleton::lammps {

absl::Status check_run(const Options& options) {
  if (options.ranks == 0 || options.ranks > trace::format::kMaxRanks)
    return absl::InvalidArgumentError(
        fmt::format("LAMMPS runs on 1 to {} ranks, not {}", trace::format::kMaxRanks, options.ranks));
  if (options.steps == 0 || options.steps > kMaxLammpsSteps) {
    return absl::InvalidArgumentError(
        fmt::format("the number of steps must be 1 to {}, not {}", kMaxLammpsSteps, options.steps));
  }
  return absl::OkStatus();
}

absl::Status check_ghosts(const Options& options, const Grid& grid, const std::array<double, 3>& edges, double cutoff,
                          std::string_view unit) {
  for (int i = 0; i < 3; ++i) {
    const double width = edges[i] / grid.extent()[i];
    if (grid.extent()[i] == 1 || width >= cutoff) continue;
    return absl::InvalidArgumentError(
        fmt::format("{} atoms on {} ranks (grid {}): a rank's box is {:.2f}{} wide in {}, less than the cut-off of {}, "
                    "so that ghosts would come from further than the next rank",
                    options.atoms, options.ranks, to_string(grid.extent()), width, unit, "xyz"[i], cutoff));
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::skeleton::lammps
