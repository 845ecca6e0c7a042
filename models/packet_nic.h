// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A network interface as a packet-level network sees it: requests go in, packets come out, and the other way round.
#pragma once

#include <cstdint>

#include "cosim/base/time.h"

namespace fabrictwin {

enum class NicOperation : uint8_t {
  kSend,  ///< A message for whoever waits for it at the destination.
  kPut,   ///< A write to the destination's memory.
  kGet,   ///< A read from it.
};

/// What a host asks of its network interface.
struct NicRequest {
  /// Lets the network interface choose the queue.
  static constexpr uint16_t kAnyQueue = 0xffff;

  NicOperation operation = NicOperation::kPut;
  uint16_t queue =
      kAnyQueue;            ///< What takes turns with others: a TNI, a queue pair. Requests of a queue stay in order.
  bool notify = true;       ///< kPut: the destination's host is told. A kSend always tells it, a kGet never.
  bool inlined = false;     ///< The bytes are in the descriptor that the processor writes to the network interface.
  int32_t destination = 0;  ///< Node, not the own one.
  uint32_t bytes = 0;       ///< None is allowed.
  uint64_t cookie = 0;      ///< Comes back to this host.
  uint64_t user = 0;        ///< Comes out at the destination.
};

/// One packet: what a network must know to carry it, and what the other network interface must know to take it. No
/// payload. Plain data; a network keeps and copies it as it likes.
struct NicPacket {
  enum class Kind : uint8_t { kData, kReadRequest, kReadData, kAck };
  static constexpr uint8_t kNotify = 1;   ///< The destination's host is told when the message is complete.
  static constexpr uint8_t kWantAck = 2;  ///< The receiver answers when the message is complete.
  static constexpr uint8_t kSend = 4;     ///< The request was a kSend.

  int32_t source = 0;            ///< Node.
  int32_t destination = 0;       ///< The same.
  uint32_t message = 0;          ///< Of the node that made the request: which of its requests this belongs to.
  uint32_t message_bytes = 0;    ///< Of the whole message.
  uint32_t offset = 0;           ///< Of this packet's payload in the message.
  uint16_t payload_bytes = 0;    ///< Of the message.
  uint16_t wire_bytes = 0;       ///< What occupies a link: payload, header, trailer and framing. Positive.
  uint64_t user = 0;             ///< As the request says.
  Kind kind = Kind::kData;       ///< The network may give answers (kAck, kReadData) a class of their own.
  uint8_t flags = 0;             ///< kNotify, kWantAck.
  uint8_t source_port = 0;       ///< Through which port it enters the network.
  uint8_t destination_port = 0;  ///< Through which it leaves; below ports() of that network interface.

  bool operator==(const NicPacket&) const = default;
};
static_assert(sizeof(NicPacket) <= 48);

/// A message that has come in.
struct NicDelivery {
  int32_t source = 0;
  NicOperation operation = NicOperation::kPut;  ///< kSend or kPut.
  uint32_t bytes = 0;
  uint64_t user = 0;
};

/// What network interfaces tell their hosts; one object may serve many. Every call is made as soon as it is known when
/// the thing happens: `at` is not before the present, and often later. Times of one node need not come in order. A
/// listener must not call the network interface before it returns.
class NicListener {
 public:
  virtual ~NicListener() = default;
  /// The request's local buffer is free again (kSend, kPut).
  virtual void nic_sent(int32_t node, Time at, uint64_t cookie) = 0;
  /// The request is over, as far as its host can know: acknowledged (kSend, kPut, where that exists) or all data in
  /// memory (kGet). Comes once for each request, and not before nic_sent().
  virtual void nic_completed(int32_t node, Time at, uint64_t cookie) = 0;
  /// A message is in memory and its notification is where the processor sees it.
  virtual void nic_delivered(int32_t node, Time at, const NicDelivery& delivery) = 0;
};

/// The network interface of one node as a state machine, with no idea of what carries its packets. The network owns
/// the time and calls in the order of time: arrivals of a time first, then advance(), then submit(), then next_packet()
/// by port, so that ties have one result. After each of the first three it looks at ready_at() and next_event() again.
/// Nothing blocks and nothing fails: requests queue without limit, arrivals are always taken. Not thread-safe; two
/// network interfaces share nothing that changes.
class PacketNic {
 public:
  virtual ~PacketNic() = default;

  /// Injection ports, and as many that take packets; at least 1. Never changes.
  virtual int32_t ports() const = 0;

  /// The host asks. The request is known from `now` on; what the processor spends before that is the host's matter.
  virtual void submit(Time now, const NicRequest& request) = 0;

  /// When the next packet of `port` may begin to enter the network; never() if there is none. Changes only through
  /// calls of functions that are not const.
  virtual Time ready_at(int32_t port) const = 0;
  /// Bytes on the wire of the packet that next_packet() would give now, for a network that must have room for it first.
  /// From then on it is the next one of the port. ready_at(port) <= now.
  virtual int32_t next_bytes(int32_t port, Time now) = 0;
  /// Takes that packet; ready_at(port) <= now. The network calls it when the first byte enters it, so what it cannot
  /// carry yet waits here.
  virtual NicPacket next_packet(int32_t port, Time now) = 0;

  /// The last byte of a packet for this node has come out of the network at port `packet.destination_port`. Returns
  /// when its place in that port's buffer is free again: not before `now`.
  virtual Time packet_arrived(Time now, const NicPacket& packet) = 0;

  /// When it next has something to do by itself; never() if it only waits.
  virtual Time next_event() const = 0;
  /// Does it; next_event() <= now.
  virtual void advance(Time now) = 0;
};

}  // namespace fabrictwin
