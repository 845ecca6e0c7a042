// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/experiment_options.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "cosim/cli/option_checks.h"
#include "cosim/run/experiment_file.h"

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

void ExperimentOptions::tell_overrides() const {
  static constexpr std::string_view kTopology = "topology.";
  // The last one decides.
  const auto set = std::find_if(overrides.sets.rbegin(), overrides.sets.rend(),
                                [](const std::string& text) { return text.starts_with(kTopology); });
  if (set == overrides.sets.rend()) return;
  const absl::StatusOr<ExperimentFile> written = ExperimentFile::read(file);
  if (!written.ok() || !written->message().has_topology()) return;
  const auto* field = v1::Topology::descriptor()->FindFieldByNumber(written->message().topology().kind_case());
  if (field == nullptr) return;
  const std::string name = set->substr(kTopology.size(), set->find('.', kTopology.size()) - kTopology.size());
  if (name == field->name()) return;
  spdlog::info("--set {}: the topology is now {}, and nothing of the {} of the file counts", *set, name, field->name());
}

}  // namespace fabrictwin
