// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The agent of a board alone, for the processor on or beside the board: what `fabrictwin board --window` does, without
// all that a simulator needs. docs/boards.md
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <string>

#include "bridges/board/agent.h"
#include "cosim/base/text.h"
#include "cosim/base/version.h"
#include "cosim/cli/board_agent/selftest_option.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/exit_code.h"
#include "cosim/cli/support/security_options.h"
#include "cosim/cli/support/service_options.h"

namespace fabrictwin::cli::board_agent {
namespace {

struct Arguments {
  std::string window;
  std::string listen = "127.0.0.1:7070";
  std::string clock = "gated";
  bool once = false;
  support::SecurityArguments security;
  SelftestArguments selftest;
  support::ServiceOptions service;
};

support::ExitCode fail(const absl::Status& status) {
  support::print_error(message_of(status));
  return support::exit_code_of_input(status);
}

support::ExitCode serve(const Arguments& arguments) {
  const absl::StatusOr<ConnectionSecurity> security =
      support::read_listen_security(arguments.security, arguments.listen);
  if (!security.ok()) return fail(security.status());
  const support::ServiceStop stop(arguments.service);
  bridges::board::AgentOptions options;
  options.window = arguments.window;
  options.listen = arguments.listen;
  options.security = *security;
  options.clock = *bridges::board::shell::clock_mode(arguments.clock);
  options.once = arguments.once;
  options.parent_pid = arguments.service.parent_pid;
  options.ready_fd = arguments.service.ready_fd;
  options.stop = stop.token();
  const absl::Status status = bridges::board::serve_board_agent(options);
  return status.ok() ? support::ExitCode::kOk : fail(status);
}

int run(int argc, char** argv) {
  support::set_up_log();
  Arguments arguments;
  CLI::App app("Joins runs of fabrictwin on behalf of a board", "fabrictwin-board");
  app.set_version_flag("--version", std::string(kVersion));
  app.add_option("--window", arguments.window, "The board's memory window: FILE[@OFFSET], uio:NAME or pci:BDF/barN")
      ->required()
      ->type_name("WINDOW");
  app.add_option("--listen", arguments.listen,
                 "Where runs reach the agent: HOST:PORT or unix:PATH (default 127.0.0.1:7070)")
      ->type_name("ADDR");
  app.add_option(
         "--clock", arguments.clock,
         "How the board's clock follows the run: gated (it waits, the default), paced (it waits, and does not run "
         "ahead of wall-clock time) or free (it does not wait)")
      ->check(CLI::IsMember({"gated", "paced", "free"}))
      ->type_name("MODE");
  app.add_flag("--once", arguments.once, "End after one run");
  support::add_listen_security_options(app, arguments.security);
  add_selftest_options(app, arguments.selftest);
  arguments.service.add_to(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    support::print_error(error.what());
    return static_cast<int>(support::ExitCode::kUsage);
  }
  return static_cast<int>(arguments.selftest.selftest ? run_selftest(arguments.selftest, arguments.window)
                                                      : serve(arguments));
}

}  // namespace
}  // namespace fabrictwin::cli::board_agent

int main(int argc, char** argv) {
  try {
    return fabrictwin::cli::board_agent::run(argc, argv);
  } catch (const std::exception& error) {
    fabrictwin::cli::support::print_error(error.what());
    return static_cast<int>(fabrictwin::cli::support::ExitCode::kInternal);
  }
}
