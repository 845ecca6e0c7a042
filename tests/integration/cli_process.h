// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the fabrictwin binary as a user would.
#pragma once

#include <string>
#include <vector>

namespace fabrictwin {

/// What a finished process left.
struct CliResult {
  int exit_code = -1;  ///< 128 + signal if a signal ended it.
  std::string out;
  std::string err;
};

/// The binary that tests run: $FABRICTWIN_BINARY.
std::string cli_binary();

/// Runs the binary with `arguments` until it ends. `environment` is added ("NO_COLOR=1"). If `interrupt_after` is not
/// empty, SIGINT is sent once stderr holds it.
CliResult run_cli(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {},
                  const std::string& interrupt_after = {});

/// Runs the binary with `input` as its standard input.
CliResult run_cli_with_input(const std::vector<std::string>& arguments, const std::string& input);

/// Does the same for any program, `words[0]`.
CliResult run_process(std::vector<std::string> words, const std::vector<std::string>& environment = {},
                      const std::string& interrupt_after = {}, const std::string& input = {});

}  // namespace fabrictwin
