// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The hosts of a packet network: their processes and the messages between them, whatever network interfaces they have.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cosim/base/line_vector.h"
#include "cosim/run/digest.h"
#include "models/host_process.h"
#include "models/packet/earliest_failure.h"
#include "models/packet/packet_client.h"
#include "models/packet/packet_network.h"
#include "models/packet/shared_pool.h"

namespace fabrictwin {

/// Runs the processes of all hosts on the events of a network. Packets name their message and carry no bytes: what a
/// body must hash to follows from its envelope. Messages of one flow (source, destination) are delivered in order,
/// whatever way their packets took. How messages become packets is the matter of derived classes. Of a network in
/// several shards, each has an object of its own with the processes of its hosts. Not thread-safe.
class PacketHosts : public PacketClient, public HostProcess::Owner {
 public:
  /// Both before start(). The network outlives it.
  void bind_network(PacketNetwork* network) { network_ = network; }
  void add_process(std::unique_ptr<HostProcess> process);
  /// Starts all processes, at time zero.
  void start();

  int32_t processes() const { return processes_; }
  /// Whether all processes have finished.
  bool finished();
  bool stopped() override { return failed() || finished(); }
  bool failed() const override { return !failure_.empty(); }
  /// When the last one finished, of those that have.
  Time finish_time() const;
  uint64_t packets_received() const { return packets_received_; }
  /// Payload of packets.
  uint64_t bytes_received() const { return bytes_received_; }
  /// What the process of a host waits for; empty if it has none, or does not wait.
  std::string waits_for(int32_t host) const;
  /// The first thing that went wrong.
  const EarliestFailure& failure() const { return failure_; }

  void event(int64_t now, uint32_t id) override;
  void settle(int64_t now) override;
  void wake_process(int32_t node, Time time) override;

  /// In the pool of the shard of its source. That shard and the one of its destination use different members of it once
  /// its first packet has left.
  struct Message {
    Envelope envelope;
    int32_t source = 0;
    int32_t destination = 0;
    uint32_t sequence = 0;  ///< In its flow, if it has an order.
    bool ordered = true;    ///< Delivered after those of its flow that were sent before it.
    uint64_t received = 0;
    // Of its source.
    uint64_t cookie = 0;
    uint64_t sent = 0;  ///< Bytes, as the network interface counts them.
    uint32_t next = 0;  ///< That leaves through the same port.
  };
  using Messages = SharedPool<Message>;

 protected:
  /// Client events: of a process, or with one of these bits of a message that has left, or has arrived whole; with both
  /// of a read that is over.
  static constexpr uint32_t kSent = uint32_t{1} << 31;
  static constexpr uint32_t kArrived = uint32_t{1} << 30;
  static constexpr uint32_t kMessage = kSent | kArrived;

  /// `digests`, by host, outlive it.
  PacketHosts(const SystemGraph& graph, std::span<EndpointDigest> digests, Messages messages);

  uint32_t make_message(int32_t node, const OutgoingMessage& message, bool ordered);
  /// Counts a packet that has arrived; `label` is what names it beside its payload.
  void count_packet(int64_t now, const NicPacket& packet, uint64_t label);
  /// A packet for a host will soon be counted, and its message may be complete(): fetches the records of the host.
  void expect_host(int32_t destination) const;
  /// Later, of a message that will be complete(): fetches what those records lead to.
  void expect_complete(int32_t source, int32_t destination) const;
  /// A message has arrived whole. Delivers it, and those that waited for it, unless it must wait itself.
  void complete(uint32_t id);
  /// Of a host, now. Nothing if `what` is empty.
  void fail(int32_t host, std::string what);

  PacketNetwork* network_ = nullptr;
  Messages messages_;
  int64_t now_ = 0;  ///< While processes run.

 private:
  /// Messages between a host and another one.
  struct Peer {
    uint32_t sent = 0;       ///< To the other one.
    uint32_t delivered = 0;  ///< From the other one, in its order.
    uint32_t held = 0;       ///< From the other one: have come before their predecessors.
  };
  /// One cache line.
  struct Host {
    std::unique_ptr<HostProcess> process;
    Time wake = Time::never();
    absl::flat_hash_map<int32_t, Peer> peers;  ///< By the other host.
    bool due = false;
  };

  static uint64_t flow_key(const Message& message) {
    return uint64_t{static_cast<uint32_t>(message.source)} << 32 | static_cast<uint32_t>(message.destination);
  }
  void deliver(uint32_t id);
  void settle_message(uint32_t event);
  void make_due(int32_t host);

  std::span<EndpointDigest> digests_;
  LineVector<Host> hosts_;
  absl::flat_hash_map<uint64_t, std::vector<uint32_t>> held_;  ///< By flow.
  std::vector<uint32_t> happened_;                             ///< To messages, at this time.
  std::vector<int32_t> due_;
  std::vector<int32_t> running_;
  int32_t processes_ = 0;
  size_t finished_ = 0;  ///< Hosts before this one have finished.
  uint64_t packets_received_ = 0;
  uint64_t bytes_received_ = 0;
  EarliestFailure failure_;
};

}  // namespace fabrictwin
