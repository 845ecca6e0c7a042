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
  uint32_t out_vcs = 0;  ///< Of out_port: VCs that it may take.
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

/// Room that comes back, which RoomRecord has no place for.
struct ReturnRecord {
  int64_t time = 0;   ///< When the other end of the link knows that the room is free.
  uint32_t next = 0;  ///< Of the same buffer.
  int32_t bytes = 0;
};
static_assert(sizeof(ReturnRecord) == 16);

/// The buffer of one VC of an input port: a queue of packets.
struct alignas(32) VcRecord {
  static constexpr int16_t kManyPorts = -2;  ///< An adaptive algorithm gave several options.

  uint32_t front = 0;
  uint32_t last = 0;
  uint32_t out_vcs = 0;           ///< Of the packet in front: VCs that it may take.
  int16_t out_port = kNotRouted;  ///< Of the packet in front.
  int64_t gate = 0;               ///< Nothing leaves before.
};
static_assert(sizeof(VcRecord) == 32);

/// What an output port knows of the buffer of one VC at the other end of its link.
struct alignas(32) RoomRecord {
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  std::array<int64_t, 2> time = {kNever, kNever};  ///< When room comes back: the first times.
  std::array<uint16_t, 2> bytes = {};              ///< How much that is.
  int32_t free = 0;                                ///< Bytes.
  uint32_t oldest = 0;                             ///< ReturnRecords of what comes back after that, in order.
  uint32_t newest : 31 = 0;
  uint32_t wanted : 1 = 0;  ///< The port waits for room.
};
static_assert(sizeof(RoomRecord) == 32);

/// One port of an element: its way out and its way in.
struct alignas(64) PortRecord {
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  static constexpr uint32_t kNone = ~uint32_t{0};

  int64_t busy_until = 0;    ///< The way out.
  int64_t try_at = kNever;   ///< When the way out will be looked at again.
  int64_t read_until = 0;    ///< A packet leaves the input buffers until then.
  int64_t read_at = -1;      ///< When the input buffers will be looked at again; in the past if not.
  uint64_t bytes = 0;        ///< Sent.
  uint64_t packets = 0;      ///< The same.
  uint32_t peer = kNone;     ///< The port at the other end.
  uint32_t element = 0;      ///< Whose port it is.
  uint16_t link = 0;         ///< Index into the kinds of link.
  uint8_t index = 0;         ///< Of this port in its element.
  bool stalled : 1 = false;  ///< Only for want of room at the other end.
  bool cut : 1 = false;      ///< The other end is in another shard.
  uint32_t peer_element = 0;
};
static_assert(sizeof(PortRecord) == 64);

/// An element.
struct alignas(32) NodeRecord {
  uint64_t dirty = 0;       ///< Ports whose way out is to be looked at.
  uint64_t host_ports = 0;  ///< Ports that lead to hosts.
  uint32_t first_port = 0;  ///< Its ports follow each other.
  uint32_t first_wait = 0;  ///< Where its masks of waiting inputs begin.
  int32_t number = 0;       ///< Of the host or router.
  uint16_t ports = 0;
  uint8_t wait_words = 0;  ///< Of the mask of one port.
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
