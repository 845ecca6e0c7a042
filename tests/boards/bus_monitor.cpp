// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/boards/bus_monitor.h"

#include <algorithm>

#include "bridges/board/shell/record.h"
#include "cosim/link/record.h"
#include "fmt/format.h"
#include "rtl/shell/shell_registers.h"

namespace fabrictwin::tests::boards {
namespace {

namespace registers = rtl::shell::registers;
namespace shell = bridges::board::shell;

constexpr uint64_t kRegisterBytes = 0x1000;
constexpr uint32_t kControl = 6;
constexpr uint32_t kStamp = 7;
constexpr uint32_t kConsumedWord = 1;  ///< The word of a status that counts consumed records.
constexpr size_t kTexts = 20;

}  // namespace

BusMonitor::BusMonitor(const WatchedWindow& window) : window_(window), empty_(size_t{window.slots} * 2) {
  for (const uint32_t offset : {registers::kIdentificationOffset, registers::kVersionOffset, registers::kShapeOffset,
                                registers::kRingOffsetOffset, registers::kClockOffset, registers::kStatusRunOffset,
                                registers::kStatusOffset, registers::kErrorPortsOffset, registers::kHeartbeatOffset,
                                registers::kWaitingOffset, registers::kEndedOffset, registers::kLinkOffset}) {
    registers_[offset] = false;
  }
  registers_[registers::kRunOffset] = registers_[registers::kFromBoardConsumedOffset] = true;
  for (uint32_t offset = registers::kToBoardLowOffset; offset <= registers::kRoutingOffset; offset += 4)
    registers_[offset] = true;
  registers_[registers::kNodeOffset] = true;
  for (uint32_t clock = 0; clock < shell::kWordClocks; ++clock) {
    for (const uint32_t array : {registers::kWordPeriodLowOffset, registers::kWordPeriodHighOffset,
                                 registers::kWordNumeratorOffset, registers::kWordDenominatorOffset})
      registers_[array + clock * registers::kStride] = true;
  }
  for (uint32_t port = 0; port < window.ports; ++port) {
    registers_[registers::kPortOffset + port * registers::kStride] = true;
    registers_[registers::kStallsOffset + port * registers::kStride] = false;
  }
}

void BusMonitor::violate(const std::string& what) {
  ++violations_;
  if (texts_.size() < kTexts) texts_.push_back(what);
}

std::string BusMonitor::summary() const {
  std::string text;
  for (const size_t write : {0, 1}) {
    text += write == 0 ? "reads" : "; writes";
    for (const auto& [bytes, count] : accesses_[write])
      text += fmt::format("{} {} B: {}", text.back() == 's' ? "" : ",", bytes, count);
  }
  return text;
}

bool BusMonitor::fits(bool write, uint64_t offset, uint32_t bytes) {
  ++accesses_[write ? 1 : 0][bytes];
  const char* what = write ? "write" : "read";
  const bool rings = in_rings(offset);
  const uint32_t wanted = rings ? 8 : 4;
  if (bytes != wanted || offset % wanted != 0) {
    violate(
        fmt::format("a {} of {} bytes at {:#x}, where aligned ones of {} are allowed", what, bytes, offset, wanted));
    return false;
  }
  if (rings || (offset < kRegisterBytes && registers_.contains(offset))) return true;
  violate(fmt::format("a {} at {:#x}, where there is {}", what, offset,
                      offset < window_.bytes ? "neither a register nor a ring" : "no window"));
  return false;
}

BusMonitor::Place BusMonitor::place(uint64_t offset) const {
  const uint64_t at = offset - window_.ring_offset;
  return {at < ring_bytes() ? Ring::kToBoard : Ring::kFromBoard, static_cast<uint32_t>(at / 64 % window_.slots),
          static_cast<uint32_t>(at / 8 % 8)};
}

bool BusMonitor::is_this_lap(uint64_t stamp, uint32_t count) const {
  return ((stamp & link::Record::kOwnershipBit) != 0) == ((count & window_.slots) == 0);
}

void BusMonitor::read(uint64_t offset, uint32_t bytes, uint64_t value) {
  if (!fits(false, offset, bytes)) return;
  if (in_rings(offset)) return read_slot(place(offset), value);
  read_register(offset, value);
}

void BusMonitor::write(uint64_t offset, uint32_t bytes, uint64_t value) {
  if (!fits(true, offset, bytes)) return;
  if (in_rings(offset)) return write_slot(place(offset), value);
  write_register(offset, value);
}

void BusMonitor::read_register(uint64_t offset, uint64_t value) {
  if (offset == registers::kStatusRunOffset && value == run_) agreed_ = true;
}

void BusMonitor::write_register(uint64_t offset, uint64_t value) {
  if (!registers_[offset]) return violate(fmt::format("a write to {:#x}, which can only be read", offset));
  if (offset == registers::kRunOffset) return change_run(static_cast<uint32_t>(value));
  if (run_ == 0) return;
  if (offset != registers::kFromBoardConsumedOffset) {
    return violate(fmt::format("a write to {:#x} while run {} is asked for", offset, run_));
  }
  const uint32_t taken = taken_ + (ready_ ? 1 : 0);
  if (static_cast<int32_t>(taken - static_cast<uint32_t>(value)) < 0)
    violate(fmt::format("{} records are said to be taken, and {} were", value, taken));
}

void BusMonitor::change_run(uint32_t run) {
  agreed_ = false;
  run_ = run;
  if (run == 0) return;
  if (std::find(empty_.begin(), empty_.end(), false) != empty_.end())
    violate(fmt::format("run {} is asked for while a stamp is not zero", run));
  std::fill(empty_.begin(), empty_.end(), false);
  produced_ = consumed_ = taken_ = 0;
  control_written_ = ready_ = is_status_ = false;
}

void BusMonitor::read_slot(const Place& place, uint64_t value) {
  if (!agreed_) return violate("a read of a ring before the board has said the run");
  if (run_ == 0) return;
  if (place.ring == Ring::kToBoard) return violate("a read of the ring to the board");
  if (place.word == kStamp) {
    if (ready_) ++taken_;
    ready_ = is_status_ = false;
    if (place.slot != taken_ % window_.slots)
      return violate(fmt::format("a read of the stamp of slot {} instead of {}", place.slot, taken_ % window_.slots));
    ready_ = is_this_lap(value, taken_);
    return;
  }
  if (!ready_ || place.slot != taken_ % window_.slots) {
    return violate(fmt::format("a read of slot {} before its stamp has said that it is written", place.slot));
  }
  if (place.word == kControl)
    is_status_ = static_cast<shell::Kind>(static_cast<uint8_t>(value >> 32)) == shell::Kind::kStatus;
  if (place.word == kConsumedWord && is_status_) consumed_ = static_cast<uint32_t>(value);
}

void BusMonitor::write_slot(const Place& place, uint64_t value) {
  if (!agreed_) return violate("a write to a ring before the board has said the run");
  if (run_ == 0) {
    if (place.word == kStamp) empty_[place.slot + (place.ring == Ring::kToBoard ? 0 : window_.slots)] = value == 0;
    return;
  }
  if (place.ring == Ring::kFromBoard) return violate("a write to the ring from the board");
  if (place.slot != produced_ % window_.slots)
    return violate(fmt::format("a write to slot {} instead of {}", place.slot, produced_ % window_.slots));
  if (place.word == kControl) control_written_ = true;
  if (place.word == kStamp) write_stamp(place, value);
}

void BusMonitor::write_stamp(const Place& place, uint64_t value) {
  if (!control_written_) violate(fmt::format("the stamp of slot {} is written before the slot", place.slot));
  if (!is_this_lap(value, produced_)) violate(fmt::format("the stamp of slot {} is that of another lap", place.slot));
  if (produced_ - consumed_ >= window_.slots) violate("a record is written into a ring that is full");
  control_written_ = false;
  ++produced_;
}

}  // namespace fabrictwin::tests::boards
