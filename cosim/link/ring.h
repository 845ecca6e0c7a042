// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The ring: a single-producer, single-consumer queue of records in plain memory. The same layout works on the heap, in
// memory shared by processes and in an FPGA's memory window. docs/bridge-protocol.md describes the layout.
//
//   std::vector<std::byte, ...> memory(ring_bytes(64));   // 64-byte aligned, zeroed
//   RingProducer producer(initialize_ring(memory.data(), 64));
//   RingConsumer consumer(producer.memory());
//   producer.try_push(record);
//   while (const Record* record = consumer.front()) { use(*record); consumer.pop(); }
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "cosim/link/record.h"

namespace fabrictwin::link {

/// The default number of slots of a ring.
inline constexpr uint32_t kDefaultRingSlots = 256;

/// The head of a ring's memory, followed by `slots` records. Bit 63 of a slot's stamp is its ownership bit: it is 1 in
/// the slots written in the first lap over the ring, 0 in the second, and so on; zeroed memory is an empty ring.
/// Reading has no side effect. The stamp is the last word written.
struct RingMemory {
  static constexpr uint32_t kMagic = 0x47525446;  ///< "FTRG"
  uint32_t magic;
  uint32_t slots;  ///< A power of two.
  /// Records that the consumer has taken; the producer is never more than `slots` ahead. It has its own cache line.
  alignas(64) std::atomic<uint64_t> consumed;
  alignas(64) Record slot[1];
};

/// The size of a ring of `slots` slots in bytes.
constexpr size_t ring_bytes(uint32_t slots) { return offsetof(RingMemory, slot) + size_t{slots} * sizeof(Record); }

/// Makes an empty ring in zeroed, 64-byte-aligned memory of ring_bytes(slots) bytes; `slots` is a power of two.
RingMemory* initialize_ring(void* memory, uint32_t slots);

/// Checks a ring that another process made; FailedPrecondition if it is not a ring or does not fit in `bytes`.
absl::StatusOr<RingMemory*> attach_ring(void* memory, size_t bytes);

/// The writing end of a ring. Used by one thread at a time.
class RingProducer {
 public:
  explicit RingProducer(RingMemory* memory) : memory_(memory), mask_(memory->slots - 1) {}

  /// Writes a record; false if the ring is full.
  bool try_push(const Record& record) {
    if (next_ - known_consumed_ > mask_) {
      known_consumed_ = memory_->consumed.load(std::memory_order_acquire);
      if (next_ - known_consumed_ > mask_) return false;
    }
    Record& slot = memory_->slot[next_ & mask_];
    slot.words = record.words;
    slot.channel = record.channel;
    slot.kind = record.kind;
    slot.vc = record.vc;
    slot.count = record.count;
    slot.flags = record.flags;
    const uint64_t ownership = (next_ & (mask_ + 1)) == 0 ? Record::kOwnershipBit : 0;
    std::atomic_ref<uint64_t>(slot.stamp)
        .store((record.stamp & ~Record::kOwnershipBit) | ownership, std::memory_order_release);
    ++next_;
    return true;
  }

  RingMemory* memory() const { return memory_; }

 private:
  RingMemory* memory_;
  uint64_t mask_;
  uint64_t next_ = 0;
  uint64_t known_consumed_ = 0;
};

/// The reading end of a ring. Used by one thread at a time.
class RingConsumer {
 public:
  explicit RingConsumer(RingMemory* memory) : memory_(memory), mask_(memory->slots - 1) {}

  /// The oldest record, or nullptr if the ring is empty. Its stamp still carries the ownership bit: read it with
  /// Record::time().
  const Record* front() const {
    Record& slot = memory_->slot[next_ & mask_];
    const uint64_t stamp = std::atomic_ref<uint64_t>(slot.stamp).load(std::memory_order_acquire);
    const bool written = ((stamp & Record::kOwnershipBit) != 0) == ((next_ & (mask_ + 1)) == 0);
    return written ? &slot : nullptr;
  }
  /// Gives the oldest record's slot back to the producer.
  void pop() { memory_->consumed.store(++next_, std::memory_order_release); }

  RingMemory* memory() const { return memory_; }

 private:
  RingMemory* memory_;
  uint64_t mask_;
  uint64_t next_ = 0;
};

}  // namespace fabrictwin::link
