// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The registers of a Verilated shell as memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cosim/link/counters.h"
#include "rtl/shell/shell_registers.h"
#include "rtl/transactor/shell/register_bus.h"

namespace fabrictwin::rtl::shell {

/// Writes registers that have changed in memory, and reads the others into it. A run is written after everything that
/// was in memory before it.
template <class Model>
class RegisterMirror {
 public:
  /// Both outlive this. Memory gets `clock_hertz`, if it is not 0, as the frequency of the clock.
  RegisterMirror(Model& model, std::span<std::byte> memory, uint32_t clock_hertz)
      : bus_(model), memory_(memory), clock_hertz_(clock_hertz) {
    namespace regs = registers;
    constants_ = {regs::kVersionOffset, regs::kShapeOffset, regs::kRingOffsetOffset,
                  regs::kClockOffset,   regs::kLinkOffset,  regs::kIdentificationOffset};
    for (uint32_t offset = regs::kToBoardLowOffset; offset <= regs::kRoutingOffset; offset += kBytes)
      written_.push_back(offset);
    written_.push_back(regs::kNodeOffset);
    for (const uint32_t array : {regs::kWordPeriodLowOffset, regs::kWordPeriodHighOffset, regs::kWordNumeratorOffset,
                                 regs::kWordDenominatorOffset}) {
      for (uint32_t clock = 0; clock < kWordClocks; ++clock) written_.push_back(array + clock * regs::kStride);
    }
    read_ = {regs::kStatusRunOffset, regs::kStatusOffset,  regs::kErrorPortsOffset,
             regs::kHeartbeatOffset, regs::kWaitingOffset, regs::kEndedOffset};
    known_.resize(regs::kStallsOffset / kBytes);
  }

  /// Whether all registers have been in memory once, so that an agent may look at it.
  bool complete() const { return constant_ == constants_.size() && rounds_ >= 2; }
  /// Accesses that changed something.
  uint64_t changes() const { return changes_; }
  /// Runs that have begun. Any thread may read it.
  const link::Counter& runs() const { return runs_; }

  void sample() { bus_.sample(); }
  void drive() {
    if (bus_.drive() && reading_) {
      const bool clock = offset_ == registers::kClockOffset && clock_hertz_ != 0;
      const uint32_t value = clock ? clock_hertz_ : bus_.value();
      // A heartbeat is no change that anybody waits for.
      if (load(offset_) != value && offset_ != registers::kHeartbeatOffset) {
        ++changes_;
        if (offset_ == registers::kStatusRunOffset && value != 0) runs_.add(1);
      }
      store(offset_, value);
    }
    if (bus_.idle()) next();
  }

 private:
  static constexpr uint32_t kBytes = 4;
  static constexpr uint32_t kWordClocks = 4;
  static constexpr uint32_t kMostPorts = 16;

  uint32_t* at(uint32_t offset) const { return reinterpret_cast<uint32_t*>(memory_.data() + offset); }
  uint32_t load(uint32_t offset) const { return __atomic_load_n(at(offset), __ATOMIC_ACQUIRE); }
  void store(uint32_t offset, uint32_t value) const { __atomic_store_n(at(offset), value, __ATOMIC_RELEASE); }

  bool write_if_changed(uint32_t offset) {
    const uint32_t value = load(offset);
    if (value == known_[offset / kBytes]) return false;
    write(offset, value);
    return true;
  }
  void write(uint32_t offset, uint32_t value) {
    known_[offset / kBytes] = value;
    ++changes_;
    reading_ = false;
    bus_.write(offset, value);
  }
  void read(uint32_t offset) {
    reading_ = true;
    offset_ = offset;
    bus_.read(offset);
  }

  /// The shell has said how many there are.
  void add_ports() {
    const uint32_t ports = std::min(load(registers::kShapeOffset) >> registers::kShapePortsLow & 0xff, kMostPorts);
    for (uint32_t port = 0; port < ports; ++port) {
      written_.push_back(registers::kPortOffset + port * registers::kStride);
      read_.push_back(registers::kStallsOffset + port * registers::kStride);
    }
  }

  void next() {
    // What an agent may write first is what the registers hold after reset.
    if (constant_ < constants_.size()) return read(constants_[constant_++]);
    if (initial_ == 0) add_ports();
    if (initial_ < written_.size()) {
      if (initial_ > 0) known_[written_[initial_ - 1] / kBytes] = bus_.value();
      return read(written_[initial_++]);
    }
    if (initial_ == written_.size()) {
      known_[written_.back() / kBytes] = bus_.value();
      ++initial_;
    }
    if (write_if_changed(registers::kFromBoardConsumedOffset)) return;
    const uint32_t run = load(registers::kRunOffset);
    if (run != known_[registers::kRunOffset / kBytes]) {
      for (const uint32_t offset : written_) {
        if (write_if_changed(offset)) return;
      }
      return write(registers::kRunOffset, run);
    }
    read(read_[turn_]);
    if (++turn_ == read_.size()) {
      turn_ = 0;
      ++rounds_;
    }
  }

  RegisterBus<Model> bus_;
  std::span<std::byte> memory_;
  const uint32_t clock_hertz_;
  std::vector<uint32_t> constants_;
  std::vector<uint32_t> written_;  ///< Without the run and what was consumed.
  std::vector<uint32_t> read_;
  std::vector<uint32_t> known_;  ///< By register: what the shell has.
  size_t constant_ = 0;
  size_t initial_ = 0;
  size_t turn_ = 0;
  uint64_t rounds_ = 0;
  uint64_t changes_ = 0;
  link::Counter runs_;
  bool reading_ = false;
  uint32_t offset_ = 0;
};

}  // namespace fabrictwin::rtl::shell
