// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The producer of the ring from the board, before a bus that takes addresses and data in any order and writes the
// memory in any order before it answers. A consumer looks at the memory after each write of 64 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "VShellParts__inputs.h"
#include "tests/rtl/module_test.h"
#include "tests/rtl/shell/axi_rules.h"

namespace fabrictwin::test {
namespace {

constexpr uint32_t kRingSlots = 8;
constexpr uint64_t kRingBase = 0xfffe'0000'8000;
constexpr uint32_t kSlaveError = 2;

class ShellRingWriter : public ModuleTest<VShellParts> {
 protected:
  struct Record {
    SlotHalves halves;
  };

  ShellRingWriter() : ModuleTest(45) {
    model_.writer_base_i = kRingBase;
    begin();
  }

  void begin() {
    memory_ = {};
    model_.writer_aw_ready_i = model_.writer_w_ready_i = model_.writer_b_valid_i = 0;
    model_.writer_consumed_i = 0;
    model_.rst_ni = 0;
    edge();
    for (int i = 0; i < 3; ++i) {
      model_.writer_enable_i = model_.writer_valid_i = 1;
      edge();
      EXPECT_FALSE(model_.writer_aw_valid_o || model_.writer_w_valid_o) << "an access in reset";
    }
    model_.writer_valid_i = 0;
    model_.rst_ni = 1;
    model_.eval();
    address_channel_.reset();
    data_channel_.reset();
    address_.reset();
    beats_.clear();
    writes_.clear();
    taken_.clear();
    visible_ = consumed_ = 0;
    answer_due_ = false;
    bursts_ = 0;
  }

  Record any_record() {
    Record record{};
    for (uint64_t& half : record.halves) {
      const uint64_t high = random_();
      half = high << 32 | random_();
    }
    return record;
  }
  uint64_t stamp_of(uint32_t record) const {
    return (taken_[record].halves[7] & ~kOwner) | ((record & kRingSlots) == 0 ? kOwner : 0);
  }

  /// Offers a record, or what is no record.
  void offer(const std::optional<Record>& record) {
    const Record bits = record.has_value() ? *record : any_record();
    for (size_t h = 0; h < kSlotHalves; ++h) {
      model_.writer_record_i[2 * h] = static_cast<uint32_t>(bits.halves[h]);
      model_.writer_record_i[2 * h + 1] = static_cast<uint32_t>(bits.halves[h] >> 32);
    }
    model_.writer_valid_i = record.has_value();
  }

  /// A cycle, in which the slave is ready to take an address, a beat, and to answer. True if the record that is offered
  /// was taken.
  bool cycle(bool take_address, bool take_data, bool answer) {
    model_.writer_aw_ready_i = take_address && !answer_due_ && !address_.has_value();
    model_.writer_w_ready_i = take_data && !answer_due_ && (beats_.empty() || !beats_.back().last);
    if (answer_due_ && writes_.empty() && answer && !model_.writer_b_valid_i) {
      model_.writer_b_valid_i = 1;
      model_.writer_b_response_i = response_ ? response_() : 0;
    }
    if (!model_.writer_b_valid_i) model_.writer_b_response_i = random_() % 4;
    model_.eval();
    address_channel_.look(model_.writer_aw_valid_o, model_.writer_aw_ready_i, bits_of(model_.writer_aw_o));
    std::vector<uint32_t> payload = bits_of(model_.writer_w_data_o);
    payload.push_back(model_.writer_w_strobe_o);
    payload.push_back(model_.writer_w_last_o);
    data_channel_.look(model_.writer_w_valid_o, model_.writer_w_ready_i, payload);
    if (answer_due_) {
      EXPECT_FALSE(model_.writer_aw_valid_o || model_.writer_w_valid_o) << "a second write before the answer";
    }
    if (answer_due_ || address_.has_value() || !beats_.empty() || model_.writer_aw_valid_o || model_.writer_w_valid_o) {
      EXPECT_FALSE(model_.writer_quiet_o);
    }
    if (model_.writer_aw_valid_o && model_.writer_aw_ready_i) {
      address_ = AxiAddress(model_.writer_aw_o);
      address_->check(kRingBase, kRingSlots);
    }
    if (model_.writer_w_valid_o && model_.writer_w_ready_i) {
      Beat beat{{}, static_cast<uint16_t>(model_.writer_w_strobe_o), model_.writer_w_last_o != 0};
      for (size_t h = 0; h < 2; ++h)
        beat.halves[h] = model_.writer_w_data_o[2 * h] | uint64_t{model_.writer_w_data_o[2 * h + 1]} << 32;
      beats_.push_back(beat);
    }
    const bool answered = model_.writer_b_valid_i && model_.writer_b_ready_o;
    const bool taken = model_.writer_valid_i && model_.writer_ready_o;
    if (taken) {
      EXPECT_TRUE(model_.writer_enable_i);
      EXPECT_LT(taken_.size() - model_.writer_consumed_i, kRingSlots);
    }
    edge();
    if (answered) {
      model_.writer_b_valid_i = 0;
      answer_due_ = false;
    }
    if (address_.has_value() && !beats_.empty() && beats_.back().last) end_of_burst();
    model_.eval();
    return taken;
  }

