// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a link carries.
#pragma once

#include <cstdint>

#include "cosim/link/record.h"

namespace fabrictwin::link {

/// What crosses the links of a system, whatever their rates.
struct LinkType {
  enum class Content : uint8_t {
    kWords,    ///< Bursts of words, with credits: routers that are RTL, boards or models of the kind EXANET.
    kPackets,  ///< Packets without payload, with credits in bytes: packet-level models at both ends.
    kFlits,    ///< Packets without payload, flit by flit: input-queued models at both ends.
  };

  Content content = Content::kWords;
  int32_t vcs = kVcs;             ///< Virtual channels of each direction.
  int32_t word_bits = kWordBits;  ///< Of words: 32, 64 or 128. Bits of a Word above that are zero.
  int32_t credit_words = 1;       ///< Of words: how many a credit is for. A packet takes a whole number of credits.

  bool operator==(const LinkType&) const = default;
};

}  // namespace fabrictwin::link
