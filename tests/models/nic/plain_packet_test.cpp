// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/plain_packet.h"

#include <gtest/gtest.h>

#include "rapidcheck/gtest.h"

namespace fabrictwin::nic {
namespace {

TEST(PlainPacket, HasTwoWordsMoreThanItsPayload) {
  EXPECT_EQ(PlainPacket::words(1), 3);
  EXPECT_EQ(PlainPacket::words(16), 3);
  EXPECT_EQ(PlainPacket::words(17), 4);
  EXPECT_EQ(PlainPacket::wire_bytes(256), 288);
}

RC_GTEST_PROP(PlainPacket, TheLastOneEndsTheMessage, ()) {
  Envelope envelope;
  envelope.bytes = *rc::gen::inRange<uint64_t>(0, 3000);
  const auto most = *rc::gen::inRange<int32_t>(32, 500);
  uint64_t sent = 0;
  for (bool last = false; !last;) {
    const PlainPacket packet = PlainPacket::next(envelope, sent, most);
    last = packet.last;
    sent += static_cast<uint64_t>(packet.payload);
    RC_ASSERT(packet.payload > 0);
    RC_ASSERT(packet.payload == most || (last && packet.payload < most));
  }
  RC_ASSERT(sent == sizeof(Envelope) + envelope.bytes);
}

TEST(PlainPacket, IsTheLastOneIfItIsFull) {
  Envelope envelope;
  envelope.bytes = 224;
  EXPECT_TRUE(PlainPacket::next(envelope, 0, 256).last);
  envelope.bytes = 225;
  EXPECT_FALSE(PlainPacket::next(envelope, 0, 256).last);
}

// A message of any size is cut: the rest of it may not fit into 32 bits.
TEST(PlainPacket, IsCutFromAMessageOfAnySize) {
  Envelope envelope;
  envelope.bytes = uint64_t{1} << 40;
  const PlainPacket packet = PlainPacket::next(envelope, 0, 256);
  EXPECT_EQ(packet.payload, 256);
  EXPECT_FALSE(packet.last);
}

TEST(PortTurns, AMessageThatNamesItsPortTakesNoTurn) {
  PortTurns turns;
  OutgoingMessage any;
  OutgoingMessage named;
  named.port = 5;
  EXPECT_EQ(turns.take(any, 3), 0);
  EXPECT_EQ(turns.take(named, 3), 2);
  EXPECT_EQ(turns.take(any, 3), 1);
  EXPECT_EQ(turns.take(any, 3), 2);
  EXPECT_EQ(turns.take(any, 3), 0);
}

}  // namespace
}  // namespace fabrictwin::nic
