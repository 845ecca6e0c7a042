// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/message_body.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

constexpr std::array<uint64_t, 4> kAll{~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}};

std::vector<std::byte> whole_body(const nic::Envelope& envelope) {
  std::vector<std::byte> bytes;
  for (uint64_t i = 0; i < envelope.bytes; ++i)
    bytes.push_back(static_cast<std::byte>(mix64(envelope.payload_key + i / 8) >> (8 * (i % 8))));
  return bytes;
}

uint64_t hash_in_one_go(const nic::Envelope& envelope, const std::vector<std::byte>& bytes) {
  nic::IncomingBody body(envelope);
  for (uint64_t at = 0; at < bytes.size(); at += 256)
    EXPECT_TRUE(body.write(at, std::span(bytes).subspan(at, std::min<uint64_t>(256, bytes.size() - at)), kAll));
  return body.hash();
}

RC_GTEST_PROP(MessageBody, PiecesAreWhatTheKeySaysAndZeroBeyond, ()) {
  const nic::Envelope envelope{*rc::gen::arbitrary<uint64_t>(), *rc::gen::inRange<uint64_t>(0, 700), {}};
  const std::vector<std::byte> body = whole_body(envelope);
  const auto offset = *rc::gen::inRange<uint64_t>(0, 800);
  std::vector<std::byte> piece(*rc::gen::inRange<size_t>(0, 257), std::byte{0xaa});
  nic::make_body(envelope, offset, piece);
  for (size_t i = 0; i < piece.size(); ++i)
    RC_ASSERT(piece[i] == (offset + i < body.size() ? body[offset + i] : std::byte{0}));
}

RC_GTEST_PROP(MessageBody, OrderAndPiecesDoNotMatter, ()) {
  const nic::Envelope envelope{*rc::gen::arbitrary<uint64_t>(), *rc::gen::inRange<uint64_t>(1, 2000), {}};
  const std::vector<std::byte> bytes = whole_body(envelope);
  // Pieces of any size, some of them in two writes with complementary strobes.
  std::vector<std::pair<uint64_t, uint64_t>> pieces;
  for (uint64_t at = 0; at < bytes.size();) {
    const auto count = std::min<uint64_t>(*rc::gen::inRange<uint64_t>(1, 257), bytes.size() - at);
    pieces.emplace_back(at, count);
    at += count;
  }
  for (size_t i = pieces.size(); i > 1; --i) std::swap(pieces[i - 1], pieces[*rc::gen::inRange<size_t>(0, i)]);
  nic::IncomingBody body(envelope);
  for (const auto& [at, count] : pieces) {
    const std::array<uint64_t, 4> some{*rc::gen::arbitrary<uint64_t>(), *rc::gen::arbitrary<uint64_t>(), 0, kAll[0]};
    std::array<uint64_t, 4> others;
    for (size_t i = 0; i < 4; ++i) others[i] = ~some[i];
    RC_ASSERT(body.write(at, std::span(bytes).subspan(at, count), some));
    RC_ASSERT(body.write(at, std::span(bytes).subspan(at, count), others));
  }
  RC_ASSERT(body.complete());
  RC_ASSERT(body.intact());
  RC_ASSERT(body.hash() == hash_in_one_go(envelope, bytes));
  RC_ASSERT(body.hash() == nic::hash_of_body(envelope));
}

RC_GTEST_PROP(MessageBody, EveryWrongByteShowsAndChangesTheHash, ()) {
  const nic::Envelope envelope{*rc::gen::arbitrary<uint64_t>(), *rc::gen::inRange<uint64_t>(1, 2000), {}};
  std::vector<std::byte> bytes = whole_body(envelope);
  const uint64_t right = hash_in_one_go(envelope, bytes);
  bytes[*rc::gen::inRange<size_t>(0, bytes.size())] ^= static_cast<std::byte>(*rc::gen::inRange(1, 256));
  nic::IncomingBody body(envelope);
  for (uint64_t at = 0; at < bytes.size(); at += 256)
    body.write(at, std::span(bytes).subspan(at, std::min<uint64_t>(256, bytes.size() - at)), kAll);
  RC_ASSERT(!body.intact());
  RC_ASSERT(body.hash() != right);
  // However its bytes come.
  nic::IncomingBody whole(envelope);
  const auto cut = *rc::gen::inRange<size_t>(0, bytes.size() + 1);
  RC_ASSERT(whole.write(cut, std::span(bytes).subspan(cut)));
  RC_ASSERT(whole.write(0, std::span(bytes).first(cut)));
  RC_ASSERT(whole.complete());
  RC_ASSERT(!whole.intact());
  RC_ASSERT(whole.hash() == body.hash());
}

TEST(MessageBody, OtherKeysAndLengthsHaveOtherHashes) {
  EXPECT_NE(nic::hash_of_body({1, 8, {}}), nic::hash_of_body({2, 8, {}}));
  EXPECT_NE(nic::hash_of_body({1, 8, {}}), nic::hash_of_body({1, 9, {}}));
  EXPECT_EQ(nic::hash_of_body({1, 8, {}}), nic::hash_of_body({1, 8, {5, 6}}));
}

TEST(MessageBody, TakesNothingBeyondItsEnd) {
  nic::IncomingBody body(nic::Envelope{1, 10, {}});
  const std::array<std::byte, 16> bytes{};
  EXPECT_FALSE(body.write(0, bytes, {0x7ff}));
  EXPECT_EQ(body.received(), 0u);
  EXPECT_TRUE(body.write(0, bytes, {0x3ff}));
  EXPECT_TRUE(body.complete());
  EXPECT_FALSE(body.write(uint64_t{1} << 31, bytes, {1}));
  EXPECT_FALSE(body.write(~uint64_t{0}, std::span(bytes).first(2)));
  EXPECT_FALSE(nic::IncomingBody(nic::Envelope{1, 10, {}}).write(1, std::span(bytes).first(10)));
}

}  // namespace
}  // namespace fabrictwin
