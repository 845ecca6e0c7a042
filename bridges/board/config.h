// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The configuration of a board's element, which travels through the configuration registers of its window.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "cosim/link/counters.h"
#include "cosim/link/link_type.h"
#include "cosim/link/packet_mark.h"
#include "cosim/system/route_table.h"

namespace fabrictwin::bridges::board {

inline constexpr int kBoardPorts = 64;      ///< Ports of the largest element, a router with route tables.
inline constexpr int kBoardBasePorts = 16;  ///< Ports of a board without the wide part of the registers.
inline constexpr int kBoardDims = 3;
/// The number of entries of the route table of a router with `ports` ports: input VCs times hosts.
constexpr size_t board_routes(int ports) { return size_t{2} * static_cast<size_t>(ports) * 1024; }

/// One port of the element. Everything pointed to must outlive the element.
struct PortConfig {
  bool enabled = false;
  Clock word_clock{Frequency{1}};  ///< The word clock of the link, for both directions.
  int32_t initial_credits = 0;     ///< The credits of each VC at the beginning, for Config::words.credit_words each.
  bool to_host = false;            ///< The link leads to a host; not known unless outputs mark.
  link::ChannelSender* sender = nullptr;
  link::ChannelReceiver* receiver = nullptr;
  link::LinkCounters* counters = nullptr;  ///< The counters of the sending direction.
};

/// The most that links of external routers have.
inline constexpr int32_t kMostVcs = 32;
inline constexpr int32_t kMostCreditWords = 255;
/// Whether links may carry that: words of 32, 64 or 128 bits, at least one VC, credits for at least a word.
constexpr bool is_possible(const link::LinkType& words) {
  return (words.word_bits == 32 || words.word_bits == 64 || words.word_bits == 128) && words.vcs >= 1 &&
         words.vcs <= kMostVcs && words.credit_words >= 1 && words.credit_words <= kMostCreditWords;
}

enum class Element : uint8_t {
  kRouter,          ///< docs/models/exanet-router.md
  kNode,            ///< docs/models/exanet-node.md
  kExternalRouter,  ///< docs/models/external-router.md
};

/// The configuration of a board's element.
struct Config {
  std::string name;  ///< "router[5]".
  Element element = Element::kRouter;
  link::LinkType words;  ///< What its links carry; other than its default for an external router only.
  int32_t node = 0;      ///< For an external router: its number, as in its name.
  uint32_t address = 0;  ///< For a node: its number in packets, and below it the bits for tile, x and y.
  int32_t tile_bits = 0;
  int32_t x_bits = 0;
  int32_t y_bits = 0;
  std::array<int32_t, kBoardDims> coordinates{};
  std::array<int32_t, kBoardDims> dims{1, 1, 1};
  int32_t route_destinations = 0;                   ///< For a router with a route table: the destinations in the table.
  std::vector<system::RouteTable::Entry> routes{};  ///< The entries, as in rtl::router::Config.
  Clock router_clock{Frequency{1}};
  link::PacketMarking marking;  ///< When outputs mark packets.
  /// Where the element counts what came too late for a clock that does not wait; null if nobody wants to know.
  link::Counter* late = nullptr;
  std::array<PortConfig, kBoardPorts> ports{};
};

}  // namespace fabrictwin::bridges::board
