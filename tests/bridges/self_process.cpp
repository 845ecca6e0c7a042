// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bridges/self_process.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "bridges/board/agent.h"
#include "bridges/board/soft_board.h"
#include "bridges/worker/server.h"
#include "cosim/base/text.h"
#include "tests/bridges/token_system.h"

namespace fabrictwin {
namespace {

/// The value of an option, or an empty text.
std::string option(int argc, char** argv, std::string_view name) {
  for (int i = 2; i + 1 < argc; ++i) {
    if (argv[i] == name) return argv[i + 1];
  }
  return {};
}

bool flag(int argc, char** argv, std::string_view name) {
  for (int i = 2; i < argc; ++i) {
    if (argv[i] == name) return true;
  }
  return false;
}

template <typename Options>
void set_common(Options& options, int argc, char** argv) {
  parse_number(option(argc, argv, "--parent-pid"), options.parent_pid);
  parse_number(option(argc, argv, "--ready-fd"), options.ready_fd);
}

absl::Status serve(int argc, char** argv) {
  if (std::string_view(argv[1]) == "worker") {
    bridges::worker::Options options;
    options.listen = option(argc, argv, "--listen");
    options.once = flag(argc, argv, "--once");
    options.registry = token_registry(TokenLoad());
    set_common(options, argc, argv);
    return bridges::worker::serve_worker(options);
  }
  if (flag(argc, argv, "--soft")) {
    bridges::board::SoftBoardOptions options;
    options.window = option(argc, argv, "--window");
    options.element = make_token_board;
    set_common(options, argc, argv);
    return bridges::board::serve_soft_board(options);
  }
  bridges::board::AgentOptions options;
  options.window = option(argc, argv, "--window");
  options.listen = option(argc, argv, "--listen");
  options.once = flag(argc, argv, "--once");
  set_common(options, argc, argv);
  return bridges::board::serve_board_agent(options);
}

}  // namespace

std::string self_executable() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

int serve_if_asked(int argc, char** argv) {
  if (argc < 2 || (std::string_view(argv[1]) != "worker" && std::string_view(argv[1]) != "board")) return -1;
  const absl::Status status = serve(argc, argv);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", std::string(message_of(status)).c_str());
  return 1;
}

}  // namespace fabrictwin
