// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/experiment_options.h"

#include <cstdint>
#include <string>

#include "cosim/cli/whole_number.h"

namespace fabrictwin {

void ExperimentOptions::add_to(CLI::App& command) {
  command.add_option("FILE", file, "Experiment file (docs/experiment-file.md)")->required();
  // One value for each time an option is given, so that FILE may follow it.
  command
      .add_option("--set", overrides.sets,
                  "Change a field: PATH=VALUE, as in workload.traffic.load=0.5 or topology.torus.dims=4x4x2")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--use", overrides.uses,
                  "Add a rule: SELECT=IMPLEMENTATION[@PLACE], as in 'router[1]=RTL@worker:unix'")
      ->type_name("SELECT=IMPL[@PLACE]")
      ->allow_extra_args(false);
  command.add_option("--seed", overrides.seed, "Seed of all randomness")
      ->type_name("N")
      ->check(check_whole_number<uint64_t>);
}

}  // namespace fabrictwin
