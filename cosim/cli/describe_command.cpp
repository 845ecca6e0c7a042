// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/console.h"
#include "cosim/cli/describe_text.h"
#include "cosim/cli/experiment_options.h"
#include "cosim/cli/parts.h"

namespace fabrictwin {
namespace {

struct DescribeArguments {
  ExperimentOptions experiment;
  bool dot = false;
  bool json = false;
};

absl::Status describe(const DescribeArguments& arguments) {
  const absl::StatusOr<Experiment> experiment = arguments.experiment.load();
  if (!experiment.ok()) return experiment.status();
  const absl::StatusOr<Plan> plan = plan_experiment(*experiment);
  if (!plan.ok()) return plan.status();
  if (arguments.dot) return print_data(describe_dot(*plan));
  return print_data(arguments.json ? describe_json(*experiment, *plan) : describe_text(*experiment, *plan));
}

}  // namespace

void add_describe_command(CLI::App& app, ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("describe", "Print the topology, partitions and links of an experiment");
  auto arguments = std::make_shared<DescribeArguments>();
  arguments->experiment.add_to(*command);
  CLI::Option* dot = command->add_flag("--dot", arguments->dot, "Print a Graphviz graph");
  command->add_flag("--json", arguments->json, "Print one JSON object")->excludes(dot);
  command->callback([arguments, &exit_code] {
    const absl::Status status = describe(*arguments);
    if (!status.ok()) print_error(message_of(status));
    exit_code = exit_code_of_input(status);
  });
}

}  // namespace fabrictwin
