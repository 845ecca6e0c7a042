// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "bridges/caller/check_places.h"
#include "bridges/caller/grpc_connector.h"
#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/describe_text.h"
#include "cosim/cli/options/experiment.h"
#include "cosim/cli/options/security.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/memory_need.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/run_choices.h"
#include "cosim/report/catalogue.h"
#include "cosim/run/estimate.h"
#include "cosim/run/run.h"
#include "dashboards/metrics/metric_list.h"

namespace fabrictwin::cli {
namespace {

struct DescribeArguments {
  experiment::Input experiment;
  options::SecurityArguments security;
  bool dot = false;
  bool json = false;
  bool markdown = false;
  bool estimate = false;
  std::string list;
};

constexpr const char* kMetrics = "metrics";

std::vector<std::string> list_kinds() {
  std::vector<std::string> kinds = report::catalogue_kinds();
  kinds.emplace_back(kMetrics);
  return kinds;
}

std::string metric_list(const DescribeArguments& arguments) {
  if (arguments.markdown) return dashboards::metrics::metric_list_table();
  return arguments.json ? dashboards::metrics::metric_list_json() : dashboards::metrics::metric_list_text();
}

/// Executes the beginning of the run: docs/command-line.md.
absl::StatusOr<run::Estimate> estimate(const experiment::Experiment& experiment, const ConnectionSecurity& security) {
  constexpr auto kBudget = std::chrono::seconds(3);
  if (absl::Status memory = support::check_memory(experiment, support::MemoryUse::kRun); !memory.ok()) return memory;
  const absl::StatusOr<system::Plan> plan = support::plan_experiment(experiment);
  if (!plan.ok()) return plan.status();
  if (absl::Status places = bridges::caller::check_places(experiment, *plan, security); !places.ok()) return places;
  run::RunOptions how;
  how.security = security;
  how.executable = support::executable();
  how.threads = support::choose_threads(*plan);
  absl::StatusOr<std::unique_ptr<run::Run>> run =
      run::Run::create(experiment, support::all_parts(), bridges::caller::make_grpc_connector, how);
  if (!run.ok()) return run.status();
  absl::StatusOr<run::Estimate> estimate = run::estimate(**run, kBudget);
  if (estimate.ok() || (*run)->refused()) return estimate;
  return absl::AbortedError(estimate.status().message());
}

absl::Status describe_estimate(const DescribeArguments& arguments) {
  const absl::StatusOr<ConnectionSecurity> security = options::read_security(arguments.security);
  if (!security.ok()) return security.status();
  const absl::StatusOr<experiment::Experiment> experiment = support::load(arguments.experiment);
  if (!experiment.ok()) return experiment.status();
  const absl::StatusOr<run::Estimate> taken = estimate(*experiment, *security);
  if (!taken.ok()) return taken.status();
  return support::print_data(arguments.json ? estimate_json(*experiment, *taken) : estimate_text(*taken));
}

absl::Status describe(const DescribeArguments& arguments) {
  if (arguments.estimate) return describe_estimate(arguments);
  if (arguments.markdown && arguments.list != kMetrics)
    return absl::InvalidArgumentError("--markdown prints the table of docs/metrics.md: write --list metrics with it");
  if (arguments.list == kMetrics) return support::print_data(metric_list(arguments));
  if (!arguments.list.empty()) {
    const report::Catalogue catalogue = report::make_catalogue(arguments.list);
    return support::print_data(arguments.json ? report::catalogue_json(catalogue) : report::catalogue_text(catalogue));
  }
  const absl::StatusOr<experiment::Experiment> experiment = support::load(arguments.experiment);
  if (!experiment.ok()) return experiment.status();
  const absl::StatusOr<system::Plan> plan = support::plan_experiment(*experiment);
  if (!plan.ok()) return plan.status();
  options::tell_overrides(arguments.experiment);
  support::tell_plan(*experiment, *plan);
  if (arguments.dot) return support::print_data(describe_dot(*plan));
  absl::StatusOr<std::vector<bool>> busy = std::vector<bool>();
  if (arguments.experiment.split > 1) busy = support::busy_hosts(*experiment, plan->graph);
  if (!busy.ok()) return busy.status();
  return support::print_data(arguments.json ? describe_json(*experiment, *plan, *busy)
                                            : describe_text(*experiment, *plan, *busy));
}

}  // namespace

void add_describe_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand(
      "describe", "Print the topology, partitions and links of an experiment, or what there is to write in one");
  auto arguments = std::make_shared<DescribeArguments>();
  options::add_experiment_options(*command, arguments->experiment);
  options::add_split_option(*command, arguments->experiment);
  CLI::Option* dot = command->add_flag("--dot", arguments->dot, "Print a Graphviz graph");
  CLI::Option* json = command->add_flag("--json", arguments->json, "Print one JSON object")->excludes(dot);
  command->add_flag("--markdown", arguments->markdown, "With --list metrics: print the table of docs/metrics.md")
      ->excludes(dot)
      ->excludes(json);
  command
      ->add_flag("--estimate", arguments->estimate,
                 "Run the first seconds, and print what the whole run takes: time and memory on this machine")
      ->excludes(dot);
  options::add_security_options(*command, arguments->security);
  options::add_no_shm_option(*command, arguments->security)->needs(command->get_option("--estimate"));
  for (const char* option : options::kSecurityOptions)
    command->get_option(option)->needs(command->get_option("--estimate"));
  CLI::Option* file = command->get_option("FILE")->required(false);
  command
      ->add_option("--list", arguments->list,
                   "List what exists, without an experiment: topologies, routing, traffic, congestion, queues, pfc, "
                   "transport or metrics")
      ->type_name("WHAT")
      ->check(CLI::IsMember(list_kinds()))
      ->excludes(dot)
      ->excludes(command->get_option("--estimate"))
      ->excludes(file)
      ->excludes(command->get_option("--set"))
      ->excludes(command->get_option("--use"))
      ->excludes(command->get_option("--split"))
      ->excludes(command->get_option("--seed"));
  command->callback([arguments, &exit_code] {
    if (arguments->list.empty() && !arguments->markdown && arguments->experiment.file.empty())
      throw CLI::RequiredError("FILE");
    const absl::Status status = describe(*arguments);
    if (!status.ok()) support::print_error(message_of(status));
    exit_code = support::exit_code_of_input(status);
  });
}

}  // namespace fabrictwin::cli
