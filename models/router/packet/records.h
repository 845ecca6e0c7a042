// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The records of a packet network, laid out for few cache lines per hop.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/link/record.h"
#include "models/kernel/queue_times.h"
#include "models/nic/packet_nic.h"
#include "models/router/packet/link_fault.h"
#include "models/routing/packet_route.h"

namespace fabrictwin::router::packet {

/// Not a port: the packet has not been routed yet.
inline constexpr int16_t kNotRouted = -1;

/// A packet anywhere in the network and its position in a buffer. It holds a NicPacket and a PacketRoute in one cache
/// line, as they share source and destination.
struct alignas(64) PacketRecord {
  // Bits of `flags` that the NicPacket does not use.
  static constexpr uint8_t kFollowed = 0x80;  ///< An Observer follows the packet.
  static constexpr uint8_t kCounted = 0x40;   ///< It is among the bytes that wait for its output (QueueRecord).

  PacketRecord() = default;
  /// A packet at the start of its route.
  PacketRecord(const nic::NicPacket& packet, uint32_t random)
      : user(packet.user),
        source(packet.source),
        destination(packet.destination),
        random(random),
        message(packet.message),
        message_bytes(packet.message_bytes),
        offset(packet.offset),
        payload_bytes(packet.payload_bytes),
        wire_bytes(packet.wire_bytes),
        kind(packet.kind),
        flags(packet.flags),
        source_port(packet.source_port),
        destination_port(packet.destination_port) {}

  /// The NicPacket that it was made from.
  nic::NicPacket nic() const {
    return {source,     destination, message, message_bytes, offset,      payload_bytes,
            wire_bytes, user,        kind,    flags,         source_port, destination_port};
  }
  bool followed() const { return (flags & kFollowed) != 0; }
  /// Control packets are sent first and never paused where switches have a queue for each output.
  bool control() const {
    return kind == nic::NicPacket::Kind::kNotice ||
           (kind == nic::NicPacket::Kind::kAck && (flags & nic::NicPacket::kWithData) == 0);
  }
  /// Its queue pair, where hosts have a transport: see nic::NicPacket and fabric::TransportHosts.
  uint32_t queue_pair() const { return kind == nic::NicPacket::Kind::kData ? message_bytes : message; }
  /// The part that routing works on.
  routing::PacketRoute route() const { return {source, destination, intermediate, random, state, 0}; }
  /// Stores the decision of routing; source and destination stay.
  void set_route(const routing::PacketRoute& route) {
    intermediate = route.intermediate;
    random = route.random;
    state = route.state;
  }

  int64_t time = 0;  ///< When it can leave its buffer.
  uint64_t user = 0;
  int32_t source = 0;
  int32_t destination = 0;
  int32_t intermediate = routing::PacketRoute::kNone;
  uint32_t random = 0;
  uint32_t next = 0;  ///< The next packet in the same buffer.
  uint32_t message = 0;
  uint32_t message_bytes = 0;
  uint32_t offset = 0;
  uint32_t out_vcs = 0;  ///< VCs that it may take, if it may take only one port.
  uint16_t state = 0;    ///< Belongs to the routing algorithm.
  uint16_t payload_bytes = 0;
  uint16_t wire_bytes = 0;
  nic::NicPacket::Kind kind = nic::NicPacket::Kind::kData;
  uint8_t flags = 0;  ///< Those of the NicPacket, and those above.
  uint8_t source_port = 0;
  uint8_t destination_port = 0;
  int16_t out_port = kNotRouted;  ///< The port that it may take, if there is only one and it has been routed.
};
static_assert(sizeof(PacketRecord) == 64);

/// A returned credit for which BufferRecord has no space.
struct ReturnRecord {
  int64_t time = 0;   ///< When the other end of the link may use the credit.
  uint32_t next = 0;  ///< The next record of the same buffer; that of the newest is the oldest.
  int32_t bytes = 0;
};
static_assert(sizeof(ReturnRecord) == 16);

/// The buffer of one VC of an input port, and what the other end of its link knows of it: enqueuing a packet needs
/// both, and so does dequeuing one. If the ends of a link are in two shards, the sender keeps what it knows in the
/// record of its own port, whose fields for this purpose are otherwise unused then.
struct alignas(64) BufferRecord {
  static constexpr int64_t kNever = Time::never().fs();
  static constexpr int8_t kManyPorts = -2;  ///< An adaptive algorithm gave several options.

