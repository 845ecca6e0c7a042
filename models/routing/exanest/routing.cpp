// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/exanest/routing.h"

#include <algorithm>
#include <utility>

namespace fabrictwin::routing::exanest {
namespace {

constexpr uint32_t kFpgaMask = 3;

}  // namespace

NetworkFpgaRouting::NetworkFpgaRouting(std::vector<int32_t> dims, std::vector<int32_t> here)
    : torus_(std::move(dims), here), here_(std::move(here)) {}

Hop NetworkFpgaRouting::route(const link::PacketHeader& header, int32_t in_port, int32_t in_vc) const {
  const bool at_board = std::equal(here_.begin(), here_.end(), header.coordinates.begin(),
                                   [](int32_t here, uint8_t there) { return here == there; });
  if (at_board) return {static_cast<int32_t>(header.destination & kFpgaMask), in_vc};
  const Hop hop = torus_.route(header, in_port, in_vc);
  return {hop.port + kBoardPorts, hop.vc};
}

Hop PlainFpgaRouting::route(const link::PacketHeader& header, int32_t, int32_t) const {
  const bool at_board = (header.destination & ~kFpgaMask) == (address_ & ~kFpgaMask);
  const uint32_t fpga = at_board ? header.destination & kFpgaMask : 0;
  const uint32_t own = address_ & kFpgaMask;
  if (at_board && fpga == own) return {0, 0};
  return {static_cast<int32_t>(fpga < own ? fpga + 1 : fpga), 0};
}

}  // namespace fabrictwin::routing::exanest
