// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The options --tls-cert, --tls-key, --tls-ca and --insecure of commands that listen or connect by TCP, and --no-shm of
// those that run experiments.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "absl/status/statusor.h"
#include "bridges/protocol/tls.h"
#include "cosim/base/connection_security.h"

namespace fabrictwin::cli::options {

/// The names of the options.
inline constexpr const char* kSecurityOptions[] = {"--tls-cert", "--tls-key", "--tls-ca", "--insecure"};

/// The values of the options.
struct SecurityArguments {
  bridges::protocol::TlsFiles tls;
  bool insecure = false;
  bool no_shm = false;
};

/// Adds the options to a command that connects to places; `arguments` must live as long as the command.
void add_security_options(CLI::App& command, SecurityArguments& arguments);
/// Adds --no-shm to a command that runs experiments; `arguments` must live as long as the command.
CLI::Option* add_no_shm_option(CLI::App& command, SecurityArguments& arguments);
/// Adds the options to a command that listens; `arguments` must live as long as the command.
void add_listen_security_options(CLI::App& command, SecurityArguments& arguments);

/// Reads the files. InvalidArgument, with what to do, for mistakes in the options.
absl::StatusOr<ConnectionSecurity> read_security(const SecurityArguments& arguments);

/// As read_security() for a server that is to listen at `address`; also InvalidArgument if it may not listen there.
absl::StatusOr<ConnectionSecurity> read_listen_security(const SecurityArguments& arguments, const std::string& address);

}  // namespace fabrictwin::cli::options
