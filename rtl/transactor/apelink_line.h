// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The far end of an APElink wire in C++: what transmission control logic sends becomes packets and credits, and back.
#pragma once

#include <array>
#include <cstdint>

#include "absl/status/status.h"
#include "cosim/base/fifo.h"
#include "cosim/link/record.h"
#include "rtl/apelink_codec.h"

namespace fabrictwin {

/// Both directions of the far end of a wire without errors (docs/models/apelink.md), without a clock: its owner says
/// when the wire carries a word. What the wire carries is checked bit by bit; damage cannot happen inside a process, so
/// it is an error. Refreshing counts is for wires that lose something, so this end never does. Not thread-safe.
class ApelinkLine {
 public:
  /// A word of a packet.
  struct PacketWord {
    Word word;
    uint8_t vc = 0;
    uint8_t flags = 0;  ///< kStartOfPacket, kEndOfPacket.
    bool operator==(const PacketWord&) const = default;
  };
  /// What one word of the wire has brought: at most one word of a packet, as each has four units of its own.
  struct Arrived {
    bool has_word = false;
    PacketWord word;
    std::array<uint8_t, kVcs> freed{};  ///< Words newly freed by the other end.
  };

  /// From the other end: takes a word off the wire. A word of a packet is there as soon as its last unit is, the footer
  /// before the CRC that follows it. DataLoss says what is wrong with the wire.
  absl::Status take(const Word& wire, Arrived& arrived);
  /// Health bits LO, FA, MO that the other end told last.
  uint8_t far_health() const { return far_health_; }

  /// To the other end: the next word of a packet. Words of one VC are whole packets one after the other; the VCs may
  /// mix as they like. DataLoss if flags and length of the header disagree.
  absl::Status send_word(const PacketWord& word);
  /// `count` words of `vc` that came through take() have left their buffer; `health` are the health bits of this end.
  void send_credit(uint8_t vc, uint8_t count, uint8_t health);
  /// The word that the wire carries now, filled up with idle units between packets; false if there is none. A packet
  /// that has begun waits for its words.
  bool next(Word& wire);
  /// Whether next() would give a word.
  bool can_send() const;
  /// Nothing is to be sent, and nothing half sent or half received.
  bool idle() const;

 private:
  enum class Place : uint8_t { kBetween, kStart, kWords, kCrc };

  absl::Status take_unit(uint32_t unit, Arrived& arrived);
  absl::Status take_frame(uint64_t bits, Arrived& arrived);
  absl::Status take_packet_unit(uint32_t unit, Arrived& arrived);
  void put(uint32_t unit);
  void put_frame(bool is_credit, uint8_t vc);
  bool counts_changed() const { return told_freed_ != freed_ || told_health_ != health_; }

  // From the other end.
  Place place_ = Place::kBetween;
  uint32_t magic_ = 0;
  uint8_t vc_ = 0;
  uint16_t check_ = 0;
  int units_ = 0;  ///< Of the packet so far.
  int left_ = 0;   ///< Words of the packet to come, once its header is there.
  Word word_;
  uint32_t crc_ = 0;
  std::array<uint8_t, kVcs> delivered_{};  ///< Totals modulo 256, here and below.
  std::array<uint8_t, kVcs> far_freed_{};
  uint8_t far_health_ = 0;

  // To the other end.
  Place out_place_ = Place::kBetween;
  uint8_t out_vc_ = 1;  ///< Of the packet that goes out or went out last; so VC 0 is the first.
  int out_left_ = 0;
  uint32_t out_crc_ = 0;
  std::array<int, kVcs> coming_{};  ///< Words that a packet still lacks in the queue.
  std::array<Fifo<PacketWord>, kVcs> queues_;
  std::array<uint32_t, 2 * kApelinkUnits> out_units_{};
  int out_count_ = 0;  ///< Units that wait for a word to become full.
  std::array<uint8_t, kVcs> sent_{};
  std::array<uint8_t, kVcs> freed_{};
  std::array<uint8_t, kVcs> told_freed_{};
  uint8_t health_ = 0;
  uint8_t told_health_ = 0;
};

}  // namespace fabrictwin
