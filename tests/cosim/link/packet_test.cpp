// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/link/packet.h"

#include <gtest/gtest.h>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

RC_GTEST_PROP(PacketHeader, SurvivesTheWire, ()) {
  link::PacketHeader header;
  header.coordinates = {*rc::gen::arbitrary<uint8_t>(), *rc::gen::arbitrary<uint8_t>(), *rc::gen::arbitrary<uint8_t>()};
  header.destination = *rc::gen::inRange<uint32_t>(0, 1 << 24);
  header.source = *rc::gen::inRange<uint32_t>(0, 1 << 24);
  header.payload_bytes = static_cast<uint16_t>(*rc::gen::inRange(0, 257));
  header.sequence = *rc::gen::arbitrary<uint32_t>();
  header.ties = *rc::gen::arbitrary<uint8_t>();
  header.tile_port = static_cast<uint8_t>(*rc::gen::inRange(0, 8));
  header.kind = static_cast<uint8_t>(*rc::gen::inRange(0, 8));
  RC_ASSERT(link::PacketHeader::decode(header.encode()) == header);
}

TEST(PacketHeader, HasTheDocumentedLayout) {
  link::PacketHeader header;
  header.coordinates = {0x11, 0x22, 0x33};
  header.destination = 0x445566;
  header.payload_bytes = 0x100;
  header.source = 0x778899;
  header.sequence = 0xaabbccdd;
  header.ties = 0xee;
  EXPECT_EQ(header.encode().lo, 0x0100'445566'332211u);
  EXPECT_EQ(header.encode().hi, 0xee'aabbccdd'778899u);
  EXPECT_EQ(header.packet_words(), 18);
  header.tile_port = 3;
  header.kind = 5;
  EXPECT_EQ(header.encode().lo, 0xad00'445566'332211u);
}

}  // namespace
}  // namespace fabrictwin
