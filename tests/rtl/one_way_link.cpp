// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/one_way_link.h"

#include <cstdlib>
#include <cstring>

namespace fabrictwin::test {
namespace {

constexpr uint32_t kSlots = 4096;

void free_ring(link::RingMemory* ring) { std::free(ring); }

link::RingMemory* allocate_ring() {
  void* memory = std::aligned_alloc(64, link::ring_bytes(kSlots));
  std::memset(memory, 0, link::ring_bytes(kSlots));
  return link::initialize_ring(memory, kSlots);
}

}  // namespace

OneWayLink::OneWayLink(uint32_t id, const std::string& name, Bandwidth rate, Time latency)
    : ring_(allocate_ring(), &free_ring) {
  link::ChannelSpec spec;
  spec.id = id;
  spec.name = name;
  spec.latency = latency;
  spec.word_clock = Clock::of_words(rate, link::kWordBits);
  sender_ = std::make_unique<link::ChannelSender>(spec, ring_.get());
  receiver_ = std::make_unique<link::ChannelReceiver>(spec, ring_.get());
}

absl::Status OneWayLink::flush(Time now) {
  sender_->flush(now);
  return sender_->blocked() ? absl::InternalError("the ring of the test is too small") : absl::OkStatus();
}

}  // namespace fabrictwin::test
