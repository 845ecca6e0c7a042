// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory for a ring of a test.
#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>

#include "cosim/link/ring.h"

namespace fabrictwin {

/// Owns zeroed, aligned memory with an empty ring in it.
class TestRing {
 public:
  explicit TestRing(uint32_t slots) : memory_(std::aligned_alloc(64, link::ring_bytes(slots)), &std::free) {
    std::memset(memory_.get(), 0, link::ring_bytes(slots));
    ring_ = link::initialize_ring(memory_.get(), slots);
  }
  link::RingMemory* get() const { return ring_; }

 private:
  std::unique_ptr<void, void (*)(void*)> memory_;
  link::RingMemory* ring_;
};

}  // namespace fabrictwin
