// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A network interface with queues of descriptors: the common part of TofuNi and RdmaNic.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cosim/base/fifo.h"
#include "models/kernel/round_robin.h"
#include "models/memory/host_memory.h"
#include "models/nic/packet_nic.h"
#include "models/nic/tofu_barrier.h"

namespace fabrictwin::nic {

/// Each port is an engine with queues of commands. A command becomes ready some time after it was submitted; ready ones
/// are served in turn, packet by packet, in the order of queue numbers. Responses of a port (data that others read,
/// acks) are one more queue, which comes first in a round. An engine may need time of its own for each packet and
/// message, beyond that of the network. Messages are reassembled by counting bytes, so the network may reorder packets.
/// With a HostMemory, packets are read up to its `outstanding` bursts ahead and leave once they are read, and a message
/// has arrived when its packets are written, unless they go to a cache.
class QueueNic : public PacketNic {
 public:
  /// Shapes and times, shared by all network interfaces of a kind.
  struct Costs {
    int32_t ports = 1;
    int32_t queues = 1;        ///< Host queues of each port.
    int32_t max_payload = 0;   ///< The most payload bytes of a packet; positive.
    int32_t header = 0;        ///< Bytes on the wire of each packet beyond its payload.
    int32_t first_header = 0;  ///< Additional bytes on the wire of the first packet of a message.
    int32_t request = 0;       ///< Bytes on the wire of a read request.
    int32_t ack = 0;           ///< Bytes on the wire of an ack.
    int32_t granule = 1;       ///< The payload on the wire is rounded up to a multiple of this.
    Time post_direct;          ///< From the request until the engine has the descriptor, if the queue is empty.
    Time post_queued;          ///< From the request until the engine has the descriptor, if the queue is not empty.
    Time first_read;           ///< From then to the first bytes of the payload; reads of later packets overlap.
    int32_t inline_bytes = 0;  ///< `inlined` messages up to this size need no read.
    Time packet_interval;      ///< Least time between two packets of a port.
    Time message_interval;     ///< Least time from the first packet of a message to the next packet of the port.
    Time receive;              ///< From the last byte's arrival until the processor can see it.
    Time serve;                ///< From a read request's arrival until the data is ready to leave.
    Time answer;               ///< From the last byte in memory until the ack is ready to leave.
    bool to_cache = false;     ///< Arrivals go to the processor's cache and are not written to the HostMemory.
    bool acknowledge = false;  ///< If false, a request that writes is complete when it has left.
    int64_t receive_buffer = 16384;  ///< Bytes of each node that may wait for memory before the network is stalled.
    TofuBarrier::Costs barrier;      ///< Without TNIs, there is no barrier interface.
  };
  /// Streams that a network interface has of a HostMemory.
  static constexpr int32_t kMemoryStreams = 2;

  /// `costs` and `listener` outlive it.
  QueueNic(int32_t node, const Costs& costs, NicListener& listener,
           const std::optional<memory::HostMemory::Config>& memory = std::nullopt);

  int32_t ports() const override { return static_cast<int32_t>(ports_.size()); }
  /// Host queues of each port.
  int32_t queues() const { return costs_.queues; }
  /// Queue q of port p is number p * costs.queues + q, modulo the number of all queues. kAnyQueue is queue 0 of the
  /// port with the fewest bytes to send; ports that are equal take turns.
  void submit(Time now, const NicRequest& request) override;
  Time ready_at(int32_t port) const override { return ports_[static_cast<size_t>(port)].ready; }
  int32_t next_bytes(int32_t port, Time now) override;
  NicPacket next_packet(int32_t port, Time now) override;
  /// Sends a signal of the barrier interface by its TNI, a packet of the kind kNotice, before anything else of that
  /// port.
  void send_signal(Time now, const TofuBarrier::Signal& signal);
  /// The signal that such a packet carries, which does not come to packet_arrived().
  static TofuBarrier::Signal signal_of(const NicPacket& packet);
  Time packet_arrived(Time now, const NicPacket& packet) override;
  Time next_event() const override;
  void advance(Time now) override;

  /// Messages that have arrived in part.
  size_t incomplete() const { return incoming_.size(); }
  /// Requests that have not completed.
  size_t outstanding() const { return outstanding_.size(); }

 private:
  static constexpr int32_t kReads = 0, kWrites = 1;

  struct Command {
    Time ready;
    uint64_t cookie = 0, user = 0;
    uint32_t message = 0, bytes = 0, offset = 0;
    int32_t destination = 0;
    NicPacket::Kind kind = NicPacket::Kind::kData;
    uint8_t flags = 0;
    uint8_t destination_port = 0;
    bool inlined = false;  ///< The bytes came with the descriptor.
  };
  /// A packet that has been cut from its message.
  struct Staged {
    NicPacket packet;
    Time ready;  ///< never() while it is being read.
    uint64_t cookie = 0;
    bool first = false, last = false;
  };
  struct Port {
    std::vector<Fifo<Command>> queues;  ///< Queue 0 is for responses. Holds as many as were ever used.
    Fifo<Staged> staged;
    kernel::RoundRobin turn{1};  ///< Among the queues; responses come last at first.
    uint64_t backlog = 0;        ///< Bytes to send.
    Time free;                   ///< When the engine can send the next packet.
    Time ready = Time::never();
  };
  struct Outstanding {
    uint64_t cookie = 0;
    uint32_t left = 0;  ///< Bytes that a read still waits for.
  };

  int32_t choose_port();
  void give(Port& port, size_t queue, const Command& command);
  /// The queue to be served at `now`; -1 if none is ready.
  int32_t next_turn(const Port& port, Time now) const;
  /// When the first of the queues is ready.
  static Time first_ready(const Port& port);
  /// Cuts the next packet of a queue.
  void stage(Port& port, size_t queue, Time now);
  void prefetch(Port& port, Time now);
  void refresh(Port& port) const;
  void leaves(const Staged& staged, Time time);
  /// The packet's bytes have arrived, and are in memory if there is a HostMemory.
  void landed(const NicPacket& packet, Time now);
  void complete(const NicPacket& packet, Time now);
  int32_t wire_bytes(const Command& command, uint32_t payload) const;

  const int32_t node_;
  const Costs& costs_;
  NicListener& listener_;
  std::unique_ptr<memory::HostMemory> memory_;
  std::vector<Port> ports_;
  kernel::RoundRobin turn_;  ///< Among ports with equally few bytes to send.
  uint32_t next_message_ = 0;
  absl::flat_hash_map<uint32_t, Outstanding> outstanding_;  ///< By message: reads, and writes that want an ack.
  absl::flat_hash_map<uint64_t, uint32_t> incoming_;        ///< By source and message: bytes that have arrived.
  Fifo<NicPacket> writing_;                                 ///< In the order of the requests to memory.
  int64_t writing_bytes_ = 0;
};

}  // namespace fabrictwin::nic
