// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Two write masters at one port, against queues of what each has offered.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>

#include "VAxiWriteMux__inputs.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

struct Burst {
  uint64_t address = 0;
  uint32_t user = 0;
  int words = 0;
};

/// A master: offers an address and its words, in any order, and nothing of the next burst before both have been taken.
struct Master {
  Burst burst;
  bool busy = false, address_taken = false, word_offered = false;
  int taken = 0;  ///< Words of the burst.
  int finished = 0;
};

class AxiWriteMux : public ModuleTest<VAxiWriteMux> {
 protected:
  AxiWriteMux() : ModuleTest(17) { ModuleTest::reset(); }

  /// A word that says whose it is.
  static uint32_t word_of(size_t m, const Burst& burst, int i) {
    return static_cast<uint32_t>(burst.address * 31 + m * 7) + static_cast<uint32_t>(i);
  }
  void drive(size_t m, unsigned offers) {
    Master& master = masters_[m];
    if (!master.busy && chance(offers)) {
      const uint64_t address = (uint64_t{random_()} << 32 | random_()) & 0x7fffffffff;
      const Burst burst{address, static_cast<uint32_t>(random_() & 0x7ffff), 1 + draw(6)};
      master = {.burst = burst, .busy = true, .finished = master.finished};
    }
    const auto bit = static_cast<uint8_t>(1 << m);
    const bool address = master.busy && !master.address_taken;
    // A word may come later than the address, never earlier.
    if (master.busy && master.taken < master.burst.words && !master.word_offered) master.word_offered = chance(70);
    model_.awvalid_i = static_cast<uint8_t>((model_.awvalid_i & ~bit) | (address ? bit : 0));
    model_.wvalid_i = static_cast<uint8_t>((model_.wvalid_i & ~bit) | (master.word_offered ? bit : 0));
    model_.wlast_i = static_cast<uint8_t>((model_.wlast_i & ~bit) | (master.taken + 1 == master.burst.words ? bit : 0));
    const uint64_t address_bits = master.burst.address;
    for (size_t b = 0; b < 39; ++b) set(model_.awaddr_i, 39 * m + b, address_bits >> b & 1);
    model_.awlen_i = static_cast<uint16_t>((model_.awlen_i & ~(0xff << (8 * m))) | (master.burst.words - 1) << (8 * m));
    model_.awuser_i = (model_.awuser_i & ~(uint64_t{0x7ffff} << (19 * m))) | static_cast<uint64_t>(master.burst.user)
                                                                                 << (19 * m);
    for (size_t i = 0; i < 4; ++i) model_.wdata_i[4 * m + i] = word_of(m, master.burst, master.taken);
    model_.wstrb_i = (model_.wstrb_i & ~(0xffffu << (16 * m))) | (m == 0 ? 0x1234u : 0xabcdu << 16);
  }
  template <class Pins>
  static void set(Pins& pins, size_t bit, bool value) {
    pins[bit / 32] = (pins[bit / 32] & ~(1u << (bit % 32))) | static_cast<uint32_t>(value) << (bit % 32);
  }

  std::array<Master, 2> masters_;
};

