// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Packer and aligner of a link alone: what goes in comes out in order, and at the cycle that it should.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>

#include "VApelinkParts__inputs.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

using Units = std::array<uint32_t, 4>;

class ApelinkParts : public ModuleTest<VApelinkParts> {
 protected:
  ApelinkParts() : ModuleTest(17) { reset(); }

  void reset() {
    model_.count_i = 0;
    model_.s_tvalid_i = 0;
    model_.take_i = 0;
    ModuleTest::reset();
  }
  template <class Pin>
  void put(Pin& pin, const Units& units) {
    for (size_t u = 0; u < 4; ++u) pin[u] = units[u];
  }
  template <class Pin>
  Units get(const Pin& pin) {
    return {pin[0], pin[1], pin[2], pin[3]};
  }
  Units random_units() {
    return {static_cast<uint32_t>(random_()), static_cast<uint32_t>(random_()), static_cast<uint32_t>(random_()),
            static_cast<uint32_t>(random_())};
  }
};

TEST_F(ApelinkParts, PackerMakesWordsOfUnits) {
  std::deque<uint32_t> units;  // That have not left in a word.
  bool word = false;           // The first four of them are in the output register.
  unsigned ready_chance = 50;
  for (int step = 0; step < 50'000; ++step) {
    if (step % 50 == 0) {
      ready_chance = random_() % 3 * 49 + 2;
      if (chance(5)) {
        reset();
        units.clear();
        word = false;
      }
    }
    model_.m_tready_i = chance(ready_chance);
    model_.count_i = 0;
    model_.eval();
    const size_t waiting = units.size() - (word ? 4 : 0);
    ASSERT_EQ(model_.fill_o, waiting) << step;
    ASSERT_EQ(model_.m_tvalid_o, word) << step;
    const bool ready = !word || model_.m_tready_i;
    ASSERT_EQ(model_.ready_o, ready) << step;
    if (word) {
      ASSERT_EQ(get(model_.m_tdata_o), (Units{units[0], units[1], units[2], units[3]})) << step;
    }
    // What would make a word waits for a slot for it.
    const size_t count = std::min<size_t>(random_() % 5, ready ? 4 : 3 - waiting);
    const Units more = random_units();
    put(model_.units_i, more);
    model_.count_i = static_cast<uint8_t>(count);
    if (word && model_.m_tready_i) {
      units.erase(units.begin(), units.begin() + 4);
      word = false;
    } else if (word) {
      ++seen_["stalled"];
    }
    units.insert(units.end(), more.begin(), more.begin() + static_cast<std::ptrdiff_t>(count));
    if (!word && waiting + count >= 4) {
      word = true;
      ++seen_["fill " + std::to_string(waiting) + " and " + std::to_string(count)];
    }
    edge();
  }
  EXPECT_GT(seen_["stalled"], 1000);
  for (const char* corner : {"fill 0 and 4", "fill 1 and 3", "fill 1 and 4", "fill 2 and 2", "fill 2 and 3",
                             "fill 2 and 4", "fill 3 and 1", "fill 3 and 2", "fill 3 and 3", "fill 3 and 4"})
    EXPECT_GT(seen_[corner], 100) << corner;
}

TEST_F(ApelinkParts, AlignerShowsTheNextUnits) {
  std::deque<uint32_t> units;  // Accepted and not taken.
  Units offer{};
  bool offered = false;
  unsigned offer_chance = 50, take_chance = 50;
  for (int step = 0; step < 50'000; ++step) {
    if (step % 50 == 0) {
      offer_chance = random_() % 3 * 49 + 2;
      take_chance = random_() % 3 * 49 + 2;
      if (chance(5)) {
        reset();
        units.clear();
        offered = false;
      }
    }
    // What is offered stays until it is accepted.
    if (!offered) {
      offered = chance(offer_chance);
      offer = random_units();
    }
    model_.s_tvalid_i = offered;
    put(model_.s_tdata_i, offer);
    model_.take_i = 0;
    model_.eval();
    // The window reaches into the offered word, but only behind one that is inside.
    std::deque<uint32_t> there = units;
    if (offered && !units.empty()) there.insert(there.end(), offer.begin(), offer.end());
    const size_t available = std::min<size_t>(there.size(), 4);
    ASSERT_EQ(model_.available_o, available) << step;
    const Units window = get(model_.window_o);
    for (size_t u = 0; u < available; ++u) ASSERT_EQ(window[u], there[u]) << step << ", unit " << u;
    const size_t take = chance(take_chance) ? random_() % (available + 1) : 0;
    model_.take_i = static_cast<uint8_t>(take);
    model_.eval();
    const bool ready = take >= units.size();
    ASSERT_EQ(model_.s_tready_o, ready) << step;
    ++seen_["take " + std::to_string(take) + " of " + std::to_string(units.size())];
    if (ready && offered) {
      units.insert(units.end(), offer.begin(), offer.end());
      offered = false;
    } else if (offered) {
      ++seen_["held up"];
    }
    units.erase(units.begin(), units.begin() + static_cast<std::ptrdiff_t>(take));
    edge();
  }
  for (const char* corner : {"held up", "take 0 of 0", "take 4 of 4", "take 3 of 4", "take 1 of 1", "take 4 of 1",
                             "take 2 of 1", "take 4 of 2", "take 4 of 3", "take 3 of 3"})
    EXPECT_GT(seen_[corner], 100) << corner;
}

}  // namespace
}  // namespace fabrictwin::test
