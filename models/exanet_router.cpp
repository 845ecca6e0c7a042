// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/exanet_router.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin {
namespace {

// Visits the set bits of a mask, least first.
template <typename Visit>
void for_each_bit(uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(std::countr_zero(mask));
}

constexpr uint32_t bit(int32_t index) { return uint32_t{1} << index; }

// Visits the ports that have a bit in a mask with one for each VC of a port, least first.
template <typename Visit>
void for_each_port(uint32_t mask, Visit visit) {
  while (mask != 0) {
    const int32_t port = std::countr_zero(mask) / kVcs;
    mask &= ~(((uint32_t{1} << kVcs) - 1) << (port * kVcs));
    visit(port);
  }
}

/// Of a packet on an APElink: Magic, Start and CRC, 32 bits each. Nothing is aligned to words.
constexpr uint8_t kFramingQuarters = 3;

}  // namespace

ExanetRouter::ExanetRouter(Config config, RouterLinks& links)
    : config_(std::move(config)), links_(links), ports_(static_cast<int32_t>(config_.ports.size())) {
  input_vcs_.resize(static_cast<size_t>(ports_) * kVcs);
  output_vcs_.resize(static_cast<size_t>(ports_) * kVcs);
  for (int32_t port = 0; port < ports_; ++port) {
    const PortConfig& description = config_.ports[port];
    outputs_.emplace_back(config_.clock, description.word_clock);
    inputs_.emplace_back(config_.clock);
    for (int32_t vc = 0; vc < kVcs; ++vc) {
      OutputVc& output = output_vcs_[port * kVcs + vc];
      output.credits = description.connected ? description.credits : 0;
      // Round-robin begins with input VC 0.
      output.last_granted = ports_ * kVcs - 1;
    }
  }
}

int64_t ExanetRouter::receive_word(int32_t port, Time arrival, uint8_t vc, uint8_t flags, const Word& word) {
  const int64_t cycle = inputs_[port].words_sampler.sample(arrival);
  inputs_[port].words.push_back({cycle, word, vc, flags});
  arriving_ |= bit(port);
  next_cycle_ = std::min(next_cycle_, cycle);
  return cycle;
}

int64_t ExanetRouter::receive_credit(int32_t port, Time arrival, uint8_t vc, uint8_t count) {
  const int64_t cycle = inputs_[port].credits_sampler.sample(arrival);
  inputs_[port].credits.push_back({cycle, vc, count});
  arriving_ |= bit(port);
  next_cycle_ = std::min(next_cycle_, cycle);
  return cycle;
}

// Every stage reads the state before the edge. So they run from the last to the first, and what the switch releases is
// applied when all have looked.
void ExanetRouter::step(int64_t cycle) {
  for_each_bit(stalled_,
               [&](int32_t port) { outputs_[port].stall_cycles += static_cast<uint64_t>(cycle - last_cycle_ - 1); });
  last_cycle_ = cycle;
  bool changed = false;
  for_each_port(busy_ | owned_, [&](int32_t port) {
    changed |= load(cycle, port);
    const uint32_t here = bit(port * kVcs);
    busy_ = outputs_[port].idle() ? busy_ & ~here : busy_ | here;
  });
  changed |= allocate(true);
  changed |= route();
  changed |= return_credits(cycle);
  for (const int32_t i : released_) {
    InputVc& input = input_vcs_[i];
    OutputVc& output = output_vcs_[input.output];
    output.owner = -1;
    owned_ &= ~bit(input.output);
    input.routed = false;
    input.granted = false;
    input.pending_credits += input.words;
    creditors_ |= bit(i);
    if (input.size > 0) unrouted_ |= bit(i);
  }
  // Logic that looks ahead has the next packet of the same input VC routed, and allocated, by now.
  if (!released_.empty() && config_.packet_gap < 2) route();
  if (!released_.empty() && config_.packet_gap < 1) allocate(false);
  released_.clear();
  changed |= sample(cycle);
  plan_next(cycle, changed);
}

