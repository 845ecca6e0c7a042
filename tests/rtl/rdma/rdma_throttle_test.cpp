// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The reaction to congestion in RTL beside the model's, cycle by cycle, with random notices, cells and registers.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "VRdmaThrottle__inputs.h"
#include "models/nic/exanet/cca_throttle.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

using nic::exanet::CcaSettings;
using nic::exanet::CcaThrottle;

class RdmaThrottle : public ModuleTest<VRdmaThrottle> {
 protected:
  RdmaThrottle() : ModuleTest(41) {}

  /// Resets both, and writes the registers.
  void begin(const CcaSettings& settings) {
    reference_ = CcaThrottle(settings);
    ready_.fill(0);
    node_.fill(0);
    cycle_ = 0;
    quiet_inputs();
    model_.config_i = 0;
    reset();
    for (int k = 0; k < CcaSettings::kEntries; ++k) edge();
    for (size_t i = 0; i < CcaSettings::kEntries; i += 2) {
      model_.table_gaps_i[i / 2 % 4] = settings.table[i] | uint32_t{settings.table[i + 1]} << 16;
      model_.table_index_i = static_cast<uint8_t>(i / 8);
      model_.table_write_i = i % 8 == 6;
      edge();
    }
    model_.table_write_i = 0;
    model_.config_i = static_cast<uint64_t>(settings.timer) << 24 | uint64_t{settings.enabled} << 23 |
                      static_cast<uint64_t>(settings.shift) << 21 | static_cast<uint64_t>(settings.least) << 14 |
                      static_cast<uint64_t>(settings.limit) << 7 | static_cast<uint64_t>(settings.increase);
  }
  void quiet_inputs() {
    model_.table_write_i = 0;
    model_.notice_i = 0;
    model_.cell_i = 0;
    model_.begin_i = 0;
  }
  CcaSettings random_settings() {
    CcaSettings settings;
    settings.enabled = !chance(5);
    settings.least = chance(70) ? 0 : draw(20);
    settings.limit = settings.least + draw(128 - settings.least);
    settings.increase = draw(chance(20) ? 128 : 5);
    settings.timer = 1 + draw(3);
    settings.shift = draw(4);
    for (uint16_t& gap : settings.table) gap = static_cast<uint16_t>(draw(chance(5) ? 1 << 14 : 40));
    return settings;
  }
  void check() {
    model_.eval();
    uint32_t blocked = 0;
    for (size_t s = 0; s < ready_.size(); ++s) blocked |= uint32_t{ready_[s] > cycle_} << s;
    ASSERT_EQ(model_.blocked_o, blocked) << "cycle " << cycle_;
    const bool idle = blocked == 0 && reference_.settled(cycle_);
    ASSERT_EQ(model_.idle_o != 0, idle) << "cycle " << cycle_;
    seen_[idle ? "idle" : "busy"]++;
  }
  /// A cycle with a cell, a notice and the begin of a transfer, each with its chance in percent.
  void cycle(unsigned cell, unsigned notice, unsigned begin) {
    check();
    if (HasFatalFailure()) return;
    quiet_inputs();
    const auto slot = static_cast<size_t>(draw(16));
    const uint32_t node = random_node();
    // No transfer ends while its last cell's gap is looked up.
    const bool begins = chance(begin) && cycle_ >= looked_up_[slot];
    if (begins) {
      model_.begin_i = 1;
      model_.begin_slot_i = static_cast<uint8_t>(slot);
      seen_["begin"]++;
      model_.begin_node_i = static_cast<uint8_t>(node & 127);
      const bool waits = ready_[slot] > cycle_ && node_[slot] == (node & 127);
      model_.eval();
      ASSERT_EQ(model_.begin_waits_o != 0, waits);
      if (ready_[slot] > cycle_) seen_[waits ? "begin that waits" : "begin in a gap"]++;
      if (!waits) ready_[slot] = 0;
    }
    if (ready_[slot] <= cycle_ && chance(cell)) {
      const int words = 1 + draw(16);
      model_.cell_i = 1;
      model_.cell_slot_i = static_cast<uint8_t>(slot);
      model_.cell_node_i = static_cast<uint8_t>(node & 127);
      node_[slot] = node & 127;
      model_.cell_words_i = static_cast<uint8_t>(words);
      const int64_t next = reference_.sent(node, words, cycle_);
      ready_[slot] = next > 0 ? next - CcaThrottle::kChoice : 0;
      looked_up_[slot] = cycle_ + 3;
      seen_[ready_[slot] > 0 ? "gap" : "no gap"]++;
    }
    if (chance(notice)) {
      const uint32_t from = random_node();
      model_.notice_i = 1;
      model_.notice_node_i = static_cast<uint8_t>(from & 127);
      reference_.notice(from, cycle_);
      if (reference_.index(from, cycle_) == reference_.settings().limit) seen_["limit"]++;
    }
    edge();
    ++cycle_;
  }
  /// A few nodes most of the time, so that they share indices.
  uint32_t random_node() { return static_cast<uint32_t>(chance(80) ? draw(4) : draw(1 << 12)); }