  /// The memory is written at one place of those that wait, and the consumer looks.
  void write_memory(size_t which) {
    const Write write = writes_[which];
    writes_.erase(writes_.begin() + static_cast<ptrdiff_t>(which));
    memory_[write.slot][write.half] = write.value;
    look();
  }
  void write_all_memory() {
    while (!writes_.empty()) write_memory(0);
  }

  /// What the consumer sees: whole records, one after the other, and nothing else that changes.
  void look() {
    if (visible_ < taken_.size()) {
      const SlotHalves& slot = memory_[visible_ % kRingSlots];
      const bool owner = (slot[7] & kOwner) != 0;
      if (owner == ((visible_ & kRingSlots) == 0)) ++visible_;
    }
    const uint32_t first = visible_ < kRingSlots ? 0 : visible_ - kRingSlots + (visible_ < taken_.size() ? 1 : 0);
    for (uint32_t record = first; record < visible_; ++record) {
      const SlotHalves& slot = memory_[record % kRingSlots];
      for (size_t h = 0; h < 7; ++h)
        ASSERT_EQ(slot[h], taken_[record].halves[h]) << "record " << record << ", half " << h;
      ASSERT_EQ(slot[7], stamp_of(record)) << "record " << record;
    }
  }

  struct Write {
    size_t slot;
    size_t half;
    uint64_t value;
  };
  struct Beat {
    std::array<uint64_t, 2> halves;
    uint16_t strobe;
    bool last;
  };

  std::array<SlotHalves, kRingSlots> memory_{};
  std::vector<Write> writes_;  ///< Of the burst that was taken, not yet in memory.
  std::vector<Record> taken_;
  uint32_t visible_ = 0;  ///< Records that the consumer has seen.
  uint32_t consumed_ = 0;
  std::function<uint32_t()> response_;
  bool answer_due_ = false;
  int bursts_ = 0;
  std::optional<AxiAddress> address_;
  std::vector<Beat> beats_;

 private:
  void end_of_burst() {
    EXPECT_EQ(beats_.size(), address_->length + 1) << "the last beat is another one than the address said";
    for (size_t b = 0; b < beats_.size(); ++b) {
      const uint64_t at = address_->address + 16 * b - kRingBase;
      for (size_t h = 0; h < 2; ++h) {
        const unsigned strobe = beats_[b].strobe >> (8 * h) & 0xff;
        EXPECT_TRUE(strobe == 0 || strobe == 0xff) << "a write of less than 64 bits";
        if (strobe != 0) writes_.push_back({at / 64, at % 64 / 8 + h, beats_[b].halves[h]});
      }
    }
    address_.reset();
    beats_.clear();
    answer_due_ = true;
    ++bursts_;
  }

