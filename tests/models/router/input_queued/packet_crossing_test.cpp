// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What is known of bare packets crosses a cut link.
#include "models/router/input_queued/packet_crossing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cosim/link/record.h"

namespace fabrictwin::router::input_queued {
namespace {

Packet some_packet() {
  Packet packet;
  packet.source = *rc::gen::inRange(0, 1 << 21);
  packet.destination = *rc::gen::inRange(0, 1 << 21);
  packet.intermediate = *rc::gen::inRange(-1, 1 << 21);
  packet.random = *rc::gen::arbitrary<uint32_t>();
  packet.state = *rc::gen::arbitrary<uint16_t>();
  packet.flits = *rc::gen::inRange<uint16_t>(1, 20);
  packet.hops = *rc::gen::arbitrary<uint16_t>();
  packet.measured = *rc::gen::arbitrary<bool>();
  packet.source_queue = *rc::gen::inRange<uint8_t>(0, 64);
  packet.created = *rc::gen::inRange<int64_t>(0, int64_t{1} << 40);
  packet.injected = packet.created + *rc::gen::inRange<int64_t>(0, int64_t{1} << 40);
  packet.sequence = *rc::gen::arbitrary<uint64_t>();
  return packet;
}

RC_GTEST_PROP(BareCrossing, KeepsAllThatIsKnown, ()) {
  const Packet packet = some_packet();
  BareCrossing crossing(64, std::vector<bool>(1 << 21, *rc::gen::arbitrary<bool>()));
  const fabric::CrossingPacket left = crossing.leave(packet);
  RC_ASSERT(left.nic.source == packet.source);
  RC_ASSERT(left.nic.destination == packet.destination);
  RC_ASSERT(left.nic.wire_bytes == packet.flits * link::kWordBytes);
  const absl::StatusOr<Packet> entered = crossing.enter(left);
  RC_ASSERT(entered.ok());
  RC_ASSERT(entered->source == packet.source);
  RC_ASSERT(entered->destination == packet.destination);
  RC_ASSERT(entered->intermediate == packet.intermediate);
  RC_ASSERT(entered->random == packet.random);
  RC_ASSERT(entered->state == packet.state);
  RC_ASSERT(entered->flits == packet.flits);
  RC_ASSERT(entered->hops == packet.hops);
  RC_ASSERT(entered->measured == packet.measured);
  RC_ASSERT(entered->source_queue == packet.source_queue);
  RC_ASSERT(entered->created == packet.created);
  RC_ASSERT(entered->injected == packet.injected);
  RC_ASSERT(entered->sequence == packet.sequence);
}

TEST(BareCrossing, RefusesClassesThatThereAreNot) {
  Packet packet;
  packet.source = 7;
  packet.flits = 3;
  packet.source_queue = 2;
  BareCrossing crossing(2, std::vector<bool>(8));
  const absl::StatusOr<Packet> entered = crossing.enter(crossing.leave(packet));
  EXPECT_EQ(entered.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(entered.status().message()), ::testing::HasSubstr("class 2 of host 7, which has 2"));
}

TEST(BareCrossing, RefusesWhatCannotHaveBeenSent) {
  const auto refusal = [](BareCrossing& crossing, const fabric::CrossingPacket& packet) {
    const absl::StatusOr<Packet> entered = crossing.enter(packet);
    return entered.ok() ? std::string() : std::string(entered.status().message());
  };
  BareCrossing elsewhere(1, std::vector<bool>(8));
  BareCrossing here(1, std::vector<bool>(8, true));
  Packet packet;
  packet.source = 7;
  packet.flits = 3;
  packet.created = 5;
  packet.injected = 4;
  EXPECT_EQ(refusal(elsewhere, elsewhere.leave(packet)),
            "a packet of host 7 that was made in cycle 5 and sent in cycle 4");
  packet.injected = 5;
  const fabric::CrossingPacket sound = elsewhere.leave(packet);
  EXPECT_EQ(refusal(elsewhere, sound), "");
  EXPECT_EQ(refusal(here, sound), "a packet of host 7 comes back that has not left");
  const fabric::CrossingPacket left = here.leave(packet);
  EXPECT_EQ(refusal(here, left), "");
  EXPECT_EQ(refusal(here, left), "a packet of host 7 comes back that has not left");
}

}  // namespace
}  // namespace fabrictwin::router::input_queued
