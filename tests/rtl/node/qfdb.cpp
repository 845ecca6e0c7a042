// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/node/qfdb.h"

#include "VNetworkFpga.h"
#include "VPlainFpga.h"
#include "tests/rtl/node/node_pins.h"

namespace fabrictwin::test {
namespace {

/// Link of FPGA f to FPGA g: the others of the board in rising order.
int link_to(int f, int g) { return g < f ? g : g - 1; }

}  // namespace

void add_qfdbs(NodeNetwork& network, const QfdbRing& ring, uint64_t seed) {
  for (int x = 0; x < ring.boards; ++x) {
    NodeIdentity identity{.node = static_cast<uint32_t>(4 * x),
                          .x_bits = ring.boards > 2 ? 2 : ring.boards - 1,
                          .coordinates = static_cast<uint32_t>(x),
                          .last = static_cast<uint32_t>(ring.boards - 1),
                          .port_enable = ring.boards > 1 ? 0x3fu : 0xfu};
    network.add(std::make_unique<NodePins<VNetworkFpga>>(identity, seed + identity.node, ring.memory));
    for (int f = 1; f < ring.fpgas; ++f) {
      ++identity.node;
      network.add(std::make_unique<NodePins<VPlainFpga>>(identity, seed + identity.node, ring.memory));
    }
    for (int f = 0; f < ring.fpgas; ++f) {
      for (int g = f + 1; g < ring.fpgas; ++g) {
        const int first = ring.fpgas * x;
        network.join(first + f, link_to(f, g), first + g, link_to(g, f), ring.board_delay);
      }
    }
  }
  for (int x = 0; ring.boards > 1 && x < ring.boards; ++x) {
    // x+ is link 0, x- link 1.
    network.join_streams(ring.fpgas * x, 0, ring.fpgas * ((x + 1) % ring.boards), 1, ring.network_delay, ring.gear);
  }
}

}  // namespace fabrictwin::test
