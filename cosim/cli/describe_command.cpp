// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/console.h"
#include "cosim/cli/describe_text.h"
#include "cosim/cli/experiment_options.h"
#include "cosim/cli/parts.h"
#include "cosim/cli/run_choices.h"
#include "cosim/run/catalogue.h"

namespace fabrictwin {
namespace {

struct DescribeArguments {
  ExperimentOptions experiment;
  bool dot = false;
  bool json = false;
  std::string list;
};

absl::Status describe(const DescribeArguments& arguments) {
  if (!arguments.list.empty()) {
    const Catalogue catalogue = make_catalogue(arguments.list);
    return print_data(arguments.json ? catalogue_json(catalogue) : catalogue_text(catalogue));
  }
  const absl::StatusOr<Experiment> experiment = arguments.experiment.load();
  if (!experiment.ok()) return experiment.status();
  const absl::StatusOr<Plan> plan = plan_experiment(*experiment);
  if (!plan.ok()) return plan.status();
  arguments.experiment.tell_overrides();
  tell_plan(*experiment, *plan);
  if (arguments.dot) return print_data(describe_dot(*plan));
  return print_data(arguments.json ? describe_json(*experiment, *plan) : describe_text(*experiment, *plan));
}

}  // namespace

void add_describe_command(CLI::App& app, ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand(
      "describe", "Print the topology, partitions and links of an experiment, or what there is to write in one");
  auto arguments = std::make_shared<DescribeArguments>();
  arguments->experiment.add_to(*command);
  CLI::Option* dot = command->add_flag("--dot", arguments->dot, "Print a Graphviz graph");
  command->add_flag("--json", arguments->json, "Print one JSON object")->excludes(dot);
  CLI::Option* file = command->get_option("FILE")->required(false);
  command
      ->add_option("--list", arguments->list, "List what exists, without an experiment: topologies, routing or traffic")
      ->type_name("WHAT")
      ->check(CLI::IsMember(catalogue_kinds()))
      ->excludes(dot)
      ->excludes(file)
      ->excludes(command->get_option("--set"))
      ->excludes(command->get_option("--use"))
      ->excludes(command->get_option("--seed"));
  command->callback([arguments, &exit_code] {
    if (arguments->list.empty() && arguments->experiment.file.empty()) throw CLI::RequiredError("FILE");
    const absl::Status status = describe(*arguments);
    if (!status.ok()) print_error(message_of(status));
    exit_code = exit_code_of_input(status);
  });
}

}  // namespace fabrictwin
