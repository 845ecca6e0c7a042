// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The arbiter against its definition: the first request after the last grant, going round.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>

#include "VExanetArbiter.h"
#include "rtl/transactor/single_thread_context.h"
#include "rtl/transactor/verilated_clock.h"
#include "tests/rtl/rdma/random_source.h"

namespace fabrictwin::test {
namespace {

constexpr int kRequests = 5;

TEST(ExanetArbiter, GrantsTheFirstRequestAfterTheLastGrant) {
  rtl::SingleThreadContext context;
  VExanetArbiter model(&context);
  model.rst_ni = 0;
  rtl::rising_edge_in_two(model);
  model.rst_ni = 1;
  RandomSource random(1);
  std::array<int, kRequests> granted{};
  int last = kRequests - 1;
  int again = 0;
  for (int step = 0; step < 20'000; ++step) {
    model.enable_i = random.below(4) != 0;
    model.request_i = static_cast<uint8_t>(random.below(1u << kRequests));
    model.clk_i = 0;
    model.eval();
    int expected = -1;
    for (int k = kRequests; model.enable_i && k > 0; --k) {
      if ((model.request_i >> ((last + k) % kRequests) & 1) != 0) expected = (last + k) % kRequests;
    }
    ASSERT_EQ(model.grant_o, expected < 0 ? 0 : 1 << expected) << "after " << last << " of " << int{model.request_i};
    if (expected >= 0) {
      if (expected == last) ++again;
      last = expected;
      ++granted[expected];
    }
    model.clk_i = 1;
    model.eval();
  }
  for (const int count : granted) EXPECT_GT(count, 1000);
  EXPECT_GT(again, 100) << "nobody else asked";
}

}  // namespace
}  // namespace fabrictwin::test
