// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/digest.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace fabrictwin {
namespace {

RC_GTEST_PROP(DigestProperty, MessagesCommuteAndArrivalsDoNot, ()) {
  const auto hashes = *rc::gen::unique<std::vector<uint64_t>>(rc::gen::arbitrary<uint64_t>());
  std::vector<uint64_t> reversed(hashes.rbegin(), hashes.rend());
  observe::EndpointDigest one[1];
  observe::EndpointDigest other[1];
  for (const uint64_t hash : hashes) one[0].add_message(hash), one[0].add_arrival(Time::zero(), hash);
  for (const uint64_t hash : reversed) other[0].add_message(hash), other[0].add_arrival(Time::zero(), hash);
  RC_ASSERT(observe::combine_payload(one) == observe::combine_payload(other));
  RC_ASSERT((observe::combine_timing(one) == observe::combine_timing(other)) == (hashes.size() < 2));
}

TEST(DigestTest, TimingSeesTimesAndPayloadDoesNot) {
  observe::EndpointDigest early[2];
  observe::EndpointDigest late[2];
  early[1].add_arrival(Time::from_ns(1), 5);
  late[1].add_arrival(Time::from_ns(2), 5);
  early[0].add_message(9);
  late[0].add_message(9);
  EXPECT_NE(observe::combine_timing(early), observe::combine_timing(late));
  EXPECT_EQ(observe::combine_payload(early), observe::combine_payload(late));
}

TEST(DigestTest, KnowsWhichEndpointReceived) {
  observe::EndpointDigest first[2];
  observe::EndpointDigest second[2];
  first[0].add_message(9);
  second[1].add_message(9);
  EXPECT_NE(observe::combine_payload(first), observe::combine_payload(second));
}

TEST(DigestTest, CountsRepeatedMessages) {
  observe::EndpointDigest once[1];
  observe::EndpointDigest twice[1];
  once[0].add_message(0);
  twice[0].add_message(0);
  twice[0].add_message(0);
  EXPECT_NE(observe::combine_payload(once), observe::combine_payload(twice));
}

TEST(DigestTest, IsSixteenHexadecimalDigitsThatNeverChange) {
  observe::EndpointDigest endpoints[2];
  endpoints[0].add_arrival(Time::from_ns(120), 42);
  endpoints[1].add_message(43);
  // Digests are compared across versions and machines: these values are part of the interface.
  EXPECT_EQ(observe::combine_timing(endpoints).size(), 16u);
  EXPECT_EQ(observe::combine_timing(endpoints), "05829a69c45977fc");
  EXPECT_EQ(observe::combine_payload(endpoints), "05e09f049a09ed98");
}

TEST(DigestTest, HashesBytesWithTheirSeed) {
  const std::byte bytes[] = {std::byte{1}, std::byte{2}};
  EXPECT_NE(observe::hash_bytes(bytes), observe::hash_bytes(bytes, 1));
  EXPECT_NE(observe::hash_bytes(bytes), observe::hash_bytes(std::span(bytes, 1)));
}

}  // namespace
}  // namespace fabrictwin