  // The packet queue.
  int64_t gate = 0;  ///< Nothing leaves before this time.
  uint32_t front = 0;
  uint32_t last = 0;
  // These hold for all buffers of the port and are kept in the record of the first VC.
  int64_t read_until = 0;  ///< A packet is leaving these buffers until then.
  uint32_t occupied = 0;   ///< VCs with packets.
  // These do not change.
  uint32_t element = 0;  ///< The element of the port.
  uint16_t link = 0;     ///< Index into the kinds of link.
  uint8_t index = 0;     ///< Number of the port in its element.

  int8_t out_port = kNotRouted;  ///< Output port of the packet in front.

  // What the sender knows.
  int32_t free = 0;                                ///< Free space in bytes.
  std::array<int64_t, 2> time = {kNever, kNever};  ///< When the next two credits come back.
  std::array<uint16_t, 2> bytes = {};              ///< Bytes of these credits.
  uint32_t newest : 29 = 0;  ///< The newest ReturnRecord of later credits; its `next` is the oldest.
  uint32_t wanted : 1 = 0;   ///< The sender's port waits for free space.

  uint32_t read_due : 1 = 0;  ///< For all buffers of the port: they will be checked again at `read_until`.
  uint32_t cut : 1 = 0;       ///< The other end is not told directly: as a rule, it is in another shard.
};
static_assert(sizeof(BufferRecord) == 64);

/// One port of an element: its output and its input.
struct alignas(64) PortRecord {
  static constexpr int64_t kNever = Time::never().fs();
  static constexpr uint32_t kNone = ~uint32_t{0};

  int64_t busy_until = 0;     ///< When the output becomes free.
  int64_t try_at = kNever;    ///< When the output will be arbitrated again.
  uint64_t waiting = 0;       ///< The first 64 inputs, by port and VC, that wait for this output.
  uint64_t bytes = 0;         ///< Bytes sent.
  uint64_t packets = 0;       ///< Packets sent.
  uint32_t peer = kNone;      ///< The port at the other end.
  uint32_t peer_element = 0;  ///< The element of `peer`.
  uint32_t credit_port = 0;   ///< The port whose BufferRecords say what is known of the buffers at the other end.
  uint32_t element = 0;       ///< The element of this port.
  uint16_t link = 0;          ///< Index into the kinds of link.
  uint8_t index = 0;          ///< Number of this port in its element.
  bool stalled : 1 = false;   ///< The output waits only for free space at the other end.
  bool failed : 1 = false;    ///< The output has failed: no packet begins.
  bool healing : 1 = false;   ///< A fault has ended, and what waited because of it has not all left.
  bool sliced : 1 = false;    ///< A lane of its link has a fault, or is not yet trusted again.
  bool cut : 1 = false;       ///< The other end is not told directly: as a rule, it is in another shard.
};
static_assert(sizeof(PortRecord) == 64);

/// The packets that wait for an output of a router, where that is counted: with congestion management, pause, queues of
/// a scheme or faults. With pause, they wait in a queue of that output; otherwise in the buffers of inputs.
struct alignas(64) QueueRecord : kernel::QueueLength {
  // Lists of packets, the second one of control packets.
  std::array<uint32_t, 2> first = {};
  std::array<uint32_t, 2> last = {};
  /// When the output could last not send although something waited, as it was paused or had no credits.
  int64_t blocked = std::numeric_limits<int64_t>::min() / 2;
  uint32_t times = 0;      ///< Where QueueTimesTable has the times of its lengths; of outputs of routers.
  bool paused = false;     ///< The other end has paused the output (of a host, too).
  bool congested = false;  ///< It has marked a packet while nothing behind it held it up: its own link was too slow.

