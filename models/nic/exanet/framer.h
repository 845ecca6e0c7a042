// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts the words of one VC together to packets, whatever arrives.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/ni_packet.h"

namespace fabrictwin {

/// The framing of docs/models/exanet-ni.md: a beginning within a packet ends the older one, a missing or early end
/// drops the packet and all up to the next end or beginning. Value type.
class NiFramer {
 public:
  explicit NiFramer(uint8_t vc) { packet_.vc = vc; }

  struct Result {
    bool complete = false;         ///< `packet()` is whole.
    uint8_t freed = 0;             ///< Words that were dropped.
    std::optional<NiFault> fault;  ///< Why.
  };
  /// Takes the next word with its flags (kStartOfPacket, kEndOfPacket).
  Result take(const Word& word, uint8_t flags);
  /// The packet that take() called complete, until the next word.
  const NiWords& packet() const { return packet_; }

 private:
  NiWords packet_;
  int32_t expected_ = 0;
  bool active_ = false;
  bool skipping_ = false;
};

}  // namespace fabrictwin
