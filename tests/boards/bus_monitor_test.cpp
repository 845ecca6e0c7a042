// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/boards/bus_monitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rtl/shell/shell_registers.h"

namespace fabrictwin::tests::boards {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace registers = rtl::shell::registers;

constexpr uint64_t kRings = 0x10000;
constexpr uint32_t kSlots = 8;
constexpr uint64_t kFromBoard = kRings + kSlots * 64;
constexpr uint64_t kOwner = uint64_t{1} << 63;
constexpr uint64_t kStatusControl = uint64_t{17} << 32;

class BusMonitorTest : public ::testing::Test {
 protected:
  /// What an agent does before a run.
  void begin(uint32_t run = 1) {
    monitor_.write(registers::kRunOffset, 4, 0);
    monitor_.read(registers::kStatusRunOffset, 4, 0);
    for (uint64_t slot = 0; slot < uint64_t{2} * kSlots; ++slot) monitor_.write(kRings + slot * 64 + 56, 8, 0);
    monitor_.write(registers::kModeOffset, 4, 0);
    monitor_.write(registers::kRunOffset, 4, run);
    monitor_.read(registers::kStatusRunOffset, 4, run);
  }
  void send(uint64_t slot, uint64_t owner = kOwner) {
    monitor_.write(kRings + slot * 64 + 48, 8, 1);
    monitor_.write(kRings + slot * 64 + 56, 8, owner);
  }
  /// Takes a status that says so many records were consumed.
  void take_status(uint64_t slot, uint64_t consumed, uint64_t owner = kOwner) {
    monitor_.read(kFromBoard + slot * 64 + 56, 8, owner);
    monitor_.read(kFromBoard + slot * 64 + 48, 8, kStatusControl);
    monitor_.read(kFromBoard + slot * 64 + 8, 8, consumed);
  }
  void expect_violation(const std::string& text) {
    EXPECT_THAT(monitor_.texts(), ElementsAre(HasSubstr(text)));
    EXPECT_EQ(monitor_.violations(), 1u);
  }

