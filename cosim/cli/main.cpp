// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The fabrictwin command; see docs/command-line.md.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bridges/mpi/launch.h"
#include "cosim/base/suggest.h"
#include "cosim/base/text.h"
#include "cosim/base/version.h"
#include "cosim/cli/command_texts.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/history/history_command.h"
#include "cosim/cli/mpi_run.h"
#include "cosim/cli/slurm/task_command.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/exit_code.h"
#include "cosim/cli/support/memory_need.h"
#include "cosim/cli/support/run_choices.h"

namespace fabrictwin::cli {
namespace {

/// Suggests the subcommand that was meant by `fabrictwin rnu` or `fabrictwin trace stast`.
std::string suggest_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* command = &app;
  for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
    const CLI::App* named = nullptr;
    std::vector<std::string_view> names;
    for (const CLI::App* each : command->get_subcommands([](const CLI::App*) { return true; })) {
      if (each->get_name() == argv[i]) named = each;
      names.push_back(each->get_name());
    }
    // Words after the last subcommand are its arguments.
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

/// Adds a command for installations (scripts/cmake/install.cmake), not for people.
void add_command_texts(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("command-texts", "Print the manual page, or completion for a shell");
  command->group("");
  auto kind = std::make_shared<std::string>();
  command->add_option("KIND", *kind, "man, bash or zsh")->required()->check(CLI::IsMember({"man", "bash", "zsh"}));
  command->callback([&app, &exit_code, kind] {
    const absl::Status printed = support::print_data(*kind == "man"    ? man_page(app, kVersion)
                                                     : *kind == "bash" ? bash_completion(app)
                                                                       : zsh_completion(app));
    if (!printed.ok()) exit_code = fail(support::ExitCode::kRunFailed, message_of(printed));
  });
}

support::ExitCode run_command_line(int argc, char** argv) {
  CLI::App app("Runs one HPC interconnect as a mix of real and simulated parts.", "fabrictwin");
  app.set_version_flag("--version", std::string("fabrictwin ") + kVersion);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  support::ExitCode exit_code = support::ExitCode::kOk;
  add_run_command(app, exit_code);
  add_check_command(app, exit_code);
  add_describe_command(app, exit_code);
  add_worker_command(app, exit_code);
  add_board_command(app, exit_code);
  add_conformance_command(app, exit_code);
  add_trace_command(app, exit_code);
  add_karma_command(app, exit_code);
  add_nanet_command(app, exit_code);
  add_validate_command(app, exit_code);
  add_osu_command(app, exit_code);
  add_compare_command(app, exit_code);
  add_reproduce_command(app, exit_code);
  add_top_command(app, exit_code);
  history::add_history_command(app, exit_code);
  slurm::add_task_command(app, exit_code);
  add_command_texts(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version are "errors" with code 0, which go to stdout.
    if (error.get_exit_code() == 0) {
      std::ostringstream text;
      app.exit(error, text, std::cerr);
      const absl::Status printed = support::print_data(text.str());
      if (argc > 1 && std::string_view(argv[1]) == "run") fail_by_mpi("it was asked for help, and does not run");
      return printed.ok() ? support::ExitCode::kOk : fail(support::ExitCode::kRunFailed, message_of(printed));
    }
    const std::string unknown = suggest_command(app, argc, argv);
    const std::string message = unknown.empty() ? error.what() : unknown;
    support::print_error(message);
    if (argc > 1 && std::string_view(argv[1]) == "run") fail_by_mpi(message);
    if (support::muted()) return support::ExitCode::kUsage;
    support::tell(stderr, "Run fabrictwin --help or fabrictwin COMMAND --help for more information.\n");
    return support::ExitCode::kUsage;
  }
  return exit_code;
}

}  // namespace
}  // namespace fabrictwin::cli

int main(int argc, char** argv) {
  try {
    fabrictwin::cli::support::set_up_log();
    // All ranks of a run read the same arguments, so only the first one prints what is wrong with them.
    const bool runs = argc > 1 && std::string_view(argv[1]) == "run";
    if (runs && fabrictwin::bridges::mpi::launch().rank > 0) fabrictwin::cli::support::mute();
    const auto code = fabrictwin::cli::run_command_line(argc, argv);
    // mpirun ends all ranks as soon as one has failed, and the first one may not have said yet what is wrong.
    if (fabrictwin::cli::support::muted() && code != fabrictwin::cli::support::ExitCode::kOk)
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    return static_cast<int>(code);
  } catch (const std::bad_alloc&) {
    // By now the stack is unwound, and there is some memory again.
    fabrictwin::cli::support::print_error(fabrictwin::cli::support::memory_used_up());
    return static_cast<int>(fabrictwin::cli::support::ExitCode::kRunFailed);
  } catch (const std::exception& error) {
    // SystemC and the standard library throw; everything else is a value.
    fabrictwin::cli::support::print_error(fmt::format("internal error: {}", error.what()));
    return static_cast<int>(fabrictwin::cli::support::ExitCode::kInternal);
  }
}
