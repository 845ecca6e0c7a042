// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The consumer of the ring to the board, before a memory that a producer changes between any two reads of 64 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>

#include "VShellParts__inputs.h"
#include "tests/rtl/module_test.h"
#include "tests/rtl/shell/axi_rules.h"

namespace fabrictwin::test {
namespace {

constexpr size_t kSlots = 8;
constexpr uint64_t kBase = 0x1'2345'6000;
constexpr uint32_t kOkay = 0;

class ShellRingReader : public ModuleTest<VShellParts> {
 protected:
  ShellRingReader() : ModuleTest(44) {
    model_.reader_base_i = kBase;
    begin();
  }

  /// An empty ring.
  void begin() {
    memory_ = {};
    model_.reader_enable_i = 0;
    model_.reader_ar_ready_i = model_.reader_r_valid_i = model_.reader_ready_i = 0;
    model_.rst_ni = 0;
    edge();
    for (int i = 0; i < 3; ++i) {
      model_.reader_enable_i = 1;
      model_.reader_ar_ready_i = 1;
      edge();
      EXPECT_FALSE(model_.reader_ar_valid_o) << "an access in reset";
    }
    model_.reader_enable_i = 0;
    model_.rst_ni = 1;
    model_.eval();
    beats_ = halves_ = 0;
    bursts_ = 0;
    was_enabled_ = false;
    was_valid_ = false;
    address_.reset();
    produced_ = handed_ = looked_ = 0;
  }

  SlotHalves any_slot() {
    SlotHalves slot;
    for (uint64_t& half : slot) {
      const uint64_t high = random_();
      half = high << 32 | random_();
    }
    slot[7] &= ~kOwner;
    return slot;
  }
  uint64_t owner(uint32_t record) const { return (record & kSlots) == 0 ? kOwner : 0; }
  uint64_t& half(uint32_t record, size_t index) { return memory_[record % kSlots][index]; }

  /// One half of a beat is read from memory.
  void read_half() {
    if (moment_) moment_();
    const uint64_t at = address_now_ - kBase;
    const uint64_t value = memory_[at / 64][at % 64 / 8 + static_cast<size_t>(halves_)];
    if (burst_beats_ == 1 && halves_ == 1) seen_produced_ = produced_;
    model_.reader_r_data_i[2 * halves_] = static_cast<uint32_t>(value);
    model_.reader_r_data_i[2 * halves_ + 1] = static_cast<uint32_t>(value >> 32);
    ++halves_;
  }

  /// A cycle of the bus and of the reader. Each step of the memory happens with a chance of `speed` percent.
  void cycle(unsigned speed = 100) {
    if (beats_ > 0 && !model_.reader_r_valid_i) {
      while (halves_ < 2 && (speed == 100 || chance(speed))) read_half();
      if (halves_ == 2) {
        model_.reader_r_valid_i = 1;
        model_.reader_r_last_i = beats_ == 1;
        model_.reader_r_response_i = response_ ? response_(burst_beats_, burst_beats_ - beats_) : kOkay;
      }
    }
    model_.reader_ar_ready_i = beats_ == 0 && (speed == 100 || chance(speed));
    model_.eval();
    address_.look(model_.reader_ar_valid_o, model_.reader_ar_ready_i, bits_of(model_.reader_ar_o));
    if (model_.reader_ar_valid_o) {
      EXPECT_EQ(beats_, 0) << "two reads at once";
      EXPECT_TRUE(was_valid_ || was_enabled_) << "a read begins without enable";
    }
    if (beats_ > 0 || model_.reader_ar_valid_o) {
      EXPECT_FALSE(model_.reader_quiet_o);
    }
    if (model_.reader_empty_o) {
      EXPECT_FALSE(model_.reader_valid_o);
      EXPECT_EQ(handed_, looked_);
    }
    was_enabled_ = model_.reader_enable_i;
    const bool ar = model_.reader_ar_valid_o && model_.reader_ar_ready_i;
    was_valid_ = model_.reader_ar_valid_o && !ar;
    const bool r = model_.reader_r_valid_i && model_.reader_r_ready_o;
    const AxiAddress address(model_.reader_ar_o);
    edge();
    if (r) {
      model_.reader_r_valid_i = 0;
      halves_ = 0;
      if (burst_beats_ == 1) looked_ = seen_produced_;
      --beats_;
      address_now_ += 16;
    }
    if (ar) {
      address.check(kBase, kSlots);
      address_now_ = address.address;
      burst_beats_ = beats_ = static_cast<int>(address.length) + 1;
      ++bursts_;
    }
    model_.eval();
  }

