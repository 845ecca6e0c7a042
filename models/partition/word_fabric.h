// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers that are packets among network interfaces and routers that move words, inside one SystemC module.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <memory>
#include <queue>
#include <span>
#include <string>
#include <systemc>
#include <tlm>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "cosim/link/counters.h"
#include "cosim/system/system_graph.h"
#include "models/fabric/carrying_edge.h"
#include "models/fabric/earliest_failure.h"
#include "models/kernel/link_transaction.h"
#include "models/router/packet/link_timing.h"
#include "models/router/packet/network.h"
#include "models/router/packet/outbox.h"
#include "models/router/packet/tables.h"

namespace fabrictwin::partition {

/// Some routers of a graph as a network of packets, whose packets carry along the words that they are made of. Links
/// between its routers carry words, too, as those that leave it do: the gaps of a packet go on, so that results do not
/// depend on which links are inside. Its external ports have the sockets of router::exanet::Fabric, and its owner calls
/// run() in the same way. Times are those of docs/models/word-edge.md. Not thread-safe.
class WordFabric final : public sc_core::sc_module, private fabric::CarryingEdge::Neighbour {
 public:
  using In = tlm_utils::simple_target_socket_tagged<WordFabric>;
  using Out = tlm_utils::simple_initiator_socket_tagged<WordFabric>;

  /// A port whose link leads outside.
  struct External {
    system::LinkEnd end;  ///< The router and its port.
    /// What is there: network interfaces give whole packets, and models of routers want credits in order.
    enum class Peer : uint8_t { kInterface, kRouter, kCut } peer = Peer::kCut;
  };

  struct Config {
    /// `graph`, `channels` and times; its routing numbers routers as the elements of the graph. All elements are
    /// routers to the network.
    router::packet::NetworkConfig network;
    std::vector<bool> here;  ///< By element.
    std::vector<External> externals;
    /// The nodes of all hosts, by host: headers name their addresses and coordinates.
    std::vector<system::ElementId> nodes;
  };

  /// Errors are those of Tables::create().
  static absl::StatusOr<std::unique_ptr<WordFabric>> create(const sc_core::sc_module_name& name, Config config);

  sc_core::sc_vector<In> in;    ///< Arrivals from outside.
  sc_core::sc_vector<Out> out;  ///< Departures to the outside.

  /// When something happens next; Time::never() if nothing does.
  Time next_time() const;
  /// Simulates everything before `until`. Ends sooner at a failure.
  void run(Time until);
  bool failed() const { return !failure_.empty() || !network_->failure().empty(); }
  fabric::EarliestFailure failure() const;
  /// Sets the counters of the channels that leave its routers to what has been sent.
  void update_counters(std::span<link::LinkCounters> counters) const;
  /// Links crossed by packets so far, which cost about the same each; readable from any thread.
  uint64_t events() const { return events_.get(); }
  /// Packets in its routers, or on the links between them.
  uint64_t packets_in_flight() const { return network_->packets_in_flight(); }
  /// One line for each packet that has come in part: "qfdb[1].router, port x+, VC 0: 17 of 18 words have come".
  std::vector<std::string> waits() const;

 private:
  /// The shards of the elements that are here, and of others.
  static constexpr uint8_t kHere = 0;
  static constexpr uint8_t kRemote = 1;
  /// Words on a link between two routers of the network.
  struct Burst {
    int32_t edge = 0;  ///< Where the words arrive.
    int64_t slot = 0;
    uint8_t vc = 0;
    uint8_t flags = 0;
    uint8_t count = 0;
    std::array<link::Word, link::kMaxPacketWords> words{};
  };
  struct Credit {
    Time sent;
    int32_t edge = 0;
    uint8_t vc = 0;
    uint8_t words = 0;
    bool operator>(const Credit& other) const {
      return std::tie(sent, edge, vc) > std::tie(other.sent, other.edge, other.vc);
    }
  };

  WordFabric(const sc_core::sc_module_name& name, const Config& config,
             const std::shared_ptr<router::packet::Tables>& tables);
  void receive(int external, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  /// Words arrive in consecutive slots from `slot` on. Says what is wrong with them.
  std::string receive_words(int32_t edge, int64_t slot, uint8_t vc, uint8_t flags, std::span<const link::Word> words);
  std::string receive_credit(int32_t edge, Time sent, uint8_t vc, int32_t words);
  void add_edge(const Config& config, const External& external);
  bool is_inside(int32_t edge) const { return static_cast<size_t>(edge) >= externals_; }
  /// Gives the words that edges send each other to those at which they arrive.
  void pass_on();
  std::string enter(int32_t edge, const fabric::CarryingEdge::Arrival& arrival);
  std::string check_coordinates(int32_t edge, const link::PacketHeader& header, int32_t destination) const;
  void give_inbox();
  void send();
  void send_box(router::packet::Outbox& box);
  void send_credits(Time until);
  void words_leave(int32_t edge, int64_t slot, uint8_t vc, uint8_t flags, std::span<const link::Word> words) override;
  void credit_leaves(int32_t edge, Time sent, uint8_t vc, uint8_t words) override;
  void fail(int32_t edge, uint8_t vc, Time at, const std::string& what);
  /// "qfdb[1].router, port x+".
  std::string port_name(int32_t edge) const;
  uint32_t first_vc(int32_t edge) const { return numbers_[static_cast<size_t>(edge)] << tables_->vc_shift; }
  int32_t edge_to(uint32_t vc) const { return edge_at_[tables_->ports[vc >> tables_->vc_shift].peer]; }
  uint8_t vc_index(uint32_t vc) const { return static_cast<uint8_t>(vc & ((1U << tables_->vc_shift) - 1)); }

  const system::SystemGraph& graph_;
  std::vector<External> ends_;  ///< By edge.
  size_t externals_ = 0;        ///< So many of them are external ports; the links of the others are inside.
  std::vector<system::ElementId> nodes_;
  absl::flat_hash_map<uint32_t, int32_t> hosts_;  ///< By address.
  std::shared_ptr<router::packet::Tables> tables_;
  router::packet::LinkTiming timing_;
  int64_t pipeline_;
  std::unique_ptr<router::packet::Network> network_;
  fabric::CarriedPackets packets_;
  std::vector<fabric::CarryingEdge> edges_;
  std::vector<uint32_t> numbers_;  ///< By edge: the number of its port in the tables.
  std::vector<int32_t> edge_at_;   ///< By port of the tables: its edge, or -1.
  std::vector<Burst> between_;     ///< What edges send each other.
  size_t passed_on_ = 0;           ///< So many of those have arrived.
  std::priority_queue<Credit, std::vector<Credit>, std::greater<>> credits_;  ///< Those that models of routers get.
  std::vector<fabric::CarryingEdge::Arrival> arrivals_;                       ///< For receive_words().
  std::vector<int32_t> leaving_;
  router::packet::Outbox inbox_;
  kernel::LinkTransaction transaction_;
  link::Counter events_;
  fabric::EarliestFailure failure_;
};

}  // namespace fabrictwin::partition
