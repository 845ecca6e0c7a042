// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A PacketNic beside a router of words.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "models/nic/message_body.h"
#include "models/nic/packet_nic.h"
#include "models/nic/words/link_interface.h"
#include "models/nic/words/packet_format.h"

namespace fabrictwin::nic::words {

/// The network interface of one host that is a PacketNic (TOFU, RDMA). A message is one request with envelope and body;
/// a Put or Get carries its body only, and its envelope beside it, as its purpose is known where it is read or written.
/// It uses the port that it names, or else the one that the PacketNic chooses. A packet leaves, as one or more packets
/// on the link, when the PacketNic has it ready, the link is free and the router has space for the first of them. Every
/// body is compared with what its key says. Sends of a flow are delivered in order; Puts and Gets as they arrive. Not
/// thread-safe.
class PacketInterface final : public LinkInterface, private NicListener {
 public:
  SC_HAS_PROCESS(PacketInterface);

  /// Makes the PacketNic of a node. It has as many ports as the node, and `listener` outlives it.
  using MakeNic = std::function<std::unique_ptr<PacketNic>(int32_t node, NicListener& listener)>;

  /// `queues`: of each port of the PacketNic.
  PacketInterface(const sc_core::sc_module_name& name, Config links, const MakeNic& make_nic, int32_t queues);

  void send(const OutgoingMessage& message) override;

 private:
  /// A request that has been submitted, or a Get that somebody has requested here.
  struct Request {
    Envelope envelope;
    uint64_t cookie = 0;
    Time since;         ///< When the host sent it.
    IncomingBody body;  ///< What has arrived of the data that a Get reads.
  };
  /// A packet that is leaving.
  struct Leaving {
    NicPacket packet;
    Envelope envelope;
    Time since;
    std::deque<Part> parts;  ///< Those that have not left.
    uint64_t sent = 0;       ///< The cookie to report when all have, unless 0.
  };
  /// What the host will learn.
  struct Event {
    Time time;
    uint64_t flow = 0;  ///< See flow_of().
    uint64_t cookie = 0;
    bool delivered = false;  ///< A message is in memory; else a request is over for its host.
    auto operator<=>(const Event&) const = default;
  };
  /// The messages to and from one host.
  struct Peer {
    std::array<uint32_t, 3> given{};           ///< By operation.
    uint32_t next = 0;                         ///< Number of the send to be delivered next.
    std::map<uint32_t, IncomingMessage> held;  ///< Sends that came early.
  };

  Time packet_arrived(int32_t port, const link::PacketHeader& header, const Words& words) override;
  void handle() override;
  Time next_due() const override;

  void nic_sent(int32_t node, Time at, uint64_t cookie) override;
  void nic_completed(int32_t node, Time at, uint64_t cookie) override;
  void nic_delivered(int32_t node, Time at, const NicDelivery& delivery) override;

  void settle() { inject_event_.notify(sc_core::SC_ZERO_TIME); }
  void inject();
  void inject_port(int32_t port);
  /// Takes the next packet of the port from the PacketNic.
  void take(int32_t port);
  void send_part(int32_t port);
  /// Takes the bytes of a packet that has arrived. Returns what is wrong with them; empty if nothing.
  std::string accept(const NicPacket& packet, const Words& words);
  void happen(const Event& event);
  void deliver(uint64_t flow);

  int32_t queues_;
  std::unique_ptr<PacketNic> nic_;
  sc_core::sc_event settle_event_, inject_event_;
  std::vector<Leaving> leaving_;  ///< By port.
  /// By flow_of() the other host.
  absl::flat_hash_map<uint64_t, Request> requests_;       ///< Those of this host.
  absl::flat_hash_map<uint64_t, Envelope> reads_;         ///< Gets of others that are being served.
  absl::flat_hash_map<uint64_t, IncomingBody> incoming_;  ///< Messages that have not been delivered.
  absl::flat_hash_map<int32_t, Peer> peers_;
  std::multiset<Event> events_;
  uint64_t left_ = 0;  ///< The request whose last packet the PacketNic has just given.
};

}  // namespace fabrictwin::nic::words
