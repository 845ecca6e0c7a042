// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The options of all bridge servers.
#pragma once

#include <stop_token>
#include <string>

#include "cosim/base/connection_security.h"

namespace fabrictwin::bridges::server {

class ServiceMetrics;

struct Options {
  std::string listen;           ///< The address, "unix:PATH" or "HOST:PORT"; port 0 takes a free one.
  ConnectionSecurity security;  ///< How connections to a TCP address are protected.
  int parent_pid = 0;           ///< If not zero, the server ends when this process, which must be the parent, ends.
  int ready_fd = -1;  ///< If not negative, the address with the actual port is written to this descriptor as one line
                      ///< when the server listens; then it is closed.
  std::stop_token stop;               ///< Ends the server.
  ServiceMetrics* metrics = nullptr;  ///< To which the server tells of itself; null if nobody wants to know.
};

}  // namespace fabrictwin::bridges::server
