// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The options of commands that are agents of boards.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bridges/board/agent.h"
#include "cosim/cli/board_agent/selftest_option.h"
#include "cosim/cli/options/security.h"
#include "cosim/cli/options/service.h"

namespace fabrictwin::cli::board_agent {

struct AgentArguments {
  std::string window;
  std::string listen = "127.0.0.1:7070";
  std::string clock = "gated";
  std::string rings = "window";
  bool once = false;
  options::SecurityArguments security;
  SelftestArguments selftest;
};

/// What --window may be, for texts.
inline constexpr const char* kWindowNames = "FILE[@OFFSET], uio:NAME, pci:BDF/barN, vfio:BDF[/barN] or xdma:NAME";

/// Adds all but --window; `arguments` must live as long as the command. Returns the options that only an agent has, or
/// its self-test.
std::vector<CLI::Option*> add_agent_options(CLI::App& command, AgentArguments& arguments);

/// What the options say. The errors are those of read_listen_security().
absl::StatusOr<bridges::board::AgentOptions> agent_options(const AgentArguments& arguments,
                                                           const options::ServiceOptions& service);

}  // namespace fabrictwin::cli::board_agent
