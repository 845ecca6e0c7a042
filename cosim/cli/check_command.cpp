// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/options/experiment.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/run_choices.h"

namespace fabrictwin::cli {
namespace {

absl::Status check(const experiment::Input& options) {
  const absl::StatusOr<experiment::Experiment> experiment = support::load(options);
  if (!experiment.ok()) return experiment.status();
  const absl::StatusOr<system::Plan> plan = support::plan_experiment(*experiment);
  if (!plan.ok()) return plan.status();
  options::tell_overrides(options);
  support::tell_plan(*experiment, *plan);
  if (absl::Status workload = support::check_workload(*experiment, *plan); !workload.ok()) return workload;
  return support::print_data(fmt::format(
      "{}: ok: {}, {} partition{} at {} place{}\n", experiment->file, plan->graph.topology, plan->partitions.size(),
      plan->partitions.size() == 1 ? "" : "s", plan->places.size(), plan->places.size() == 1 ? "" : "s"));
}

}  // namespace

void add_check_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("check", "Check an experiment, its plan and its workload without running it");
  auto options = std::make_shared<experiment::Input>();
  options::add_experiment_options(*command, *options);
  command->callback([options, &exit_code] {
    const absl::Status status = check(*options);
    if (!status.ok()) support::print_error(message_of(status));
    exit_code = support::exit_code_of_input(status);
  });
}

}  // namespace fabrictwin::cli
