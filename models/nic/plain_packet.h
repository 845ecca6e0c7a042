// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a plain network interface sends, whatever carries it: docs/decisions/nics-apart.md.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cosim/link/record.h"
#include "models/kernel/round_robin.h"
#include "models/nic/message.h"

namespace fabrictwin::nic {

/// A packet of a message, which begins with its Envelope. Messages may have any size.
struct PlainPacket {
  int32_t payload = 0;  ///< Bytes of the message.
  bool last = false;    ///< Nothing of the message follows.

  /// The next packet, with at most `most` bytes, of a message of which `sent` bytes have left.
  static PlainPacket next(const Envelope& envelope, uint64_t sent, int32_t most) {
    const uint64_t left = bytes_of(envelope) - sent;
    const auto limit = static_cast<uint64_t>(most);
    return {static_cast<int32_t>(std::min(left, limit)), left <= limit};
  }
  /// Bytes of a message in all its packets.
  static uint64_t bytes_of(const Envelope& envelope) { return sizeof(Envelope) + envelope.bytes; }

  /// Header, payload and footer on a link.
  static constexpr int32_t words(int32_t payload) { return 2 + (payload + link::kWordBytes - 1) / link::kWordBytes; }
  static constexpr int32_t wire_bytes(int32_t payload) { return link::kWordBytes * words(payload); }
};

/// The ports of a host in turn, message by message. Value type of two bytes.
class PortTurns {
 public:
  /// The port of the next message: the one that it names, or else that whose turn it is.
  int32_t take(const OutgoingMessage& message, int32_t ports) {
    if (message.port != OutgoingMessage::kAnyPort) return message.port % ports;
    const int32_t port = turn_.find(ports, [](int32_t) { return true; });
    turn_.granted(port, ports);
    return port;
  }

 private:
  kernel::RoundRobin turn_;
};

}  // namespace fabrictwin::nic
