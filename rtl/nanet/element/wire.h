// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames as words of a link: docs/models/nanet.md is the contract.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "cosim/link/record.h"
#include "rtl/nanet/beat.h"

namespace fabrictwin::rtl::nanet::element {

/// The word after the last one of a frame, in the time of its frame check sequence: how many bytes the last one has, 1
/// to 8, and whether the line has damaged the frame.
inline constexpr uint64_t kFooterBytes = 0xf;
inline constexpr uint64_t kFooterDamaged = 0x10;

inline link::Word footer_of(const Beat& last) {
  int bytes = 0;
  while (bytes < 8 && (last.keep >> bytes & 1) != 0) ++bytes;
  return {.lo = static_cast<uint64_t>(bytes) | (last.error ? kFooterDamaged : 0)};
}

/// Makes words of a MAC of those that come from a link. A word is known when the next one has come. Value type.
class WireReader {
 public:
  /// Takes the next word with the flags of its record (link::kStartOfPacket, kEndOfPacket) and returns the one before,
  /// if there is one. DataLoss if it cannot follow those that came.
  absl::Status take(const link::Word& word, uint8_t flags, std::optional<Beat>& before) {
    before.reset();
    const bool starts = (flags & link::kStartOfPacket) != 0;
    if (starts == held_.has_value()) {
      return absl::DataLossError(starts ? "a frame begins before the one before it has ended"
                                        : "a word that belongs to no frame");
    }
    if ((flags & link::kEndOfPacket) == 0) {
      if (held_) before = Beat{.data = *held_, .keep = 0xff};
      held_ = word.lo;
      return absl::OkStatus();
    }
    const uint64_t bytes = word.lo & kFooterBytes;
    if (starts || bytes < 1 || bytes > 8) return absl::DataLossError("the last word of a frame does not say its bytes");
    before = Beat{.data = *held_,
                  .keep = static_cast<uint8_t>((1u << bytes) - 1),
                  .error = (word.lo & kFooterDamaged) != 0,
                  .last = true};
    held_.reset();
    return absl::OkStatus();
  }

 private:
  std::optional<uint64_t> held_;
};

}  // namespace fabrictwin::rtl::nanet::element
