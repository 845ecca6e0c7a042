// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts of a packet network with network interfaces of descriptors.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "models/host_memory.h"
#include "models/packet/packet_hosts.h"
#include "models/packet_nic.h"
#include "models/queue_nic.h"

namespace fabrictwin {

/// Each host has a QueueNic (TofuNi, RdmaNic) with as many ports as the host has in the network. A message is one
/// request that carries envelope and body; a Put or a Get carries its body only, as what it is for is known where it is
/// read or written. It goes to the port that it names, or to the one with the fewest bytes to send. Sends of a flow are
/// delivered in order, Puts and Gets as they come. Not thread-safe.
class NicHosts final : public PacketHosts, public NicListener {
 public:
  /// `costs` are those of all network interfaces, but for their ports; each host has a memory of its own, if any.
  /// `digests`, by host, outlive it.
  NicHosts(const SystemGraph& graph, const QueueNic::Costs& costs, std::span<EndpointDigest> digests, Messages messages,
           const std::optional<HostMemory::Config>& memory = std::nullopt);

  /// Bytes on a link of the largest packet.
  static int32_t wire_bytes(const QueueNic::Costs& costs);

  Offer next_packet(int32_t host, int32_t port, int64_t now, int32_t room, NicPacket& packet) override;
  int64_t packet_arrived(int64_t now, const NicPacket& packet) override;
  void send_message(int32_t node, const OutgoingMessage& message) override;
  void event(int64_t now, uint32_t id) override;

  void nic_sent(int32_t node, Time at, uint64_t cookie) override;
  /// Processes wait for the data of Gets, not for acknowledgements.
  void nic_completed(int32_t node, Time at, uint64_t cookie) override;
  void nic_delivered(int32_t node, Time at, const NicDelivery& delivery) override;

 private:
  static constexpr uint64_t kGet = uint64_t{1} << 32;  ///< In the cookies of requests.

  /// In client events without kMessage: the memory of a node may have answered.
  static constexpr uint32_t kMemory = uint32_t{1} << 29;

  void wake_ports(int32_t node);
  /// What the memory has answered by `now`, if that is something.
  void advance(int32_t node, int64_t now);
  /// Asks to be called when the memory answers.
  void await_memory(int32_t node);

  std::map<int32_t, QueueNic::Costs> costs_;  ///< By number of ports.
  std::vector<QueueNic> nics_;                ///< By host.
  std::vector<int64_t> memory_wake_;          ///< By host: when it is called next; empty without memories.
  uint32_t left_ = 0;                         ///< The message whose last packet a network interface has just given.
};

}  // namespace fabrictwin
