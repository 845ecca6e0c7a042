// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "bridges/worker_server.h"
#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/console.h"
#include "cosim/cli/parts.h"
#include "cosim/cli/run_choices.h"
#include "cosim/cli/service_options.h"

namespace fabrictwin {
namespace {

struct WorkerArguments {
  WorkerOptions options;
  ServiceOptions service;
};

ExitCode work(WorkerArguments& arguments) {
  const ServiceStop stop(arguments.service);
  WorkerOptions& options = arguments.options;
  options.registry = all_parts();
  options.parent_pid = arguments.service.parent_pid;
  options.ready_fd = arguments.service.ready_fd;
  options.stop = stop.token();
  const absl::Status status = serve_worker(options);
  if (status.ok()) return ExitCode::kOk;
  print_error(message_of(status));
  return exit_code_of_input(status);
}

}  // namespace

void add_worker_command(CLI::App& app, ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("worker", "Simulate parts of the runs of other processes");
  auto arguments = std::make_shared<WorkerArguments>();
  command->add_option("--listen", arguments->options.listen, "Where runs reach it: HOST:PORT or unix:PATH")
      ->type_name("ADDR")
      ->required();
  command->add_flag("--once", arguments->options.once, "End after one run");
  command->add_option("--threads", arguments->options.threads, "At most this many threads for a run")
      ->type_name("N")
      ->check(CLI::Range(1, kMaxThreads))
      ->capture_default_str();
  arguments->service.add_to(*command);
  command->callback([arguments, &exit_code] { exit_code = work(*arguments); });
}

}  // namespace fabrictwin
