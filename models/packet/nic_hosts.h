// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts of a packet network with network interfaces of descriptors.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

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
  /// `costs` are those of all network interfaces, but for their ports. `digests`, by host, outlive it.
  NicHosts(const SystemGraph& graph, const QueueNic::Costs& costs, std::span<EndpointDigest> digests,
           Messages messages);

  /// Bytes on a link of the largest packet.
  static int32_t wire_bytes(const QueueNic::Costs& costs);

  Offer next_packet(int32_t host, int32_t port, int64_t now, int32_t room, NicPacket& packet) override;
  int64_t packet_arrived(int64_t now, const NicPacket& packet) override;
  void send_message(int32_t node, const OutgoingMessage& message) override;

  void nic_sent(int32_t node, Time at, uint64_t cookie) override;
  /// Processes wait for the data of Gets, not for acknowledgements.
  void nic_completed(int32_t node, Time at, uint64_t cookie) override;
  void nic_delivered(int32_t node, Time at, const NicDelivery& delivery) override;

 private:
  static constexpr uint64_t kGet = uint64_t{1} << 32;  ///< In the cookies of requests.

  void wake_ports(int32_t node);

  std::map<int32_t, QueueNic::Costs> costs_;  ///< By number of ports.
  std::vector<QueueNic> nics_;                ///< By host.
  uint32_t left_ = 0;                         ///< The message whose last packet a network interface has just given.
};

}  // namespace fabrictwin