TEST_F(AxiWriteMux, KeepsBurstsWholeAndAnswersWithTheirMasters) {
  struct Pending {
    size_t master;
    int answer;
  };
  std::deque<Pending> unanswered;
  int owner = -1;  ///< Whose burst is at the port.
  bool address_seen = false;
  int words_seen = 0;
  std::array<unsigned, 2> offers{50, 50};
  unsigned ready = 50, answer = 50;
  for (int step = 0; step < 60'000; ++step) {
    if (step % 100 == 0) {
      for (unsigned& o : offers) o = random_() % 3 * 49 + 1;
      ready = random_() % 3 * 40 + 20;
      answer = random_() % 3 * 45 + 5;
    }
    for (size_t m = 0; m < 2; ++m) drive(m, offers[m]);
    model_.awready_i = chance(ready);
    model_.wready_i = chance(ready);
    model_.bvalid_i = !unanswered.empty() && chance(answer);
    if (model_.bvalid_i) model_.bresp_i = static_cast<uint8_t>(unanswered.front().answer);
    model_.eval();
    ASSERT_EQ(model_.idle_o, unanswered.empty() && !address_seen && words_seen == 0 && owner < 0);
    // Responses.
    ASSERT_TRUE(model_.bready_o);
    if (model_.bvalid_i) {
      ASSERT_EQ(model_.bvalid_o, 1 << unanswered.front().master);
      ASSERT_EQ(model_.bresp_o, unanswered.front().answer);
      unanswered.pop_front();
    } else {
      ASSERT_EQ(model_.bvalid_o, 0);
    }
    // What the port takes.
    const bool takes_address = model_.awvalid_o && model_.awready_i;
    const bool takes_word = model_.wvalid_o && model_.wready_i;
    ASSERT_EQ(model_.awready_o & model_.awvalid_i, takes_address ? model_.awready_o & model_.awvalid_i : 0);
    if (model_.awvalid_o || model_.wvalid_o) {
      if (owner < 0) {
        const uint64_t address = model_.awaddr_o;
        ASSERT_TRUE(model_.awvalid_o) << "words before an address";
        owner = masters_[0].busy && !masters_[0].address_taken && masters_[0].burst.address == address ? 0 : 1;
        if (masters_[static_cast<size_t>(1 - owner)].busy) ++seen_["both want the port"];
        ++seen_[owner == 0 ? "granted 0" : "granted 1"];
      }
      Master& master = masters_[static_cast<size_t>(owner)];
      if (takes_address) {
        ASSERT_FALSE(address_seen);
        ASSERT_EQ(model_.awaddr_o, master.burst.address);
        ASSERT_EQ(model_.awlen_o + 1, master.burst.words);
        ASSERT_EQ(model_.awuser_o, master.burst.user);
        ASSERT_EQ(model_.awready_o, 1 << owner);
        address_seen = master.address_taken = true;
      }
      if (takes_word) {
        ASSERT_EQ(model_.wdata_o[3], word_of(static_cast<size_t>(owner), master.burst, master.taken));
        ASSERT_EQ(model_.wstrb_o, owner == 0 ? 0x1234 : 0xabcd);
        ASSERT_EQ(model_.wready_o, 1 << owner);
        ++words_seen;
        ++master.taken;
        master.word_offered = false;
        ASSERT_EQ(model_.wlast_o, words_seen == master.burst.words);
      }
      if (address_seen && words_seen == master.burst.words) {
        unanswered.push_back({static_cast<size_t>(owner), draw(4)});
        if (unanswered.size() == 4) ++seen_["as many in flight as can be"];
        ASSERT_LE(unanswered.size(), 4u);
        master.busy = false;
        ++master.finished;
        owner = -1;
        address_seen = false;
        words_seen = 0;
      }
    }
    if (!masters_[0].busy && !masters_[1].busy && model_.idle_o) ++seen_["idle"];
    edge();
  }
  for (const Master& master : masters_) EXPECT_GT(master.finished, 1000);
  for (const char* event : {"both want the port", "granted 0", "granted 1", "as many in flight as can be", "idle"})
    EXPECT_GT(seen_[event], 100) << event;
}

// Neither waits for more than one burst of the other, and a burst alone begins at once.
TEST_F(AxiWriteMux, IsFairAndAddsNoDelay) {
  model_.awready_i = model_.wready_i = 1;
  model_.awvalid_i = model_.wvalid_i = model_.wlast_i = 1;
  model_.eval();
  EXPECT_TRUE(model_.awvalid_o && model_.wvalid_o) << "at the same edge";
  EXPECT_EQ(model_.awready_o, 1);
  model_.awvalid_i = model_.wvalid_i = model_.wlast_i = 3;
  int last = -1;
  for (int step = 0; step < 100; ++step) {
    model_.bvalid_i = step > 0;
    model_.eval();
    ASSERT_EQ(model_.awready_o, model_.wready_o);
    const int granted = model_.awready_o == 2 ? 1 : 0;
    ASSERT_NE(granted, last);
    last = granted;
    edge();
  }
}

}  // namespace
}  // namespace fabrictwin::test
