// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The history of transfers against a reference that counts time without end, while time jumps and comes round.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>

#include "VRdmaHistory__inputs.h"
#include "tests/rtl/random_state_context.h"
#include "tests/rtl/rdma/random_source.h"

namespace fabrictwin::test {
namespace {

constexpr unsigned kEntries = 16;
constexpr int64_t kLifetime = 100;

struct Entry {
  uint64_t key;
  unsigned transfer;
  int64_t time;
};

class RdmaHistory : public testing::Test {
 protected:
  RdmaHistory() {
    zero_inputs(model_);
    model_.lifetime_i = kLifetime;
    edge();
    model_.rst_ni = 1;
    for (unsigned i = 0; i <= kEntries; ++i) edge();
  }
  void settle() {
    model_.time_i = static_cast<uint32_t>(time_ & ((1 << 28) - 1));
    model_.clk_i = 0;
    model_.eval();
  }
  void edge() {
    settle();
    model_.clk_i = 1;
    model_.eval();
  }
  /// Few keys, of which several share each entry; now and then another bit is set.
  uint64_t key() {
    uint64_t key = random_.below(32) << 1;
    if (random_.percent(30)) {
      key &= 6;
      key |= random_.below(2);
      return key | random_.below(4) << 31;
    }
    key |= random_.below(2) << 20;
    key |= random_.below(2) << 21;
    if (random_.percent(30)) key |= uint64_t{1} << random_.below(33);
    return key;
  }
  /// The channel, with the number of the node turned round.
  static unsigned place(uint64_t key) {
    uint64_t place = key >> 1 ^ key >> 21 ^ (key >> 31 & 3) ^ (key & 1) << 9;
    for (int b = 0; b < 10; ++b) place ^= (key >> (20 - b) & 1) << b;
    return static_cast<unsigned>(place & (kEntries - 1));
  }
  bool there(uint64_t key) const {
    const auto it = entries_.find(place(key));
    return it != entries_.end() && it->second.key == key && time_ - it->second.time < kLifetime;
  }

  RandomStateContext context_;
  VRdmaHistory model_{&context_};
  RandomSource random_{7};
  int64_t time_ = 0;
  std::map<unsigned, Entry> entries_;
};

TEST_F(RdmaHistory, KnowsWhatIsNotTooOld) {
  int found = 0, refused = 0, aged = 0, rounds = 0;
  for (int k = 0; k < 400000; ++k) {
    const int64_t before = time_;
    if (random_.percent(20)) time_ += static_cast<int64_t>(random_.below(20));
    if (random_.permille(10)) time_ += static_cast<int64_t>(random_.below(1 << 20));
    rounds += static_cast<int>((time_ >> 28) - (before >> 28));
    const bool offer = random_.percent(20);
    const uint64_t wanted = key();
    model_.offer_i = offer;
    model_.put_i = 0;
    if (offer) {
      model_.put_key_i = key();
      model_.put_transfer_i = static_cast<uint16_t>(random_.below(4096));
    }
    model_.find_key_i = wanted;
    edge();
    // The answers of what was asked for, at the time of the next edge.
    model_.offer_i = 0;
    model_.find_key_i = key();
    settle();
    ASSERT_EQ(model_.found_o, there(wanted)) << "cycle " << k << " time " << time_;
    if (model_.found_o) {
      ++found;
      ASSERT_EQ(model_.found_transfer_o, entries_.at(place(wanted)).transfer);
    } else if (entries_.contains(place(wanted)) && entries_.at(place(wanted)).key == wanted) {
      ++aged;
    }
    if (!offer) continue;
    const uint64_t put = model_.put_key_i;
    const auto it = entries_.find(place(put));
    const bool space = it == entries_.end() || it->second.key == put || time_ - it->second.time >= kLifetime;
    ASSERT_EQ(model_.space_o, space) << "cycle " << k;
    refused += !space;
    if (!space || random_.percent(10)) continue;
    model_.put_i = 1;
    edge();
    model_.put_i = 0;
    entries_[place(put)] = {put, model_.put_transfer_i, time_};
  }
  EXPECT_GT(found, 1000);
  EXPECT_GT(refused, 1000);
  EXPECT_GT(aged, 1000);
  EXPECT_GE(rounds, 4) << "time must come round";
}

TEST_F(RdmaHistory, IsIdleUntilHalfOfTheRangeIsOver) {
  settle();
  EXPECT_TRUE(model_.idle_o);
  time_ = (1 << 27) - 1;
  settle();
  EXPECT_TRUE(model_.idle_o);
  ++time_;
  settle();
  EXPECT_FALSE(model_.idle_o);
  unsigned edges = 0;
  while (!model_.idle_o && edges < 1000) {
    edge();
    settle();
    ++edges;
  }
  EXPECT_GE(edges, kEntries);
  EXPECT_LE(edges, kEntries + 2);
}

// Nothing of the time before counts: what is clear needs no further look.
TEST_F(RdmaHistory, IsIdleAsSoonAsItIsClearAfterReset) {
  time_ = 1 << 27;
  for (unsigned i = 0; i < 2 * kEntries; ++i) edge();
  time_ = 0;
  model_.rst_ni = 0;
  edge();
  model_.rst_ni = 1;
  unsigned edges = 0;
  for (settle(); !model_.ready_o && edges < 1000; settle(), ++edges) {
    EXPECT_FALSE(model_.idle_o);
    edge();
  }
  EXPECT_EQ(edges, kEntries);
  EXPECT_TRUE(model_.idle_o);
}

}  // namespace
}  // namespace fabrictwin::test
