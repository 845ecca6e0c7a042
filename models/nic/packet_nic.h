// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A network interface as a packet-level network sees it: requests become packets, and packets become deliveries.
#pragma once

#include <cstdint>

#include "cosim/base/time.h"

namespace fabrictwin::nic {

enum class NicOperation : uint8_t {
  kSend,  ///< A message for the process that waits for it at the destination.
  kPut,   ///< A write to the destination's memory.
  kGet,   ///< A read from the destination's memory.
};

/// A request of a host to its network interface.
struct NicRequest {
  /// Lets the network interface choose the queue.
  static constexpr uint16_t kAnyQueue = 0xffff;

  NicOperation operation = NicOperation::kPut;
  uint16_t queue =
      kAnyQueue;  ///< The queue (a TNI, a queue pair), served in turn with others. Requests of a queue stay in order.
  bool notify = true;       ///< kPut: notify the destination's host. A kSend always notifies it, a kGet never.
  bool inlined = false;     ///< The bytes are in the descriptor that the processor writes to the network interface.
  int32_t destination = 0;  ///< Node, not the requester's own.
  uint32_t bytes = 0;       ///< May be 0.
  uint64_t cookie = 0;      ///< Returned to this host.
  uint64_t user = 0;        ///< Passed to the destination.
};

/// One packet: what a network must know to carry it, and what the other network interface must know to accept it. It
/// has no payload. Plain data, which a network may store and copy.
struct NicPacket {
  enum class Kind : uint8_t { kData, kReadRequest, kReadData, kAck, kNotice };
  static constexpr uint8_t kNotify = 1;   ///< Notify the destination's host when the message is complete.
  static constexpr uint8_t kWantAck = 2;  ///< The receiver acknowledges the complete message.
  static constexpr uint8_t kSend = 4;     ///< The request was a kSend.
  /// For congestion management: a switch has marked the packet (or, of a kAck, the packet that it acknowledges).
  static constexpr uint8_t kMarked = 8;
  /// `user` names a congestion::PathRecord, into which switches write.
  static constexpr uint8_t kTelemetry = 16;
  static constexpr uint8_t kWithData = 32;  ///< A kAck that has no class of its own.
  static constexpr uint8_t kFlow = 64;      ///< It belongs to a flow of the workload; of plain network interfaces.

  int32_t source = 0;            ///< Node.
  int32_t destination = 0;       ///< Node.
  uint32_t message = 0;          ///< Number of the request among those of the node that made it.
  uint32_t message_bytes = 0;    ///< Payload bytes of the whole message.
  uint32_t offset = 0;           ///< Offset of this packet's payload in the message.
  uint16_t payload_bytes = 0;    ///< Payload bytes of the message in this packet.
  uint16_t wire_bytes = 0;       ///< Bytes that occupy a link: payload, header, trailer and framing. Positive.
  uint64_t user = 0;             ///< Copied from the request.
  Kind kind = Kind::kData;       ///< The network may give control packets (kAck, kNotice) a class of their own.
  uint8_t flags = 0;             ///< kNotify, kWantAck, kSend, kMarked, kTelemetry, kWithData, kFlow.
  uint8_t source_port = 0;       ///< The port through which it enters the network.
  uint8_t destination_port = 0;  ///< The port through which it leaves; below ports() of that network interface.

  bool operator==(const NicPacket&) const = default;
};
static_assert(sizeof(NicPacket) <= 48);

/// A message that has arrived.
struct NicDelivery {
  int32_t source = 0;
  NicOperation operation = NicOperation::kPut;  ///< kSend or kPut.
  uint32_t bytes = 0;
  uint64_t user = 0;
};

/// Notifications of network interfaces to their hosts; one object may serve many. Each call is made as soon as the time
/// of the event is known: `at` is not in the past and often later than the present. Times of one node need not be in
/// order. A listener must not call the network interface before it returns.
class NicListener {
 public:
  virtual ~NicListener() = default;
  /// The request's local buffer is free again (kSend, kPut).
  virtual void nic_sent(int32_t node, Time at, uint64_t cookie) = 0;
  /// The request is complete, as far as its host can know: acknowledged (kSend, kPut, where that exists) or all data in
  /// memory (kGet). Called once for each request, and not before nic_sent().
  virtual void nic_completed(int32_t node, Time at, uint64_t cookie) = 0;
  /// A message is in memory and its notification is visible to the processor.
  virtual void nic_delivered(int32_t node, Time at, const NicDelivery& delivery) = 0;
};

/// The network interface of one node as a state machine that is independent of the network. The network keeps the time
/// and calls in time order: arrivals of a time first, then advance(), then submit(), then next_packet() by port, so
/// that ties have one result. After each of the first three it reads ready_at() and next_event() again. Nothing blocks
/// and nothing fails: requests queue without limit, arrivals are always accepted. Not thread-safe; two network
/// interfaces share no mutable state.
class PacketNic {
 public:
  virtual ~PacketNic() = default;

  /// The number of injection ports, and of ejection ports; at least 1. Never changes.
  virtual int32_t ports() const = 0;

  /// Submits a request, known from `now` on; any earlier processor time is modelled by the host.
  virtual void submit(Time now, const NicRequest& request) = 0;

  /// When the next packet of `port` may begin to enter the network; never() if there is none. Changes only through
  /// non-const calls.
  virtual Time ready_at(int32_t port) const = 0;
  /// Bytes on the wire of the packet that next_packet() would return now, for a network that must have free space for
  /// it first. That packet stays the next one of the port. Requires ready_at(port) <= now.
  virtual int32_t next_bytes(int32_t port, Time now) = 0;
  /// Takes that packet; requires ready_at(port) <= now. The network calls it when the first byte enters it, so packets
  /// that it cannot carry yet wait here.
  virtual NicPacket next_packet(int32_t port, Time now) = 0;

  /// The last byte of a packet for this node has left the network at port `packet.destination_port`. Returns when its
  /// space in that port's buffer is free again: not before `now`.
  virtual Time packet_arrived(Time now, const NicPacket& packet) = 0;

  /// When an internal event is next due; never() if it only waits.
  virtual Time next_event() const = 0;
  /// Handles the events that are due; requires next_event() <= now.
  virtual void advance(Time now) = 0;
};

}  // namespace fabrictwin::nic
