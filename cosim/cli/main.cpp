// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The fabrictwin command: docs/command-line.md.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>

#include "cosim/base/suggest.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/console.h"
#include "cosim/cli/exit_code.h"
#include "cosim/run/version.h"

namespace fabrictwin {
namespace {

/// For `fabrictwin rnu`: the subcommand that was meant.
std::string suggest_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  std::vector<std::string_view> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == argv[1]) return {};
    names.push_back(command->get_name());
  }
  return fmt::format("unknown command \"{}\"{}", argv[1], did_you_mean(argv[1], names));
}

ExitCode run_command_line(int argc, char** argv) {
  CLI::App app("Runs one HPC interconnect as a mix of real and simulated parts.", "fabrictwin");
  app.set_version_flag("--version", std::string("fabrictwin ") + kVersion);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  ExitCode exit_code = ExitCode::kOk;
  add_run_command(app, exit_code);
  add_check_command(app, exit_code);
  add_describe_command(app, exit_code);
  add_worker_command(app, exit_code);
  add_board_command(app, exit_code);
  add_trace_command(app, exit_code);
  add_karma_command(app, exit_code);
  add_validate_command(app, exit_code);
  add_osu_command(app, exit_code);
  add_reproduce_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version are "errors" with code 0, which go to stdout.
    if (error.get_exit_code() == 0) {
      app.exit(error, std::cout, std::cerr);
      return ExitCode::kOk;
    }
    const std::string unknown = suggest_command(app, argc, argv);
    print_error(unknown.empty() ? error.what() : unknown);
    fmt::print(stderr, "Run fabrictwin --help or fabrictwin COMMAND --help for more information.\n");
    return ExitCode::kUsage;
  }
  return exit_code;
}

}  // namespace
}  // namespace fabrictwin

int main(int argc, char** argv) {
  try {
    fabrictwin::set_up_log();
    return static_cast<int>(fabrictwin::run_command_line(argc, argv));
  } catch (const std::exception& error) {
    // SystemC and the standard library throw; everything else is a value.
    fabrictwin::print_error(fmt::format("internal error: {}", error.what()));
    return static_cast<int>(fabrictwin::ExitCode::kInternal);
  }
}
