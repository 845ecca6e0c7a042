// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "bridges/server/service_metrics.h"
#include "bridges/worker/server.h"
#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/options/metrics.h"
#include "cosim/cli/options/security.h"
#include "cosim/cli/options/service.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/run_choices.h"

namespace fabrictwin::cli {
namespace {

struct WorkerArguments {
  bridges::worker::Options options;
  options::SecurityArguments security;
  options::ServiceOptions service;
  options::MetricsArguments metrics;
};

support::ExitCode work(WorkerArguments& arguments) {
  bridges::worker::Options& options = arguments.options;
  // Before anything is served: metrics would be there for a worker that never listens.
  absl::StatusOr<ConnectionSecurity> security = options::read_listen_security(arguments.security, options.listen);
  if (!security.ok()) return fail(support::ExitCode::kUsage, message_of(security.status()));
  options.security = *std::move(security);
  const options::ServiceStop stop(arguments.service);
  bridges::server::ServiceMetrics told("worker");
  absl::StatusOr<options::ServedMetrics> metrics = options::serve_service(arguments.metrics, told);
  if (!metrics.ok()) return fail(support::ExitCode::kUsage, message_of(metrics.status()));
  options.registry = support::all_parts();
  options.parent_pid = arguments.service.parent_pid;
  options.ready_fd = arguments.service.ready_fd;
  options.stop = stop.token();
  options.metrics = &told;
  const absl::Status status = bridges::worker::serve_worker(options);
  if (!status.ok()) support::print_error(message_of(status));
  const support::ExitCode code = support::exit_code_of_input(status);
  metrics->end(code, stop.token());
  return code;
}

}  // namespace

void add_worker_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("worker", "Simulate parts of the runs of other processes");
  auto arguments = std::make_shared<WorkerArguments>();
  command->add_option("--listen", arguments->options.listen, "Where runs reach it: HOST:PORT or unix:PATH")
      ->type_name("ADDR")
      ->required();
  command->add_flag("--once", arguments->options.once, "End after one run");
  command->add_option("--threads", arguments->options.threads, "At most this many threads for a run")
      ->type_name("N")
      ->check(CLI::Range(1, support::kMaxThreads))
      ->capture_default_str();
  options::add_listen_security_options(*command, arguments->security);
  options::add_service_metrics_options(*command, arguments->metrics);
  arguments->service.add_to(*command);
  command->callback([arguments, &exit_code] { exit_code = work(*arguments); });
}

}  // namespace fabrictwin::cli
