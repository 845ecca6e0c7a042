// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

#include "cosim/link/ring.h"

namespace fabrictwin {

/// A ring on the heap.
class TestRing {
 public:
  explicit TestRing(uint32_t slots)
      : bytes_(static_cast<std::byte*>(::operator new (link::ring_bytes(slots), std::align_val_t{64}))) {
    std::fill_n(bytes_.get(), link::ring_bytes(slots), std::byte{0});
    memory_ = link::initialize_ring(bytes_.get(), slots);
  }
  link::RingMemory* memory() const { return memory_; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const { ::operator delete (bytes, std::align_val_t{64}); }
  };
  std::unique_ptr<std::byte, Free> bytes_;
  link::RingMemory* memory_;
};

}  // namespace fabrictwin
