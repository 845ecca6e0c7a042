// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The congestion mark of ExaNet packets: docs/models/exanet-congestion.md.
#pragma once

#include <cstdint>

#include "cosim/link/record.h"

namespace fabrictwin::link {

/// Bit 96 of a packet's footer. Outputs of routers set it and nobody clears it; checksums of packets take it as zero.
inline constexpr uint64_t kMarkBit = uint64_t{1} << 32;  ///< In Word::hi.

inline constexpr bool is_marked(const Word& footer) { return (footer.hi & kMarkBit) != 0; }

/// When outputs of ExaNet routers mark packets. All zero: never. Value type.
struct PacketMarking {
  int32_t threshold_words = 0;  ///< More words than this must wait for the output; 0: nothing is marked.
  int32_t marking_rate = 0;     ///< Packets that could be marked between two marked ones, 0 to 65535.
  int32_t least_words = 0;      ///< Only packets of at least so many words (header and footer included) are marked.
  bool hosts = true;            ///< Outputs to hosts mark even while they lack credits.

  bool enabled() const { return threshold_words > 0; }
  bool operator==(const PacketMarking&) const = default;
};

}  // namespace fabrictwin::link
