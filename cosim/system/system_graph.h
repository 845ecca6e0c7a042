// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The system as a graph: elements joined by full-duplex links. Built by a topology, cut by the planner.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "cosim/link/link_type.h"
#include "cosim/link/packet_format.h"
#include "cosim/link/packet_mark.h"
#include "cosim/link/record.h"
#include "cosim/system/route_table.h"
#include "fabrictwin/v1/experiment.pb.h"

namespace fabrictwin::system {

enum class ElementKind : uint8_t {
  kHost,    ///< Processors with the workload; always models.
  kRouter,  ///< A router; network interfaces belong to its hosts (docs/models/exanet-router.md).
  kNode,    ///< Network interface and router or switch of one FPGA (docs/models/exanet-node.md).
  kCard,    ///< A card with Ethernet ports in a computer (docs/models/nanet.md).
};

/// What a routing algorithm may rely on besides the links: how routers are numbered and what their coordinates mean.
enum class TopologyFamily : uint8_t {
  kOther,      ///< Nothing.
  kLattice,    ///< Rings and lines in dimensions `dims`; the coordinates are those of topology::lattice::Layout.
  kTree,       ///< Hosts are below the lowest of levels of routers; links join neighbouring levels.
  kDragonfly,  ///< Groups of rows and columns; coordinates of a router are column, row and group.
};

/// An index into SystemGraph::elements.
using ElementId = int32_t;

/// One element. Hosts are elements 0 .. hosts-1, all others come after them: router r is element hosts + r. In a torus
/// and in exanest, host i is linked to element hosts + i; elsewhere several hosts may share a router and routers may
/// have none (SystemGraph::host_router).
struct Element {
  std::string name;  ///< "router[5]", "host[5]".
  ElementKind kind = ElementKind::kRouter;
  int32_t node = 0;                  ///< The number in the name.
  std::vector<int32_t> coordinates;  ///< Position in the lattice, X first.
  std::vector<std::string>
      ports;               ///< Port names by index: "tile", "x+", "x-", "y+", ... of a router; "tile" of a host.
  std::string position{};  ///< Its position in the machine, which selectors may use: "0.1.2". May be empty.
  uint32_t address = 0;    ///< The number of the node in packets if that is not `node`.
};

/// One end of a link.
struct LinkEnd {
  ElementId element = 0;
  int32_t port = 0;
};

/// A full-duplex link; both directions have the same properties. Channel 2 * id + 0 carries ends[0] -> ends[1], channel
/// 2 * id + 1 the other direction.
struct Link {
  LinkEnd ends[2];
  Bandwidth rate;             ///< The rate of each direction.
  Time latency;               ///< From the end of a word at the sender to its arrival; never zero.
  int32_t buffer_words = 64;  ///< The input buffer of each VC at both ends.
  int32_t word_bits = link::kWordBits;
  /// An APElink finds damage and makes lost credits good so long after a loss. Zero: the link does not.
  Time refresh{};
  Clock word_clock() const { return Clock::of_words(rate, word_bits); }
};

/// The whole system. Immutable once built.
struct SystemGraph {
  TopologyFamily family = TopologyFamily::kOther;
  /// The routing of experiments that name none; DEFAULT if it is that of the family.
  v1::RoutingKind default_routing = v1::DEFAULT;
  std::string topology;        ///< "torus 2x2x2".
  std::string routing{};       ///< Describes the routing and what is proved about it. Empty: the RTL's own routing.
  bool routing_proved = true;  ///< False if deadlock freedom could not be proved.
  std::vector<int32_t> dims;   ///< Lattice size in each dimension, X first.
  Clock router_clock{Frequency{156'250'000}};
  int32_t buffer_words = 64;            ///< Input buffer of each router port and VC unless links say otherwise.
  bool external = false;                ///< Routers are a user's own, of which nothing is known but their links.
  link::LinkType words;                 ///< What links carry where they carry words.
  link::PacketFormat packets;           ///< How packets are made of those words.
  link::PacketMarking marking;          ///< When outputs of ExaNet routers mark packets.
  Bandwidth link_rate{10'000'000'000};  ///< The rate of links between routers, of which loads are fractions.
  /// The bits of an address for the tile, x and y; z has the rest.
  int32_t tile_bits = 0;
  int32_t x_bits = 0;
  int32_t y_bits = 0;
  /// The route tables of ExaNet routers that are neither in a torus nor on a board, by router as router_count() numbers
  /// them. May be null.
  std::shared_ptr<const RouteTable> routes;
  std::vector<Element> elements;  ///< Hosts before routers.
  std::vector<Link> links;
  /// By channel, the links as they are where both ends are models whose timing is calibrated. Empty if they are like
  /// others.
  std::vector<Link> modelled_links;
  /// Selects all routers or nodes, as a user would write it. Empty if their names have nothing in common.
  std::string all_logic = "router[*]";

  int32_t host_count() const;
  int32_t router_count() const { return static_cast<int32_t>(elements.size()) - host_count(); }
  /// Whether nodes are behind the hosts, instead of routers.
  bool has_nodes() const { return !elements.empty() && elements.back().kind == ElementKind::kNode; }
  /// Whether the only element besides hosts is a card.
  bool has_card() const { return !elements.empty() && elements.back().kind == ElementKind::kCard; }
  /// The element (router or node) to which port 0 of a host is linked. Call build_index() first.
  ElementId host_router(int32_t host) const { return channel_target(channel_from(host, 0)).element; }
  int32_t channel_count() const { return static_cast<int32_t>(links.size()) * 2; }
  const LinkEnd& channel_source(int32_t channel) const { return links[channel / 2].ends[channel % 2]; }
  const LinkEnd& channel_target(int32_t channel) const { return links[channel / 2].ends[1 - channel % 2]; }
  const Link& channel_link(int32_t channel) const { return links[channel / 2]; }
  /// The name of an end of a link: "router[0].x+".
  std::string end_name(const LinkEnd& end) const;
  /// The name of a channel: "router[0].x+->router[1].x-".
  std::string channel_name(int32_t channel) const;
  /// The channel on which `element` sends from `port`, or -1 if nothing is connected. The reverse channel is that
  /// number ^ 1.
  int32_t channel_from(ElementId element, int32_t port) const;
  /// Makes channel_from() a look-up instead of a search through all links. Call it when elements and links are
  /// complete; make_plan() does.
  void build_index();

  std::vector<int64_t> first_port;  ///< For each element, its first index in channel_index. Made by build_index().
  std::vector<int32_t>
      channel_index;  ///< For each port of all elements, the channel on which it sends, or -1. Made by build_index().
};

}  // namespace fabrictwin::system
