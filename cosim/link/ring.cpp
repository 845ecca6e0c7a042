// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/link/ring.h"

#include <bit>
#include <new>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace fabrictwin::link {

RingMemory* initialize_ring(void* memory, uint32_t slots) {
  auto* ring = static_cast<RingMemory*>(memory);
  ring->slots = slots;
  ring->consumed.store(0, std::memory_order_relaxed);
  // The magic is written last, so that a process that attaches never sees a ring that is only partly initialised.
  std::atomic_ref<uint32_t>(ring->magic).store(RingMemory::kMagic, std::memory_order_release);
  return ring;
}

absl::StatusOr<RingMemory*> attach_ring(void* memory, size_t bytes) {
  if (bytes < ring_bytes(1)) return absl::FailedPreconditionError("ring memory is too small to hold a ring");
  auto* ring = static_cast<RingMemory*>(memory);
  if (std::atomic_ref<uint32_t>(ring->magic).load(std::memory_order_acquire) != RingMemory::kMagic) {
    return absl::FailedPreconditionError("ring memory does not begin with a ring (wrong magic)");
  }
  if (!std::has_single_bit(ring->slots) || ring->slots > (bytes - offsetof(RingMemory, slot)) / sizeof(Record)) {
    return absl::FailedPreconditionError(fmt::format(
        "ring claims {} slots, which is no power of two or more than its {} bytes hold", ring->slots, bytes));
  }
  return ring;
}

}  // namespace fabrictwin::link
