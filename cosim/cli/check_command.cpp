// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/console.h"
#include "cosim/cli/experiment_options.h"
#include "cosim/cli/parts.h"
#include "cosim/cli/run_choices.h"

namespace fabrictwin {
namespace {

absl::Status check(const ExperimentOptions& options) {
  const absl::StatusOr<Experiment> experiment = options.load();
  if (!experiment.ok()) return experiment.status();
  const absl::StatusOr<Plan> plan = plan_experiment(*experiment);
  if (!plan.ok()) return plan.status();
  options.tell_overrides();
  tell_plan(*experiment, *plan);
  if (absl::Status workload = check_workload(*experiment, plan->graph); !workload.ok()) return workload;
  return print_data(fmt::format("{}: ok: {}, {} partition{} at {} place{}\n", experiment->file, plan->graph.topology,
                                plan->partitions.size(), plan->partitions.size() == 1 ? "" : "s", plan->places.size(),
                                plan->places.size() == 1 ? "" : "s"));
}

}  // namespace

void add_check_command(CLI::App& app, ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("check", "Check an experiment, its plan and its workload without running it");
  auto options = std::make_shared<ExperimentOptions>();
  options->add_to(*command);
  command->callback([options, &exit_code] {
    const absl::Status status = check(*options);
    if (!status.ok()) print_error(message_of(status));
    exit_code = exit_code_of_input(status);
  });
}

}  // namespace fabrictwin
