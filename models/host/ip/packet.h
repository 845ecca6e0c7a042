// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// IP packets, and how they travel as messages of a network interface.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/nic/message.h"

namespace fabrictwin::host::ip {

/// Bytes of headers: IPv4 without options (RFC 791), UDP (RFC 768), TCP without options (RFC 9293), ICMP echo (RFC
/// 792).
inline constexpr int32_t kIpHeader = 20;
inline constexpr int32_t kUdpHeader = 8;
inline constexpr int32_t kTcpHeader = 20;
inline constexpr int32_t kEchoHeader = 8;
/// Every network must carry packets of 68 bytes, and the length is a number of 16 bits (RFC 791).
inline constexpr int32_t kLeastMtu = 68;
inline constexpr int32_t kMostMtu = 65535;
/// What fits into the longest packet beside the headers of IP and of UDP or ICMP.
inline constexpr int32_t kMostUserBytes = kMostMtu - kIpHeader - kUdpHeader;

/// Limits of what a packet can say of its datagram.
inline constexpr uint32_t kMostFlows = 1 << 16;
inline constexpr uint64_t kMostNumber = uint64_t{1} << 44;

enum class Kind : uint8_t { kUdp, kSegment, kAcknowledgement, kEchoRequest, kEchoReply };

/// Bytes between the IP header and those of the user.
int32_t header_of(Kind kind);

/// What a program sends with one call. Value type.
struct Datagram {
  Kind kind = Kind::kUdp;
  bool last = false;    ///< No other one follows in its flow: a receiver of segments acknowledges it at once.
  uint32_t flow = 0;    ///< Its position among all flows: instead of addresses and ports.
  uint64_t number = 0;  ///< Within its flow and kind; of an acknowledgement the user's bytes that have been read.
  int32_t bytes = 0;    ///< The user's bytes.
  int32_t source = 0;   ///< Hosts.
  int32_t destination = 0;
  bool operator==(const Datagram&) const = default;
};

/// An IP packet with all of a datagram, or a fragment of it. Value type.
struct Packet {
  Datagram datagram;
  int32_t offset = 0;  ///< Where its payload begins in that of the datagram, whose first bytes are its header.
  int32_t payload = 0;
  int32_t length() const { return kIpHeader + payload; }
  bool operator==(const Packet&) const = default;
};

/// The packets that a datagram becomes: one, or fragments with a payload of a multiple of 8 bytes, as long as they can
/// be (RFC 791).
std::vector<Packet> packets_of(const Datagram& datagram, int32_t mtu);

/// The packet as a message, whose body is the packet. All that a receiver has to know is in the envelope, and its key
/// follows from that and from the hosts.
nic::OutgoingMessage message_of(const Packet& packet);

/// The packet of a message that has arrived at a host; nothing if it is none, or if a byte is wrong.
std::optional<Packet> packet_of(const nic::IncomingMessage& message, int32_t host);

}  // namespace fabrictwin::host::ip
