// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The records of a packet network, laid out for few cache lines a hop.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "models/packet_nic.h"
#include "models/routing/packet_route.h"

namespace fabrictwin {

/// No port: routing has not been asked yet.
inline constexpr int16_t kNotRouted = -1;

/// A packet anywhere in the network, and its place in a buffer. What a NicPacket and a PacketRoute say in one cache
/// line: both know source and destination.
struct alignas(64) PacketRecord {
  PacketRecord() = default;
  /// A packet that begins its way.
  PacketRecord(const NicPacket& packet, uint32_t draw)
      : user(packet.user),
        source(packet.source),
        destination(packet.destination),
        draw(draw),
        message(packet.message),
        message_bytes(packet.message_bytes),
        offset(packet.offset),
        payload_bytes(packet.payload_bytes),
        wire_bytes(packet.wire_bytes),
        kind(packet.kind),
        flags(packet.flags),
        source_port(packet.source_port),
        destination_port(packet.destination_port) {}

  /// What it was made of.
  NicPacket nic() const {
    return {source,     destination, message, message_bytes, offset,      payload_bytes,
            wire_bytes, user,        kind,    flags,         source_port, destination_port};
  }
  /// What routing knows of it.
  PacketRoute route() const { return {source, destination, intermediate, draw, state}; }
  /// What routing has decided; source and destination stay.
  void set_route(const PacketRoute& route) {
    intermediate = route.intermediate;
    draw = route.draw;
    state = route.state;
  }

  int64_t time = 0;  ///< When it can leave its buffer.
  uint64_t user = 0;
  int32_t source = 0;
  int32_t destination = 0;
  int32_t intermediate = PacketRoute::kNone;
  uint32_t draw = 0;
  uint32_t next = 0;  ///< In the same buffer.
  uint32_t message = 0;
  uint32_t message_bytes = 0;
  uint32_t offset = 0;
  uint32_t out_vcs = 0;  ///< VCs that it may take, of the one port that it may take.
  uint16_t state = 0;    ///< Of the routing algorithm.
  uint16_t payload_bytes = 0;
  uint16_t wire_bytes = 0;
  NicPacket::Kind kind = NicPacket::Kind::kData;
  uint8_t flags = 0;
  uint8_t source_port = 0;
  uint8_t destination_port = 0;
  int16_t out_port = kNotRouted;  ///< Where it goes, if that is one port and routing has been asked already.
};
static_assert(sizeof(PacketRecord) == 64);

/// Room that comes back, which BufferRecord has no place for.
struct ReturnRecord {
  int64_t time = 0;   ///< When the other end of the link knows that the room is free.
  uint32_t next = 0;  ///< Of the same buffer; the newest has the oldest here.
  int32_t bytes = 0;
};
static_assert(sizeof(ReturnRecord) == 16);

/// The buffer of one VC of an input port, and what is known of it at the other end of its link: whoever puts a packet
/// into it, or takes one out, needs both. Where the ends of a link are in two shards, the sender has what it knows in
/// the record of its own port, which the link the other way does not use either.
struct alignas(64) BufferRecord {
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  static constexpr int8_t kManyPorts = -2;  ///< An adaptive algorithm gave several options.

  // Its queue of packets.
  int64_t gate = 0;  ///< Nothing leaves before.
  uint32_t front = 0;
  uint32_t last = 0;
  // Of all buffers of its port, in the record of the first VC.
  int64_t read_until = 0;  ///< A packet leaves them until then.
  uint32_t occupied = 0;   ///< VCs with packets.
  // What does not change.
  uint32_t element = 0;  ///< Whose port it is of.
  uint16_t link = 0;     ///< Index into the kinds of link.
  uint8_t index = 0;     ///< Of its port in the element.

  int8_t out_port = kNotRouted;  ///< Of the packet in front.

  // What the sender knows.
  int32_t free = 0;                                ///< Bytes.
  std::array<int64_t, 2> time = {kNever, kNever};  ///< When room comes back: the first times.
  std::array<uint16_t, 2> bytes = {};              ///< How much that is.
  uint32_t newest : 29 = 0;  ///< Of the ReturnRecords of what comes back after that, the `next` of which is the oldest.
  uint32_t wanted : 1 = 0;   ///< The sender's port waits for room.

  uint32_t read_due : 1 = 0;  ///< Of the port, as above: they will be looked at again at `read_until`.
  uint32_t cut : 1 = 0;       ///< The other end is in another shard.
};
static_assert(sizeof(BufferRecord) == 64);

/// One port of an element: its way out and its way in.
struct alignas(64) PortRecord {
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  static constexpr uint32_t kNone = ~uint32_t{0};

  int64_t busy_until = 0;     ///< The way out.
  int64_t try_at = kNever;    ///< When the way out will be looked at again.
  uint64_t waiting = 0;       ///< Inputs, by port and VC, that wait for it: the first 64.
  uint64_t bytes = 0;         ///< Sent.
  uint64_t packets = 0;       ///< The same.
  uint32_t peer = kNone;      ///< The port at the other end.
  uint32_t peer_element = 0;  ///< Whose port that is.
  uint32_t rooms = 0;         ///< The port whose BufferRecords say what is known of the buffers at the other end.
  uint32_t element = 0;       ///< Whose port this is.
  uint16_t link = 0;          ///< Index into the kinds of link.
  uint8_t index = 0;          ///< Of this port in its element.
  bool stalled : 1 = false;   ///< Only for want of room at the other end.
  bool cut : 1 = false;       ///< The other end is in another shard.
};
static_assert(sizeof(PortRecord) == 64);

/// An element.
struct alignas(32) NodeRecord {
  uint64_t dirty = 0;       ///< Ports whose way out is to be looked at.
  uint64_t host_ports = 0;  ///< Ports that lead to hosts.
  uint32_t first_port = 0;  ///< Its ports follow each other.
  uint32_t first_wait = 0;  ///< Where its masks of waiting inputs beyond 64 begin.
  int32_t number = 0;       ///< Of the host or router.
  uint16_t ports = 0;
  uint8_t wait_words = 0;  ///< Of the mask of one port, beyond its first.
  bool host = false;
};
static_assert(sizeof(NodeRecord) == 32);

/// Links of the same rate, latency and buffers.
struct LinkKind {
  int64_t latency = 0;
  int32_t capacity = 0;           ///< Bytes of the buffer of each VC.
  std::vector<int64_t> duration;  ///< By bytes: how long a packet occupies the link.
};

}  // namespace fabrictwin
