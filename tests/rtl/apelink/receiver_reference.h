// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the receiver of docs/models/apelink.md makes of a wire, damaged or not, unit by unit.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/rtl/apelink/wire_reference.h"

namespace fabrictwin::test {

constexpr uint32_t kIdle = 0x1D1E'1D1E;
constexpr uint32_t kMagic = 0xC0DE;

/// What a receiver says in a cycle other than the words that leave it.
struct Said {
  uint64_t frame = 0;
  bool resync = false, deliver = false, packet = false, corrected = false, uncorrectable = false, length = false,
       crc = false;
  int vc = 0;     ///< The virtual channel of a packet that begins.
  int words = 0;  ///< The packet that begins has so many, header and footer included.
  bool operator==(const Said&) const = default;
};

/// A word that leaves a receiver.
struct Taken {
  int vc = 0;
  bool sop = false, eop = false, bad = false;
  Word data{};
  bool operator==(const Taken&) const = default;
};

/// All that a receiver has made of a wire.
struct Heard {
  std::vector<Said> said;
  std::vector<Taken> words;
};

/// Reads units while the link is up. A header that says more than `longest` payload bytes is beyond repair; with
/// `supervise`, credits of ends whose link is not up are frames.
class ReceiverReference {
 public:
  ReceiverReference(std::vector<uint32_t> units, int longest, bool supervise)
      : units_(std::move(units)), longest_(longest), supervise_(supervise) {}

  Heard read() {
    while (at_ + 1 < units_.size()) {
      const uint64_t frame = units_[at_] | uint64_t{units_[at_ + 1]} << 32;
      if ((units_[at_] & 0xFFFF) != kMagic) {
        hunts_ = hunts_ || (units_[at_] & 0xFFFF) != (kIdle & 0xFFFF);
        ++at_;
      } else if (!is_frame(frame)) {
        hunts_ = true;
        ++at_;
      } else {
        at_ += 2;
        heard_.said.push_back({.frame = frame, .resync = hunts_});
        hunts_ = false;
        if ((frame >> 16 & 1) == 0 && at_ + 4 <= units_.size()) read_packet(frame);
      }
    }
    return heard_;
  }

 private:
  bool is_frame(uint64_t frame) const {
    const bool up = (frame >> 30 & 3) == 0;
    const bool credit = (frame >> 16 & 1) != 0;
    return (up || (supervise_ && credit)) && crc8_of(frame) == frame >> 56;
  }

  Word word() {
    Word word{};
    for (uint32_t& unit : word) unit = at_ < units_.size() ? units_[at_++] : 0;
    return word;
  }

  /// The header with a single wrong bit mended, also if that is one of the check bits.
  static bool mend(Word& header, uint32_t check, bool& mended) {
    mended = secded_of(header) != check;
    if (!mended || std::popcount(secded_of(header) ^ check) == 1) return true;
    for (int bit = 0; bit < 128; ++bit) {
      Word other = header;
      other[bit / 32] ^= 1U << bit % 32;
      if (secded_of(other) != check) continue;
      header = other;
      return true;
    }
    return false;
  }

  void read_packet(uint64_t frame) {
    Word header = word();
    bool mended = false;
    if (!mend(header, frame >> 18 & 0x1FF, mended)) {
      hunts_ = true;
      return heard_.said.push_back({.uncorrectable = true});
    }
    if (payload_bytes_of(header) > longest_) {
      hunts_ = true;
      return heard_.said.push_back({.length = true});
    }
    const int vc = static_cast<int>(frame >> 17 & 1);
    const int count = (payload_bytes_of(header) + 15) / 16 + 2;
    heard_.said.push_back({.deliver = true, .corrected = mended, .vc = vc, .words = count});
    std::vector<Word> words = {header};
    while (static_cast<int>(words.size()) < count) words.push_back(word());
    const bool bad = at_ >= units_.size() || units_[at_] != crc32_of(words);
    ++at_;
    heard_.said.push_back({.packet = true, .crc = bad});
    if (bad) words.back()[3] |= 1U << 31;
    for (int i = 0; i < count; ++i) {
      const bool last = i == count - 1;
      heard_.words.push_back({.vc = vc, .sop = i == 0, .eop = last, .bad = last && bad, .data = words[i]});
    }
  }

  std::vector<uint32_t> units_;
  int longest_;
  bool supervise_;
  size_t at_ = 0;
  bool hunts_ = false;
  Heard heard_;
};

}  // namespace fabrictwin::test
