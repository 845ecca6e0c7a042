// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Skipping idle edges changes nothing: the same words and credits at the same times, the same state of every router
// after every edge.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "cosim/observe/digest.h"
#include "tests/rtl/router_network.h"

namespace fabrictwin::test {
namespace {

/// What one router did at one edge.
struct Edge {
  uint64_t state = 0;
  bool quiet = false;  ///< Idle afterwards, nothing on the outputs.
};

struct Trace {
  std::vector<std::map<int64_t, Edge>> edges;  ///< By router and edge.
  std::vector<std::vector<ArrivedWord>> words;
  std::vector<std::vector<ArrivedCredit>> credits;
  uint64_t evaluated = 0;
};

Trace run(NetworkOptions options, bool idle_skip, Time quantum) {
  options.idle_skip = idle_skip;
  RouterNetwork network(options);
  network.add_random_traffic(30, 4000);
  Trace trace;
  trace.edges.resize(network.nodes());
  for (int n = 0; n < network.nodes(); ++n) {
    network.router(n).set_observer([&trace, n](int64_t cycle, const rtl::router::Model& model) {
      const rtl::router::Pins& pins = model.pins();
      trace.edges[n][cycle] = {observe::hash_bytes(model.state()),
                               *pins.idle_o != 0 && *pins.tx_valid_o == 0 && *pins.credit_valid_o == 0};
    });
  }
  const absl::Status status = network.run(quantum, Time::from_us(80));
  EXPECT_TRUE(status.ok()) << status;
  for (int n = 0; n < network.nodes(); ++n) {
    EXPECT_TRUE(network.tile(n).all_sent());
    trace.words.push_back(network.tile(n).words());
    trace.credits.push_back(network.tile(n).credits());
    trace.evaluated += network.router(n).events();
  }
  return trace;
}

class IdleSkip : public testing::TestWithParam<int64_t> {};

TEST_P(IdleSkip, ChangesNothing) {
  NetworkOptions options;
  options.seed = static_cast<uint64_t>(GetParam());
  options.eagerness = 70;
  const Trace every = run(options, false, Time::from_ns(60));
  const Trace skipped = run(options, true, Time::from_ps(GetParam()));
  EXPECT_EQ(every.words, skipped.words);
  EXPECT_EQ(every.credits, skipped.credits);
  // Much must really have been skipped, or this shows nothing.
  EXPECT_LT(skipped.evaluated * 2, every.evaluated);
  for (size_t n = 0; n < every.edges.size(); ++n) {
    size_t compared = 0;
    for (const auto& [cycle, edge] : every.edges[n]) {
      const auto match = skipped.edges[n].find(cycle);
      if (match == skipped.edges[n].end()) {
        ASSERT_TRUE(edge.quiet) << "router " << n << " did something at edge " << cycle << ", which was skipped";
      } else {
        ASSERT_EQ(edge.state, match->second.state) << "router " << n << " edge " << cycle;
        ++compared;
      }
    }
    EXPECT_EQ(compared, skipped.edges[n].size());
  }
}

INSTANTIATE_TEST_SUITE_P(Quanta, IdleSkip, testing::Values(60'000, 6'400, 23'456));

TEST(IdleSkipCost, IdleTimeCostsNoEdges) {
  NetworkOptions options;
  RouterNetwork network(options);
  network.add_random_traffic(1, 10);
  ASSERT_TRUE(network.run(Time::from_ns(60), Time::from_us(10)).ok());
  rtl::router::Transactor& router = network.router(0);
  const uint64_t before = router.events();
  EXPECT_TRUE(router.next_event().is_never());
  ASSERT_TRUE(router.advance(Time::from_us(1'000'000)).ok());
  EXPECT_EQ(router.events(), before);
}

}  // namespace
}  // namespace fabrictwin::test
