// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What an APErouter must do with a packet, written from docs/models/ape-router.md and not from the RTL.
#pragma once

#include <optional>
#include <vector>

#include "tests/rtl/ape_router/ape_model.h"

namespace fabrictwin::test {

/// The fields of the header that the router or the tests read.
struct ApeHeader {
  std::array<int, 3> to{};
  int payload_bytes = 0;
  int tile_port = 0;
  int ties = 0;
  int source = 0;         ///< Of the tests: the input VC, 2 * port + vc.
  uint32_t sequence = 0;  ///< Of the tests: one for each packet.

  ApeWord encode(int vc) const;
  static ApeHeader decode(const ApeWord& word);
};

struct ApeHop {
  int port = 0;
  int vc = 0;
};

/// The port and VC, nothing if there is none. `in_port` and `in_vc` are those on which the packet came.
std::optional<ApeHop> reference_route(const ApeShape& shape, const ApeConfig& config, const ApeHeader& header,
                                      int in_port, int in_vc);

/// A packet as it should be: header, payload from `fill`, footer.
std::vector<ApeWord> make_ape_packet(const ApeShape& shape, const ApeHeader& header, int vc, uint64_t fill);

}  // namespace fabrictwin::test
