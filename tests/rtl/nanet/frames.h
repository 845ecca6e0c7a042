// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Ethernet frames as the standards have them (IEEE 802.3, RFC 768, 791, 792, 826, 1071): a builder and a reader that
// know nothing of the RTL.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rtl/nanet/beat.h"

namespace fabrictwin::test {

using Bytes = rtl::nanet::Bytes;
using Mac = uint64_t;  ///< The first byte on the wire in bits 47..40.

inline constexpr Mac kBroadcast = 0xffff'ffff'ffff;

/// What a frame of UDP over IPv4 says.
struct UdpFrame {
  Mac destination = 0;
  Mac source = 0;
  uint32_t source_ip = 0;
  uint32_t ip = 0;
  uint16_t source_port = 0;
  uint16_t port = 0;
  bool checked = true;  ///< Has a checksum.
  Bytes payload;
};

/// The Internet checksum (RFC 1071) of bytes, begun with `sum`; 0xffff if they hold a right one.
uint16_t internet_sum(const Bytes& bytes, size_t from, size_t to, uint32_t sum = 0);

/// Frames of at least 60 bytes, without frame check sequence.
Bytes udp_frame(const UdpFrame& frame);
Bytes arp_frame(Mac destination, int operation, Mac sender, uint32_t sender_ip, Mac target, uint32_t target_ip);
Bytes echo_frame(Mac destination, Mac source, uint32_t source_ip, uint32_t ip, int type, const Bytes& payload);

/// What a frame of UDP says, or nothing if anything is wrong with it.
std::optional<UdpFrame> read_udp(const Bytes& frame);

/// A station that receives frames, and what it makes of one: the name of a result as nanet_pkg has them.
struct Station {
  Mac mac = 0;
  uint32_t ip = 0;
  uint32_t netmask = 0;
  uint32_t gateway = 0;
};
std::string verdict_on(const Station& station, const Bytes& frame, bool damaged);

/// Fields of a frame, most significant byte first.
uint64_t field(const Bytes& frame, size_t at, int bytes);
void set_field(Bytes& frame, size_t at, int bytes, uint64_t value);

}  // namespace fabrictwin::test
