// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts of a packet network that send and receive whole messages.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cosim/run/digest.h"
#include "models/host_process.h"
#include "models/packet/packet_client.h"
#include "models/packet/packet_network.h"
#include "models/packet/pool.h"

namespace fabrictwin {

/// The plain network interfaces of all hosts, and the processes on them. A message is cut into packets of up to
/// `payload` bytes, the first of which begins with the 32-byte envelope; a packet has two words more than its payload.
/// Messages of a host leave in order; where a host has several ports, they take turns message by message. Packets name
/// their message and carry no bytes: what a body must hash to follows from its envelope. Messages of one flow (source,
/// destination) are delivered in order, whatever way their packets took. Not thread-safe.
class MessageHosts : public PacketClient, public HostProcess::Owner {
 public:
  /// `digests`, by host, outlive it.
  MessageHosts(const SystemGraph& graph, int32_t payload, std::span<EndpointDigest> digests);

  /// Bytes on a link of the largest packet.
  static int32_t wire_bytes(int32_t payload) { return PacketNetwork::kWordBytes * (2 + (payload + 15) / 16); }

  /// Both before start(). The network outlives it.
  void bind_network(PacketNetwork* network) { network_ = network; }
  void add_process(std::unique_ptr<HostProcess> process);
  /// Starts all processes, at time zero.
  void start();

  /// Whether all processes have finished; false if there are none.
  bool finished();
  /// When the last one finished, of those that have.
  Time finish_time() const;
  uint64_t packets_received() const { return packets_received_; }
  /// Payload, envelopes included.
  uint64_t bytes_received() const { return bytes_received_; }
  std::vector<std::string> waits() const;
  const std::string& failure() const { return failure_; }

  Offer next_packet(int32_t host, int32_t port, int64_t now, int32_t room, NicPacket& packet) override;
  int64_t packet_arrived(int64_t now, const NicPacket& packet) override;
  void event(int64_t now, uint32_t id) override;
  void settle(int64_t now) override;

  void send_message(int32_t node, const OutgoingMessage& message) override;
  void wake_process(int32_t node, Time time) override;

 private:
  /// Client events: of a process, or with this bit of a message that has left.
  static constexpr uint32_t kSent = uint32_t{1} << 31;

  struct Message {
    Envelope envelope;
    uint64_t cookie = 0;
    uint64_t sent = 0;  ///< Bytes, envelope included.
    uint64_t received = 0;
    int32_t source = 0;
    int32_t destination = 0;
    uint32_t sequence = 0;  ///< In its flow.
    uint32_t next = 0;      ///< That leaves through the same port.
  };
  struct Queue {
    uint32_t first = 0;
    uint32_t last = 0;
  };
  struct Host {
    std::unique_ptr<HostProcess> process;
    Time wake = Time::never();
    uint32_t first_queue = 0;
    uint16_t ports = 0;
    uint16_t next_port = 0;  ///< For the next message.
    bool due = false;
  };
  struct Flow {
    uint32_t sent = 0;
    uint32_t delivered = 0;
    uint32_t held = 0;  ///< Messages that have come before their predecessors.
  };

  static uint64_t flow_key(const Message& message) {
    return uint64_t{static_cast<uint32_t>(message.source)} << 32 | static_cast<uint32_t>(message.destination);
  }
  void complete(uint32_t id);
  void deliver(uint32_t id);
  void make_due(int32_t host);

  int32_t payload_;
  std::span<EndpointDigest> digests_;
  PacketNetwork* network_ = nullptr;
  std::vector<Host> hosts_;
  std::vector<Queue> queues_;  ///< By host and port.
  Pool<Message> messages_;
  absl::flat_hash_map<uint64_t, Flow> flows_;
  absl::flat_hash_map<uint64_t, std::vector<uint32_t>> held_;  ///< By flow.
  std::vector<int32_t> due_;
  std::vector<int32_t> running_;
  size_t processes_ = 0;
  size_t finished_ = 0;  ///< Hosts before this one have finished.
  uint64_t packets_received_ = 0;
  uint64_t bytes_received_ = 0;
  std::string failure_;
};

}  // namespace fabrictwin