  /// Adds bytes of data packets, or takes them away.
  void add(int64_t change, int64_t now, kernel::QueueTimesTable& lengths) {
    QueueLength::add(change, now, lengths.of(times));
  }
};
static_assert(sizeof(QueueRecord) == 64);

/// A fault of the output of a port, and what came of it.
struct FaultRecord {
  static constexpr int64_t kNever = Time::never().fs();
  enum class Phase : uint8_t { kBefore, kActive, kHealing, kOver };

  uint32_t port = 0;
  int32_t fault = 0;  ///< Number of the fault in the experiment.
  int64_t at = 0;     ///< In femtoseconds.
  int64_t until = kNever;
  bool fails = false;
  uint16_t nominal = 0;  ///< The kinds of link when nothing is wrong, and while it is degraded.
  uint16_t degraded = 0;
  bool stalled = false;  ///< The output waited for free space when it failed.
  Phase phase = Phase::kBefore;
  int64_t busy_until = 0;      ///< When the output would have become free, had it not failed.
  int64_t most_before = 0;     ///< The longest queue that there was before,
  int64_t most = 0;            ///< and while the fault lasted.
  int64_t recovered = kNever;  ///< When that queue was empty again.
  // These are what a lane has: docs/models/packet-slicing.md.
  double errors = 0;        ///< The probability of a wrong bit while it lasts; 0: the fault is that of the whole link.
  bool duplicates = false;  ///< Packets go on both lanes.
  int32_t quality = 0;      ///< The sender's measure of the lane.
  uint64_t random_numbers = 0;  ///< Those that have been used.
  SlicingCounters slicing;
  std::vector<int64_t> damaged;  ///< When slices or copies were wrong, if Tables::apart.
};

/// An element: a host or a router.
struct alignas(32) NodeRecord {
  uint64_t dirty = 0;       ///< Ports whose outputs are to be arbitrated.
  uint64_t host_ports = 0;  ///< Ports that lead to hosts.
  uint32_t first_port = 0;  ///< Its ports have consecutive numbers.
  uint32_t first_wait = 0;  ///< Where its masks of waiting inputs beyond the first 64 begin.
  int32_t number = 0;       ///< Number of the host or router.
  uint16_t ports = 0;
  uint8_t wait_words = 0;  ///< Words of the mask of one port beyond its first.
  bool host = false;
};
static_assert(sizeof(NodeRecord) == 32);

/// Links of the same rate, latency and buffers, in one direction.
struct LinkKind {
  int64_t latency = 0;
  int64_t turnaround = 0;         ///< From a packet's end until the next of its buffer can leave.
  int32_t capacity = 0;           ///< Bytes of the buffer of each VC.
  bool line = false;              ///< Packets wait behind the switch: ChannelConfig.
  int64_t rate = 0;               ///< In bits per second.
  Clock slots{Frequency{1}};      ///< One word of 16 bytes from edge to edge.
  int32_t nominal = -1;           ///< Of a link that has degraded: the kind that it otherwise is; -1 of all others.
  std::vector<int64_t> duration;  ///< By bytes: how long a packet occupies the link.

  /// What comes of a packet after its first word. The next router takes a link that has degraded for what it usually
  /// is: a packet is as late there as its last word, less this.
  int64_t rest_of(int32_t bytes) const {
    return duration[static_cast<size_t>(bytes)] - duration[static_cast<size_t>(std::min(bytes, link::kWordBytes))];
  }
};

/// A line behind an output of a router.
struct LineRecord {
  int64_t free = 0;      ///< When the next packet can begin to leave by it.
  uint8_t quarters = 0;  ///< Of a word, behind packets since the last gap.
};

/// Counters of a port's output.
struct SentCounters {
  uint64_t bytes = 0;
  uint64_t packets = 0;
  Time stalled;  ///< Time for which a packet waited only for free space behind this port.
};

}  // namespace fabrictwin::router::packet