  /// Waits for the oldest record, compares and takes it.
  void take(const SlotHalves& slot, unsigned speed = 100) {
    for (int i = 0; !model_.reader_valid_o; ++i) {
      ASSERT_LT(i, 2000) << "no record comes";
      cycle(speed);
    }
    compare(slot);
    model_.reader_ready_i = 1;
    cycle(speed);
    model_.reader_ready_i = 0;
    ++handed_;
    ASSERT_EQ(model_.reader_consumed_o, handed_);
    ASSERT_FALSE(model_.reader_valid_o);
  }
  void compare(const SlotHalves& slot) {
    for (size_t h = 0; h < kSlotHalves; ++h) {
      const uint64_t expected = slot[h] | (h == 7 ? owner(handed_) : 0);
      ASSERT_EQ(model_.reader_record_o[2 * h] | uint64_t{model_.reader_record_o[2 * h + 1]} << 32, expected)
          << "record " << handed_ << ", half " << h;
    }
  }

  std::array<SlotHalves, kSlots> memory_{};
  std::function<void()> moment_;                           ///< Called before each read of 64 bits.
  std::function<uint32_t(int beats, int beat)> response_;  ///< By beats of the burst and number of the beat.
  uint32_t produced_ = 0;
  uint32_t handed_ = 0;
  uint32_t looked_ = 0;  ///< Produced when the reader last looked for a record.
  int bursts_ = 0;

