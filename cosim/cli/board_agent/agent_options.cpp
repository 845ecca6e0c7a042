// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/board_agent/agent_options.h"

#include "bridges/board/shell/clock_mode.h"
#include "bridges/board/shell/ring_memory.h"

namespace fabrictwin::cli::board_agent {

std::vector<CLI::Option*> add_agent_options(CLI::App& command, AgentArguments& arguments) {
  std::vector<CLI::Option*> options;
  options.push_back(command
                        .add_option("--listen", arguments.listen,
                                    "Where runs reach the agent: HOST:PORT or unix:PATH (default 127.0.0.1:7070)")
                        ->type_name("ADDR"));
  options.push_back(
      command
          .add_option(
              "--clock", arguments.clock,
              "How the board's clock follows the run: gated (it waits, the default), paced (it waits, and does not run "
              "ahead of wall-clock time) or free (it does not wait)")
          ->check(CLI::IsMember({"gated", "paced", "free"}))
          ->type_name("MODE"));
  options.push_back(command.add_flag("--once", arguments.once, "End after one run"));
  options::add_listen_security_options(command, arguments.security);
  for (const char* name : options::kSecurityOptions) options.push_back(command.get_option(name));
  add_selftest_options(command, arguments.selftest);
  CLI::Option* selftest = command.get_option("--selftest");
  // A test serves nobody.
  for (CLI::Option* option : options) selftest->excludes(option);
  options.push_back(selftest);
  options.push_back(
      command
          .add_option("--ring-memory", arguments.rings,
                      "Where the ring from the board is: in its window (the default), or in memory of the host, which "
                      "the board writes to by DMA: with vfio:BDF, with uio:NAME of a device that has such memory as "
                      "its map 1, with a FILE of board --shell --host-memory")
          ->check(CLI::IsMember({"window", "host"}))
          ->type_name("MEMORY"));
  return options;
}

absl::StatusOr<bridges::board::AgentOptions> agent_options(const AgentArguments& arguments,
                                                           const options::ServiceOptions& service) {
  absl::StatusOr<ConnectionSecurity> security = options::read_listen_security(arguments.security, arguments.listen);
  if (!security.ok()) return security.status();
  bridges::board::AgentOptions options;
  options.window = arguments.window;
  options.listen = arguments.listen;
  options.security = *std::move(security);
  options.clock = *bridges::board::shell::clock_mode(arguments.clock);
  options.rings = *bridges::board::shell::ring_memory(arguments.rings);
  options.once = arguments.once;
  options.parent_pid = service.parent_pid;
  options.ready_fd = service.ready_fd;
  return options;
}

}  // namespace fabrictwin::cli::board_agent
