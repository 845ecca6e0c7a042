// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts of a network of packets with plain network interfaces.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cosim/experiment/experiment.h"
#include "models/fabric/admittance.h"
#include "models/fabric/hosts.h"
#include "models/nic/plain_packet.h"

namespace fabrictwin::fabric {

/// The plain network interfaces of all hosts: packets are those of nic::PlainPacket with up to `payload` bytes, ports
/// are taken as nic::PortTurns says, and messages leave a port in order, or each queue of a port in order where routers
/// have queues of a scheme. Not thread-safe.
class PlainHosts final : public Hosts {
 public:
  /// `ports` are the ports of each host. `digests`, by host, outlive it. `messages` is the pool of its shard.
  /// `admittance` is set where inputs of routers have several queues. Bytes of flows of the workload that arrive are
  /// added to `flow_bytes`, by Envelope::user[1], which outlives it.
  PlainHosts(std::span<const int32_t> ports, int32_t payload, std::span<observe::EndpointDigest> digests,
             Messages messages, std::optional<v1::Queues::Admittance> admittance = std::nullopt,
             std::span<uint64_t> flow_bytes = {});

  /// Bytes of the smallest packet on a link.
  static constexpr int32_t kLeastBytes = nic::PlainPacket::wire_bytes(1);

  Offer next_packet(int32_t host, int32_t port, int64_t now, int32_t space, nic::NicPacket& packet) override;
  int64_t packet_arrived(int64_t now, const nic::NicPacket& packet) override;
  void expect_arrival(const nic::NicPacket& packet) const override;
  void expect_message(const nic::NicPacket& packet) const override;
  void expect_offer(int32_t host, int32_t port) const override;
  Origin origin(const nic::NicPacket& packet) const override;
  void send_message(int32_t node, const nic::OutgoingMessage& message) override;
  bool knows(const nic::NicPacket& packet) const override;

 private:
  struct Queue {
    uint32_t first = 0;
    uint32_t last = 0;
  };
  struct Ports {
    uint32_t first_queue = 0;
    uint16_t count = 0;
    nic::PortTurns turns;
  };

  Offer next_admitted(int32_t host, int32_t port, int64_t now, int32_t space, nic::NicPacket& packet);
  bool fill(uint32_t id, int32_t host, int32_t port, const nic::PlainPacket& next, nic::NicPacket& packet);
  void report_sent(uint32_t id, int32_t host, int32_t port, int64_t now, int32_t wire);

  int32_t payload_;
  std::span<uint64_t> flow_bytes_;
  std::optional<v1::Queues::Admittance> admittance_;
  std::vector<Ports> ports_;          ///< By host.
  std::vector<Queue> queues_;         ///< By host and port.
  std::vector<Admittance> admitted_;  ///< Instead of them with `admittance`.
};

}  // namespace fabrictwin::fabric
