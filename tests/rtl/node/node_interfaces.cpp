// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/node/node_interfaces.h"

#include "VExanetNi.h"
#include "tests/rtl/node/node_pins.h"

namespace fabrictwin::test {

void add_interfaces(NodeNetwork& network, int delay, MemoryTiming memory, uint64_t seed) {
  for (uint32_t d = 0; d < 2; ++d) {
    network.add(std::make_unique<NodePins<VExanetNi>>(NodeIdentity{.node = 5 + d}, seed + d, memory));
  }
  network.join(0, 0, 1, 0, delay);
}

}  // namespace fabrictwin::test