  StableChannel address_channel_;
  StableChannel data_channel_;
};

// An address before, among and after the beats of its data; and all orders in which the beats, or the halves of two of
// them, come to memory.
TEST_F(ShellRingWriter, ShowsWholeRecordsInAnyOrderOfTheBus) {
  constexpr size_t kBodyWrites = 7;
  std::vector<size_t> order(kBodyWrites);
  for (int address_after = 0; address_after <= 4; ++address_after) {
    std::iota(order.begin(), order.end(), size_t{0});
    uint64_t orders = 0;
    do {
      model_.writer_consumed_i = static_cast<uint32_t>(taken_.size());
      const Record record = any_record();
      offer(record);
      ASSERT_TRUE(cycle(false, false, false));
      taken_.push_back(record);
      offer({});
      // The body, the record's number seen by nobody.
      for (int i = 0; !answer_due_; ++i) {
        ASSERT_LT(i, 20);
        const bool late = static_cast<int>(beats_.size()) >= address_after;
        cycle(late || address_.has_value(), true, false);
      }
      ASSERT_EQ(writes_.size(), kBodyWrites);
      const std::vector<Write> writes = writes_;
      for (size_t i = 0; i < writes.size(); ++i) {
        cycle(true, true, true);
        writes_ = {writes[order[i]]};
        ASSERT_NO_FATAL_FAILURE(write_memory(0));
        ASSERT_EQ(visible_, taken_.size() - 1);
        if (i + 1 < writes.size()) writes_ = {writes[order[i + 1]]};
      }
      // The answer, and then the stamp, of which the address or the data come first.
      const bool data_first = address_after % 2 == 1;
      for (int i = 0; !(answer_due_ && writes_.size() == 1); ++i) {
        ASSERT_LT(i, 20);
        cycle(!data_first || !beats_.empty(), data_first || address_.has_value(), true);
      }
      ASSERT_NO_FATAL_FAILURE(write_memory(0));
      ASSERT_EQ(visible_, taken_.size());
      while (!model_.writer_quiet_o) cycle(false, false, true);
      ++orders;
      // All orders for one place of the address; a part of them for the others.
      if (address_after != 2) {
        for (int i = 0; i < 50; ++i) std::next_permutation(order.begin(), order.end());
        if (orders == 100) break;
      }
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_GE(orders, address_after == 2 ? 5040u : 100u);
    ASSERT_FALSE(HasFailure());
  }
}

TEST_F(ShellRingWriter, WritesWhatIsOfferedWithAnyStalls) {
  std::optional<Record> offered;
  offer({});
  unsigned speed = 50;
  unsigned hunger = 50;
  int disabled = 0;
  for (int step = 0; step < 200'000; ++step) {
    if (step % 500 == 0) {
      speed = 5 + static_cast<unsigned>(draw(96));
      hunger = static_cast<unsigned>(draw(40));
    }
    if (!offered.has_value() && chance(40)) {
      offered = any_record();
      offer(offered);
    } else if (!offered.has_value()) {
      offer({});
    }
    if (disabled > 0) --disabled;
    if (disabled == 0 && chance(1)) disabled = draw(100);
    model_.writer_enable_i = disabled == 0;
    if (consumed_ < visible_ && chance(hunger)) ++consumed_;
    if (chance(30)) model_.writer_consumed_i = consumed_;
    // Some slaves want to see both before they take either.
    model_.eval();
    const bool both = model_.writer_aw_valid_o && model_.writer_w_valid_o;
    const bool take_address = chance(speed);
    const bool take_data = chance(speed);
    const bool answer = chance(speed);
    const bool taken = step % 3000 < 500 ? cycle(both || !beats_.empty(), both || address_.has_value(), answer)
                                         : cycle(take_address, take_data, answer);
    if (taken) {
      taken_.push_back(*offered);
      offered.reset();
      offer({});
    } else if (offered.has_value() && taken_.size() - model_.writer_consumed_i == kRingSlots && model_.writer_quiet_o) {
      ++seen_["full"];
    }
    while (!writes_.empty() && chance(speed)) {
      ASSERT_NO_FATAL_FAILURE(write_memory(static_cast<size_t>(draw(static_cast<int>(writes_.size())))));
    }
    if (!beats_.empty() && !address_.has_value()) ++seen_["data first"];
    if (beats_.empty() && address_.has_value()) ++seen_["address first"];
    if (disabled > 60 && model_.writer_quiet_o && offered.has_value()) ++seen_["disabled"];
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(visible_, 5000u);
  for (const char* corner : {"full", "data first", "address first", "disabled"})
    EXPECT_GT(seen_[corner], 500) << corner;
}

TEST_F(ShellRingWriter, WaitsForTheConsumerOfAFullRing) {
  for (uint32_t record = 0; record < kRingSlots; ++record) {
    const Record next = any_record();
    offer(next);
    for (int i = 0; !cycle(true, true, true); ++i) {
      ASSERT_LT(i, 30);
      write_all_memory();
    }
    taken_.push_back(next);
  }
  const auto run = [&](int cycles) {
    for (int i = 0; i < cycles; ++i) {
      if (cycle(true, true, true)) return true;
      write_all_memory();
    }
    return false;
  };
  EXPECT_FALSE(run(100));
  EXPECT_EQ(visible_, kRingSlots);
  EXPECT_TRUE(model_.writer_quiet_o);
  const int bursts = bursts_;
  model_.writer_consumed_i = 1;
  EXPECT_TRUE(run(2));
  taken_.push_back(any_record());
  for (size_t h = 0; h < kSlotHalves; ++h)
    taken_.back().halves[h] = model_.writer_record_i[2 * h] | uint64_t{model_.writer_record_i[2 * h + 1]} << 32;
  EXPECT_FALSE(run(100)) << "there is place for one more only";
  EXPECT_EQ(bursts_, bursts + 2);
  EXPECT_EQ(visible_, kRingSlots + 1);
}

TEST_F(ShellRingWriter, StopsAfterAnError) {
  for (const bool stamp : {false, true}) {
    begin();
    const Record record = any_record();
    offer(record);
    response_ = [&] { return bursts_ == (stamp ? 2 : 1) ? kSlaveError : 0; };
    ASSERT_TRUE(cycle(true, true, true));
    taken_.push_back(record);
    for (int i = 0; i < 100; ++i) {
      EXPECT_FALSE(cycle(true, true, true)) << "a record is taken";
      write_all_memory();
    }
    EXPECT_TRUE(model_.writer_error_o);
    EXPECT_TRUE(model_.writer_quiet_o);
    EXPECT_EQ(bursts_, stamp ? 2 : 1);
    EXPECT_EQ(visible_, stamp ? 1 : 0);
    ASSERT_FALSE(HasFailure());
  }
}

}  // namespace
}  // namespace fabrictwin::test
