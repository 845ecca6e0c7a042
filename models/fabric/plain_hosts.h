// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts of a network of packets with plain network interfaces.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cosim/experiment/experiment.h"
#include "models/fabric/admittance.h"
#include "models/fabric/foreign_messages.h"
#include "models/fabric/hosts.h"
#include "models/kernel/pool.h"
#include "models/nic/plain_packet.h"

namespace fabrictwin::fabric {

/// The plain network interfaces of all hosts: packets are those of nic::PlainPacket with up to `payload` bytes, ports
/// are taken as nic::PortTurns says, and messages leave a port in order, or each queue of a port in order where routers
/// have queues of a scheme. Not thread-safe.
class PlainHosts final : public Hosts, public ForeignMessages {
 public:
  /// `ports` are the ports of each host. `digests`, by host, outlive it. `messages` is the pool of its shard.
  /// `admittance` is set where inputs of routers have several queues.
  PlainHosts(std::span<const int32_t> ports, int32_t payload, std::span<observe::EndpointDigest> digests,
             Messages messages, std::optional<v1::Queues::Admittance> admittance = std::nullopt);

  /// Makes hosts of other partitions known, before start(): `here` says of each host whether it is in this one. Only
  /// with one shard.
  void be_apart(std::vector<bool> here) { here_ = std::move(here); }

  /// Bytes of the smallest packet on a link.
  static constexpr int32_t kLeastBytes = nic::PlainPacket::wire_bytes(1);

  Offer next_packet(int32_t host, int32_t port, int64_t now, int32_t room, nic::NicPacket& packet) override;
  int64_t packet_arrived(int64_t now, const nic::NicPacket& packet) override;
  void expect_arrival(const nic::NicPacket& packet) const override;
  void expect_message(const nic::NicPacket& packet) const override;
  void expect_offer(int32_t host, int32_t port) const override;
  Origin origin(const nic::NicPacket& packet) const override;
  void send_message(int32_t node, const nic::OutgoingMessage& message) override;

  ForeignMessage leave(uint32_t message, uint32_t payload) override;
  std::optional<uint32_t> enter(int32_t source, int32_t destination, const ForeignMessage& message) override;

 protected:
  bool goes_away(const Message& message) const override { return !is_here(message.destination); }
  void has_left(uint32_t id) override;
  void delivered(const Message& message) override;

 private:
  /// NicPacket::message is this and a number in `passing_` if both ends of the packet are in other partitions.
  static constexpr uint32_t kPassing = uint32_t{1} << 31;

  struct Queue {
    uint32_t first = 0;
    uint32_t last = 0;
  };
  struct Outside {
    uint32_t message = 0;
    int32_t packets = 0;  ///< That come back.
  };
  struct Ports {
    uint32_t first_queue = 0;
    uint16_t count = 0;
    nic::PortTurns turns;
  };

  Offer next_admitted(int32_t host, int32_t port, int64_t now, int32_t room, nic::NicPacket& packet);
  bool fill(uint32_t id, int32_t host, int32_t port, const nic::PlainPacket& next, nic::NicPacket& packet);
  void report_sent(uint32_t id, int32_t host, int32_t port, int64_t now, int32_t wire);
  bool is_here(int32_t host) const { return here_.empty() || here_[static_cast<size_t>(host)]; }
  /// Drops a message that goes to another partition if nobody needs it any more.
  void drop_if_gone(uint32_t id);
  /// Source, destination and number in its flow, which tell messages apart even if packets of many are on their way.
  using ForeignKey = std::tuple<int32_t, int32_t, uint32_t>;

  int32_t payload_;
  std::optional<v1::Queues::Admittance> admittance_;
  std::vector<Ports> ports_;          ///< By host.
  std::vector<Queue> queues_;         ///< By host and port.
  std::vector<Admittance> admitted_;  ///< In place of them with `admittance`.
  // For hosts of other partitions.
  std::vector<bool> here_;                              ///< By host; empty if all are.
  absl::flat_hash_map<ForeignKey, uint32_t> arriving_;  ///< Messages from there that have not been delivered.
  absl::flat_hash_map<ForeignKey, Outside> outside_;    ///< Messages between hosts here with packets elsewhere.
  kernel::Pool<ForeignMessage> passing_;                ///< Messages of packets that only pass, one for each packet.
};

}  // namespace fabrictwin::fabric
