// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/apelink/session_bench.h"

#include <gtest/gtest.h>

#include <utility>

namespace fabrictwin::test {
namespace {

constexpr uint32_t kBadMark = 0x8000'0000;

}  // namespace

int SessionBench::payload_bytes(uint32_t number) const {
  return static_cast<int>(number * 2654435761U >> 8) % (pins_->max_payload() + 1);
}
int SessionBench::length_of(uint32_t number) const { return (payload_bytes(number) + 15) / 16 + 2; }

Word SessionBench::word_of(uint32_t number, int place) const {
  Word word;
  for (uint32_t u = 0; u < 4; ++u) {
    uint32_t x = number * 0x9E37'79B9U + static_cast<uint32_t>(place) * 0x85EB'CA6BU + u * 0xC2B2'AE35U;
    x ^= x >> 15;
    x *= 0x2C1B'3C6DU;
    word[u] = x ^ x >> 12;
  }
  if (place == 0) {
    word[0] = number;
    word[1] = (word[1] & ~0x3FF'0000U) | (static_cast<uint32_t>(payload_bytes(number)) << 16);
  }
  if (place == length_of(number) - 1) word[3] &= ~kBadMark;
  return word;
}

SessionBench::SessionBench(std::unique_ptr<SessionPins> pins, uint64_t seed)
    : pins_(std::move(pins)), buffer_(pins_->buffer()), random_(seed) {
  for (int s = 0; s < 2; ++s) {
    clear(s);
    for (int v = 0; v < 2; ++v) pins_->link().tred(s, v, buffer_);
  }
}

void SessionBench::clear(int s) {
  for (Vc& vc : sides_[s].vc) {
    if (vc.held > 0) ++seen["reset while words wait"];
    const int to_send = vc.to_send;
    const uint32_t number = vc.number;
    vc = Vc{};
    vc.to_send = to_send;
    vc.number = number;
    vc.credits = buffer_;
  }
}

void SessionBench::send(int packets) {
  for (Side& side : sides_) {
    for (Vc& vc : side.vc) vc.to_send += packets;
  }
}

void SessionBench::drop_unsent() {
  for (Side& side : sides_) {
    for (Vc& vc : side.vc) vc.to_send = 0;
  }
}

void SessionBench::run(int cycles) {
  for (int i = 0; i < cycles && !testing::Test::HasFatalFailure(); ++i) cycle();
}

bool SessionBench::run_until(const std::function<bool()>& done, int limit) {
  for (int i = 0; i < limit && !testing::Test::HasFatalFailure(); ++i) {
    if (done()) return true;
    cycle();
  }
  return done();
}

void SessionBench::hold_in_reset(int s, bool held) {
  pins_->side_reset(s, held);
  sides_[s].in_reset = held;
  if (held) clear(s);
}

void SessionBench::reset_side(int s) {
  ++seen["reset"];
  for (int v = 0; v < 2; ++v) {
    if (pins_->link().used(s, v) > 255) ++seen["more in use at a reset than low bits count"];
    if (pins_->link().used(1 - s, v) > 255) ++seen["more in use at a far reset than low bits count"];
  }
  hold_in_reset(s, true);
  run(3);
  hold_in_reset(s, false);
}

void SessionBench::calm() {
  plan = {};
  for (int s = 0; s < 2; ++s) {
    cut(s, false);
    cut_left_[s] = 0;
    hold_in_reset(s, false);
    reset_left_[s] = 0;
    sides_[s].paused = 0;
  }
}

bool SessionBench::sending(int s) const {
  const auto& vcs = sides_[s].vc;
  return !vcs[0].words.empty() || !vcs[1].words.empty();
}

bool SessionBench::receiving(int s) const { return sides_[s].vc[0].in_packet || sides_[s].vc[1].in_packet; }

bool SessionBench::settled() const {
  for (const Side& side : sides_) {
    for (const Vc& vc : side.vc) {
      if (vc.to_send > 0 || !vc.words.empty() || vc.credits != buffer_ || vc.held > 0 || vc.freed > 0) return false;
    }
  }
  return true;
}

SessionBench::Totals SessionBench::totals() const {
  Totals totals = totals_;
  for (int s = 0; s < 2; ++s) totals.errors += pins_->link().error(s) ? 1 : 0;
  return totals;
}

void SessionBench::fail_at_random() {
  for (int s = 0; s < 2; ++s) {
    if (reset_left_[s] > 0 && --reset_left_[s] == 0) hold_in_reset(s, false);
    if (!sides_[s].in_reset && below(10'000) < plan.reset) {
      ++seen["reset"];
      hold_in_reset(s, true);
      reset_left_[s] = 2 + below(chance(20) ? 3'000 : 20);
    }
    if (cut_left_[s] > 0 && --cut_left_[s] == 0) cut(s, false);
    if (cut_left_[s] == 0 && below(10'000) < plan.cut) {
      ++seen["cut"];
      cut(s, true);
      cut_left_[s] = 1 + below(chance(30) ? 3'000 : 100);
    }
    if (sides_[s].paused > 0) --sides_[s].paused;
    if (below(10'000) < plan.pause) sides_[s].paused = below(500);
  }
}

void SessionBench::cycle() {
  fail_at_random();
  LinkPins& link = pins_->link();
  for (int s = 0; s < 2; ++s) {
    offer(s);
    return_credits(s);
  }
  link.settle();
  for (int s = 0; s < 2; ++s) {
    if (sides_[s].offering && link.tx_ready(s)) sides_[s].vc[sides_[s].last_vc].words.pop_front();
  }
  link.edge();
  ++cycles;
  for (int s = 0; s < 2; ++s) {
    if (sides_[s].in_reset) continue;
    receive(s);
    take_credits(s);
  }
}

void SessionBench::offer(int s) {
  Side& side = sides_[s];
  side.offering = false;
  if (side.in_reset || side.paused > 0 || !chance(plan.send)) return;
  for (Vc& vc : side.vc) {
    if (!vc.words.empty() || vc.to_send == 0 || vc.credits < pins_->max_payload() / 16 + 2) continue;
    const uint32_t number = next_number_++;
    for (int place = 0; place < length_of(number); ++place) vc.words.push_back(word_of(number, place));
    vc.words_in_all = vc.words.size();
    vc.credits -= length_of(number);
    --vc.to_send;
  }
  const bool has0 = !side.vc[0].words.empty(), has1 = !side.vc[1].words.empty();
  if (!has0 && !has1) return;
  const int v = has0 && has1 ? 1 - side.last_vc : (has1 ? 1 : 0);
  side.last_vc = v;
  side.offering = true;
  const Word& word = side.vc[v].words.front();
  const size_t left = side.vc[v].words.size();
  pins_->link().tx(s, {v, left == side.vc[v].words_in_all, left == 1, false, word});
}

void SessionBench::return_credits(int s) {
  Side& side = sides_[s];
  if (side.in_reset) return;
  for (Vc& vc : side.vc) {
    if (vc.held > 0 && chance(plan.drain)) {
      --vc.held;
      ++vc.freed;
    }
  }
  const int v = side.vc[0].freed == 0 || (side.vc[1].freed > 0 && chance(50)) ? 1 : 0;
  if (side.vc[v].freed == 0) return;
  pins_->link().credit(s, v, side.vc[v].freed);
  side.vc[v].freed = 0;
}

void SessionBench::receive(int s) {
  const std::optional<RouterWord> word = pins_->link().rx(s);
  if (!word) return;
  ++words_received_;
  Vc& vc = sides_[s].vc[word->vc];
  ASSERT_LE(++vc.held, buffer_) << "the buffer of side " << s << " overflows, cycle " << cycles;
  ASSERT_EQ(word->sop, !vc.in_packet) << "cycle " << cycles;
  if (word->sop) {
    // Where words vanished behind a frame, others are taken for the header; the CRC finds that.
    vc.whole = word->data == word_of(word->data[0], 0);
    if (vc.whole) {
      ASSERT_GT(word->data[0], vc.number) << "out of order, cycle " << cycles;
      vc.number = word->data[0];
      ASSERT_LT(vc.number, next_number_) << "never sent";
    } else {
      ++seen["wrong header"];
    }
    vc.place = 0;
    vc.length = (static_cast<int>(word->data[1] >> 16 & 0x3FF) + 15) / 16 + 2;
    vc.in_packet = true;
  }
  const bool footer = vc.place + 1 == vc.length;
  ASSERT_EQ(word->eop, footer) << "cycle " << cycles;
  if (word->data != word_of(vc.number, vc.place)) vc.whole = false;
  ++vc.place;
  if (!footer) return;
  vc.in_packet = false;
  if ((word->data[3] & kBadMark) != 0) {
    ++totals_.bad;
    ++seen["bad packet"];
  } else {
    ASSERT_TRUE(vc.whole) << "damaged and not marked, cycle " << cycles;
    ++totals_.good;
  }
}

void SessionBench::take_credits(int s) {
  const std::optional<RouterCredit> credit = pins_->link().credit_out(s);
  if (!credit) return;
  Vc& vc = sides_[s].vc[credit->vc];
  vc.credits += credit->count;
  ASSERT_LE(vc.credits, buffer_) << "credits from nowhere at side " << s << ", cycle " << cycles;
}

}  // namespace fabrictwin::test
