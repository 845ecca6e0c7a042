// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The address "ADDR:PORT" at which a user wants to serve metrics.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fabrictwin::dashboards::metrics {

/// A numeric address and port to listen on. Value type.
struct ListenAddress {
  std::string host;  ///< A numeric address such as "127.0.0.1" or "::1", never a name.
  bool ipv6 = false;
  uint16_t port = 0;  ///< 0 takes any free port.

  /// The address as text: "127.0.0.1:9464", "[::1]:9464".
  std::string text() const;
  /// True if only programs on this machine can reach it.
  bool loopback() const;
};

/// Parses "127.0.0.1:9464", "[::1]:9464" or "localhost:9464" (which is 127.0.0.1). Anything else is InvalidArgument and
/// says what to write instead. An address must be given, so that nothing is served to a network by default.
absl::StatusOr<ListenAddress> parse_listen_address(std::string_view text);

/// OK if this process could listen there now; otherwise why not (Unavailable for a port in use, PermissionDenied,
/// InvalidArgument for an address that this machine does not have), with what to do.
absl::Status check_listen(const ListenAddress& address);

/// Connects to a listener at `address` on this machine and closes the connection at once, without waiting for an
/// answer.
void knock(const ListenAddress& address);

}  // namespace fabrictwin::dashboards::metrics
