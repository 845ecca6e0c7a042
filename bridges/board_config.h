// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the element of a board is told, through the configuration registers of its window.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "cosim/run/counters.h"
#include "cosim/run/route_table.h"

namespace fabrictwin {

inline constexpr int kBoardPorts = 64;      ///< Of the largest element, a router in no torus.
inline constexpr int kBoardBasePorts = 16;  ///< Of a board without the wide part of the registers.
inline constexpr int kBoardDims = 3;
/// Entries of the route table of a router with so many ports: input VCs times hosts.
constexpr size_t board_routes(int ports) { return size_t{2} * static_cast<size_t>(ports) * 1024; }

/// One port. What it points to outlives the element.
struct BoardPortConfig {
  bool enabled = false;
  Clock word_clock{Frequency{1}};  ///< Of the link, both directions.
  int32_t initial_credits = 0;     ///< Buffer words of each VC of the neighbour.
  ChannelSender* sender = nullptr;
  ChannelReceiver* receiver = nullptr;
  LinkCounters* counters = nullptr;  ///< Of the sending direction.
};

enum class BoardElement : uint8_t {
  kRouter,  ///< docs/models/exanet-router.md
  kNode,    ///< docs/models/exanet-node.md
};

/// The element of a board.
struct BoardConfig {
  std::string name;  ///< "router[5]".
  BoardElement element = BoardElement::kRouter;
  uint32_t address = 0;  ///< Of a node: its number in packets, and the bits of such numbers for tile, x and y.
  int32_t tile_bits = 0;
  int32_t x_bits = 0;
  int32_t y_bits = 0;
  std::array<int32_t, kBoardDims> coordinates{};
  std::array<int32_t, kBoardDims> dims{1, 1, 1};
  int32_t route_destinations = 0;           ///< Of a router in no torus: destinations that its route table knows.
  std::vector<RouteTable::Entry> routes{};  ///< As in RouterConfig.
  Clock router_clock{Frequency{1}};
  std::array<BoardPortConfig, kBoardPorts> ports{};
};

}  // namespace fabrictwin
