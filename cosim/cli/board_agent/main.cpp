// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The agent of a board alone, for the processor on or beside the board: what `fabrictwin board --window` does, without
// all that a simulator needs. docs/boards.md
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>

#include "bridges/board/agent.h"
#include "cosim/base/text.h"
#include "cosim/base/version.h"
#include "cosim/cli/board_agent/agent_options.h"
#include "cosim/cli/board_agent/selftest_option.h"
#include "cosim/cli/options/service.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/exit_code.h"

namespace fabrictwin::cli::board_agent {
namespace {

support::ExitCode fail(const absl::Status& status) {
  support::print_error(message_of(status));
  return support::exit_code_of_input(status);
}

support::ExitCode serve(const AgentArguments& arguments, const options::ServiceOptions& service) {
  absl::StatusOr<bridges::board::AgentOptions> options = agent_options(arguments, service);
  if (!options.ok()) return fail(options.status());
  const options::ServiceStop stop(service);
  options->stop = stop.token();
  const absl::Status status = bridges::board::serve_board_agent(*options);
  return status.ok() ? support::ExitCode::kOk : fail(status);
}

int run(int argc, char** argv) {
  support::set_up_log();
  AgentArguments arguments;
  options::ServiceOptions service;
  CLI::App app("Joins runs of fabrictwin on behalf of a board", "fabrictwin-board");
  app.set_version_flag("--version", std::string(kVersion));
  app.add_option("--window", arguments.window, fmt::format("The board's memory window: {}", kWindowNames))
      ->required()
      ->type_name("WINDOW");
  add_agent_options(app, arguments);
  service.add_to(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    std::ostringstream text;
    app.exit(success, text, std::cerr);
    const absl::Status printed = support::print_data(text.str());
    return static_cast<int>(printed.ok() ? support::ExitCode::kOk : fail(printed));
  } catch (const CLI::ParseError& error) {
    support::print_error(error.what());
    return static_cast<int>(support::ExitCode::kUsage);
  }
  return static_cast<int>(
      arguments.selftest.selftest
          ? run_selftest(arguments.selftest, arguments.window, *bridges::board::shell::ring_memory(arguments.rings))
          : serve(arguments, service));
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
