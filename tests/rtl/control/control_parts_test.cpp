// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Event register and AXI4-Lite slave alone. The slave is in front of registers in C++, half of which exist.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>

#include "VControlParts__inputs.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

constexpr unsigned kOkay = 0, kSlaveError = 2;

class ControlParts : public ModuleTest<VControlParts> {
 protected:
  ControlParts() : ModuleTest(41) { reset(); }
  void reset() {
    model_.awvalid_i = model_.wvalid_i = model_.arvalid_i = 0;
    model_.bready_i = model_.rready_i = 0;
    ModuleTest::reset();
  }
};

TEST_F(ControlParts, EventsStayUntilTheyAreCleared) {
  std::array<bool, 5> events{};
  std::array<bool, 2> level{};
  std::array<unsigned, 3> count{};
  model_.level_i = model_.count_i = model_.clear_i = model_.ignore_i = 0;
  reset();
  int ignore = 0;
  for (int step = 0; step < 40'000; ++step) {
    // What is watched is in reset for two edges or more; it comes out of it with any level and count.
    if (ignore == 0 && chance(2)) ignore = 2 + static_cast<int>(random_() % 3);
    const bool ignored = ignore > 0;
    if (ignored) --ignore;
    model_.ignore_i = ignored;
    std::array<bool, 5> now{};
    for (size_t l = 0; l < 2; ++l) {
      const bool before = level[l];
      level[l] = chance(40);
      now[l] = level[l] && !before;
    }
    model_.level_i = static_cast<uint8_t>(level[0] | level[1] << 1);
    model_.count_i = 0;
    for (size_t c = 0; c < 3; ++c) {
      const unsigned by = chance(30) ? 1 + random_() % 3 : 0;
      count[c] += by;
      now[2 + c] = by != 0;
      model_.count_i |= static_cast<uint8_t>((count[c] & 3) << (2 * c));
    }
    model_.clear_i = 0;
    for (size_t e = 0; e < 5; ++e) {
      const bool clear = chance(30), event = now[e] && !ignored;
      model_.clear_i |= static_cast<uint8_t>(clear << e);
      if (event && clear) ++seen_["event while cleared"];
      if (clear && events[e] && !event) ++seen_["cleared"];
      if (now[e] && ignored) ++seen_["ignored"];
      events[e] = event || (events[e] && !clear);
    }
    edge();
    for (size_t e = 0; e < 5; ++e) ASSERT_EQ(model_.events_o >> e & 1, events[e]) << step << ", event " << e;
  }
  for (const char* corner : {"event while cleared", "cleared", "ignored"}) EXPECT_GT(seen_[corner], 500) << corner;
}

