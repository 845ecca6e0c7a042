// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/options/experiment.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "cosim/cli/options/checks.h"
#include "cosim/experiment/file.h"

namespace fabrictwin::cli::options {

void add_experiment_options(CLI::App& command, experiment::Input& input) {
  command.add_option("FILE", input.file, "Experiment file (docs/experiment-file.md); - is standard input")->required();
  // Each use of an option takes one value, so that FILE may follow it.
  command
      .add_option("--set", input.overrides.sets,
                  "Change a field: PATH=VALUE, as in workload.traffic.load=0.5 or topology.torus.dims=4x4x2")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--use", input.overrides.uses,
                  "Add a rule: SELECT=IMPLEMENTATION[/DEPTH][@PLACE], as in 'router[1]=RTL@worker:unix'")
      ->type_name("SELECT=IMPL[/DEPTH][@PLACE]")
      ->allow_extra_args(false);
  command.add_option("--seed", input.overrides.seed, "Seed of all randomness")
      ->type_name("N")
      ->check(check_whole_number<uint64_t>);
}

void add_split_option(CLI::App& command, experiment::Input& input) {
  constexpr int kMostParts = 1024;
  command
      .add_option("--split", input.split,
                  "Cut the system into N parts with about as much work, each in a process of its own on this machine")
      ->type_name("N")
      ->check(CLI::Range(1, kMostParts));
}

void tell_overrides(const experiment::Input& input) {
  static constexpr std::string_view kTopology = "topology.";
  // The last --set decides.
  const auto set = std::find_if(input.overrides.sets.rbegin(), input.overrides.sets.rend(),
                                [](const std::string& text) { return text.starts_with(kTopology); });
  if (set == input.overrides.sets.rend()) return;
  const absl::StatusOr<experiment::ExperimentFile> written = experiment::ExperimentFile::read(input.file);
  if (!written.ok() || !written->message().has_topology()) return;
  const auto* field = v1::Topology::descriptor()->FindFieldByNumber(written->message().topology().kind_case());
  if (field == nullptr) return;
  const std::string name = set->substr(kTopology.size(), set->find('.', kTopology.size()) - kTopology.size());
  if (name == field->name()) return;
  spdlog::info("--set {}: the topology is now {}, and nothing of the {} of the file counts", *set, name, field->name());
}

}  // namespace fabrictwin::cli::options
