// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string>

#include "bridges/board/agent.h"
#include "bridges/board/soft_board.h"
#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/service_options.h"

namespace fabrictwin::cli {
namespace {

struct BoardArguments {
  std::string window;
  std::string listen;
  bool soft = false;
  bool once = false;
  support::ServiceOptions service;
};

absl::Status serve(const BoardArguments& arguments) {
  const support::ServiceStop stop(arguments.service);
  if (arguments.soft) {
    bridges::board::SoftBoardOptions options;
    options.window = arguments.window;
    options.element = support::make_board_element;
    options.parent_pid = arguments.service.parent_pid;
    options.ready_fd = arguments.service.ready_fd;
    options.stop = stop.token();
    spdlog::info("soft board behind the window {}", options.window);
    return bridges::board::serve_soft_board(options);
  }
  bridges::board::AgentOptions options;
  options.window = arguments.window;
  options.listen = arguments.listen;
  options.once = arguments.once;
  options.parent_pid = arguments.service.parent_pid;
  options.ready_fd = arguments.service.ready_fd;
  options.stop = stop.token();
  return bridges::board::serve_board_agent(options);
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
  command
      ->add_option("--listen", arguments->listen,
                   "Where runs reach the agent: HOST:PORT or unix:PATH (default 127.0.0.1:7070)")
      ->type_name("ADDR")
      ->excludes(soft);
  command->add_flag("--once", arguments->once, "End after one run")->excludes(soft);
  arguments->service.add_to(*command);
  command->callback([arguments, &exit_code] {
    if (arguments->window.empty()) {
      if (!arguments->soft) {
        support::print_error("the board agent needs --window FILE, the memory window of its board; --soft makes one");
        exit_code = support::ExitCode::kUsage;
        return;
      }
      arguments->window = "fabrictwin-board.window";
    }
    if (arguments->listen.empty()) arguments->listen = "127.0.0.1:7070";
    const absl::Status status = serve(*arguments);
    if (!status.ok()) support::print_error(message_of(status));
    exit_code = support::exit_code_of_input(status);
  });
}

}  // namespace fabrictwin::cli
