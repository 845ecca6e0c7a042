// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Assembles the words of one VC into packets, tolerating malformed input.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/nic/exanet/packet.h"

namespace fabrictwin::nic::exanet {

/// The framing of docs/models/exanet-ni.md: a beginning within a packet ends the older one; a missing or early end
/// drops the packet and all up to the next end or beginning. Value type.
class Framer {
 public:
  explicit Framer(uint8_t vc) { packet_.vc = vc; }

  struct Result {
    bool complete = false;       ///< `packet()` is complete.
    uint8_t freed = 0;           ///< Words that were dropped.
    std::optional<Fault> fault;  ///< Why they were dropped.
  };
  /// Takes the next word with its flags (kStartOfPacket, kEndOfPacket).
  Result take(const link::Word& word, uint8_t flags);
  /// The packet that take() has reported as complete; valid until the next word.
  const Words& packet() const { return packet_; }

 private:
  Words packet_;
  int32_t expected_ = 0;
  bool active_ = false;
  bool skipping_ = false;
};

}  // namespace fabrictwin::nic::exanet
