// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "bridges/board/agent.h"
#include "bridges/board/shell/ring_memory.h"
#include "bridges/board/shell/window_source.h"
#include "bridges/board/soft_board.h"
#include "bridges/server/service_metrics.h"
#include "cosim/base/text.h"
#include "cosim/cli/board_agent/agent_options.h"
#include "cosim/cli/board_agent/selftest_option.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/options/metrics.h"
#include "cosim/cli/options/service.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/run_choices.h"
#include "rtl/transactor/shell/board.h"

namespace fabrictwin::cli {
namespace {

namespace shell = bridges::board::shell;

constexpr size_t kPage = 0x1000;

struct BoardArguments {
  board_agent::AgentArguments agent;
  bool soft = false;
  bool shell = false;
  std::string library;
  std::string host_memory;
  uint32_t clock_hertz = 0;
  options::ServiceOptions service;
  options::MetricsArguments metrics;

  const std::string& window() const { return agent.window; }
};

absl::Status be_shell(const BoardArguments& arguments, bridges::server::ServiceMetrics& told,
                      const std::stop_token& stop) {
  std::optional<uint64_t> host_memory;
  if (!arguments.host_memory.empty()) {
    const std::optional<size_t> address = shell::number_of(arguments.host_memory);
    if (!address.has_value() || *address % kPage != 0) {
      return absl::InvalidArgumentError(fmt::format(
          "--host-memory {}: write an address, a multiple of {:#x}, as in 0x40000000", arguments.host_memory, kPage));
    }
    host_memory = address;
  }
  spdlog::info("Verilated shell behind the window {}", arguments.window());
  return rtl::shell::serve_board({.window = arguments.window(),
                                  .library = arguments.library,
                                  .host_memory = host_memory,
                                  .parent_pid = arguments.service.parent_pid,
                                  .ready_fd = arguments.service.ready_fd,
                                  .clock_hertz = arguments.clock_hertz,
                                  .stop = stop,
                                  .metrics = &told});
}

absl::Status be_soft(const BoardArguments& arguments, bridges::server::ServiceMetrics& told,
                     const std::stop_token& stop) {
  bridges::board::SoftBoardOptions options;
  options.window = arguments.window();
  options.element = support::make_board_element;
  options.parent_pid = arguments.service.parent_pid;
  options.ready_fd = arguments.service.ready_fd;
  options.stop = stop;
  options.metrics = &told;
  spdlog::info("soft board behind the window {}", options.window);
  return bridges::board::serve_soft_board(options);
}

/// Serves until `serve` returns, and metrics beside it.
template <class Serve>
support::ExitCode serve_measured(const BoardArguments& arguments, const std::string& service, Serve serve) {
  const options::ServiceStop stop(arguments.service);
  bridges::server::ServiceMetrics told(service);
  absl::StatusOr<options::ServedMetrics> metrics = options::serve_service(arguments.metrics, told);
  if (!metrics.ok()) return fail(support::ExitCode::kUsage, message_of(metrics.status()));
  const absl::Status status = serve(told, stop.token());
  if (!status.ok()) support::print_error(message_of(status));
  const support::ExitCode code = support::exit_code_of_input(status);
  metrics->end(code, stop.token());
  return code;
}

support::ExitCode be_board(const BoardArguments& arguments) {
  if (arguments.shell) {
    return serve_measured(arguments, "Verilated shell",
                          [&](auto& told, const auto& stop) { return be_shell(arguments, told, stop); });
  }
  if (arguments.soft) {
    return serve_measured(arguments, "soft board",
                          [&](auto& told, const auto& stop) { return be_soft(arguments, told, stop); });
  }
  // Before anything is served.
  absl::StatusOr<bridges::board::AgentOptions> options = board_agent::agent_options(arguments.agent, arguments.service);
  if (!options.ok()) return fail(support::ExitCode::kUsage, message_of(options.status()));
  return serve_measured(arguments, "board agent", [&](auto& told, const auto& stop) {
    options->stop = stop;
    options->metrics = &told;
    return bridges::board::serve_board_agent(*options);
  });
}

void add_options(CLI::App& command, BoardArguments& arguments) {
  command
      .add_option("--window", arguments.agent.window,
                  fmt::format("The board's memory window: {}; --soft and --shell make a file (default "
                              "fabrictwin-board.window)",
                              board_agent::kWindowNames))
      ->type_name("WINDOW");
  CLI::Option* soft = command.add_flag("--soft", arguments.soft, "Be the board: a Verilated router behind the window");
  CLI::Option* as_shell = command.add_flag("--shell", arguments.shell,
                                           "Be the board: the shell and router that go into an FPGA, Verilated");
  as_shell->excludes(soft);
  command
      .add_option("--library", arguments.library,
                  "With --shell: a shared library with the shell of a router of your own (docs/boards.md)")
      ->type_name("FILE")
      ->needs(as_shell);
  command
      .add_option("--host-memory", arguments.host_memory,
                  fmt::format("With --shell: memory of the host that the shell reaches at this address of its bus "
                              "(default {:#x}), for agents with --ring-memory host: the file WINDOW.host, or of "
                              "FILE@OFFSET the part of FILE at the address",
                              shell::kHostRingAddress))
      ->type_name("ADDRESS")
      ->expected(0, 1)
      ->default_str(fmt::format("{:#x}", shell::kHostRingAddress))
      ->needs(as_shell);
  command
      .add_option(
          "--clock-hertz", arguments.clock_hertz,
          "With --shell: cycles of the shell's clock in a second of wall-clock time (default: as many as it can)")
      ->check(CLI::Range(uint32_t{1}, uint32_t{1'000'000'000}))
      ->type_name("N")
      ->needs(as_shell);
  for (CLI::Option* option : board_agent::add_agent_options(command, arguments.agent))
    option->excludes(soft)->excludes(as_shell);
  options::add_service_metrics_options(command, arguments.metrics);
  // It ends before anybody could look.
  command.get_option("--selftest")->excludes(command.get_option("--metrics"));
  arguments.service.add_to(command);
}

support::ExitCode run_board(BoardArguments& arguments) {
  if (arguments.agent.window.empty()) {
    if (!arguments.soft && !arguments.shell) {
      return fail(support::ExitCode::kUsage,
                  "the board agent needs --window FILE, the memory window of its board; --soft and --shell make one");
    }
    arguments.agent.window = "fabrictwin-board.window";
  }
  if (arguments.agent.selftest.selftest)
    return board_agent::run_selftest(arguments.agent.selftest, arguments.agent.window,
                                     *bridges::board::shell::ring_memory(arguments.agent.rings));
  return be_board(arguments);
}

}  // namespace

void add_board_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("board", "Join runs on behalf of a board, or be a soft board");
  auto arguments = std::make_shared<BoardArguments>();
  add_options(*command, *arguments);
  command->callback([arguments, &exit_code] { exit_code = run_board(*arguments); });
}

}  // namespace fabrictwin::cli
