// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Congestion management by routers that only mark, and network interfaces that only have a table of gaps:
// docs/models/exanet-congestion.md.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/experiment/source_location.h"

namespace fabrictwin::experiment {

/// How senders answer notices: the registers of a network interface. Value type.
struct GapReaction {
  static constexpr int32_t kEntries = 128;              ///< Of the table.
  static constexpr int64_t kTimerUnit = 1'024'000'000;  ///< In femtoseconds.
  /// Nodes give up a transfer of which nothing comes for so many ticks (rtl/rdma/rdma_channels.sv has the register),
  /// each of which is as long as so many words on the link.
  static constexpr int64_t kLifetime = 8192;
  static constexpr int64_t kTickWords = 16;

  int32_t increase = 1;        ///< What a notice adds to the index into the table, 1 to 127.
  int32_t limit = 0;           ///< The largest index, 1 to 127,
  int32_t least = 0;           ///< and the smallest, at most `limit`.
  int32_t timer = 1;           ///< The index falls by one each so many units of 1.024 us, 1 to 65535.
  std::vector<int32_t> table;  ///< By index, `limit` included: 0 to 16383.
  int32_t shift = 0;           ///< 0 to 3.

  /// The gap behind a packet, in words on the link, which has the unit of `words`.
  int64_t gap(int64_t words, int32_t index) const { return words * table[static_cast<size_t>(index)] >> shift; }
  bool operator==(const GapReaction&) const = default;
};

/// The checked values of a scheme for such routers. Value type.
struct HardwareCongestion {
  static constexpr int32_t kSteps = 16;  ///< Of the threshold.

  int32_t threshold = 0;        ///< 0: nothing is marked; 1 to 15: from 15/16 to 1/16 of `buffer`.
  std::optional<Bytes> buffer;  ///< If not set, all input buffers of the largest router.
  int32_t marking_rate = 0;     ///< Packets that could be marked between two marked ones.
  int32_t least_words = 0;      ///< Only packets of at least so many words are marked.
  bool hosts = true;            ///< Outputs to hosts mark even while they lack credits.
  GapReaction reaction;
  SourceLocation buffer_location;  ///< Of `buffer`, or of the scheme.
};

}  // namespace fabrictwin::experiment
