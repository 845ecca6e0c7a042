// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/apelink_line.h"

#include <algorithm>

#include "fmt/format.h"

namespace fabrictwin::rtl {
namespace {

constexpr int kCountMask = kApelinkLongCounts - 1;
constexpr int kLowMask = 0xff;    ///< The bits of a count that all frames have.
constexpr int kMostUntold = 127;  ///< Words that these bits tell of at once; the other half of them may be negative.

}  // namespace

absl::Status ApelinkLine::take(const link::Word& wire, Arrived& arrived) {
  arrived = Arrived{};
  for (int u = 0; u < kApelinkUnits; ++u) {
    if (absl::Status status = take_unit(apelink_unit(wire, u), arrived); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ApelinkLine::take_unit(uint32_t unit, Arrived& arrived) {
  switch (state_) {
    case State::kBetween:
      if (unit == kApelinkIdleUnit) return absl::OkStatus();
      if ((unit & 0xffff) != kApelinkMagic) {
        return absl::DataLossError(fmt::format("{:#010x} on the wire where a frame or an idle unit belongs", unit));
      }
      magic_ = unit;
      state_ = State::kStart;
      return absl::OkStatus();
    case State::kStart:
      return take_frame(uint64_t{unit} << 32 | magic_, arrived);
    case State::kWords:
      return take_packet_unit(unit, arrived);
    case State::kCrc:
      if (unit != ~crc_) {
        return absl::DataLossError(fmt::format(
            "a packet on VC {} of the wire has CRC-32 {:#010x}, its words give {:#010x}", vc_, unit, ~crc_));
      }
      state_ = State::kBetween;
  }
  return absl::OkStatus();
}

absl::Status ApelinkLine::take_frame(uint64_t bits, Arrived& arrived) {
  if (!apelink_frame_ok(bits))
    return absl::DataLossError(fmt::format("a frame on the wire is broken ({:#018x})", bits));
  const ApelinkFrame frame = ApelinkFrame::decode(bits);
  for (uint8_t vc = 0; vc < link::kVcs; ++vc) {
    if (frame.is_long && frame.vc != vc) continue;
    if (absl::Status status = take_counts(frame, vc, arrived); !status.ok()) return status;
  }
  far_health_ = frame.health;
  if (frame.is_credit) {
    state_ = State::kBetween;
    return absl::OkStatus();
  }
  vc_ = frame.vc;
  check_ = frame.check;
  units_ = 0;
  crc_ = ~uint32_t{0};
  state_ = State::kWords;
  return absl::OkStatus();
}

// A short frame has the low bits of a count, which stand for the next number that ends with them.
absl::Status ApelinkLine::take_counts(const ApelinkFrame& frame, uint8_t vc, Arrived& arrived) {
  const int mask = frame.is_long ? kCountMask : kLowMask;
  const unsigned sent = frame.is_credit && !frame.is_long && vc == 1 ? frame.check : frame.sent;
  if ((frame.is_credit || frame.vc == vc) && sent != (delivered_[vc] & mask)) {
    return absl::DataLossError(fmt::format("a frame on the wire counts {} words of VC {} (modulo {}), but {} came",
                                           sent, vc, mask + 1, delivered_[vc]));
  }
  const int newly_freed = (frame.freed[vc] - far_freed_[vc]) & mask;
  const int in_use = (sent_[vc] - far_freed_[vc]) & kCountMask;
  if (newly_freed > in_use) {
    return absl::DataLossError(
        fmt::format("a frame on the wire frees {} words of VC {}, but {} are in use", newly_freed, vc, in_use));
  }
  far_freed_[vc] = static_cast<uint16_t>((far_freed_[vc] + newly_freed) & kCountMask);
  arrived.freed[vc] += newly_freed;
  forget_packets(vc, newly_freed);
  return absl::OkStatus();
}

// Buffers give back packets in the order in which they came.
void ApelinkLine::forget_packets(uint8_t vc, int newly_freed) {
  Fifo<uint8_t>& under_way = under_way_[vc];
  covered_[vc] += newly_freed;
  while (!under_way.empty() && covered_[vc] >= under_way.front()) {
    covered_[vc] -= under_way.front();
    under_way.pop_front();
  }
}

absl::Status ApelinkLine::take_packet_unit(uint32_t unit, Arrived& arrived) {
  uint64_t& half = (units_ & 2) == 0 ? word_.lo : word_.hi;
  half = (units_ & 1) == 0 ? unit : half | uint64_t{unit} << 32;
  if (++units_ % kApelinkUnits != 0) return absl::OkStatus();
  uint8_t flags = 0;
  if (units_ == kApelinkUnits) {
    if (apelink_secded(word_) != check_ || apelink_payload_bytes(word_) > kApelinkMaxPayloadBytes) {
      return absl::DataLossError(
          fmt::format("a header on VC {} of the wire is broken ({:#018x}{:016x})", vc_, word_.hi, word_.lo));
    }
    left_ = apelink_packet_words(word_);
    flags |= link::kStartOfPacket;
  }
  crc_ = apelink_crc32(crc_, word_);
  delivered_[vc_] = static_cast<uint16_t>((delivered_[vc_] + 1) & kCountMask);
  if (--left_ == 0) {
    flags |= link::kEndOfPacket;
    state_ = State::kCrc;
  }
  arrived.has_word = true;
  arrived.word = {word_, vc_, flags};
  return absl::OkStatus();
}

absl::Status ApelinkLine::send_word(const PacketWord& word) {
  int& coming = coming_[word.vc];
  const bool starts = (word.flags & link::kStartOfPacket) != 0;
  if (starts != (coming == 0)) {
    return absl::DataLossError(fmt::format(
        "VC {}: {}", word.vc,
        starts ? fmt::format("a packet begins {} words early", coming) : "a word that belongs to no packet"));
  }
  if (starts) {
    if (apelink_payload_bytes(word.word) > kApelinkMaxPayloadBytes) {
      return absl::DataLossError(fmt::format("VC {}: a packet with {} bytes of payload, at most {} can be", word.vc,
                                             apelink_payload_bytes(word.word), kApelinkMaxPayloadBytes));
    }
    coming = apelink_packet_words(word.word);
  }
  --coming;
  if (((word.flags & link::kEndOfPacket) != 0) != (coming == 0)) {
    return absl::DataLossError(
        fmt::format("VC {}: the end of a packet is not where its header says, {} words are left", word.vc, coming));
  }
  queues_[word.vc].push_back(word);
  return absl::OkStatus();
}

void ApelinkLine::send_credit(uint8_t vc, uint8_t count, uint8_t health) {
  freed_[vc] = static_cast<uint16_t>((freed_[vc] + count) & kCountMask);
  health_ = health;
}

bool ApelinkLine::may_begin(uint8_t vc) const {
  return !queues_[vc].empty() && under_way_[vc].size() < kApelinkPackets;
}

bool ApelinkLine::can_send() const {
  switch (out_state_) {
    case State::kWords:
      return !queues_[out_vc_].empty();
    case State::kCrc:
      return true;
    default:
      return out_count_ > 0 || may_begin(0) || may_begin(1) || counts_changed();
  }
}

bool ApelinkLine::idle() const {
  return out_state_ == State::kBetween && state_ == State::kBetween && queues_[0].empty() && queues_[1].empty() &&
         !can_send();
}

bool ApelinkLine::next(link::Word& wire) {
  while (out_count_ < kApelinkUnits) {
    if (out_state_ == State::kWords) {
      Fifo<PacketWord>& queue = queues_[out_vc_];
      if (queue.empty()) return false;
      const link::Word& word = queue.front().word;
      for (int u = 0; u < kApelinkUnits; ++u) put(apelink_unit(word, u));
      out_crc_ = apelink_crc32(out_crc_, word);
      sent_[out_vc_] = static_cast<uint16_t>((sent_[out_vc_] + 1) & kCountMask);
      queue.pop_front();
      if (--out_left_ == 0) out_state_ = State::kCrc;
    } else if (out_state_ == State::kCrc) {
      put(~out_crc_);
      out_state_ = State::kBetween;
    } else if (const int vc = far_behind(); vc >= 0) {
      ApelinkFrame frame;
      frame.is_credit = frame.is_long = true;
      frame.vc = static_cast<uint8_t>(vc);
      frame.sent = sent_[vc];
      put_frame(frame);
      told_freed_[vc] = freed_[vc];
    } else if (may_begin(0) || may_begin(1)) {
      const auto other = static_cast<uint8_t>(1 - out_vc_);
      if (may_begin(other)) out_vc_ = other;
      put_frame(false, out_vc_);
      out_left_ = apelink_packet_words(queues_[out_vc_].front().word);
      under_way_[out_vc_].push_back(static_cast<uint8_t>(out_left_));
      out_crc_ = ~uint32_t{0};
      out_state_ = State::kWords;
    } else if (counts_changed()) {
      put_frame(true, 0);
    } else if (out_count_ > 0) {
      put(kApelinkIdleUnit);
    } else {
      return false;
    }
  }
  wire = {out_units_[0] | uint64_t{out_units_[1]} << 32, out_units_[2] | uint64_t{out_units_[3]} << 32};
  std::copy(out_units_.begin() + kApelinkUnits, out_units_.end(), out_units_.begin());
  out_count_ -= kApelinkUnits;
  return true;
}

void ApelinkLine::put(uint32_t unit) { out_units_[out_count_++] = unit; }

void ApelinkLine::put_frame(bool is_credit, uint8_t vc) {
  ApelinkFrame frame;
  frame.is_credit = is_credit;
  frame.vc = vc;
  frame.check = is_credit ? sent_[1] & kLowMask : apelink_secded(queues_[vc].front().word);
  frame.sent = sent_[vc];
  put_frame(frame);
  told_freed_ = freed_;
}

void ApelinkLine::put_frame(const ApelinkFrame& frame) {
  ApelinkFrame told = frame;
  told.health = health_;
  told.freed = freed_;
  const uint64_t bits = told.encode();
  put(static_cast<uint32_t>(bits));
  put(static_cast<uint32_t>(bits >> 32));
  told_health_ = health_;
}

int ApelinkLine::far_behind() const {
  for (int vc = 0; vc < link::kVcs; ++vc) {
    if (((freed_[vc] - told_freed_[vc]) & kCountMask) > kMostUntold) return vc;
  }
  return -1;
}

}  // namespace fabrictwin::rtl
