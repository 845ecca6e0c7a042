// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Ethernet frames with UDP datagrams (IEEE 802.3, RFC 791, RFC 768), as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cosim/base/time.h"

namespace fabrictwin::nanet {

using Bytes = std::vector<uint8_t>;

inline constexpr int32_t kUdpHeaders = 42;              ///< Bytes of the headers of a datagram's frame.
inline constexpr int32_t kLeastFrame = 60;              ///< Without the frame check sequence.
inline constexpr int32_t kMostFrame = 1514;             ///< Without the frame check sequence.
inline constexpr int32_t kFrameOverhead = 24;           ///< Preamble, frame check sequence and the least gap.
inline constexpr uint64_t kAllMacs = 0xffff'ffff'ffff;  ///< The address of all stations.
inline constexpr int32_t kLeastPayload = 16;            ///< A generated datagram has its key and its number.
inline constexpr int32_t kMostPayload = 1472;
/// The longest time from the first frame of a stream or capture to the last. Simulated time ends at 9223 s.
inline constexpr Time kMostSending = Time::from_us(1'000'000'000);

/// Bytes of the line that a frame takes.
inline int64_t line_bytes(int64_t frame) { return (frame < kLeastFrame ? kLeastFrame : frame) + kFrameOverhead; }

/// The number of `count` bytes, the first of which is the most significant.
uint64_t number_at(std::span<const uint8_t> bytes, size_t at, int count);
/// Appends such a number.
void append(Bytes& bytes, int count, uint64_t value);
/// The sum of RFC 1071 of bytes; a header with a right checksum has the sum 0xffff.
uint16_t ones_sum(std::span<const uint8_t> bytes, uint32_t start = 0);

/// The payload of datagram `sequence` of a stream: a key, the number, and bytes that follow from both.
Bytes generated_payload(uint64_t key, uint64_t sequence, int32_t bytes);
/// The key and the number that a payload has at its beginning.
uint64_t key_of(std::span<const uint8_t> payload);
uint64_t sequence_of(std::span<const uint8_t> payload);

/// The UDP port that generated datagrams come from.
inline constexpr uint16_t kSourcePort = 4000;

/// What a frame of UDP says beside its payload.
struct UdpHeaders {
  uint64_t from_mac = 0, to_mac = 0;
  uint32_t from_ip = 0, to_ip = 0;
  uint16_t from_port = 0, to_port = 0;
  uint16_t identification = 0;
  bool dont_fragment = false;
};
/// A frame with both checksums.
Bytes udp_frame(const UdpHeaders& headers, std::span<const uint8_t> payload);
/// A datagram from the sender at a port to the card.
Bytes udp_frame(int32_t port, uint16_t udp_port, std::span<const uint8_t> payload);
/// Asks all stations who has `to_ip` (RFC 826).
Bytes arp_request(uint64_t from_mac, uint32_t from_ip, uint32_t to_ip);
/// Whether a good packet of ARP asks for `ip`.
bool asks_for(std::span<const uint8_t> arp, uint32_t ip);
/// What a station answers to a request.
Bytes arp_answer(std::span<const uint8_t> request, uint64_t mac, uint32_t ip);

}  // namespace fabrictwin::nanet
