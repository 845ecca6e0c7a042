// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The links of a flit network that lead to another partition, as channels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/base/clock.h"
#include "cosim/link/record.h"
#include "cosim/run/cut_port.h"
#include "cosim/system/system_graph.h"
#include "models/fabric/packet_records.h"
#include "models/router/input_queued/network.h"
#include "models/router/input_queued/packet_crossing.h"
#include "models/router/input_queued/word_link.h"

namespace fabrictwin::router::input_queued {

/// Turns flits and credits for routers of other partitions into records (docs/bridge-protocol.md), and their records
/// into arrivals. Flits of a packet, and credits of a VC, that leave in consecutive cycles are one record. Stamps are
/// cycles of the routers, which are those of their arrival. Links whose other end is not one of flits carry words. Not
/// thread-safe.
class CutLinks {
 public:
  /// `ports` are all cut links of the partition, with the numbers of routers as elements. `seed` is that of the tie
  /// bits of flows. References must outlive it.
  CutLinks(Clock clock, const system::SystemGraph& graph, uint64_t seed, std::vector<run::CutPort> ports,
           Network& network, PacketCrossing& crossing);

  /// The cycle of the first record or word that has come and that the network has not got, or Traffic::kNever.
  int64_t next_cycle() const;
  /// Gives the network what arrives in `cycle`, the next one to be simulated. DataLoss, with channel and time, for
  /// records that no such network sends.
  absl::Status receive(int64_t cycle);
  /// Sends what the network has for other partitions.
  void send();
  /// Packets that have come from links of words, but not all of their words.
  size_t packets_coming() const;

 private:
  /// A packet of which not all flits have come by a VC of a port.
  struct Arriving {
    uint32_t packet = 0;
    int32_t left = 0;
  };
  /// Flits or credits that are to be one record.
  struct Burst {
    link::Record record;
    std::optional<link::Record> message;  ///< What the packet belongs to, if it begins with a head.
    int64_t cycle = 0;                    ///< When the first one arrives.
    int32_t count = 0;                    ///< None if 0.
    int32_t vc = 0;                       ///< The network numbers it.
  };

  absl::Status receive_words(size_t port, int64_t cycle);
  absl::Status receive_record(size_t port, int64_t cycle);
  absl::Status receive_credits(size_t port, int64_t cycle);
  absl::Status receive_message(size_t port, int64_t cycle);
  absl::Status receive_head(size_t port, int64_t cycle);
  absl::Status receive_flits(size_t port, int64_t cycle, const link::Record& record, int32_t vc, bool head);
  /// The number in the network of a packet that comes. InvalidArgument if there can be no such packet.
  absl::StatusOr<uint32_t> enter(const fabric::CrossingPacket& crossing);
  /// A queue of a scheme is a VC of the network, and a record has its VC and its number among those of the VC.
  uint8_t vc_of(int32_t vc) const { return static_cast<uint8_t>(vc / queues_); }
  uint32_t queue_of(int32_t vc) const { return static_cast<uint32_t>(vc % queues_); }
  /// The VC of the network; nothing if there is none.
  std::optional<int32_t> vc_at(uint8_t vc, uint64_t queue) const;
  End end_of(size_t port) const { return {ports_[port].element, ports_[port].port}; }
  static absl::Status broken(const link::ChannelReceiver& receiver, Time at, std::string_view what);
  void send_word(size_t port, const Network::Departure& departure);
  void send_flit(size_t port, const Network::Departure& flit);
  void send_message(size_t port, int64_t cycle, const congestion::SetAsideMessage& message);
  void send_credit(size_t port, const Network::Departure& credit);
  /// Whether what leaves in `cycle` by `vc` continues a burst.
  bool continues(const Burst& burst, int64_t cycle, int32_t vc) const;
  void close(size_t port, Burst& burst);
  Arriving& arriving(size_t port, int32_t vc) {
    return arriving_[port * static_cast<size_t>(vcs_) + static_cast<size_t>(vc)];
  }

  Clock clock_;
  int32_t hosts_;
  int32_t vcs_;     ///< The network has so many.
  int32_t queues_;  ///< Each VC of a link has so many.
  int32_t most_;    ///< Flits or credits of a record.
  Network& network_;
  PacketCrossing& crossing_;
  std::vector<run::CutPort> ports_;
  std::vector<std::unique_ptr<WordLink>> words_;  ///< By cut port; null where flits cross as such.
  std::vector<int32_t> cut_at_;                   ///< By router and port: an index into ports_, or -1.
  std::vector<Arriving> arriving_;                ///< By cut port and VC.
  std::vector<Burst> flits_;                      ///< By cut port; empty between two calls.
  std::vector<Burst> credits_;
};

}  // namespace fabrictwin::router::input_queued