// Transmit and switch: the link takes the output register, and a word of one of the port's output VCs takes its place.
bool ExanetRouter::load(int64_t cycle, int32_t port) {
  Output& output = outputs_[port];
  const bool sent = config_.ports[port].apelink && send(cycle, port);
  const bool accepted = output.valid && output.serializer.ready(cycle);
  if (accepted) {
    links_.transmit(config_.index, port, output.serializer.accept(cycle), output.vc, output.flags, output.word);
    output.valid = false;
  }
  if (output.valid || (owned_ >> (port * kVcs) & 3) == 0) return accepted || sent;
  // The VC that was not served last comes first.
  for (int32_t turn = 1; turn <= kVcs; ++turn) {
    const int32_t vc = (output.last_vc + turn) % kVcs;
    const Entry* entry = take(port, vc);
    if (entry == nullptr) continue;
    output.last_vc = static_cast<uint8_t>(vc);
    if (config_.ports[port].apelink) {
      output.waiting[vc].push_back(*entry);
      return true;
    }
    output.valid = true;
    output.word = entry->word;
    output.flags = entry->flags;
    output.vc = static_cast<uint8_t>(vc);
    return true;
  }
  return accepted || sent;
}

const ExanetRouter::Entry* ExanetRouter::take(int32_t port, int32_t vc) {
  const int32_t owner = output_vcs_[port * kVcs + vc].owner;
  if (owner < 0 || input_vcs_[owner].size == 0) return nullptr;
  InputVc& input = input_vcs_[owner];
  const Entry& entry = input.fifo[input.head];
  input.head = input.head + 1 == config_.buffer_words ? 0 : input.head + 1;
  --input.size;
  if ((entry.flags & kEndOfPacket) != 0) released_.push_back(owner);
  return &entry;
}

int32_t ExanetRouter::next_sent(const Output& output) {
  if (output.sending >= 0) return output.waiting[output.sending].empty() ? -1 : output.sending;
  for (int32_t turn = 1; turn <= kVcs; ++turn) {
    const int32_t vc = (output.last_sent + turn) % kVcs;
    if (!output.waiting[vc].empty()) return vc;
  }
  return -1;
}

// The controller puts the next word on the link; what the switch gives it at this edge it has at the next.
bool ExanetRouter::send(int64_t cycle, int32_t port) {
  Output& output = outputs_[port];
  const int32_t vc = next_sent(output);
  if (vc < 0 || !output.serializer.ready(cycle)) return false;
  const Entry entry = output.waiting[vc].front();
  output.waiting[vc].pop_front();
  const int64_t before = output.serializer.last_slot();
  const int64_t slot = output.serializer.accept(cycle);
  links_.transmit(config_.index, port, slot, static_cast<uint8_t>(vc), entry.flags, entry.word);
  // Where no packet follows, idle units fill the word.
  if (slot > before + 1) output.framing = 0;
  output.sending = vc;
  if ((entry.flags & kEndOfPacket) == 0) return true;
  output.sending = -1;
  output.last_sent = static_cast<uint8_t>(vc);
  output.framing += kFramingQuarters;
  if (output.framing >= 4) {
    output.framing -= 4;
    output.serializer.skip(cycle);
  }
  return true;
}

bool ExanetRouter::allocate(bool count_stalls) {
  bool changed = false;
  if (count_stalls) stalled_ = 0;
  for_each_bit(requesting_, [&](int32_t o) {
    OutputVc& output = output_vcs_[o];
    if (output.owner >= 0) return;
    if (output.credits < kMaxPacketWords) {
      const uint32_t port = bit(o / kVcs);
      if ((stalled_ & port) == 0 && count_stalls) ++outputs_[o / kVcs].stall_cycles;
      stalled_ |= port;
      return;
    }
    // Round-robin, beginning after the last winner.
    const uint32_t after = output.requests & ~((bit(output.last_granted) << 1) - 1);
    const int32_t winner = std::countr_zero(after != 0 ? after : output.requests);
    output.owner = winner;
    output.last_granted = winner;
    output.credits -= input_vcs_[winner].words;
    output.requests &= ~bit(winner);
    input_vcs_[winner].granted = true;
    owned_ |= bit(o);
    if (output.requests == 0) requesting_ &= ~bit(o);
    changed = true;
  });
  return changed;
}

