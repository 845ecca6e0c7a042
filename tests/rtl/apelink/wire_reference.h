// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The framing of docs/models/apelink.md once more, bit by bit and without a glance at the hardware.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fabrictwin::test {

using Word = std::array<uint32_t, 4>;  ///< A 128-bit word; units in the order of the wire.

/// IEEE 802.3 CRC-32 of the words, byte by byte.
uint32_t crc32_of(const std::vector<Word>& words);

/// CRC-8 of a frame's low 56 bits.
uint8_t crc8_of(uint64_t frame);

/// SECDED bits of a header.
uint16_t secded_of(const Word& header);

int payload_bytes_of(const Word& header);

enum class UnitKind { kIdle, kFrame, kCreditFrame, kHeader, kPayload, kFooter, kCrc };

/// One unit of the wire and the packet (by number on this wire) that it belongs to.
struct Unit {
  UnitKind kind;
  int packet;
};

struct WireFrame {
  bool is_credit;
  int vc;
  int sent0, sent1;  ///< A packet's frame has the one of its VC only; a long credit word both counts of its VC.
  int freed0, freed1;
  int health;
};

struct WirePacket {
  int vc;
  std::vector<Word> words;
};

/// Follows an undamaged wire and checks each bit of it. `error` tells the first thing that is wrong.
class WireParser {
 public:
  /// What the units of the next word are.
  std::array<Unit, 4> parse(const Word& word);

  std::string error;
  std::vector<WirePacket> packets;  ///< All packets whose CRC has passed, and the current one.
  std::vector<WireFrame> frames;
  int idle_units = 0;
  int long_frames = 0;  ///< Credit words with all bits of the counts of one VC.

 private:
  Unit parse_unit(uint32_t unit);
  void end_frame(uint64_t frame);
  void fail(const std::string& what);

  enum class State { kBetween, kStart, kWords, kCrc };
  State state_ = State::kBetween;
  uint32_t magic_ = 0;
  uint16_t check_ = 0;
  int units_ = 0;  ///< Units of the packet so far.
  int length_ = 0;
};

}  // namespace fabrictwin::test
