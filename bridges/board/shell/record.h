// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The slots of the rings between an agent and a shell: rtl/shell/shell_pkg.sv has the same for the hardware, and
// docs/models/shell.md describes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cosim/link/record.h"

namespace fabrictwin::bridges::board::shell {

inline constexpr size_t kSlotBytes = 64;
inline constexpr size_t kControlOffset = 48;
inline constexpr int kDeltaBits = 7;
inline constexpr int kEdgeBits = 48;
inline constexpr int64_t kMaxDelta = (int64_t{1} << kDeltaBits) - 1;
/// Bits of an entry of credits for its VC and its delta. The element's links say how many are for the VC.
inline constexpr int kCreditDeltaAndVcBits = 8;
/// The greatest delta between entries of credits, where `vc_bits` are for the VC.
constexpr int64_t max_credit_delta(int vc_bits) { return (int64_t{1} << (kCreditDeltaAndVcBits - vc_bits)) - 1; }
inline constexpr int64_t kMaxEdge = (int64_t{1} << kEdgeBits) - 1;
inline constexpr int kWordClocks = 4;  ///< Different word clocks that the links of an element may have.
inline constexpr int kTimeBits = 54;
inline constexpr int kFractionBits = 32;
inline constexpr int kCreditEntries = 16;  ///< Credits in one record; an arrival queue of the shell holds them all.
inline constexpr size_t kRouteBytes = 48;  ///< Entries of the route table in one record.

enum class Kind : uint8_t {
  kLimit = 1,
  kWords = 2,
  kCredits = 3,
  kJump = 16,
  kStatus = 17,
  kRoutes = 18,
};

/// Flags of a status.
inline constexpr uint8_t kIdle = 1;
inline constexpr uint8_t kSettled = 2;

/// One of the credits in a record.
struct CreditEntry {
  uint8_t delta = 0;  ///< Edges from the credits before; of the first ones zero.
  uint8_t vc = 0;
  uint8_t count = 0;
};

/// A record in a slot.
struct Slot {
  std::array<uint64_t, 6> words{};  ///< Three link words of two halves each, the low one first.
  int64_t edge = 0;                 ///< The edge of the first word; of a limit, the edge that must not be executed.
  std::array<uint8_t, 2> delta{};   ///< Edges from each word to the next.
  uint32_t port = 0;
  Kind kind = Kind::kLimit;
  uint8_t vc = 0;
  uint8_t count = 0;
  uint8_t flags = 0;  ///< Words: link::kStartOfPacket, kEndOfPacket. Credits: health. Status: kIdle, kSettled.

  /// Bytes 48 to 55.
  uint64_t control() const {
    return port | uint64_t{static_cast<uint8_t>(kind)} << 32 | uint64_t{vc} << 40 | uint64_t{count} << 48 |
           uint64_t{flags} << 56;
  }
  /// Bytes 56 to 63, without the ownership bit.
  uint64_t stamp() const {
    return static_cast<uint64_t>(edge) | uint64_t{delta[0]} << kEdgeBits |
           uint64_t{delta[1]} << (kEdgeBits + kDeltaBits);
  }
  void set_control(uint64_t bits) {
    port = static_cast<uint32_t>(bits);
    kind = static_cast<Kind>(static_cast<uint8_t>(bits >> 32));
    vc = static_cast<uint8_t>(bits >> 40);
    count = static_cast<uint8_t>(bits >> 48);
    flags = static_cast<uint8_t>(bits >> 56);
  }
  void set_stamp(uint64_t bits) {
    edge = static_cast<int64_t>(bits & static_cast<uint64_t>(kMaxEdge));
    delta[0] = static_cast<uint8_t>(bits >> kEdgeBits & static_cast<uint64_t>(kMaxDelta));
    delta[1] = static_cast<uint8_t>(bits >> (kEdgeBits + kDeltaBits) & static_cast<uint64_t>(kMaxDelta));
  }
  /// An entry of credits, whose VC has so many bits.
  CreditEntry credit(int index, int vc_bits) const {
    const int position = count - 1 - index;
    const auto bits = static_cast<uint16_t>(words[static_cast<size_t>(position / 4)] >> (16 * (position % 4)));
    return {static_cast<uint8_t>(bits & max_credit_delta(vc_bits)),
            static_cast<uint8_t>((bits & 0xff) >> (kCreditDeltaAndVcBits - vc_bits)),
            static_cast<uint8_t>(bits >> kCreditDeltaAndVcBits)};
  }
  /// Adds an entry, which becomes the lowest; at most kCreditEntries.
  void add_credit(const CreditEntry& entry, int vc_bits) {
    const uint64_t bits = entry.delta | uint64_t{entry.vc} << (kCreditDeltaAndVcBits - vc_bits) |
                          uint64_t{entry.count} << kCreditDeltaAndVcBits;
    for (size_t w = kCreditEntries / 4; w-- > 1;) words[w] = words[w] << 16 | words[w - 1] >> 48;
    words[0] = words[0] << 16 | bits;
    ++count;
  }
  link::Word word(int index) const {
    const auto at = static_cast<size_t>(2 * index);
    return {words[at], words[at + 1]};
  }
  void set_word(int index, const link::Word& word) {
    const auto at = static_cast<size_t>(2 * index);
    words[at] = word.lo;
    words[at + 1] = word.hi;
  }
};

}  // namespace fabrictwin::bridges::board::shell
