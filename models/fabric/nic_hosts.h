// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts of a network of packets whose network interfaces work on descriptors.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "models/fabric/hosts.h"
#include "models/memory/host_memory.h"
#include "models/nic/packet_nic.h"
#include "models/nic/queue_nic.h"
#include "models/nic/tofu_barrier.h"

namespace fabrictwin::fabric {

/// Each host has a QueueNic (TofuNi, RdmaNic) with as many ports as the host has in the network. A message is one
/// request with envelope and body; a Put or Get carries its body only, as its purpose is known where it is read or
/// written. It uses the port that it names, or else the one with the fewest bytes to send. Sends of a flow are
/// delivered in order; Puts and Gets as they arrive. Not thread-safe.
class NicHosts final : public Hosts, public nic::NicListener {
 public:
  /// `ports` are the ports of each host. `costs` are those of all network interfaces except for their port count; with
  /// `memory`, each host has one of its own. `digests`, by host, outlive it.
  NicHosts(std::span<const int32_t> ports, const nic::QueueNic::Costs& costs,
           std::span<observe::EndpointDigest> digests, Messages messages,
           const std::optional<memory::HostMemory::Config>& memory = std::nullopt);

  /// Bytes of the largest packet on a link.
  static int32_t wire_bytes(const nic::QueueNic::Costs& costs);

  Offer next_packet(int32_t host, int32_t port, int64_t now, int32_t space, nic::NicPacket& packet) override;
  int64_t packet_arrived(int64_t now, const nic::NicPacket& packet) override;
  void send_message(int32_t node, const nic::OutgoingMessage& message) override;
  void event(int64_t now, uint32_t id) override;
  Origin origin(const nic::NicPacket& packet) const override;

  /// Acknowledgements are packets, too, and may come when all is over.
  void be_apart(std::vector<bool> here, bool together) override;
  ForeignMessage leave(nic::NicPacket& packet) override;
  bool enter(nic::NicPacket& packet, const ForeignMessage& message) override;
  bool knows(const nic::NicPacket& packet) const override;

  void nic_sent(int32_t node, Time at, uint64_t cookie) override;
  /// Does nothing with acknowledgements: processes wait only for the data of Gets.
  void nic_completed(int32_t node, Time at, uint64_t cookie) override;
  void nic_delivered(int32_t node, Time at, const nic::NicDelivery& delivery) override;

 protected:
  uint64_t bytes_of(const Message& message) const override;

 private:
  static constexpr uint64_t kGet = uint64_t{1} << 32;  ///< Marks a Get in the cookie of a request.

  /// Marks a client event without kMessage: the memory of a node may have responded.
  static constexpr uint32_t kMemory = uint32_t{1} << 29;

  /// Marks a client event without kMessage: the barrier interface of a node is due.
  static constexpr uint32_t kBarrier = uint32_t{1} << 28;

  void wake_ports(int32_t node);
  /// Handles what the memory has responded by `now`, if anything.
  void advance(int32_t node, int64_t now);
  /// Schedules an event for the memory's next response.
  void await_memory(int32_t node);

  void reduce(int32_t node, const nic::OutgoingMessage& message);
  void await_barrier(int32_t node);
  void run_barrier(int32_t node, int64_t now);
  void end_barrier(int32_t node, int64_t now, const nic::TofuBarrier::End& end);

  std::map<int32_t, nic::QueueNic::Costs> costs_;  ///< By number of ports.
  std::vector<nic::QueueNic> nics_;                ///< By host.
  std::vector<int64_t> memory_wake_;        ///< By host: time of its scheduled memory event; empty without memories.
  std::vector<nic::TofuBarrier> barriers_;  ///< By host; empty if there is no barrier interface.
  std::vector<int64_t> barrier_wake_;       ///< By host: as memory_wake_.
  absl::flat_hash_map<uint32_t, nic::Reduction> reductions_;  ///< By message: those under way.
  std::vector<uint32_t> unordered_;                           ///< By host: Puts and Gets so far.
  uint32_t left_ = 0;  ///< The message whose last packet a network interface has just sent.
};

}  // namespace fabrictwin::fabric
