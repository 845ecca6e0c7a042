// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The record: the unit that crosses a cut link, in the same 64 bytes on every transport. docs/bridge-protocol.md
// describes the layout for people who write their own worker or board shell.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "cosim/base/time.h"

namespace fabrictwin::link {

/// One link word: 128 bits, little-endian, `lo` holds bits 63..0.
struct Word {
  uint64_t lo = 0;
  uint64_t hi = 0;
  bool operator==(const Word&) const = default;
};

inline constexpr int kWordBytes = 16;
inline constexpr int kWordBits = 128;
/// Virtual channels on each link.
inline constexpr int kVcs = 2;
/// Words that fit in one record.
inline constexpr int kRecordWords = 3;

enum class RecordKind : uint8_t {
  kInvalid = 0,
  kPromise = 1,  ///< No record earlier than the stamp will follow on this channel.
  kBurst = 2,    ///< `count` words of one VC that arrive in consecutive cycles of the link's word clock.
  kCredit = 3,   ///< `count` words of buffer of one VC are free again at the sender of this record.
  kHost = 4,     ///< A network-interface command, completion or memory transaction: 48 opaque bytes.
  kEnd = 5,      ///< The sender has stopped; nothing will follow.
  // These replace bursts and credits on links whose ends are packet-level models.
  kPacket = 6,     ///< A packet without payload: the stamp is when its head has arrived. kMessage follows it.
  kMessage = 7,    ///< The message that the packet before belongs to, with the same stamp.
  kReturned = 8,   ///< words[0].lo bytes of buffer of one VC are free again at the sender of this record; of flits,
                   ///< that many in each of `count` cycles.
  kFlits = 9,      ///< `count` more flits of the packet that comes by this VC, in consecutive cycles.
  kPath = 10,      ///< A part of what a packet has recorded of its path; follows its message, with the same stamp.
  kPause = 11,     ///< The receiver is to send no data (flags 1), or may again (flags 0).
  kSetAside = 12,  ///< What a set-aside queue of the sender tells the port at the other end.
  kHot = 13,       ///< How much waits for an output of the sender that is hot, or was.
};

/// Flags of a burst.
inline constexpr uint8_t kStartOfPacket = 1;  ///< The first word of the burst is a header.
inline constexpr uint8_t kEndOfPacket = 2;    ///< The last word of the burst is a footer.

/// One slot of a ring and 64 bytes of a stream blob. The stamp is the arrival time at the receiver (for a burst: of its
/// first word), and since stamps never go backwards on a channel it is itself a promise. Its bit 63 is the ring's
/// ownership bit and is zero elsewhere. All fields are little-endian.
struct alignas(64) Record {
  std::array<Word, kRecordWords> words{};
  uint32_t channel = 0;  ///< Channel of the run (2 * link + direction); identifies it when many share a stream.
  RecordKind kind = RecordKind::kInvalid;
  uint8_t vc = 0;
  uint8_t count = 0;  ///< Burst: words, 1 to kRecordWords. Credit: words, 1 to 255.
  uint8_t flags = 0;  ///< Burst: kStartOfPacket, kEndOfPacket. Credit: node-health bits LO|FA|MO.
  uint64_t stamp = 0;

  static constexpr uint64_t kOwnershipBit = uint64_t{1} << 63;
  Time time() const { return Time::from_fs(static_cast<int64_t>(stamp & ~kOwnershipBit)); }
  void set_time(Time time) { stamp = static_cast<uint64_t>(time.fs()); }
};
static_assert(sizeof(Record) == 64 && std::is_trivially_copyable_v<Record>);

}  // namespace fabrictwin::link
