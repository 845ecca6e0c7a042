// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/link/packet_format.h"

#include <gtest/gtest.h>

#include <vector>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

using link::HeaderField;
using link::PacketFormat;

link::PacketHeader any_header() {
  link::PacketHeader header;
  header.coordinates = {*rc::gen::arbitrary<uint8_t>(), *rc::gen::arbitrary<uint8_t>(), *rc::gen::arbitrary<uint8_t>()};
  header.destination = *rc::gen::inRange<uint32_t>(0, 1 << 24);
  header.source = *rc::gen::inRange<uint32_t>(0, 1 << 24);
  header.payload_bytes = static_cast<uint16_t>(*rc::gen::inRange(0, 257));
  header.sequence = *rc::gen::arbitrary<uint32_t>();
  header.ties = *rc::gen::arbitrary<uint8_t>();
  header.tile_port = static_cast<uint8_t>(*rc::gen::inRange(0, 8));
  header.kind = static_cast<uint8_t>(*rc::gen::inRange(0, 8));
  return header;
}

/// A header whose fields lie one behind the other with gaps, in a random order.
PacketFormat any_format() {
  PacketFormat::Fields fields;
  std::vector<int> order(link::kHeaderFields);
  for (int i = 0; i < link::kHeaderFields; ++i) order[static_cast<size_t>(i)] = i;
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[*rc::gen::inRange<size_t>(0, i)]);
  int32_t at = 0;
  for (const int field : order) {
    const int32_t bits = *rc::gen::inRange(0, 22);
    at += *rc::gen::inRange(0, 4);
    if (bits > 0) fields.of[static_cast<size_t>(field)] = {at, bits};
    at += bits;
  }
  const int32_t word_bits = *rc::gen::element(32, 64, 128);
  return PacketFormat(word_bits, 256, fields);
}

RC_GTEST_PROP(PacketFormatTest, TheDefaultIsThatOfExanet, ()) {
  const link::PacketHeader header = any_header();
  const PacketFormat exanet;
  link::Word word;
  exanet.encode(header, &word);
  RC_ASSERT(word == header.encode());
  RC_ASSERT(exanet.decode(&word) == header);
  RC_ASSERT(exanet.packet_words(header.payload_bytes) == header.packet_words());
}

RC_GTEST_PROP(PacketFormatTest, AHeaderHoldsTheLowBitsOfItsFields, ()) {
  const PacketFormat format = any_format();
  const link::PacketHeader header = any_header();
  std::vector<link::Word> words(static_cast<size_t>(format.header_words()));
  format.encode(header, words.data());
  for (const link::Word& word : words) {
    if (format.word_bits() < 128) RC_ASSERT(word.hi == 0u);
    if (format.word_bits() < 64) RC_ASSERT((word.lo >> 32) == 0u);
  }
  const link::PacketHeader read = format.decode(words.data());
  RC_ASSERT(read.destination == format.truncate(HeaderField::kDestination, header.destination));
  RC_ASSERT(read.source == format.truncate(HeaderField::kSource, header.source));
  RC_ASSERT(read.sequence == format.truncate(HeaderField::kSequence, header.sequence));
  RC_ASSERT(read.payload_bytes == format.truncate(HeaderField::kPayloadBytes, header.payload_bytes));
  RC_ASSERT(read.coordinates[1] == format.truncate(HeaderField::kY, header.coordinates[1]));
  RC_ASSERT(read.ties == format.truncate(HeaderField::kTies, header.ties));
}

RC_GTEST_PROP(PacketFormatTest, BytesSurviveTheirWords, ()) {
  const PacketFormat format = any_format();
  const auto bytes =
      *rc::gen::container<std::vector<uint8_t>>(*rc::gen::inRange<size_t>(0, 100), rc::gen::arbitrary<uint8_t>());
  const auto count = static_cast<size_t>(format.payload_words(static_cast<int32_t>(bytes.size())));
  std::vector<link::Word> words(count);
  format.pack(std::as_bytes(std::span(bytes)), words.data());
  std::vector<uint8_t> read(count * static_cast<size_t>(format.word_bytes()));
  format.unpack(words, reinterpret_cast<std::byte*>(read.data()));
  for (size_t i = bytes.size(); i < read.size(); ++i) RC_ASSERT(read[i] == 0);
  read.resize(bytes.size());
  RC_ASSERT(read == bytes);
}

TEST(PacketFormatTest, CountsWords) {
  PacketFormat::Fields fields;
  fields[HeaderField::kDestination] = {0, 12};
  fields[HeaderField::kSequence] = {40, 30};
  const PacketFormat narrow(32, 100, fields);
  EXPECT_EQ(narrow.header_words(), 3);
  EXPECT_EQ(narrow.packet_words(0), 4);
  EXPECT_EQ(narrow.packet_words(5), 6);
  EXPECT_EQ(narrow.max_packet_words(), 29);
  // Two packets of 100 bytes and one of 1.
  EXPECT_EQ(narrow.message_words(201), 2 * 29 + 5);
  EXPECT_EQ(narrow.message_words(200), 2 * 29);
  EXPECT_EQ(PacketFormat(64, 100, fields).header_words(), 2);
  EXPECT_EQ(PacketFormat(128, 100, fields).header_words(), 1);
}

}  // namespace
}  // namespace fabrictwin
