// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One end of a flow: what the kernel keeps for a program.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "models/host/ip/packet.h"

namespace fabrictwin::host::ip {

/// Segments that are read for one acknowledgement, as TCP has it (RFC 9293, 3.8.6.3).
inline constexpr int32_t kSegmentsForAcknowledgement = 2;

/// What a socket is opened with. Value type.
struct SocketOptions {
  /// For segments: the user's bytes that may be on their way. 0: as many as the buffer holds leave at once.
  int64_t window = 0;
  /// Segments that are read for one acknowledgement.
  int32_t segments_for_acknowledgement = kSegmentsForAcknowledgement;
};

/// A socket, whose program makes one call at a time. Value type.
struct Socket {
  /// Where the program is.
  enum class Program : uint8_t { kComputes, kWaitsToSend, kSends, kWaitsToReceive, kReceives };

  /// Whether a datagram of `bytes` may leave: the buffer and the window always take one.
  bool has_space(int64_t bytes, int64_t buffer) const {
    const int64_t on_the_way = sent - acknowledged;
    return (leaving == 0 || leaving + bytes <= buffer) &&
           (options.window == 0 || on_the_way == 0 || on_the_way + bytes <= options.window);
  }

  SocketOptions options;
  Program program = Program::kComputes;
  std::optional<Datagram> outgoing;  ///< That of the call.
  int64_t leaving = 0;               ///< Bytes that have not been read from the TUN device.
  int64_t sent = 0;
  int64_t acknowledged = 0;
  std::deque<Datagram> incoming;
  int64_t held = 0;            ///< Bytes of `incoming`.
  int64_t read = 0;            ///< Bytes that the program has read.
  int32_t unacknowledged = 0;  ///< Segments that the program has read since the last acknowledgement.
};

}  // namespace fabrictwin::host::ip
