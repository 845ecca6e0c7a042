// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/link/word_faults.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace fabrictwin::link {
namespace {

/// Bits on the wire besides those of words (docs/models/apelink.md): Magic and Start before a header, CRC after a
/// footer. A credit rides in such a frame.
constexpr int32_t kFrameBits = 64;
constexpr int32_t kCrcBits = 32;
static_assert(kFrameBits + kWordBits <= BitErrors::kMostBits && kWordBits + kCrcBits <= BitErrors::kMostBits);
/// The mark in a footer: the packet is damaged.
constexpr uint64_t kBadBit = uint64_t{1} << 63;
/// What is made good arrives off the edges of clocks, so it never meets another credit.
constexpr Time kOffEdges = Time::from_fs(1);

uint64_t threshold(double probability) {
  return probability >= 1 ? std::numeric_limits<uint64_t>::max() : static_cast<uint64_t>(probability * 0x1p64);
}

void flip(Word& word, int32_t bit) { (bit < 64 ? word.lo : word.hi) ^= uint64_t{1} << (bit % 64); }

}  // namespace

BitErrors::BitErrors(double rate) {
  double any = 0;
  for (size_t bits = 1; bits < any_.size(); ++bits) {
    any = std::fma(rate, 1 - any, any);
    any_[bits] = threshold(any);
    first_of_[bits] = threshold(any > 0 ? rate / any : 0);
  }
}

WordFaults::WordFaults(Config config)
    : config_(std::move(config)),
      word_stream_(config_.seed, static_cast<uint64_t>(config_.channel), RandomPurpose::kBitErrors),
      credit_stream_(config_.seed, static_cast<uint64_t>(config_.channel), RandomPurpose::kCreditErrors),
      counters_(config_.faults.size()) {
  for (const WordFault& fault : config_.faults) bit_errors_.emplace_back(fault.bit_error_rate);
}

std::optional<WordFaults::Sent> WordFaults::pass(Sent sent) {
  ++number_;
  return config_.refresh > Time::zero() ? lose(sent) : hold(sent);
}

// A link without a protocol that makes losses good begins no packet; those that have begun arrive.
std::optional<WordFaults::Sent> WordFaults::hold(Sent sent) {
  Packet& packet = packets_[sent.vc];
  int64_t slot = sent.slot < waiting_from_ ? sent.slot : std::max(sent.slot, free_slot_);
  if ((sent.flags & kStartOfPacket) != 0) {
    packet = Packet{};
    packet.from = slot = begin_held(packet, slot);
  }
  if (packet.held != kNone) {
    counters_[packet.held].held_words.add(1);
    if (until_of(packet).is_never()) return std::nullopt;
    slot = std::max({slot, packet.from, free_slot_});
  }
  if (slot == sent.slot && packet.held == kNone) return sent;
  if (sent.slot >= free_slot_) waiting_from_ = slot;
  free_slot_ = slot + 1;
  sent.slot = slot;
  return sent;
}

int64_t WordFaults::begin_held(Packet& packet, int64_t slot) const {
  while (true) {
    const Time begins = config_.word_clock.edge(slot);
    const int32_t fault = down(config_.faults, begins, begins);
    if (fault == kNone) return slot;
    packet.held = fault;
    if (until_of(packet).is_never()) return slot;
    slot = std::max(config_.word_clock.edge_at_or_after(until_of(packet)), free_slot_);
  }
}

std::optional<WordFaults::Sent> WordFaults::lose(Sent sent) {
  Packet& packet = packets_[sent.vc];
  const Time leaves = config_.word_clock.edge(sent.slot + 1);
  const Time arrives = leaves + config_.latency;
  const bool starts = (sent.flags & kStartOfPacket) != 0;
  if (starts) packet = Packet{};
  if (const int32_t fault = down(config_.faults, leaves, arrives); fault != kNone) {
    // A packet that has begun is completed, so that nothing behind the link waits for its end.
    if (starts) packet.lost = fault;
    if (packet.lost == kNone) packet.damaged = fault;
    packet.over = config_.faults[fault].until;
    sent.word = Word{};
  } else if (starts) {
    begin(packet, leaves);
  } else if (packet.lost == kNone) {
    damage(packet, sent, leaves);
  }
  const bool ends = (sent.flags & kEndOfPacket) != 0;
  if (packet.lost != kNone) {
    ++packet.words;
    if (ends) give_back(packet, sent.vc, std::max(arrives, packet.over));
    return std::nullopt;
  }
  if (ends && packet.damaged != kNone) {
    sent.word.hi |= kBadBit;
    counters_[packet.damaged].damaged_packets.add(1);
  }
  return sent;
}

