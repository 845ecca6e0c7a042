// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A torus of router transactors joined by real rings, with a traffic source and sink at each tile. No executor: run()
// advances all of them in lockstep.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "cosim/base/random.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "cosim/link/packet.h"
#include "rtl/transactor/router/transactor.h"
#include "tests/rtl/one_way_link.h"

namespace fabrictwin::test {

struct NetworkOptions {
  std::array<int32_t, 3> dims{2, 2, 2};
  Frequency router_clock{156'250'000};
  Bandwidth link_rate{10'000'000'000};
  Time link_latency = Time::from_ns(120);
  Bandwidth tile_rate{20'000'000'000};
  Time tile_latency = Time::from_ns(60);
  bool idle_skip = true;
  uint64_t seed = 1;
  /// Percent of word slots in which a tile that has something to send sends it; and the longest time that it keeps a
  /// word before it returns the credit.
  int eagerness = 100;
  Time longest_hold = Time::from_ns(100);
  /// Routers know the way by tables, X first, and headers have no coordinates.
  bool route_tables = false;
  link::PacketMarking marking;
  std::vector<rtl::router::Wave> waves;  ///< By node; may be shorter.
  /// Makes the router of a node; a rtl::router::Transactor if empty.
  std::function<absl::StatusOr<std::unique_ptr<engine::Partition>>(const rtl::router::Config&)> make_router;
};

/// A packet that a tile is to send, not before a slot of its word clock.
struct PacketToSend {
  int64_t slot = 0;
  int vc = 0;
  link::PacketHeader header;
  uint64_t fill = 0;
};

/// A word as a tile received it.
struct ArrivedWord {
  Time time;
  int vc = 0;
  uint8_t flags = 0;
  link::Word word;
  bool operator==(const ArrivedWord&) const = default;
};

/// A credit as a tile received it.
struct ArrivedCredit {
  Time time;
  int vc = 0;
  int count = 0;
  bool operator==(const ArrivedCredit&) const = default;
};

/// What a tile sends to random destinations of `hosts`, spread over about `slots` slots. Headers have no coordinates.
std::vector<PacketToSend> random_packets(uint64_t seed, int tile, int hosts, int packets, int64_t slots);

/// The routes of a torus, X first: what no router finds out by coordinates.
system::RouteTable x_first_routes(const std::array<int32_t, 3>& dims);

/// A link's host side. What it does depends on what it receives and on simulated time only, never on the quantum.
class Tile {
 public:
  Tile(const NetworkOptions& options, int node, link::ChannelSender* sender, link::ChannelReceiver* receiver);

  void send(const PacketToSend& packet) { queue_.push_back(packet); }
  void advance(Time until);

  const std::vector<ArrivedWord>& words() const { return words_; }
  const std::vector<ArrivedCredit>& credits() const { return credits_; }
  bool all_sent() const { return next_packet_ == queue_.size() && next_word_ == current_.size(); }

 private:
  void take_arrivals(Time now);
  void send_in(int64_t slot);

  NetworkOptions options_;
  RandomStream random_;
  link::ChannelSender* sender_;
  link::ChannelReceiver* receiver_;
  std::vector<PacketToSend> queue_;
  size_t next_packet_ = 0;
  std::vector<link::Word> current_;
  size_t next_word_ = 0;
  int current_vc_ = 0;
  std::array<int, link::kVcs> room_{64, 64};
  int64_t slot_ = 0;
  uint64_t holds_ = 0;
  std::vector<ArrivedWord> words_;
  std::vector<ArrivedCredit> credits_;
};

class RouterNetwork {
 public:
  explicit RouterNetwork(const NetworkOptions& options);

  int nodes() const { return static_cast<int>(routers_.size()); }
  std::array<uint8_t, 3> coordinates(int node) const;
  Tile& tile(int node) { return *tiles_[node]; }
  engine::Partition& partition(int node) { return *routers_[node]; }
  /// Only in a network without make_router.
  rtl::router::Transactor& router(int node) { return static_cast<rtl::router::Transactor&>(*routers_[node]); }
  const link::LinkCounters& counters(int node, int port) const {
    return counters_[node * rtl::router::kRouterPorts + port];
  }
  /// The end of a router's port towards its neighbour, for tests that put something on the link by themselves.
  link::ChannelSender& towards_router(int node, int port) { return *inbound_[node * rtl::router::kRouterPorts + port]; }

  /// Gives each tile `packets` packets to random destinations, spread over about `slots` slots.
  void add_random_traffic(int packets, int64_t slots);

  /// Advances everything from where it is to `until` in steps of `quantum`, which is at most the least latency.
  absl::Status run(Time quantum, Time until);

 private:
  OneWayLink* add_direction(const std::string& name, Bandwidth rate, Time latency);

  NetworkOptions options_;
  std::vector<std::unique_ptr<OneWayLink>> directions_;
  std::vector<link::ChannelSender*> inbound_;
  std::vector<link::LinkCounters> counters_;
  std::vector<std::unique_ptr<engine::Partition>> routers_;
  std::vector<std::unique_ptr<Tile>> tiles_;
  Time now_;
};

}  // namespace fabrictwin::test
