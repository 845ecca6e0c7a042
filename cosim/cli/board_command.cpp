// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

#include "bridges/board/agent.h"
#include "bridges/board/soft_board.h"
#include "bridges/server/service_metrics.h"
#include "cosim/base/text.h"
#include "cosim/cli/board_agent/selftest_option.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/metrics_option.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/run_choices.h"
#include "cosim/cli/support/security_options.h"
#include "cosim/cli/support/service_options.h"
#include "rtl/transactor/shell/board.h"

namespace fabrictwin::cli {
namespace {

struct BoardArguments {
  std::string window;
  std::string listen;
  bool soft = false;
  bool shell = false;
  uint32_t clock_hertz = 0;
  std::string clock = "gated";
  bool once = false;
  support::SecurityArguments security;
  board_agent::SelftestArguments selftest;
  support::ServiceOptions service;
  support::MetricsArguments metrics;
};

absl::Status serve(const BoardArguments& arguments, const ConnectionSecurity& security,
                   bridges::server::ServiceMetrics& told, const std::stop_token& stop) {
  if (arguments.shell) {
    spdlog::info("Verilated shell behind the window {}", arguments.window);
    return rtl::shell::serve_board({.window = arguments.window,
                                    .parent_pid = arguments.service.parent_pid,
                                    .ready_fd = arguments.service.ready_fd,
                                    .clock_hertz = arguments.clock_hertz,
                                    .stop = stop});
  }
  if (arguments.soft) {
    bridges::board::SoftBoardOptions options;
    options.window = arguments.window;
    options.element = support::make_board_element;
    options.parent_pid = arguments.service.parent_pid;
    options.ready_fd = arguments.service.ready_fd;
    options.stop = stop;
    options.metrics = &told;
    spdlog::info("soft board behind the window {}", options.window);
    return bridges::board::serve_soft_board(options);
  }
  bridges::board::AgentOptions options;
  options.window = arguments.window;
  options.listen = arguments.listen;
  options.security = security;
  options.clock = *bridges::board::shell::clock_mode(arguments.clock);
  options.once = arguments.once;
  options.parent_pid = arguments.service.parent_pid;
  options.ready_fd = arguments.service.ready_fd;
  options.stop = stop;
  options.metrics = &told;
  return bridges::board::serve_board_agent(options);
}

support::ExitCode be_board(const BoardArguments& arguments) {
  // Before anything is served; a soft board listens nowhere.
  const absl::StatusOr<ConnectionSecurity> security =
      arguments.soft || arguments.shell ? ConnectionSecurity()
                                        : support::read_listen_security(arguments.security, arguments.listen);
  if (!security.ok()) return fail(support::ExitCode::kUsage, message_of(security.status()));
  const support::ServiceStop stop(arguments.service);
  bridges::server::ServiceMetrics told(arguments.soft || arguments.shell ? "soft board" : "board agent");
  absl::StatusOr<support::ServedMetrics> metrics = support::serve_service(arguments.metrics, told);
  if (!metrics.ok()) return fail(support::ExitCode::kUsage, message_of(metrics.status()));
  const absl::Status status = serve(arguments, *security, told, stop.token());
  metrics->end(stop.token());
  if (!status.ok()) support::print_error(message_of(status));
  return support::exit_code_of_input(status);
}

}  // namespace

void add_board_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("board", "Join runs on behalf of a board, or be a soft board");
  auto arguments = std::make_shared<BoardArguments>();
  command
      ->add_option("--window", arguments->window,
                   "The board's memory window; a soft board makes the file (default fabrictwin-board.window)")
      ->type_name("FILE");
  CLI::Option* soft =
      command->add_flag("--soft", arguments->soft, "Be the board: a Verilated router behind the window");
  CLI::Option* shell = command->add_flag("--shell", arguments->shell,
                                         "Be the board: the shell and router that go into an FPGA, Verilated");
  shell->excludes(soft);
  command
      ->add_option("--listen", arguments->listen,
                   "Where runs reach the agent: HOST:PORT or unix:PATH (default 127.0.0.1:7070)")
      ->type_name("ADDR")
      ->excludes(soft)
      ->excludes(shell);
  command
      ->add_option(
          "--clock-hertz", arguments->clock_hertz,
          "With --shell: cycles of the shell's clock in a second of wall-clock time (default: as many as it can)")
      ->check(CLI::Range(uint32_t{1}, uint32_t{1'000'000'000}))
      ->type_name("N")
      ->needs(shell);
  command
      ->add_option(
          "--clock", arguments->clock,
          "How the board's clock follows the run: gated (it waits, the default), paced (it waits, and does not run "
          "ahead of wall-clock time) or free (it does not wait)")
      ->check(CLI::IsMember({"gated", "paced", "free"}))
      ->type_name("MODE")
      ->excludes(soft)
      ->excludes(shell);
  command->add_flag("--once", arguments->once, "End after one run")->excludes(soft)->excludes(shell);
  support::add_listen_security_options(*command, arguments->security);
  for (const char* option : support::kSecurityOptions) command->get_option(option)->excludes(soft)->excludes(shell);
  support::add_service_metrics_options(*command, arguments->metrics);
  board_agent::add_selftest_options(*command, arguments->selftest);
  command->get_option("--selftest")->excludes(soft)->excludes(shell);
  arguments->service.add_to(*command);
  command->callback([arguments, &exit_code] {
    if (arguments->window.empty()) {
      if (!arguments->soft && !arguments->shell) {
        support::print_error(
            "the board agent needs --window FILE, the memory window of its board; --soft and --shell make one");
        exit_code = support::ExitCode::kUsage;
        return;
      }
      arguments->window = "fabrictwin-board.window";
    }
    if (arguments->selftest.selftest) {
      exit_code = board_agent::run_selftest(arguments->selftest, arguments->window);
      return;
    }
    if (arguments->listen.empty()) arguments->listen = "127.0.0.1:7070";
    exit_code = be_board(*arguments);
  });
}

}  // namespace fabrictwin::cli