  CcaThrottle reference_{CcaSettings{}};
  std::array<int64_t, 16> ready_{};
  std::array<int64_t, 16> looked_up_{};
  std::array<uint32_t, 16> node_{};
  int64_t cycle_ = 0;
};

TEST_F(RdmaThrottle, EqualsTheModel) {
  for (int round = 0; round < 60; ++round) {
    begin(random_settings());
    looked_up_.fill(0);
    for (int k = 0; k < 6000 && !HasFatalFailure(); ++k) {
      // Now and then nobody sends and all indices fall.
      const bool quiet = k % 3000 > 2000;
      cycle(quiet ? 0 : 40, quiet ? 0 : k % 1000 < 100 ? 50 : 1, quiet ? 0 : 2);
    }
    ASSERT_FALSE(HasFatalFailure()) << "round " << round;
  }
  for (const char* what : {"idle", "busy", "begin", "begin in a gap", "begin that waits", "gap", "no gap", "limit"})
    EXPECT_GT(seen_[what], 100) << what;
}

// An index that nobody asks for keeps falling while others rise, for longer than the numbers of periods last.
TEST_F(RdmaThrottle, AgesForEver) {
  CcaSettings settings;
  settings.enabled = true;
  settings.timer = 1;
  settings.table.fill(1);
  begin(settings);
  const auto notice = [&](uint32_t node) {
    check();
    quiet_inputs();
    model_.notice_i = 1;
    model_.notice_node_i = static_cast<uint8_t>(node);
    reference_.notice(node, cycle_);
    edge();
    ++cycle_;
  };
  for (int k = 0; k < 100; ++k) notice(7);
  for (int period = 0; period < 270 && !HasFatalFailure(); ++period) {
    notice(1);
    for (int64_t k = 1; k < CcaThrottle::kUnitCycles; ++k) cycle(0, 0, 0);
  }
  EXPECT_EQ(reference_.index(7, cycle_), 0);
  // Its cell is not held back.
  quiet_inputs();
  model_.cell_i = 1;
  model_.cell_node_i = 7;
  model_.cell_words_i = 16;
  edge();
  EXPECT_EQ(model_.blocked_o, 0u);
}

// The largest gap that a table can say: 18 words times 16383.
TEST_F(RdmaThrottle, LargestGap) {
  CcaSettings settings;
  settings.enabled = true;
  settings.least = 1;
  settings.table.fill(16383);
  begin(settings);
  model_.cell_i = 1;
  model_.cell_slot_i = 3;
  model_.cell_node_i = 0;
  model_.cell_words_i = 16;
  edge();
  quiet_inputs();
  int64_t cycles = 1;
  while (model_.blocked_o != 0 && cycles < 1'000'000) {
    edge();
    ++cycles;
  }
  EXPECT_EQ(cycles, 18 + 18 * 16383 - CcaThrottle::kChoice);
}

}  // namespace
}  // namespace fabrictwin::test
