// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What every server of bridges is told.
#pragma once

#include <stop_token>
#include <string>

namespace fabrictwin {

struct BridgeServerOptions {
  std::string listen;  ///< "unix:PATH" or "HOST:PORT"; port 0 takes a free one.
  int parent_pid = 0;  ///< If not zero: end when this process, which must be the parent, ends.
  int ready_fd = -1;   ///< If not negative: the address, with the port that was taken, is written here as one line when
                       ///< the server listens; then it is closed.
  std::stop_token stop;  ///< Ends the server.
};

}  // namespace fabrictwin
