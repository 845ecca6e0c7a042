// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Who is what, and who is next to whom.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "workloads/gpcnet/victim.h"
#include "workloads/gpcnet/workload.h"

namespace fabrictwin {
namespace {

gpcnet::GpcnetSpec with_share(double share) {
  gpcnet::GpcnetSpec spec;
  spec.ranks_per_host = 1;
  spec.congestors = share;
  return spec;
}

RC_GTEST_PROP(GpcnetRoles, EachHostHasOne, ()) {
  const int32_t hosts = *rc::gen::inRange(10, 300);
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const auto roles = gpcnet::random_roles(with_share(0.8), hosts, seed);
  RC_ASSERT(roles.ok());
  std::set<int32_t> all(roles->victims.begin(), roles->victims.end());
  size_t count = roles->victims.size();
  RC_ASSERT(count == static_cast<size_t>(hosts - static_cast<int32_t>(0.8 * hosts)));
  size_t least = static_cast<size_t>(hosts);
  size_t most = 0;
  for (const auto& group : roles->congestors) {
    all.insert(group.begin(), group.end());
    count += group.size();
    least = std::min(least, group.size());
    most = std::max(most, group.size());
  }
  RC_ASSERT(count == static_cast<size_t>(hosts));
  RC_ASSERT(all.size() == count);
  RC_ASSERT(least >= 2u);
  RC_ASSERT(most - least <= 1u);
}

// Who goes to the left from neighbour to neighbour meets all ranks of its slice, and comes back.
RC_GTEST_PROP(GpcnetRoles, NeighboursAreRings, ()) {
  const int32_t hosts = *rc::gen::inRange(2, 40);
  const int32_t slice = *rc::gen::inRange(0, 4);
  const int32_t order = *rc::gen::inRange(0, 30);
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const auto of = [&](int32_t rank) { return gpcnet::neighbours_of(rank, hosts, gpcnet::Test::kLatency, order, seed); };
  const int32_t first = slice * hosts;
  std::set<int32_t> met;
  int32_t rank = first;
  do {
    RC_ASSERT(rank >= first && rank < first + hosts);
    met.insert(rank);
    RC_ASSERT(of(of(rank).left).right == rank);
    rank = of(rank).left;
  } while (rank != first && met.size() <= static_cast<size_t>(hosts));
  RC_ASSERT(met.size() == static_cast<size_t>(hosts));
}

TEST(GpcnetRoles, DependOnTheSeed) {
  EXPECT_NE(gpcnet::random_roles(with_share(0.8), 64, 1)->victims,
            gpcnet::random_roles(with_share(0.8), 64, 2)->victims);
  EXPECT_EQ(gpcnet::random_roles(with_share(0.8), 64, 1)->victims,
            gpcnet::random_roles(with_share(0.8), 64, 1)->victims);
  // As in the published run: 13 victims and 51 congestors.
  EXPECT_EQ(gpcnet::random_roles(with_share(0.8), 64, 1)->victims.size(), 13u);
}

}  // namespace
}  // namespace fabrictwin
