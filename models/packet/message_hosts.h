// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts of a packet network with plain network interfaces.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/packet/packet_hosts.h"

namespace fabrictwin {

/// Plain network interfaces of all hosts. A message is cut into packets of up to `payload` bytes, the first of which
/// begins with the 32-byte envelope; a packet has two words more than its payload. Messages of a host leave in order;
/// where a host has several ports, they take turns message by message. Not thread-safe.
class MessageHosts final : public PacketHosts {
 public:
  /// `digests`, by host, outlive it. `messages` is the pool of its shard.
  MessageHosts(const SystemGraph& graph, int32_t payload, std::span<EndpointDigest> digests, Messages messages);

  /// Bytes on a link of the largest packet.
  static int32_t wire_bytes(int32_t payload) { return PacketNetwork::kWordBytes * (2 + (payload + 15) / 16); }

  /// Of the smallest one.
  static constexpr int32_t kLeastBytes = PacketNetwork::kWordBytes * 3;

  Offer next_packet(int32_t host, int32_t port, int64_t now, int32_t room, NicPacket& packet) override;
  int64_t packet_arrived(int64_t now, const NicPacket& packet) override;
  void expect_arrival(const NicPacket& packet) const override;
  void expect_message(const NicPacket& packet) const override;
  void expect_offer(int32_t host, int32_t port) const override;
  void send_message(int32_t node, const OutgoingMessage& message) override;

 private:
  struct Queue {
    uint32_t first = 0;
    uint32_t last = 0;
  };
  struct Ports {
    uint32_t first_queue = 0;
    uint16_t count = 0;
    uint16_t next = 0;  ///< For the next message.
  };

  int32_t payload_;
  std::vector<Ports> ports_;   ///< By host.
  std::vector<Queue> queues_;  ///< By host and port.
};

}  // namespace fabrictwin
