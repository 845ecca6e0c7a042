// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/packet.h"

#include <gtest/gtest.h>

#include <vector>

#include "cosim/link/packet_mark.h"
#include "models/nic/exanet/framer.h"
#include "rapidcheck/gtest.h"
#include "tests/rtl/ni/ni_packet.h"
#include "tests/rtl/rdma/rdma_packet.h"

namespace fabrictwin::test {
namespace {

constexpr nic::exanet::Numbering kNumbering{kNiTileBits, kNiXBits, kNiYBits};

template <class T>
T number(int bits) {
  return static_cast<T>(*rc::gen::arbitrary<uint64_t>() & ((uint64_t{1} << bits) - 1));
}

std::vector<NiWord> plain(const nic::exanet::Words& packet) {
  std::vector<NiWord> words;
  for (const link::Word& word : packet.all()) words.push_back({word.lo, word.hi});
  return words;
}

nic::exanet::ShortPacket any_message() {
  nic::exanet::ShortPacket packet;
  packet.kind = *rc::gen::element(nic::exanet::OwnKind::kMessage, nic::exanet::OwnKind::kMessage,
                                  nic::exanet::OwnKind::kAck, nic::exanet::OwnKind::kNack);
  packet.source = number<nic::exanet::Node>(22);
  packet.source_rank = number<uint8_t>(3);
  packet.destination = number<nic::exanet::Node>(22);
  packet.rank = number<uint8_t>(3);
  packet.pdid = number<uint16_t>(16);
  packet.va = number<uint64_t>(39);
  packet.sequence = number<uint32_t>(24);
  packet.channel = number<uint8_t>(8);
  packet.bytes =
      packet.kind == nic::exanet::OwnKind::kMessage ? static_cast<uint8_t>(*rc::gen::inRange(0, 65)) : uint8_t{0};
  for (size_t i = 0; i < packet.bytes; ++i) packet.data[i] = static_cast<std::byte>(number<uint8_t>(8));
  return packet;
}

/// A packet whose payload fits its kind.
fabrictwin::nic::exanet::RdmaPacket any_rdma() {
  fabrictwin::nic::exanet::RdmaPacket packet;
  packet.kind = *rc::gen::element(fabrictwin::nic::exanet::Kind::kWrite, fabrictwin::nic::exanet::Kind::kRead,
                                  fabrictwin::nic::exanet::Kind::kAck, fabrictwin::nic::exanet::Kind::kNack,
                                  fabrictwin::nic::exanet::Kind::kNotify, fabrictwin::nic::exanet::Kind::kNotice);
  packet.source = number<nic::exanet::Node>(22);
  packet.destination = number<nic::exanet::Node>(22);
  packet.channel = number<uint16_t>(10);
  packet.transfer = number<uint16_t>(12);
  packet.index = static_cast<uint8_t>(*rc::gen::inRange(0, 80));
  packet.served = number<bool>(1);
  packet.last_cell = number<bool>(1);
  packet.early = number<bool>(1);
  packet.slot = number<uint8_t>(4);
  packet.notify = number<bool>(1);
  packet.request = number<bool>(1);
  packet.reason = static_cast<nic::exanet::RdmaReason>(*rc::gen::inRange(0, 5));
  packet.va = number<uint64_t>(39);
  packet.pdid = number<uint16_t>(16);
  packet.rank = number<uint8_t>(3);
  packet.block = number<uint32_t>(18);
  packet.attempt = number<uint8_t>(4);
  packet.last_block = number<bool>(1);
  packet.peer_slot = number<uint8_t>(4);
  switch (packet.kind) {
    case fabrictwin::nic::exanet::Kind::kWrite:
      packet.bytes = static_cast<uint16_t>(*rc::gen::inRange<int>(
          static_cast<int>(packet.va % 16) + 1, 256 - static_cast<int>(packet.va / 16 % 16) * 16 + 1));
      break;
    case fabrictwin::nic::exanet::Kind::kRead:
      packet.bytes = 32;
      break;
    case fabrictwin::nic::exanet::Kind::kNotify:
      packet.bytes = 16;
      break;
    default:
      packet.bytes = 0;
  }
  for (int i = 0; i < packet.payload_words(); ++i)
    packet.payload[static_cast<size_t>(i)] = {number<uint64_t>(63), number<uint64_t>(63)};
  return packet;
}

RC_GTEST_PROP(ShortPacket, IsThatOfTheBenches, ()) {
  const nic::exanet::ShortPacket packet = any_message();
  NiPacket other;
  other.kind = static_cast<int>(packet.kind);
  other.source = packet.source;
  other.source_rank = packet.source_rank;
  other.destination = packet.destination;
  other.rank = packet.rank;
  other.pdid = packet.pdid;
  other.va = packet.va;
  other.sequence = packet.sequence;
  other.channel = packet.channel;
  for (size_t i = 0; i < packet.bytes; ++i) other.data.push_back(static_cast<uint8_t>(packet.data[i]));
  const nic::exanet::Words words = packet.encode(kNumbering);
  RC_ASSERT(plain(words) == other.words());
  RC_ASSERT(words.vc == (packet.kind == nic::exanet::OwnKind::kMessage ? 0 : 1));
  const nic::exanet::Parsed parsed = nic::exanet::parse_ni_packet(words, packet.destination);
  RC_ASSERT(parsed.short_packet.has_value());
  RC_ASSERT(plain(parsed.short_packet->encode(kNumbering)) == plain(words));
}

RC_GTEST_PROP(RdmaPacket, IsThatOfTheBenches, ()) {
  const fabrictwin::nic::exanet::RdmaPacket packet = any_rdma();
  const nic::exanet::Words words = packet.encode(kNumbering);
  test::RdmaPacket other;
  other.kind = static_cast<int>(packet.kind);
  const link::PacketHeader header = words.header();
  other.tile_port = packet.destination % (1u << kNiTileBits);
  const uint32_t place = packet.destination >> kNiTileBits;
  other.coordinates = (place & ((1u << kNiXBits) - 1)) | (place >> kNiXBits & ((1u << kNiYBits) - 1)) << 8 |
                      (place >> kNiXBits >> kNiYBits & 0xff) << 16;
  other.source = packet.source;
  other.destination = packet.destination;
  other.bytes = packet.bytes;
  other.channel = packet.channel;
  other.transfer = packet.transfer;
  other.index = packet.index;
  other.served = packet.served;
  other.last_cell = packet.last_cell;
  other.early = packet.early;
  other.slot = packet.slot;
  other.notify = packet.notify;
  other.request = packet.request;
  other.reason = static_cast<uint32_t>(packet.reason);
  other.va = packet.va;
  other.pdid = packet.pdid;
  other.rank = packet.rank;
  other.block = packet.block;
  other.attempt = packet.attempt;
  other.last_block = packet.last_block;
  other.peer_slot = packet.peer_slot;
  for (int i = 0; i < packet.payload_words(); ++i) {
    const link::Word& word = packet.payload[static_cast<size_t>(i)];
    other.payload.push_back(make_word(word.lo, word.hi));
  }
  // The benches leave the tie bits out, and their CRC is over a header without them.
  std::vector<FlitWord> expected = other.encode();
  expected.front().data[3] |= uint32_t{header.ties} << 24;
  RC_ASSERT(header.ties == ((packet.source ^ packet.destination >> 3) & 7));
  RC_ASSERT(expected.size() == size_t{words.count});
  std::vector<FlitWord> actual;
  for (size_t i = 0; i < words.count; ++i)
    actual.push_back({make_word(words.words[i].lo, words.words[i].hi), i == 0, i + 1 == words.count});
  RC_ASSERT(test::RdmaPacket::intact(actual));
  expected.back().data[0] = actual.back().data[0];
  for (size_t i = 0; i < words.count; ++i) RC_ASSERT(actual[i].data == expected[i].data);
  const nic::exanet::Parsed parsed = nic::exanet::parse_ni_packet(words, packet.destination);
  RC_ASSERT(parsed.rdma.has_value());
  RC_ASSERT(plain(parsed.rdma->encode(kNumbering)) == plain(words));
}

RC_GTEST_PROP(NiPacket, AnyDamagedBitIsFound, ()) {
  const bool rdma = number<bool>(1);
  nic::exanet::Words words = rdma ? any_rdma().encode(kNumbering) : any_message().encode(kNumbering);
  const nic::exanet::Node node = words.header().destination;
  const auto at = *rc::gen::inRange<size_t>(0, words.count);
  const auto bit = *rc::gen::inRange(0, 64);
  const bool high = number<bool>(1);
  link::Word& word = words.words[at];
  (high ? word.hi : word.lo) ^= uint64_t{1} << bit;
  // A router may set the mark.
  if (at + 1 == words.count && high && uint64_t{1} << bit == link::kMarkBit) return;
  const nic::exanet::Parsed parsed = nic::exanet::parse_ni_packet(words, node);
  RC_ASSERT(!parsed.short_packet.has_value());
  RC_ASSERT(!parsed.rdma.has_value());
}

RC_GTEST_PROP(NiPacket, AMarkIsNoDamage, ()) {
  const bool rdma = number<bool>(1);
  nic::exanet::Words words = rdma ? any_rdma().encode(kNumbering) : any_message().encode(kNumbering);
  const nic::exanet::Words before = words;
  words.words[words.count - size_t{1}].hi |= link::kMarkBit;
  const nic::exanet::Parsed parsed = nic::exanet::parse_ni_packet(words, words.header().destination);
  RC_ASSERT(parsed.short_packet.has_value() != rdma);
  RC_ASSERT(parsed.rdma.has_value() == rdma);
  if (rdma) RC_ASSERT(parsed.rdma->marked);
  RC_ASSERT(plain(rdma ? parsed.rdma->encode(kNumbering) : parsed.short_packet->encode(kNumbering)) == plain(before));
}

TEST(NiPacket, SaysWhyItIsDropped) {
  nic::exanet::ShortPacket message;
  message.destination = 5;
  const auto fault = [](const nic::exanet::Words& words, nic::exanet::Node node) {
    return nic::exanet::parse_ni_packet(words, node).fault;
  };
  EXPECT_EQ(fault(message.encode(kNumbering), 6), nic::exanet::Fault::kNode);
  message.kind = static_cast<nic::exanet::OwnKind>(7);
  EXPECT_EQ(fault(message.encode(kNumbering), 5), nic::exanet::Fault::kKind);
  message.kind = nic::exanet::OwnKind::kAck;
  message.bytes = 1;
  EXPECT_EQ(fault(message.encode(kNumbering), 5), nic::exanet::Fault::kLength);
  fabrictwin::nic::exanet::RdmaPacket cell;
  cell.destination = 5;
  cell.bytes = 32;
  cell.va = 0xf0;
  EXPECT_EQ(fault(cell.encode(kNumbering), 5), nic::exanet::Fault::kLength) << "over a boundary of 256 bytes";
  cell.kind = static_cast<fabrictwin::nic::exanet::Kind>(7);
  EXPECT_EQ(fault(cell.encode(kNumbering), 5), nic::exanet::Fault::kKind);
}

TEST(NiFramer, DropsWhatIsNotAPacketAndFreesEveryWord) {
  nic::exanet::ShortPacket message;
  message.bytes = 20;
  const nic::exanet::Words good = message.encode(kNumbering);
  ASSERT_EQ(good.count, 5);
  nic::exanet::Framer framer(0);
  int given = 0, freed = 0, complete = 0, faults = 0;
  const auto take = [&](const link::Word& word, uint8_t flags) {
    const nic::exanet::Framer::Result result = framer.take(word, flags);
    ++given;
    freed += result.freed;
    if (result.fault) ++faults;
    if (!result.complete) return;
    ++complete;
    freed += framer.packet().count;
    EXPECT_EQ(plain(framer.packet()), plain(good));
  };
  const auto whole = [&] {
    for (uint8_t i = 0; i < good.count; ++i) {
      take(good.words[i],
           static_cast<uint8_t>((i == 0 ? link::kStartOfPacket : 0) | (i + 1 == good.count ? link::kEndOfPacket : 0)));
    }
  };
  whole();
  EXPECT_EQ(faults, 0);
  take({}, 0);  // Outside.
  EXPECT_EQ(faults, 1);
  whole();
  take(good.words[0], link::kStartOfPacket);  // Ended by the next one.
  take({}, 0);
  whole();
  EXPECT_EQ(faults, 2);
  take(good.words[0], link::kStartOfPacket);  // Ends early.
  take({}, link::kEndOfPacket);
  EXPECT_EQ(faults, 3);
  whole();
  take(good.words[0], link::kStartOfPacket);  // Does not end.
  for (int i = 0; i < 30; ++i) take({}, 0);
  take({}, link::kEndOfPacket);
  EXPECT_EQ(faults, 4);
  whole();
  take(good.words[0], link::kStartOfPacket | link::kEndOfPacket);
  EXPECT_EQ(faults, 5);
  link::PacketHeader header;
  header.payload_bytes = 257;
  take(header.encode(), link::kStartOfPacket);
  take({}, link::kEndOfPacket);
  EXPECT_EQ(faults, 6);
  whole();
  EXPECT_EQ(complete, 6);
  EXPECT_EQ(freed, given);
}

}  // namespace
}  // namespace fabrictwin::test