  BusMonitor monitor_{{.bytes = 0x20000, .ring_offset = kRings, .slots = kSlots, .ports = 7}};
};

TEST_F(BusMonitorTest, WhatAnAgentDoesIsAllowed) {
  for (uint32_t run = 1; run <= 2; ++run) {
    begin(run);
    for (uint64_t lap = 0; lap < 3; ++lap) {
      for (uint64_t slot = 0; slot < kSlots; ++slot) send(slot, lap % 2 == 0 ? kOwner : 0);
      monitor_.read(kFromBoard + lap * 64 + 56, 8, 0);
      take_status(lap, (lap + 1) * kSlots);
      monitor_.read(kFromBoard + (lap + 1) * 64 + 56, 8, 0);
      monitor_.write(registers::kFromBoardConsumedOffset, 4, lap + 1);
    }
    monitor_.read(registers::kHeartbeatOffset, 4, 7);
    monitor_.read(registers::kStallsOffset + 24, 4, 7);
  }
  EXPECT_THAT(monitor_.texts(), IsEmpty());
  EXPECT_EQ(monitor_.summary(), "reads 4 B: 8, 8 B: 30; writes 4 B: 12, 8 B: 128");
}

TEST_F(BusMonitorTest, OtherSizesAreNot) {
  monitor_.read(registers::kVersionOffset, 1, 0);
  monitor_.read(registers::kVersionOffset, 8, 0);
  monitor_.write(registers::kModeOffset + 2, 4, 0);
  monitor_.write(kRings, 4, 0);
  monitor_.write(kRings + 4, 8, 0);
  EXPECT_THAT(monitor_.texts(), ElementsAre(HasSubstr("a read of 1 bytes at 0x4, where aligned ones of 4"),
                                            HasSubstr("of 8 bytes at 0x4"), HasSubstr("a write of 4 bytes at 0x3e"),
                                            HasSubstr("of 4 bytes at 0x10000"),
                                            HasSubstr("of 8 bytes at 0x10004, where aligned ones of 8")));
}

TEST_F(BusMonitorTest, OtherPlacesAreNot) {
  monitor_.read(0x7c, 4, 0);
  monitor_.read(registers::kPortOffset + 28, 4, 0);
  monitor_.write(registers::kHeartbeatOffset, 4, 0);
  monitor_.read(0x20000, 4, 0);
  EXPECT_THAT(monitor_.texts(),
              ElementsAre(HasSubstr("a read at 0x7c, where there is neither a register nor a ring"), HasSubstr("0x11c"),
                          HasSubstr("a write to 0x24, which can only be read"), HasSubstr("where there is no window")));
}

TEST_F(BusMonitorTest, RegistersOfARunStay) {
  begin();
  monitor_.write(registers::kModeOffset, 4, 1);
  expect_violation("a write to 0x3c while run 1 is asked for");
}

TEST_F(BusMonitorTest, RingsWaitForTheBoard) {
  monitor_.write(registers::kRunOffset, 4, 0);
  monitor_.read(registers::kStatusRunOffset, 4, 5);
  monitor_.write(kRings + 56, 8, 0);
  expect_violation("a write to a ring before the board has said the run");
}

TEST_F(BusMonitorTest, ARunBeginsWithEmptyRings) {
  begin();
  send(0);
  monitor_.write(registers::kRunOffset, 4, 0);
  monitor_.write(registers::kRunOffset, 4, 2);
  expect_violation("run 2 is asked for while a stamp is not zero");
}

TEST_F(BusMonitorTest, TheStampIsLast) {
  begin();
  monitor_.write(kRings + 56, 8, kOwner);
  expect_violation("the stamp of slot 0 is written before the slot");
}

TEST_F(BusMonitorTest, StampsAreOfTheirLap) {
  begin();
  send(0, 0);
  expect_violation("the stamp of slot 0 is that of another lap");
}

TEST_F(BusMonitorTest, SlotsAreWrittenInOrder) {
  begin();
  monitor_.write(kRings + 64, 8, 0);
  expect_violation("a write to slot 1 instead of 0");
}

TEST_F(BusMonitorTest, AFullRingIsFull) {
  begin();
  for (uint64_t slot = 0; slot < kSlots; ++slot) send(slot);
  take_status(0, 1);
  send(0, 0);
  EXPECT_EQ(monitor_.violations(), 0u);
  send(1, 0);
  expect_violation("a record is written into a ring that is full");
}

TEST_F(BusMonitorTest, EachRingHasItsDirection) {
  begin();
  monitor_.read(kRings + 48, 8, 0);
  monitor_.write(kFromBoard + 48, 8, 0);
  EXPECT_THAT(monitor_.texts(), ElementsAre("a read of the ring to the board", "a write to the ring from the board"));
}

TEST_F(BusMonitorTest, ASlotIsReadAfterItsStamp) {
  begin();
  monitor_.read(kFromBoard + 56, 8, 0);
  monitor_.read(kFromBoard + 48, 8, 0);
  expect_violation("a read of slot 0 before its stamp has said that it is written");
}

TEST_F(BusMonitorTest, StampsAreReadInOrder) {
  begin();
  monitor_.read(kFromBoard + 64 + 56, 8, 0);
  expect_violation("a read of the stamp of slot 1 instead of 0");
}

TEST_F(BusMonitorTest, NoMoreIsTakenThanThereWas) {
  begin();
  take_status(0, 0);
  monitor_.write(registers::kFromBoardConsumedOffset, 4, 1);
  EXPECT_EQ(monitor_.violations(), 0u);
  monitor_.write(registers::kFromBoardConsumedOffset, 4, 2);
  expect_violation("2 records are said to be taken, and 1 were");
}

}  // namespace
}  // namespace fabrictwin::tests::boards