// A frame or two bits of the header lose the packet; one bit of the header is corrected.
void WordFaults::begin(Packet& packet, Time leaves) {
  const int32_t fault = errors(leaves);
  if (fault == kNone) return;
  int32_t in_frame = 0;
  int32_t in_header = 0;
  bit_errors_[fault].sample(word_stream_, number_, kFrameBits + kWordBits,
                            [&](int32_t bit) { ++(bit < kFrameBits ? in_frame : in_header); });
  WordFaultCounters& counters = counters_[fault];
  counters.wrong_bits.add(static_cast<uint64_t>(in_frame + in_header));
  if (in_frame > 0 || in_header > 1) {
    packet.lost = fault;
  } else if (in_header == 1) {
    counters.corrected_headers.add(1);
  }
}

void WordFaults::damage(Packet& packet, Sent& sent, Time leaves) {
  const int32_t fault = errors(leaves);
  if (fault == kNone) return;
  const bool ends = (sent.flags & kEndOfPacket) != 0;
  bit_errors_[fault].sample(word_stream_, number_, ends ? kWordBits + kCrcBits : kWordBits, [&](int32_t bit) {
    if (bit < kWordBits) flip(sent.word, bit);
    packet.damaged = fault;
    counters_[fault].wrong_bits.add(1);
  });
}

void WordFaults::give_back(const Packet& packet, uint8_t vc, Time arrival) {
  WordFaultCounters& counters = counters_[packet.lost];
  counters.lost_packets.add(1);
  counters.lost_words.add(static_cast<uint64_t>(packet.words));
  if (arrival.is_never()) return;
  // The receiver has learnt of the loss, and tells.
  const Time sent = next_up(config_.back_faults, made_good(arrival), config_.back_latency);
  if (sent.is_never()) return;
  returned_.push_back({sent + config_.back_latency, vc, static_cast<uint8_t>(packet.words)});
}

Time WordFaults::credit(Time sent, uint8_t vc) {
  if (config_.refresh == Time::zero()) return sent;
  if (const int32_t fault = down(config_.faults, sent, sent + config_.latency); fault != kNone) {
    counters_[fault].late_credits.add(1);
    return next_up(config_.faults, sent, config_.latency);
  }
  const int32_t fault = errors(sent);
  if (fault == kNone) return sent;
  bool wrong = false;
  bit_errors_[fault].sample(credit_stream_, static_cast<uint64_t>(sent.fs()) * kVcs + vc, kFrameBits,
                            [&wrong](int32_t) { wrong = true; });
  if (!wrong) return sent;
  counters_[fault].late_credits.add(1);
  return next_up(config_.faults, made_good(sent), config_.latency);
}

bool WordFaults::take_returned(Returned& returned) {
  if (returned_.empty()) return false;
  returned = returned_.front();
  returned_.pop_front();
  return true;
}

Time WordFaults::next_up(const std::vector<WordFault>& faults, Time sent, Time latency) const {
  for (int32_t fault = down(faults, sent, sent + latency); fault != kNone; fault = down(faults, sent, sent + latency)) {
    const Time until = faults[fault].until;
    if (until.is_never()) return Time::never();
    sent = made_good(until);
  }
  return sent;
}

Time WordFaults::made_good(Time end) const { return end + config_.refresh + kOffEdges; }

int32_t WordFaults::down(const std::vector<WordFault>& faults, Time leaves, Time arrives) const {
  for (size_t fault = 0; fault < faults.size(); ++fault) {
    if (faults[fault].bit_error_rate == 0 && arrives >= faults[fault].at && leaves < faults[fault].until)
      return static_cast<int32_t>(fault);
  }
  return kNone;
}

int32_t WordFaults::errors(Time leaves) const {
  for (size_t fault = 0; fault < config_.faults.size(); ++fault) {
    const WordFault& spec = config_.faults[fault];
    if (spec.bit_error_rate > 0 && leaves >= spec.at && leaves < spec.until) return static_cast<int32_t>(fault);
  }
  return kNone;
}

}  // namespace fabrictwin::link
