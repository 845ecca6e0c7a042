// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/round_robin.h"

#include <gtest/gtest.h>

#include <vector>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

using kernel::RoundRobin;

RC_GTEST_PROP(RoundRobin, FindsWhomItPicksFromAMask, ()) {
  const auto requesters = *rc::gen::inRange(1, 65);
  RoundRobin arbiter(*rc::gen::inRange<uint16_t>(0, static_cast<uint16_t>(requesters)));
  for (const uint64_t drawn : *rc::gen::container<std::vector<uint64_t>>(rc::gen::arbitrary<uint64_t>())) {
    const uint64_t requests = requesters == 64 ? drawn : drawn & (kernel::bit(requesters) - 1);
    const int32_t found =
        arbiter.find(requesters, [&](int32_t asking) { return (requests & kernel::bit(asking)) != 0; });
    RC_ASSERT(found == (requests == 0 ? -1 : arbiter.pick(requests)));
    if (found >= 0) arbiter.granted(found, requesters);
  }
}

TEST(RoundRobin, BeginsAgainIfTheNextOneIsGone) {
  RoundRobin arbiter;
  arbiter.granted(4, 8);
  EXPECT_EQ(arbiter.find(8, [](int32_t) { return true; }), 5);
  EXPECT_EQ(arbiter.find(5, [](int32_t) { return true; }), 0);
  EXPECT_EQ(arbiter.find(0, [](int32_t) { return true; }), -1);
}

}  // namespace
}  // namespace fabrictwin