TEST_F(ControlParts, SlaveMakesEachAccessOnceAndAnswersIt) {
  // Registers 32 and above do not exist.
  std::array<uint32_t, 32> registers{}, expected{};
  struct Write {
    unsigned address;
    uint32_t data;
    unsigned strobes;
  };
  // Of the master: what it is at on each channel. Valid stays until the edge at which both are high.
  std::optional<Write> write;
  bool address_given = false, data_given = false, made = false;
  int read = -1;  // Address, or none.
  bool read_given = false;
  std::optional<uint32_t> answer;  // What the read must give, fixed when the registers are read.
  bool aw = false, w = false, ar = false;
  int writes = 0, reads = 0;
  for (int step = 0; step < 60'000; ++step) {
    if (!write.has_value() && chance(60)) {
      write = Write{static_cast<unsigned>(random_() % 64), static_cast<uint32_t>(random_()),
                    static_cast<unsigned>(random_() % 16)};
      address_given = data_given = made = aw = w = false;
    }
    if (read < 0 && chance(60)) {
      read = static_cast<int>(random_() % 64);
      read_given = ar = false;
    }
    // Address and data in any order, together or far apart.
    if (write.has_value()) {
      if (!aw && !address_given) aw = chance(40);
      if (!w && !data_given) w = chance(40);
    }
    if (read >= 0 && !ar && !read_given) ar = chance(50);
    model_.awvalid_i = aw;
    model_.awaddr_i =
        aw ? static_cast<uint8_t>(write->address << 2 | (random_() & 3)) : static_cast<uint8_t>(random_());
    model_.wvalid_i = w;
    model_.wdata_i = w ? write->data : static_cast<uint32_t>(random_());
    model_.wstrb_i = static_cast<uint8_t>(w ? write->strobes : random_() & 15);
    model_.arvalid_i = ar;
    model_.araddr_i = ar ? static_cast<uint8_t>(read << 2 | (random_() & 3)) : static_cast<uint8_t>(random_());
    model_.bready_i = chance(50);
    model_.rready_i = chance(50);
    model_.eval();
    model_.write_ok_i = model_.write_address_o < 32;
    model_.read_ok_i = model_.read_address_o < 32;
    model_.read_data_i = model_.read_ok_i ? registers[model_.read_address_o] : 0xdeadbeef;
    model_.eval();

    // The register side.
    bool writes_now = false;
    if (model_.write_o) {
      ASSERT_TRUE(write.has_value() && address_given && data_given && !made) << step << ": a write of nobody";
      ASSERT_EQ(model_.write_address_o, write->address);
      ASSERT_EQ(model_.write_data_o, write->data);
      uint32_t mask = 0;
      for (unsigned b = 0; b < 4; ++b) mask |= (write->strobes >> b & 1) != 0 ? 0xffu << (8 * b) : 0;
      ASSERT_EQ(model_.write_mask_o, mask);
      if (write->address < 32) {
        uint32_t& target = expected[write->address];
        target = (target & ~mask) | (write->data & mask);
      }
      writes_now = made = true;
    }
    // The answers.
    if (model_.bvalid_o) {
      ASSERT_TRUE(made && !writes_now) << step << ": an answer before the write";
      ASSERT_EQ(model_.bresp_o, write->address < 32 ? kOkay : kSlaveError) << step;
    }
    if (model_.rvalid_o) {
      ASSERT_TRUE(read >= 0 && read_given && answer.has_value()) << step;
      ASSERT_EQ(model_.rresp_o, read < 32 ? kOkay : kSlaveError) << step;
      ASSERT_EQ(model_.rdata_o, *answer) << step;
    }
    // One access at a time each way.
    if (address_given) {
      ASSERT_FALSE(model_.awready_o) << step;
    }
    if (data_given) {
      ASSERT_FALSE(model_.wready_o) << step;
    }
    if (read_given) {
      ASSERT_FALSE(model_.arready_o) << step;
    }

    const bool aw_taken = aw && model_.awready_o, w_taken = w && model_.wready_o, ar_taken = ar && model_.arready_o;
    const bool b_taken = model_.bvalid_o && model_.bready_i, r_taken = model_.rvalid_o && model_.rready_i;
    if (model_.bvalid_o && !model_.bready_i) ++seen_["answer waits"];
    if (aw_taken && w_taken) ++seen_["together"];
    if (aw_taken && !w_taken && !data_given) ++seen_["address first"];
    if (w_taken && !aw_taken && !address_given) ++seen_["data first"];
    // The read is made at the edge after the one that takes its address: what the registers hold then.
    if (read_given && !answer.has_value()) answer = read < 32 ? registers[static_cast<size_t>(read)] : 0;
    if (model_.write_o && model_.write_ok_i) {
      uint32_t& target = registers[model_.write_address_o];
      target = (target & ~model_.write_mask_o) | (model_.write_data_o & model_.write_mask_o);
    }
    edge();
    if (aw_taken) {
      aw = false;
      address_given = true;
    }
    if (w_taken) {
      w = false;
      data_given = true;
    }
    if (ar_taken) {
      ar = false;
      read_given = true;
    }
    if (b_taken) {
      ASSERT_EQ(registers, expected) << step;
      write.reset();
      address_given = data_given = made = false;
      ++writes;
    }
    if (r_taken) {
      read = -1;
      answer.reset();
      read_given = false;
      ++reads;
    }
  }
  EXPECT_GT(writes, 4000);
  EXPECT_GT(reads, 4000);
  for (const char* corner : {"answer waits", "together", "address first", "data first"})
    EXPECT_GT(seen_[corner], 300) << corner;
}

}  // namespace
}  // namespace fabrictwin::test