 private:
  StableChannel address_;
  bool was_enabled_ = false;
  bool was_valid_ = false;
  uint32_t seen_produced_ = 0;  ///< Produced when the stamp was read that is on its way.
  uint64_t address_now_ = 0;
  int burst_beats_ = 0;
  int beats_ = 0;   ///< Beats left in the burst that is answered.
  int halves_ = 0;  ///< Halves of the beat that have been read.
};

// The producer makes its eight steps before any reads of the memory: of the first ten, in all ways. A slot that is read
// in one burst of 4 beats, the stamp with it, is torn in many of them.
TEST_F(ShellRingReader, TakesNoTornRecordInAnyInterleaving) {
  constexpr int kMoments = 10;
  model_.reader_enable_i = 1;
  uint64_t interleavings = 0;
  for (int pass = 0; pass < 2; ++pass) {
    // In the second pass each interleaving meets the other ownership bit.
    while (pass == 1 && handed_ % 16 != 8) {
      moment_ = nullptr;
      const SlotHalves slot = any_slot();
      memory_[handed_ % kSlots] = slot;
      half(handed_, 7) |= owner(handed_);
      ++produced_;
      ASSERT_NO_FATAL_FAILURE(take(slot));
    }
    std::array<int, kSlotHalves> position{};
    while (true) {
      const SlotHalves slot = any_slot();
      size_t done = 0;
      int now = 0;
      moment_ = [&] {
        for (; done < kSlotHalves && position[done] <= now; ++done) {
          half(handed_, done) = slot[done] | (done == 7 ? owner(handed_) : 0);
          if (done == 7) ++produced_;
        }
        ++now;
      };
      ASSERT_NO_FATAL_FAILURE(take(slot));
      ++interleavings;
      // The next sequence of positions that do not fall.
      size_t last = kSlotHalves;
      while (last > 0 && position[last - 1] == kMoments) --last;
      if (last == 0) break;
      std::fill(position.begin() + static_cast<ptrdiff_t>(last) - 1, position.end(), position[last - 1] + 1);
    }
  }
  EXPECT_EQ(interleavings, 2 * 43'758);  // Of 18 over 8.
}

TEST_F(ShellRingReader, TakesWhatIsProducedWithAnyStalls) {
  std::deque<SlotHalves> expected;
  size_t done = 0;  // Steps of the slot that is being written.
  SlotHalves slot{};
  const auto produce = [&] {
    if (done == 0) {
      if (produced_ - handed_ == kSlots) {
        ++seen_["full"];
        return;
      }
      slot = any_slot();
      // Some records leave the words alone.
      if (chance(30)) {
        std::copy_n(memory_[produced_ % kSlots].begin(), 6, slot.begin());
        done = 6;
      }
    }
    half(produced_, done) = slot[done] | (done == 7 ? owner(produced_) : 0);
    if (++done < kSlotHalves) return;
    done = 0;
    expected.push_back(slot);
    ++produced_;
  };
  unsigned pace = 50;
  moment_ = [&] {
    while (chance(pace)) produce();
  };
  int disabled = 0;
  for (int step = 0; step < 200'000; ++step) {
    if (step % 1000 == 0) pace = chance(30) ? 90 : static_cast<unsigned>(draw(60));
    if (chance(10)) produce();
    if (disabled > 0) --disabled;
    if (disabled == 0 && chance(1)) disabled = draw(100);
    model_.reader_enable_i = disabled == 0;
    const bool taken = model_.reader_valid_o && chance(40);
    model_.reader_ready_i = taken;
    if (taken) {
      ASSERT_FALSE(expected.empty());
      ASSERT_NO_FATAL_FAILURE(compare(expected.front()));
      expected.pop_front();
    }
    if (disabled > 40) {
      // What was under way has had the time to end now and then.
      ++seen_[model_.reader_quiet_o ? "quiet" : "not yet quiet"];
    }
    if (model_.reader_empty_o) ++seen_["empty"];
    cycle(taken ? 100 : 60);
    if (taken) ++handed_;
    ASSERT_EQ(model_.reader_consumed_o, handed_);
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(handed_, 5000u);
  for (const char* corner : {"full", "quiet", "empty"}) EXPECT_GT(seen_[corner], 500) << corner;
}

TEST_F(ShellRingReader, DoesNothingWithoutEnable) {
  memory_[0] = any_slot();
  half(0, 7) |= owner(0);
  for (int i = 0; i < 100; ++i) cycle();
  EXPECT_EQ(bursts_, 0);
  EXPECT_TRUE(model_.reader_quiet_o);
  EXPECT_FALSE(model_.reader_valid_o);
  EXPECT_FALSE(model_.reader_empty_o) << "nobody has looked";
}

// The beats of a burst that has begun come whatever the first of them says, and belong to no later read.
TEST_F(ShellRingReader, StopsAfterAnError) {
  for (int broken = -1; broken < 4; ++broken) {
    for (const uint32_t response : {2u, 3u}) {
      for (const unsigned speed : {100u, 40u}) {
        SCOPED_TRACE(broken);
        begin();
        model_.reader_enable_i = 1;
        moment_ = nullptr;
        response_ = nullptr;
        for (uint32_t record = 0; record < 3; ++record) {
          const SlotHalves slot = any_slot();
          memory_[record] = slot;
          half(record, 7) |= owner(record);
          ++produced_;
          if (record == 2) {
            response_ = [&](int beats, int beat) { return (beats == 1 ? -1 : beat) == broken ? response : kOkay; };
            break;
          }
          ASSERT_NO_FATAL_FAILURE(take(slot, speed));
        }
        for (int i = 0; !model_.reader_error_o; ++i) {
          ASSERT_LT(i, 500);
          cycle(speed);
        }
        const int bursts = bursts_;
        for (int i = 0; i < 100; ++i) {
          cycle(speed);
          ASSERT_TRUE(model_.reader_error_o);
          ASSERT_FALSE(model_.reader_valid_o);
        }
        EXPECT_EQ(bursts_, bursts);
        EXPECT_TRUE(model_.reader_quiet_o);
        EXPECT_FALSE(model_.reader_r_valid_i) << "a beat is left on the bus";
        EXPECT_EQ(model_.reader_consumed_o, 2u);
        if (HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace fabrictwin::test
