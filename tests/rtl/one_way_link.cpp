// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/one_way_link.h"

#include <cstdlib>
#include <cstring>

namespace fabrictwin::test {
namespace {

constexpr uint32_t kSlots = 4096;

void free_ring(RingMemory* ring) { std::free(ring); }

RingMemory* allocate_ring() {
  void* memory = std::aligned_alloc(64, ring_bytes(kSlots));
  std::memset(memory, 0, ring_bytes(kSlots));
  return initialize_ring(memory, kSlots);
}

}  // namespace

OneWayLink::OneWayLink(uint32_t id, const std::string& name, Bandwidth rate, Time latency)
    : ring_(allocate_ring(), &free_ring) {
  ChannelSpec spec;
  spec.id = id;
  spec.name = name;
  spec.latency = latency;
  spec.word_clock = Clock::of_words(rate, kWordBits);
  sender_ = std::make_unique<ChannelSender>(spec, ring_.get());
  receiver_ = std::make_unique<ChannelReceiver>(spec, ring_.get());
}

absl::Status OneWayLink::flush(Time now) {
  sender_->flush(now);
  return sender_->blocked() ? absl::InternalError("the ring of the test is too small") : absl::OkStatus();
}

}  // namespace fabrictwin::test
