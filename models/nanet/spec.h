// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What an experiment says about datagrams to and from a NaNet-10, and the addresses that follow from it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "rtl/nanet/interface/card_spec.h"

namespace fabrictwin::nanet {

/// Streams that a card with all ports receives.
inline constexpr int32_t kReceiveStreams = 4 * rtl::nanet::kPortStreams;
/// Datagrams to send lie in buffers of 2 KiB, of which a stream has 64, one after the other: more than a card has under
/// way, 16 datagrams that wait and 16 bursts that are read.
inline constexpr int32_t kSendBufferLog2 = 11;
inline constexpr int32_t kSendBuffersLog2 = 6;

/// Which way the datagrams of a stream go: from a line into a memory, or out of a memory to a line.
enum class Direction { kReceive, kSend };

/// See DatagramStream in nanet.proto, which has the defaults.
struct StreamSpec {
  Direction direction = Direction::kReceive;
  int32_t port = 0;
  int32_t index = 0;  ///< Among the streams of its port and direction.
  uint16_t udp_port = 0;
  int32_t bytes = 0;
  Bandwidth rate;  ///< Zero: nothing is generated.
  int64_t count = 0;
  Time start;
  int32_t size_log2 = 0;     ///< Bytes of a buffer.
  int32_t buffers_log2 = 0;  ///< Buffers.
  bool gpu = false;
  bool widen = false;

  bool generated() const { return rate.bits_per_second > 0; }
  bool received() const { return direction == Direction::kReceive; }
  /// The number of the stream in the card. Those that are sent, which the card does not know, have the numbers after
  /// these.
  int32_t number() const { return port * rtl::nanet::kPortStreams + index + (received() ? 0 : kReceiveStreams); }
};

struct CaptureSpec {
  int32_t port = 0;
  std::string file;  ///< A path that can be opened.
  Time start;
};

struct DatagramsSpec {
  std::vector<StreamSpec> streams;
  std::vector<CaptureSpec> captures;
  Time timeout;

  /// Whether the computer sends.
  bool sends() const {
    return std::ranges::any_of(streams, [](const StreamSpec& stream) { return !stream.received(); });
  }
};

/// Addresses of port `port` of the card, and of the sender there. The first byte on the wire is the most significant.
inline uint64_t card_mac(int32_t port) { return 0x020000000002 + (static_cast<uint64_t>(port) << 8); }
inline uint64_t sender_mac(int32_t port) { return 0x020000000001 + (static_cast<uint64_t>(port) << 8); }
inline uint32_t card_ip(int32_t port) { return 0x0a000002 + (static_cast<uint32_t>(port) << 8); }
inline uint32_t sender_ip(int32_t port) { return 0x0a000001 + (static_cast<uint32_t>(port) << 8); }

/// Buffers of a stream begin `space_of()` bytes behind these, in virtual and in physical addresses.
inline constexpr uint64_t kVirtual = uint64_t{1} << 44;
inline constexpr uint64_t kPhysical = uint64_t{1} << 40;
inline constexpr int kSpaceLog2 = 32;  ///< As large as the largest list of buffers.
inline uint64_t space_of(const StreamSpec& stream) { return static_cast<uint64_t>(stream.number()) << kSpaceLog2; }

}  // namespace fabrictwin::nanet
