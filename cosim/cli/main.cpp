// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The fabrictwin command: docs/command-line.md.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/base/suggest.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/console.h"
#include "cosim/cli/exit_code.h"
#include "cosim/run/version.h"

namespace fabrictwin {
namespace {

/// For `fabrictwin rnu`, `fabrictwin trace stast`: the subcommand that was meant.
std::string suggest_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* command = &app;
  for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
    const CLI::App* named = nullptr;
    std::vector<std::string_view> names;
    for (const CLI::App* each : command->get_subcommands([](const CLI::App*) { return true; })) {
      if (each->get_name() == argv[i]) named = each;
      names.push_back(each->get_name());
    }
    // What follows the last subcommand are its arguments.
    if (names.empty()) return {};
    if (named == nullptr) {
      const std::string meant = did_you_mean(argv[i], names);
      if (i == 1) return fmt::format("unknown command \"{}\"{}", argv[i], meant);
      return fmt::format("there is no \"{}\" of {}{}; there are {}", argv[i], command->get_name(), meant,
                         fmt::join(names, ", "));
    }
    command = named;
  }
  return {};
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
