// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

absl::StatusOr<system::SystemGraph> system_of(const std::string& text) {
  const auto experiment = test::parse_experiment(text + "\nworkload { traffic { load: 0.1 } }", "e.textproto");
  if (!experiment.ok()) return experiment.status();
  return network::build_system(*experiment);
}

TEST(SystemBuilder, PlainToriOfExanetRoutersGoByCoordinates) {
  const auto graph = system_of("topology { torus { dims: [2, 2] } }");
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->routes, nullptr);
  EXPECT_THAT(graph->routing,
              StartsWith("by coordinates, highest dimension first, 2 of 2 VCs needed; free of deadlock: "
                         "no cycle among the "));
  EXPECT_TRUE(graph->routing_proved);
}

// Rings of all parities, pairs, a single router, more dimensions than a header has coordinates, and a lattice that is
// too large to look at every packet.
TEST(SystemBuilder, CoordinatesAreProvedFreeOfDeadlock) {
  for (const char* dims : {"[1]", "[2]", "[3]", "[4, 5]", "[6, 2, 3]", "[2, 3, 4, 2]"}) {
    const auto graph = system_of(fmt::format("topology {{ torus {{ dims: {} }} }}", dims));
    ASSERT_TRUE(graph.ok()) << dims << graph.status();
    EXPECT_THAT(graph->routing, HasSubstr("free of deadlock: no cycle among the ")) << dims;
    EXPECT_TRUE(graph->routing_proved) << dims;
  }
  const auto large = system_of("topology { torus { dims: [48, 48] } }");
  ASSERT_TRUE(large.ok()) << large.status();
  EXPECT_THAT(large->routing, HasSubstr("packets of one line of routers in each dimension"));
  EXPECT_TRUE(large->routing_proved);
}

TEST(SystemBuilder, BoardsOfExanestAreProvedFreeOfDeadlock) {
  for (const char* shape : {"blades: 1 qfdbs: 1", "blades: 1 qfdbs: 2", "blades: 2 qfdbs: 4", "blades: 8"}) {
    const auto graph = system_of(fmt::format("topology {{ exanest {{ {} }} }}", shape));
    ASSERT_TRUE(graph.ok()) << shape << graph.status();
    EXPECT_THAT(graph->routing, HasSubstr("free of deadlock: no cycle among the ")) << shape;
  }
}

TEST(SystemBuilder, OtherNetworksOfExanetRoutersHaveTables) {
  const auto graph = system_of("topology { fat_tree { down: [2, 2] } }");
  ASSERT_TRUE(graph.ok()) << graph.status();
  ASSERT_NE(graph->routes, nullptr);
  EXPECT_EQ(graph->routes->destinations(), 4);
  EXPECT_THAT(graph->routing, StartsWith("d_mod_k, 1 of 2 VCs needed; free of deadlock"));
  EXPECT_TRUE(graph->routing_proved);
}

// A VC and the buffer behind it belong to one packet, or whole packets move: then escapes are enough, else they are
// not.
TEST(SystemBuilder, EscapesNeedSwitchingThatQueuesNothingBehindThem) {
  const std::string adaptive =
      "topology { torus { dims: [4, 4] } }\nrouting { algorithm: MINIMAL_ADAPTIVE }\nrouter { model: INPUT_QUEUED vcs: "
      "3 ";
  for (const std::string switching : {"", "switching: WORMHOLE", "switching: VIRTUAL_CUT_THROUGH"}) {
    const auto graph = system_of(adaptive + switching + " }");
    ASSERT_TRUE(graph.ok()) << switching << graph.status();
    EXPECT_THAT(graph->routing, HasSubstr("free of deadlock by Duato's condition"));
  }
  EXPECT_THAT(message_of(system_of(adaptive + "switching: CREDIT_PER_FLIT }").status()),
              HasSubstr("CREDIT_PER_FLIT does not keep routing MINIMAL_ADAPTIVE free of deadlock"));
}

// A run must not be the first to say so: a sweep would fail in its middle.
TEST(SystemBuilder, InputQueuedRoutersHaveLimits) {
  const std::string torus = "topology { torus { dims: [2, 2, 2, 2, 2, 2, 2, 2] } }\nrouter { model: INPUT_QUEUED\n";
  EXPECT_THAT(message_of(system_of(torus + "vcs: 17 }").status()),
              StartsWith("e.textproto:3:6: error: router[0] has 17 ports with 17 VCs each, and ports times VCs, these "
                         "rounded up to a power of two, are at most 512; write vcs: 16 or less, or"));
  EXPECT_THAT(message_of(system_of(torus + "vcs: 1 }").status()), HasSubstr("tells 2 classes of VCs apart"));
  // Switches with pause have none, so that more of them would be no help.
  EXPECT_THAT(message_of(system_of("topology { torus { dims: [4, 4] } } router { model: PACKET } pfc { }").status()),
              HasSubstr("tells 2 classes of VCs apart, and switches with pfc have no VCs; write another routing"));
  EXPECT_THAT(message_of(system_of(torus + "port_buffer { ports: \"nowhere\" flits: 4 } }").status()),
              StartsWith("e.textproto:3:22: error: no port of a router of torus 2x2x2x2x2x2x2x2 is named \"nowhere\""));
}

// The VCs of ExaNet routers cannot be chosen, and where none are written it is the routing that asks for more.
TEST(SystemBuilder, RoutingThatNeedsMoreVcsIsRefusedWhereItIsWritten) {
  const std::string valiant = "topology { torus { dims: [4, 4] } }\nrouting { algorithm: VALIANT }\n";
  EXPECT_THAT(message_of(system_of(valiant).status()),
              StartsWith("e.textproto:2:22: error: routing VALIANT on torus 4x4 needs 4 classes of VCs, and routers of "
                         "the model EXANET have 2; write router { model: INPUT_QUEUED vcs: 4 }, or another routing"));
  EXPECT_THAT(message_of(system_of(valiant + "router { model: INPUT_QUEUED }").status()),
              StartsWith("e.textproto:2:22: error: vcs 2: routing VALIANT"));
  EXPECT_THAT(message_of(system_of(valiant + "router { model: INPUT_QUEUED vcs: 3 }").status()),
              StartsWith("e.textproto:3:35: error: vcs 3: routing VALIANT"));
}

TEST(SystemBuilder, TablesCannotAdapt) {
  EXPECT_THAT(message_of(system_of("topology { fat_tree { down: [2, 2] } }\nrouting { algorithm: UP_DOWN }").status()),
              HasSubstr("e.textproto:2:22: error: routers of the model EXANET go by tables here, and the routing is "
                        "adaptive"));
}

}  // namespace
}  // namespace fabrictwin
