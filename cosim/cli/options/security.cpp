// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/options/security.h"

#include "cosim/base/address.h"
#include "cosim/cli/options/checks.h"
#include "fmt/format.h"

namespace fabrictwin::cli::options {
namespace {

void add_options(CLI::App& command, SecurityArguments& arguments, const char* insecure) {
  const auto file = [&](const char* option, std::string& name, const char* what) {
    command.add_option(option, name, what)->type_name("FILE")->check(not_empty(kFileWanted));
  };
  file("--tls-cert", arguments.tls.cert, "Certificate of this side for mutual TLS (PEM; docs/bridge-protocol.md)");
  file("--tls-key", arguments.tls.key, "Private key of that certificate (PEM)");
  file("--tls-ca", arguments.tls.ca, "Authorities that certificates of the other side must come from (PEM)");
  command.add_flag("--insecure", arguments.insecure, insecure);
}

}  // namespace

void add_security_options(CLI::App& command, SecurityArguments& arguments) {
  add_options(command, arguments, "Connect to places on other machines without TLS");
}

CLI::Option* add_no_shm_option(CLI::App& command, SecurityArguments& arguments) {
  return command.add_flag("--no-shm", arguments.no_shm,
                          "Share no memory with workers and ranks of MPI on this host that the run has not started");
}

void add_listen_security_options(CLI::App& command, SecurityArguments& arguments) {
  add_options(command, arguments, "Listen without TLS where other machines can connect");
}

absl::StatusOr<ConnectionSecurity> read_security(const SecurityArguments& arguments) {
  absl::StatusOr<ConnectionSecurity> security = bridges::protocol::read_security(arguments.tls, arguments.insecure);
  if (security.ok()) security->share_memory = !arguments.no_shm;
  return security;
}

absl::StatusOr<ConnectionSecurity> read_listen_security(const SecurityArguments& arguments,
                                                        const std::string& address) {
  if (!is_listen_address(address)) {
    return absl::InvalidArgumentError(fmt::format(
        "--listen: {} is no address to listen at; write HOST:PORT with a port up to 65535, of which 0 is any "
        "free one, or unix:PATH with a path of at most 107 bytes",
        address));
  }
  absl::StatusOr<ConnectionSecurity> security = read_security(arguments);
  if (!security.ok()) return security;
  const absl::Status allowed = bridges::protocol::server_credentials(address, *security).status();
  if (!allowed.ok()) return allowed;
  return security;
}

}  // namespace fabrictwin::cli::options
