// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The links of a packet network that lead to another partition, as channels.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/time.h"
#include "cosim/run/cut_port.h"
#include "models/fabric/foreign_messages.h"
#include "models/fabric/packet_records.h"
#include "models/fabric/word_edge.h"
#include "models/router/packet/link_timing.h"
#include "models/router/packet/network.h"
#include "models/router/packet/outbox.h"
#include "models/router/packet/tables.h"

namespace fabrictwin::router::packet::sharded {

/// Turns what a shard has for the routers of other partitions into records, and their records into what the shard
/// takes. Such routers are together one shard of the tables, with the number kRemote, whose records of the tables
/// nobody uses. A packet is the records kPacket and kMessage of docs/bridge-protocol.md; the stamp is when its head has
/// arrived (at a switch that stores packets: all of it), and the pipeline of the router comes after that. A credit is
/// the record kReturned; the delay of credits comes after its stamp. Records kPath follow the packets that have
/// recorded their path; kPause, kSetAside and kHot are what routers tell each other. What goes past the network crosses
/// the cut links of its path when a packet of a word that meets nobody would. Links that carry words have a
/// fabric::WordEdge. Not thread-safe.
class CutLinks {
 public:
  static constexpr uint8_t kRemote = 1;

  /// `ports` are all cut links of the partition. What it points to, and the arguments but `ports`, must outlive it.
  CutLinks(const NetworkConfig& config, const Tables& tables, std::vector<run::CutPort> ports, Network& network,
           fabric::ForeignMessages& messages);

  /// Gives the network the records that arrive before `until`; it has not gone beyond the first of them. DataLoss, with
  /// channel and time, for records that no such network sends.
  absl::Status receive(Time until);
  /// Sends what the network has for other partitions.
  void send();
  /// Packets that have come from links of words, but not all of their words.
  size_t packets_coming() const;

 private:
  static absl::Status broken(const link::ChannelReceiver& receiver, std::string_view what);
  absl::Status receive_record(size_t port);
  absl::Status receive_packet(size_t port, uint32_t vc);
  absl::Status receive_credit(size_t port, uint32_t vc);
  absl::Status receive_signal(size_t port);
  absl::Status receive_hot(size_t port);
  absl::Status receive_words(size_t port, Time until);
  /// Gives the network a packet whose head has arrived at a buffer, and about which all is known from `known` on.
  /// InvalidArgument if hosts do not know it.
  absl::Status enter(const fabric::CrossingPacket& crossing, uint32_t vc, Time head, Time known);
  /// A packet that goes past the network has come by a port. False if its path does not lead here.
  bool enter_aside(const fabric::CrossingPacket& crossing, congestion::PathRecord* path, size_t port);
  /// `end`: when its last bit has left, where links carry words.
  void send_packet(const PacketRecord& packet, int64_t end, const Outbox::Leaving& leaving,
                   const congestion::PathRecord* path);
  /// `from` is the input by which it has come, or PortRecord::kNone. False if its path leads nowhere.
  bool send_aside(const PacketRecord& packet, uint32_t from, const congestion::PathRecord* path);
  void send_credit(const Outbox::Credit& credit, int32_t number);
  void send_pause(const Outbox::Pause& pause);
  void send_set_aside(const buffer::SetAsideNotice& notice);
  void send_hot(const Outbox::Notice& notice);
  void send_crossing(size_t port, Time sent, const fabric::CrossingPacket& crossing, uint8_t vc,
                     const congestion::PathRecord* path);
  /// The cut port of a VC of a router of another partition.
  size_t port_to(uint32_t vc) const { return port_before(vc >> tables_.vc_shift); }
  /// The cut port whose other end is a port of another partition.
  size_t port_before(uint32_t port) const { return static_cast<size_t>(cut_at_[tables_.ports[port].peer]); }
  uint8_t vc_index(uint32_t vc) const { return static_cast<uint8_t>(vc & ((1U << tables_.vc_shift) - 1)); }

  const Tables& tables_;
  Network& network_;
  fabric::ForeignMessages& messages_;
  LinkTiming timing_;
  int64_t pipeline_;
  int64_t credit_delay_;
  bool pauses_;  ///< Routers may be told to pause.
  std::vector<run::CutPort> ports_;
  std::vector<std::unique_ptr<fabric::WordEdge>> edges_;  ///< By cut port; null where packets cross as such.
  std::vector<fabric::WordEdge::Arrival> arrivals_;       ///< For receive_words().
  std::vector<fabric::WordEdge::Space> spaces_;
  std::vector<uint32_t> numbers_;  ///< By cut port: its number in the tables.
  std::vector<int32_t> cut_at_;    ///< By port of the tables: the cut port, or -1.
  Outbox inbox_;
};

}  // namespace fabrictwin::router::packet::sharded
