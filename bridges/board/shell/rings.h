// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The agent's ends of the two rings in a shell's window.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bridges/board/shell/device.h"
#include "bridges/board/shell/record.h"

namespace fabrictwin::bridges::board::shell {

/// The producer of the ring to the board. The board says in its statuses how much it has taken.
class RingTo {
 public:
  /// The ring of `slots` slots, a power of two, at `offset`.
  RingTo(Device& device, size_t offset, uint32_t slots) : device_(device), offset_(offset), slots_(slots) {}

  bool full() const { return produced_ - consumed_ >= slots_; }
  /// Writes a record; only if the ring is not full. The stamp is the last.
  void push(const Slot& slot) {
    const size_t at = offset_ + kSlotBytes * (produced_ & (slots_ - 1));
    if (slot.kind != Kind::kLimit) {
      for (size_t w = 0; w < slot.words.size(); ++w) device_.write64(at + w * sizeof(uint64_t), slot.words[w]);
    }
    device_.write64(at + kControlOffset, slot.control());
    Device::order_writes();
    const uint64_t owner = (produced_ & slots_) == 0 ? link::Record::kOwnershipBit : 0;
    device_.write64(at + kControlOffset + sizeof(uint64_t), slot.stamp() | owner);
    ++produced_;
  }
  uint32_t produced() const { return produced_; }
  /// The board has taken so many records, modulo 2^32.
  void set_consumed(uint32_t consumed) { consumed_ = consumed; }
  uint32_t consumed() const { return consumed_; }

 private:
  Device& device_;
  size_t offset_;
  uint32_t slots_;
  uint32_t produced_ = 0;  ///< Records, modulo 2^32, here and below.
  uint32_t consumed_ = 0;
};

/// The consumer of the ring from the board.
class RingFrom {
 public:
  RingFrom(Device& device, size_t offset, uint32_t slots) : device_(device), offset_(offset), slots_(slots) {}

  /// Takes the oldest record; false if there is none. The stamp is read first, and the rest after it.
  bool pop(Slot& slot) {
    const size_t at = offset_ + kSlotBytes * (consumed_ & (slots_ - 1));
    const uint64_t stamp = device_.read64(at + kControlOffset + sizeof(uint64_t));
    if (((stamp & link::Record::kOwnershipBit) != 0) != ((consumed_ & slots_) == 0)) return false;
    Device::order_reads();
    slot.set_stamp(stamp);
    slot.set_control(device_.read64(at + kControlOffset));
    for (size_t w = 0; w < slot.words.size(); ++w) slot.words[w] = device_.read64(at + w * sizeof(uint64_t));
    ++consumed_;
    return true;
  }
  uint32_t consumed() const { return consumed_; }

 private:
  Device& device_;
  size_t offset_;
  uint32_t slots_;
  uint32_t consumed_ = 0;
};

}  // namespace fabrictwin::bridges::board::shell
