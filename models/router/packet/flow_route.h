// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace fabrictwin::router::packet {

/// The outputs that packets of a queue pair take from one host to another.
struct FlowRoute {
  std::vector<uint32_t> outputs;  ///< As numbers of ports of the network.
  bool only = true;               ///< Routing gives no others, and takes no detours.
};

}  // namespace fabrictwin::router::packet
