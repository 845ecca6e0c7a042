// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The far end of an APElink wire: converts what transmission control logic sends to packets and credits, and back.
#pragma once

#include <array>
#include <cstdint>

#include "absl/status/status.h"
#include "cosim/base/fifo.h"
#include "cosim/link/record.h"
#include "rtl/transactor/apelink_codec.h"

namespace fabrictwin::rtl {

/// Both directions of the far end of a wire without errors (docs/models/apelink.md), without a clock: its owner says
/// when the wire carries a word. Every bit on the wire is checked; damage cannot happen inside a process, so it is an
/// error. Refreshing counts is for wires that lose data, so this end never does it. The logic has slots for 64 packets
/// of each VC (kApelinkPackets), which only other logic counts; so further packets wait here until slots are free. Not
/// thread-safe.
class ApelinkLine {
 public:
  /// A word of a packet.
  struct PacketWord {
    link::Word word;
    uint8_t vc = 0;
    uint8_t flags = 0;  ///< kStartOfPacket, kEndOfPacket.
    bool operator==(const PacketWord&) const = default;
  };
  /// The result of one word of the wire: at most one word of a packet, as each has four units of its own.
  struct Arrived {
    bool has_word = false;
    PacketWord word;
    std::array<int, link::kVcs> freed{};  ///< Words newly freed by the other end.
  };

  /// Takes a word from the other end off the wire. A word of a packet is complete with its last unit, the footer before
  /// the CRC that follows it. DataLoss says what is wrong with the wire.
  absl::Status take(const link::Word& wire, Arrived& arrived);
  /// Health bits LO, FA, MO last reported by the other end.
  uint8_t far_health() const { return far_health_; }

  /// Queues the next word of a packet to the other end. Words of one VC are consecutive whole packets; the VCs may be
  /// interleaved. DataLoss if flags and length of the header disagree. Whoever sends keeps to the credits, which bound
  /// the queue.
  absl::Status send_word(const PacketWord& word);
  /// `count` words of `vc` that came through take() have left their buffer; `health` are the health bits of this end.
  void send_credit(uint8_t vc, uint8_t count, uint8_t health);
  /// The word that the wire carries now, padded with idle units between packets; false if there is none. A packet that
  /// has begun waits for its words.
  bool next(link::Word& wire);
  /// Whether next() would return a word.
  bool can_send() const;
  /// Whether nothing is to be sent, now or later, and nothing is partly sent or received.
  bool idle() const;

 private:
  enum class State : uint8_t { kBetween, kStart, kWords, kCrc };

  absl::Status take_unit(uint32_t unit, Arrived& arrived);
  absl::Status take_frame(uint64_t bits, Arrived& arrived);
  absl::Status take_counts(const ApelinkFrame& frame, uint8_t vc, Arrived& arrived);
  absl::Status take_packet_unit(uint32_t unit, Arrived& arrived);
  void put(uint32_t unit);
  void put_frame(bool is_credit, uint8_t vc);
  void put_frame(const ApelinkFrame& frame);
  /// A VC of which more words have been freed since the other end was told than the low bits of a count say, or -1.
  int far_behind() const;
  /// Whether a packet of a VC waits for which the other end has a slot.
  bool may_begin(uint8_t vc) const;
  void forget_packets(uint8_t vc, int newly_freed);
  bool counts_changed() const { return told_freed_ != freed_ || told_health_ != health_; }

  // The state of the direction from the other end.
  State state_ = State::kBetween;
  uint32_t magic_ = 0;
  uint8_t vc_ = 0;
  uint16_t check_ = 0;
  int units_ = 0;  ///< Units of the packet so far.
  int left_ = 0;   ///< Words of the packet to come, once its header has arrived.
  link::Word word_;
  uint32_t crc_ = 0;
  std::array<uint16_t, link::kVcs> delivered_{};  ///< Totals modulo 2048, here and below.
  std::array<uint16_t, link::kVcs> far_freed_{};
  uint8_t far_health_ = 0;

  // The state of the direction to the other end.
  State out_state_ = State::kBetween;
  uint8_t out_vc_ = 1;  ///< VC of the current or last packet; VC 0 is used first.
  int out_left_ = 0;
  uint32_t out_crc_ = 0;
  std::array<int, link::kVcs> coming_{};  ///< Words that a packet in the queue still lacks.
  std::array<Fifo<PacketWord>, link::kVcs> queues_;
  std::array<uint32_t, 2 * kApelinkUnits> out_units_{};
  int out_count_ = 0;  ///< Units that wait until a word is full.
  std::array<uint16_t, link::kVcs> sent_{};
  std::array<uint16_t, link::kVcs> freed_{};
  std::array<uint16_t, link::kVcs> told_freed_{};
  std::array<Fifo<uint8_t>, link::kVcs> under_way_;  ///< Words of the packets that have been begun and not freed.
  std::array<int, link::kVcs> covered_{};            ///< Words freed of the oldest of them.
  uint8_t health_ = 0;
  uint8_t told_health_ = 0;
};

}  // namespace fabrictwin::rtl