bool ExanetRouter::route() {
  const bool changed = unrouted_ != 0;
  for_each_bit(unrouted_, [&](int32_t i) {
    InputVc& input = input_vcs_[i];
    const Entry& entry = input.fifo[input.head];
    const PacketHeader header = PacketHeader::decode(entry.word);
    const Hop hop = config_.routing->route(header, i / kVcs, i % kVcs);
    if ((entry.flags & kStartOfPacket) == 0) return fail(i / kVcs, i % kVcs, "a packet begins without a header");
    if (header.payload_bytes > kMaxPayloadBytes)
      return fail(i / kVcs, i % kVcs, "a header announces more than 256 bytes of payload");
    if (hop.port >= ports_ || !config_.ports[hop.port].connected)
      return fail(i / kVcs, i % kVcs, "a packet is routed to a port without a link");
    input.routed = true;
    input.output = static_cast<uint8_t>(hop.port * kVcs + hop.vc);
    input.words = static_cast<uint8_t>(header.packet_words());
    output_vcs_[input.output].requests |= bit(i);
    requesting_ |= bit(input.output);
  });
  unrouted_ = 0;
  return changed;
}

bool ExanetRouter::return_credits(int64_t cycle) {
  const bool changed = creditors_ != 0;
  uint32_t later = 0;
  int32_t served_port = -1;
  for_each_bit(creditors_, [&](int32_t i) {
    const int32_t port = i / kVcs;
    // One credit register for each port: VC 0 comes first, VC 1 an edge later.
    if (port == served_port) {
      later |= bit(i);
      return;
    }
    served_port = port;
    InputVc& input = input_vcs_[i];
    links_.return_credit(config_.index, port, cycle + 1, static_cast<uint8_t>(i % kVcs),
                         static_cast<uint8_t>(input.pending_credits));
    input.pending_credits = 0;
  });
  creditors_ = later;
  return changed;
}

bool ExanetRouter::sample(int64_t cycle) {
  bool changed = false;
  for_each_bit(arriving_, [&](int32_t port) {
    Input& input = inputs_[port];
    while (!input.credits.empty() && input.credits.front().cycle <= cycle) {
      output_vcs_[port * kVcs + input.credits.front().vc].credits += input.credits.front().count;
      input.credits.pop_front();
      changed = true;
    }
    while (!input.words.empty() && input.words.front().cycle <= cycle) {
      push(port, input.words.front());
      input.words.pop_front();
      changed = true;
    }
    if (input.credits.empty() && input.words.empty()) arriving_ &= ~bit(port);
  });
  return changed;
}

void ExanetRouter::push(int32_t port, const ArrivingWord& arriving) {
  const int32_t i = port * kVcs + arriving.vc;
  InputVc& input = input_vcs_[i];
  if (input.size == config_.buffer_words)
    return fail(port, arriving.vc, "a word came without credit, the buffer is full");
  if (!input.fifo) input.fifo = std::make_unique<Entry[]>(static_cast<size_t>(config_.buffer_words));
  int32_t tail = input.head + input.size;
  if (tail >= config_.buffer_words) tail -= config_.buffer_words;
  input.fifo[tail] = {arriving.word, arriving.flags};
  ++input.size;
  if (!input.routed) unrouted_ |= bit(i);
}

void ExanetRouter::plan_next(int64_t cycle, bool changed) {
  next_cycle_ = changed ? cycle + 1 : kNever;
  if (!failure_.empty()) {
    next_cycle_ = kNever;
    return;
  }
  if (changed) return;
  for_each_port(busy_, [&](int32_t port) {
    if (outputs_[port].valid || next_sent(outputs_[port]) >= 0)
      next_cycle_ = std::min(next_cycle_, std::max(cycle + 1, outputs_[port].serializer.ready_cycle()));
  });
  for_each_bit(arriving_, [&](int32_t port) {
    if (!inputs_[port].words.empty()) next_cycle_ = std::min(next_cycle_, inputs_[port].words.front().cycle);
    if (!inputs_[port].credits.empty()) next_cycle_ = std::min(next_cycle_, inputs_[port].credits.front().cycle);
  });
}

int64_t ExanetRouter::buffered_words() const {
  int64_t words = 0;
  for (const InputVc& input : input_vcs_) words += input.size;
  return words;
}

void ExanetRouter::fail(int32_t port, int32_t vc, const char* what) {
  if (failure_.empty()) failure_ = fmt::format("port {}, VC {}: {}", port, vc, what);
}

}  // namespace fabrictwin
