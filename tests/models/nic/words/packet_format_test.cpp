// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/words/packet_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace fabrictwin::nic::words {
namespace {

using ::testing::ElementsAre;

NicPacket packet_of(int32_t payload, int32_t wire) {
  NicPacket packet;
  packet.offset = 7000;
  packet.payload_bytes = static_cast<uint16_t>(payload);
  packet.wire_bytes = static_cast<uint16_t>(wire);
  return packet;
}

std::vector<int32_t> words_of(int32_t payload, int32_t wire, int32_t before = 0) {
  std::vector<int32_t> words;
  for (const Part& part : cut(packet_of(payload, wire), before)) words.push_back(part.words);
  return words;
}

TEST(PacketFormat, APacketTakesTheWordsOfItsBytesOrThoseThatItNeeds) {
  EXPECT_THAT(words_of(8, 136), ElementsAre(9)) << "a short Put of Tofu";
  EXPECT_THAT(words_of(8, 136, kEnvelopeWords), ElementsAre(9)) << "its header has room for the envelope";
  EXPECT_THAT(words_of(0, 30), ElementsAre(3)) << "an ack";
  EXPECT_THAT(words_of(0, 48, kEnvelopeWords), ElementsAre(5)) << "a request";
  EXPECT_THAT(words_of(240, 368), ElementsAre(12, 11)) << "a frame that is too much for one part";
  EXPECT_THAT(words_of(1920, 2048), ElementsAre(18, 18, 18, 18, 18, 18, 18, 18));
  EXPECT_THAT(words_of(4096, 4138).size(), 18u);
}

RC_GTEST_PROP(PacketFormat, PartsHoldAllOfThePacket, ()) {
  const auto payload = *rc::gen::inRange(0, 4200);
  const auto wire = payload + *rc::gen::inRange(1, 400);
  const auto before = *rc::gen::element(0, kEnvelopeWords);
  const std::vector<Part> parts = cut(packet_of(payload, wire), before);
  uint32_t offset = 7000;
  int32_t words = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    const int32_t needed = kFrameWords + (i == 0 ? before : 0) +
                           (static_cast<int32_t>(part.payload) + link::kWordBytes - 1) / link::kWordBytes;
    RC_ASSERT(part.offset == offset);
    RC_ASSERT(part.words >= needed && part.words <= link::kMaxPacketWords);
    RC_ASSERT(parts.size() == 1 || part.payload >= 2u * link::kWordBytes || i + 1 == parts.size());
    offset += part.payload;
    words += part.words;
  }
  RC_ASSERT(offset == 7000u + static_cast<uint32_t>(payload));
  RC_ASSERT(parts.front().words <= most_words(wire));
  const int32_t frames = kFrameWords * static_cast<int32_t>(parts.size());
  const int32_t least = std::max((wire + 15) / 16, (payload + 15) / 16 + before + frames);
  const auto most = link::kMaxPacketWords * static_cast<int32_t>(parts.size());
  RC_ASSERT(words == std::min(least, most));
  // Only frames that are longer than two parts do not fit.
  if (payload >= 64) RC_ASSERT(words == least);
}

RC_GTEST_PROP(PacketFormat, EveryFieldTravels, ()) {
  NicPacket packet = packet_of(0, 0);
  packet.source = *rc::gen::inRange(0, 1 << 24);
  packet.destination = *rc::gen::inRange(0, 1 << 24);
  packet.message = *rc::gen::arbitrary<uint32_t>();
  packet.message_bytes = *rc::gen::arbitrary<uint32_t>();
  packet.user = *rc::gen::arbitrary<uint32_t>();
  packet.kind = static_cast<NicPacket::Kind>(*rc::gen::inRange(0, 4));
  packet.flags = static_cast<uint8_t>(*rc::gen::inRange(0, 8));
  packet.source_port = *rc::gen::arbitrary<uint8_t>();
  packet.destination_port = 5;
  const Part part{*rc::gen::arbitrary<uint32_t>(), *rc::gen::inRange<uint32_t>(0, 241), *rc::gen::inRange(3, 19)};
  link::PacketHeader header;
  header.source = static_cast<uint32_t>(packet.source);
  std::array<link::Word, 2> words;
  encode(packet, part, header, words.data());
  header = link::PacketHeader::decode(words[0]);
  RC_ASSERT(header.packet_words() == part.words);
  packet.offset = part.offset;
  packet.payload_bytes = static_cast<uint16_t>(part.payload);
  packet.wire_bytes = static_cast<uint16_t>(part.words * link::kWordBytes);
  RC_ASSERT(decode(header, words[1], packet.destination, 5) == packet);
}

}  // namespace
}  // namespace fabrictwin::nic::words
