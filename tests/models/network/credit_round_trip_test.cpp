// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/credit_round_trip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "models/network/topology.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// What is said of routers and rules on a topology.
std::string said_of(const std::string& topology, const std::string& rest = "") {
  const auto experiment = test::parse_experiment(
      "topology { " + topology + " }\nworkload { traffic { load: 0.1 } }\n" + rest, "e.textproto");
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  if (!experiment.ok()) return {};
  auto graph = network::build_topology(*experiment);
  EXPECT_TRUE(graph.ok()) << graph.status();
  if (!graph.ok()) return {};
  const auto plan = system::make_plan(*experiment, *std::move(graph));
  EXPECT_TRUE(plan.ok()) << plan.status();
  return plan.ok() ? network::credit_round_trip_warning(*experiment, *plan) : std::string();
}

// 120 ns there and back at 100 Gbps are 187.5 words of 128 bits.
TEST(CreditRoundTrip, NamesTheWorstLinkAndWhatToWrite) {
  EXPECT_EQ(
      said_of("spine_leaf { spines: 1 leaves: 2 hosts_per_leaf: 1 }"),
      "router[0].up0->router[2].down0 carries 188 words in a round trip (twice 120 ns at 100 Gbps), and the buffer "
      "of a VC holds 64, so that one VC uses 34 % of it at most (and 3 other links like it); write router { "
      "buffer_words: 188 }, or lower the rate or the latency of the links");
  EXPECT_THAT(said_of("spine_leaf { }", "router { buffer_words: 188 }"), IsEmpty());
  EXPECT_THAT(said_of("spine_leaf { spines: 1 leaves: 2 hosts_per_leaf: 1 link_latency: \"30ns\" }"),
              AllOf(StartsWith("host[0]"), HasSubstr("1 other link like it")));
}

// 64 words of 128 bits in 40.96 ns there and back.
TEST(CreditRoundTrip, WhatIsMissedByLittleIsMissed) {
  const auto said = [](const char* latency) {
    return said_of(
        std::string("spine_leaf { spines: 1 leaves: 2 hosts_per_leaf: 1 host_latency: \"1ns\" link_latency: \"") +
        latency + "\" }");
  };
  EXPECT_THAT(said("40.95ns"), IsEmpty());
  EXPECT_THAT(said("40.97ns"), AllOf(HasSubstr("carries 65 words"), HasSubstr("uses 99.9 % of it at most")));
  EXPECT_THAT(said("41.2ns"), AllOf(HasSubstr("carries 65 words"), HasSubstr("uses 99.4 % of it at most")));
}

TEST(CreditRoundTrip, RtlHasItsBuffers) {
  const std::string mixed = said_of("spine_leaf { }", "use { select: \"router[0]\" implementation: RTL }");
  EXPECT_THAT(mixed, AllOf(HasSubstr("the buffers of RTL are fixed"), Not(HasSubstr("buffer_words"))));
  EXPECT_THAT(said_of("torus { dims: 4 link_latency: \"1ms\" }"),
              AllOf(HasSubstr("lower the rate"), Not(HasSubstr("buffer_words"))));
}

// router.buffer_words is not that of their links.
TEST(CreditRoundTrip, ExanestNodesHaveTheirBuffers) {
  EXPECT_THAT(said_of("exanest { blades: 1 link_latency: \"20us\" }"),
              AllOf(HasSubstr("the buffers of ExaNeSt nodes are fixed"), Not(HasSubstr("buffer_words"))));
  EXPECT_THAT(said_of("exanest { blades: 1 link_latency: \"300ns\" }"),
              AllOf(HasSubstr("the buffers of ExaNeSt nodes are fixed"), Not(HasSubstr("buffer_words"))))
      << "only links within boards lack some";
}

// Two microseconds there and back at 10 Gb/s are 312.5 words.
TEST(CreditRoundTrip, LinksBetweenBoardsMayHaveMore) {
  const std::string two_boards = "exanest { blades: 1 qfdbs: 2 link_latency: \"2us\" ";
  EXPECT_THAT(
      said_of(two_boards + "}"),
      HasSubstr("write exanest { link_buffer_words: 313 } for links between boards (others are fixed), or lower"));
  EXPECT_THAT(said_of(two_boards + "}", "use { select: \"qfdb[0].router\" implementation: RTL }"),
              HasSubstr("write exanest { link_buffer_words: 1152 } for links between boards"));
  EXPECT_THAT(said_of(two_boards + "link_buffer_words: 313 }"), Not(HasSubstr("link_buffer_words")));
}

TEST(CreditRoundTrip, DefaultsOfToriAndOtherModelsAreSilent) {
  EXPECT_THAT(said_of("torus { dims: [4, 4, 4] }"), IsEmpty());
  EXPECT_THAT(said_of("exanest { blades: 1 }"), IsEmpty());
  EXPECT_THAT(said_of("spine_leaf { }", "router { model: PACKET }"), IsEmpty());
  EXPECT_THAT(said_of("spine_leaf { }", "router { model: INPUT_QUEUED }"), IsEmpty());
}

}  // namespace
}  // namespace fabrictwin
