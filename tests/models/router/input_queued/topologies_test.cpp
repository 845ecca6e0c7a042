// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Input-queued routers on every topology, with every routing: times by the cycle, and that everything arrives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cosim/base/random.h"
#include "cosim/base/text.h"
#include "cosim/experiment/experiment.h"
#include "fmt/format.h"
#include "models/network/input_queued_config.h"
#include "models/network/topology.h"
#include "models/router/input_queued/network.h"
#include "rapidcheck/gtest.h"
#include "tests/experiments.h"
#include "tests/models/router/input_queued/lattice_network.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int32_t kFlits = 18;

// A script that notes sums of what arrives.
class Packets : public Script {
 public:
  void packet_arrived(const router::input_queued::Packet& packet, int64_t cycle) override {
    EXPECT_TRUE(arrived.insert(packet.sequence).second) << "twice";
    last = packet;
    last_cycle = cycle;
    flit_hops += static_cast<uint64_t>(packet.hops) * packet.flits;
  }

  std::set<uint64_t> arrived;
  uint64_t flit_hops = 0;
  router::input_queued::Packet last;
  int64_t last_cycle = 0;
};

absl::StatusOr<experiment::Experiment> experiment_of(const std::string& topology, const std::string& router,
                                                     const std::string& routing) {
  return test::parse_experiment(fmt::format("topology {{ {} }}\nrouter {{ model: INPUT_QUEUED {} }}\n{}\n"
                                            "workload {{ traffic {{ pattern: UNIFORM load: 0.1 }} }}\nseed: 1\n",
                                            topology, router, routing),
                                "test.textproto");
}

struct Machine {
  Machine(const std::string& topology, const std::string& router, const std::string& routing, int32_t min_flits) {
    absl::StatusOr<experiment::Experiment> experiment = experiment_of(topology, router, routing);
    if (!experiment.ok()) {
      error = message_of(experiment.status());
      return;
    }
    graph = *network::build_topology(*experiment);
    graph.build_index();
    absl::StatusOr<router::input_queued::Network::Config> made =
        network::make_iq_network_config(*experiment, graph, min_flits);
    if (!made.ok()) {
      error = message_of(made.status());
      return;
    }
    config = *std::move(made);
  }

  std::string error;
  system::SystemGraph graph;
  router::input_queued::Network::Config config;
};

// Runs until nothing happens any more.
bool drain(router::input_queued::Network& network, int64_t limit) {
  while (network.next_cycle() < limit) network.step(network.next_cycle());
  return network.next_cycle() == router::input_queued::Traffic::kNever;
}

// A packet alone: its latency, and the routers on its way.
std::pair<int64_t, int32_t> alone(const Machine& machine, int32_t source, int32_t destination) {
  Packets packets;
  packets.send(10, source, destination, kFlits, 12345);
  router::input_queued::Network network(machine.config, packets);
  EXPECT_TRUE(drain(network, 100'000)) << network.failure();
  EXPECT_EQ(packets.arrived.size(), 1U);
  EXPECT_EQ(packets.last.destination, destination);
  return {packets.last_cycle - 10, packets.last.hops};
}

// P + 4 cycles in each router + the links, all of `latency` cycles but the two of the hosts, which have one.
void expect_zero_load(const Machine& machine, int32_t source, int32_t destination, int32_t routers, int32_t latency) {
  const auto [cycles, passed] = alone(machine, source, destination);
  EXPECT_EQ(passed, routers) << source << " -> " << destination;
  EXPECT_EQ(cycles, kFlits + 4 * routers + latency * (routers - 1) + 2) << source << " -> " << destination;
}

TEST(IqTopologies, ZeroLoadLatencyOfAFatTree) {
  const Machine machine("fat_tree { down: [4, 4, 4] link_latency_cycles: 7 host_latency_cycles: 1 }", "", "", kFlits);
  ASSERT_EQ(machine.error, "");
  for (const int32_t destination : {1, 3, 4, 15, 16, 63}) {
    const int32_t routers = destination < 4 ? 1 : destination < 16 ? 3 : 5;
    expect_zero_load(machine, 0, destination, routers, 7);
  }
}

TEST(IqTopologies, ZeroLoadLatencyOfSpineAndLeaves) {
  const Machine machine(
      "spine_leaf { spines: 2 leaves: 3 hosts_per_leaf: 4 link_rate: \"100Gbps\" host_rate: \"100Gbps\" "
      "link_latency_cycles: 12 host_latency_cycles: 1 }",
      "clock: \"781.25MHz\"", "", kFlits);
  ASSERT_EQ(machine.error, "");
  expect_zero_load(machine, 0, 3, 1, 12);
  expect_zero_load(machine, 0, 4, 3, 12);
  expect_zero_load(machine, 11, 0, 3, 12);
}

TEST(IqTopologies, ZeroLoadLatencyOfAMesh) {
  const Machine machine(
      "torus { dims: [4, 3] wrap: false hosts_per_router: 2 link_latency_cycles: 5 tile_latency_cycles: 1 }", "vcs: 1",
      "", kFlits);
  ASSERT_EQ(machine.error, "");
  for (int32_t destination = 0; destination < 24; ++destination) {
    const int32_t router = destination / 2;
    expect_zero_load(machine, 1, destination, 1 + router % 4 + router / 4, 5);
  }
}

TEST(IqTopologies, ZeroLoadLatencyOfADragonfly) {
  const Machine machine(
      "dragonfly { groups: 3 rows: 2 columns: 4 hosts_per_router: 2 row_links: 1 column_links: 1 global_ports: 2 "
      "local_rate: \"84Gbps\" global_rate: \"84Gbps\" host_rate: \"84Gbps\" "
      "local_latency_cycles: 6 global_latency_cycles: 6 host_latency_cycles: 1 }",
      "vcs: 4", "", kFlits);
  ASSERT_EQ(machine.error, "");
  expect_zero_load(machine, 0, 1, 1, 6);
  // Two routers of a row are linked.
  expect_zero_load(machine, 0, 2, 2, 6);
  for (int32_t destination = 16; destination < 48; ++destination) {
    const auto [cycles, routers] = alone(machine, 0, destination);
    // Row and column, the global link, row and column again.
    EXPECT_GE(routers, 2);
    EXPECT_LE(routers, 6);
    EXPECT_EQ(cycles, kFlits + 4 * routers + 6 * (routers - 1) + 2);
  }
}

// A link of half the clock's rate carries a flit every other cycle, one of two fifths two in five.
TEST(IqTopologies, SlowLinksSpaceFlits) {
  const std::vector<std::pair<std::string, int64_t>> rates = {{"100Gbps", 17}, {"50Gbps", 34}, {"40Gbps", 43}};
  for (const auto& [rate, last_flit] : rates) {
    const Machine slow_link(
        fmt::format("fat_tree {{ down: [2, 2] link_rate: \"{}\" link_latency_cycles: 7 host_latency_cycles: 1 }}",
                    rate),
        "", "", kFlits);
    ASSERT_EQ(slow_link.error, "");
    const auto [cycles, routers] = alone(slow_link, 0, 3);
    EXPECT_EQ(routers, 3);
    // Behind the last slow link, flits that are not the head save its two first stages.
    const int64_t saved = last_flit > kFlits ? 2 : 0;
    EXPECT_EQ(cycles, 1 + last_flit + 4 * 3 + 7 * 2 + 2 - saved) << rate;
    const Machine slow_host(
        fmt::format("fat_tree {{ down: [2, 2] host_rate: \"{}\" link_latency_cycles: 7 host_latency_cycles: 1 }}",
                    rate),
        "", "", kFlits);
    EXPECT_EQ(alone(slow_host, 0, 3).first, 1 + last_flit + 4 * 3 + 7 * 2 + 2) << rate;
  }
}

// The rate of a stream of packets is that of the slowest link, whatever the speed-up.
TEST(IqTopologies, SlowLinksBoundTheRate) {
  for (const std::string speedup : {"1", "2"}) {
    const Machine machine(
        "fat_tree { down: [2, 2] link_rate: \"30Gbps\" link_latency_cycles: 2 host_latency_cycles: 1 }",
        "vc_buffer_flits: 64 internal_speedup: " + speedup, "", 2000);
    ASSERT_EQ(machine.error, "");
    Packets packets;
    packets.send(0, 0, 3, 2000, 1);
    router::input_queued::Network network(machine.config, packets);
    ASSERT_TRUE(drain(network, 100'000));
    EXPECT_NEAR(static_cast<double>(packets.last_cycle) / 2000, 10.0 / 3.0, 0.02) << speedup;
  }
}

// 60 hosts on each router, 8 VCs: masks of eight words.
TEST(IqTopologies, RoutersMayHaveSixtyFourPortsOfEightVcs) {
  for (const std::string vcs : {"1", "2", "4", "8"}) {
    const Machine machine("spine_leaf { spines: 4 leaves: 2 hosts_per_leaf: 60 }", "vcs: " + vcs, "", kFlits);
    ASSERT_EQ(machine.error, "");
    Packets packets;
    for (int32_t host = 0; host < 120; ++host) {
      for (uint32_t i = 0; i < 10; ++i) packets.send(0, host, (host * 7 + 61) % 120, kFlits, i * 77);
    }
    router::input_queued::Network network(machine.config, packets);
    ASSERT_TRUE(drain(network, 100'000)) << network.failure();
    EXPECT_EQ(packets.arrived.size(), 1200U) << vcs;
  }
}

TEST(IqTopologies, RefusesWhatDoesNotFit) {
  EXPECT_THAT(Machine("spine_leaf { spines: 4 leaves: 2 hosts_per_leaf: 60 }", "vcs: 16", "", kFlits).error,
              AllOf(HasSubstr("test.textproto:2:"), HasSubstr("64 ports with 16 VCs"), HasSubstr("at most 512")));
  EXPECT_THAT(Machine("fat_tree { down: [2, 2] link_latency_cycles: 5000 }", "", "", kFlits).error,
              AllOf(HasSubstr("take 1024 at most"), HasSubstr("router")));
  EXPECT_THAT(Machine("fat_tree { down: [2, 2] }", "port_buffer { ports: \"north*\" flits: 4 }", "", kFlits).error,
              AllOf(HasSubstr("named \"north*\""), HasSubstr("up0")));
  EXPECT_THAT(Machine("fat_tree { down: [2, 2] }", "port_buffer { ports: \"up*\" }", "", kFlits).error,
              HasSubstr("flits 0: write 1 to 4096"));
  EXPECT_THAT(Machine("fat_tree { down: [2, 2] }", "port_buffer { flits: 4 }", "", kFlits).error,
              HasSubstr("names no ports"));
  EXPECT_THAT(Machine("fat_tree { down: [2, 2] }",
                      "switching: VIRTUAL_CUT_THROUGH port_buffer { ports: \"up*\" flits: 17 }", "", kFlits)
                  .error,
              HasSubstr("needs space for a whole packet"));
  EXPECT_THAT(Machine("torus { dims: [4, 4] }", "vcs: 4 switching: CREDIT_PER_FLIT",
                      "routing { algorithm: MINIMAL_ADAPTIVE }", kFlits)
                  .error,
              AllOf(HasSubstr("test.textproto:2:"), HasSubstr("write WORMHOLE")));
}

TEST(IqTopologies, BuffersAreThoseOfTheirPorts) {
  const Machine machine("fat_tree { down: [2, 2] }",
                        "vc_buffer_flits: 10 port_buffer { ports: \"up*\" flits: 20 } "
                        "port_buffer { ports: \"*0\" flits: 30 }",
                        "", kFlits);
  ASSERT_EQ(machine.error, "");
  Packets packets;
  const router::input_queued::Network network(machine.config, packets);
  // Leaves come first: host0, host1, up0, up1; a root has down0 and down1.
  EXPECT_EQ(network.capacity(0), 2 * (30 + 10 + 30 + 20));
  EXPECT_EQ(network.host_credits(0, 0), 30);
  EXPECT_EQ(network.host_credits(1, 0), 10);
  // A leaf sees the buffers of down0 or down1 above it, as the first or second leaf.
  EXPECT_EQ(network.credits(0, 2, 0), 30);
  EXPECT_EQ(network.credits(1, 2, 0), 10);
  // A root sees those of up0 or up1 below it, as the first or second root.
  EXPECT_EQ(network.credits(2, 0, 0), 30);
  EXPECT_EQ(network.credits(3, 0, 0), 20);
}

// A VC belongs to one packet with WORMHOLE: the next one has to wait until its last flit has left the buffer behind.
TEST(IqTopologies, WormholeWaitsForAnEmptyBuffer) {
  int64_t last[2] = {0, 0};
  for (const bool wormhole : {false, true}) {
    const Machine machine(
        "torus { dims: 4 wrap: false link_latency_cycles: 20 tile_latency_cycles: 1 }",
        fmt::format("vcs: 1 vc_buffer_flits: 100 switching: {}", wormhole ? "WORMHOLE" : "CREDIT_PER_FLIT"), "",
        kFlits);
    ASSERT_EQ(machine.error, "");
    Packets packets;
    for (uint32_t i = 0; i < 50; ++i) packets.send(0, 0, 1, kFlits, i);
    router::input_queued::Network network(machine.config, packets);
    ASSERT_TRUE(drain(network, 100'000));
    last[wormhole ? 1 : 0] = packets.last_cycle;
  }
  // Packets 20 cycles apart, and 18 + a round trip of 2 L + 3 and the stages.
  EXPECT_NEAR(static_cast<double>(last[0]) / 50, 20, 1.5);
  EXPECT_NEAR(static_cast<double>(last[1]) / 50, 17 + 2 * 20 + 6, 2);
}

// The first of two paths is full, so that an adaptive packet takes the other.
TEST(IqTopologies, AdaptiveRoutingAvoidsQueues) {
  const std::string topology = "torus { dims: [4, 4] link_latency_cycles: 1 tile_latency_cycles: 1 }";
  uint64_t first_path[2] = {0, 0};
  for (const bool adaptive : {false, true}) {
    const Machine machine(
        topology, "vcs: 4",
        adaptive ? "routing { algorithm: MINIMAL_ADAPTIVE }" : "routing { algorithm: DIMENSION_ORDER }", kFlits);
    ASSERT_EQ(machine.error, "");
    Packets packets;
    // Host 15 sends through router 0 along x; host 0 wants to go along x and y.
    for (uint32_t i = 0; i < 200; ++i) packets.send(0, 3, 1, kFlits, 0);
    for (uint32_t i = 0; i < 200; ++i) packets.send(0, 0, 5, kFlits, 0);
    router::input_queued::Network network(machine.config, packets);
    ASSERT_TRUE(drain(network, 100'000)) << network.failure();
    EXPECT_EQ(packets.arrived.size(), 400U);
    first_path[adaptive ? 1 : 0] = network.packets_sent({0, 1}, router::input_queued::Traffic::kNever);
  }
  EXPECT_EQ(first_path[0], 400U);
  EXPECT_LT(first_path[1], 320U);
}

struct Case {
  std::string topology;
  std::vector<std::string> routings;
  int32_t vcs;  // That they need.
};

// Everything that was sent arrives exactly once and all credits come back, on any topology, with any routing that suits
// it, any router and any load.
RC_GTEST_PROP(IqTopologiesProperty, EverythingArrives, ()) {
  static const std::vector<Case> cases = {
      {"torus { dims: [4, 3] link_latency_cycles: 3 }",
       {"DIMENSION_ORDER", "MINIMAL_ADAPTIVE", "VALIANT", "UGAL_L", "UGAL_G"},
       4},
      {"torus { dims: [3, 3] wrap: false hosts_per_router: 2 link_rate: \"7Gbps\" }",
       {"DIMENSION_ORDER", "MINIMAL_ADAPTIVE", "VALIANT", "UGAL_L"},
       2},
      {"fat_tree { down: [2, 3, 2] link_rate: \"60Gbps\" }", {"UP_DOWN", "D_MOD_K", "ECMP"}, 1},
      {"fat_tree { down: [4, 4] up: 2 }", {"UP_DOWN", "D_MOD_K", "RANDOM_UP"}, 1},
      {"spine_leaf { spines: 2 leaves: 3 hosts_per_leaf: 3 parallel: 2 }", {"UP_DOWN", "D_MOD_K"}, 1},
      {"dragonfly { groups: 3 rows: 2 columns: 2 hosts_per_router: 2 column_links: 1 global_ports: 1 }",
       {"MINIMAL", "VALIANT", "UGAL_L", "UGAL_G"},
       6},
      {"sun_fire_x4600 { }", {"SHORTEST", "UP_DOWN"}, 4},
  };
  const Case& chosen = *rc::gen::elementOf(cases);
  const std::string routing = *rc::gen::elementOf(chosen.routings);
  const auto switching = *rc::gen::element<std::string>("CREDIT_PER_FLIT", "WORMHOLE", "VIRTUAL_CUT_THROUGH");
  RC_PRE(routing != "MINIMAL_ADAPTIVE" || switching != "CREDIT_PER_FLIT");
  const auto arbitration = *rc::gen::element<std::string>("ROUND_ROBIN", "AGE", "FIXED");
  const bool whole = switching == "VIRTUAL_CUT_THROUGH";
  const int32_t flits = *rc::gen::inRange(1, kFlits + 1);
  const std::string router = fmt::format(
      "vcs: {} vc_buffer_flits: {} switching: {} arbitration: {} routing_delay: {} internal_speedup: {} "
      "switch_delay: {} credit_delay: {} port_buffer {{ ports: \"*\" flits: {} }}",
      chosen.vcs * *rc::gen::inRange(1, 3), whole ? 36 : 5, switching, arbitration, *rc::gen::inRange(0, 3),
      *rc::gen::inRange(1, 3), *rc::gen::inRange(1, 3), *rc::gen::inRange(0, 3),
      *rc::gen::inRange(whole ? kFlits : 1, 40));
  const Machine machine(chosen.topology, router, "routing { algorithm: " + routing + " }", 1);
  RC_ASSERT(machine.error == "");
  const int32_t hosts = machine.config.hosts;
  Packets packets;
  RandomStream random(*rc::gen::arbitrary<uint64_t>(), 0, RandomPurpose::kTest);
  const int32_t each = *rc::gen::inRange(1, 30);
  const int32_t gap = *rc::gen::inRange(0, 60);
  for (int32_t host = 0; host < hosts; ++host) {
    for (int64_t i = 0; i < each; ++i) {
      const auto destination = static_cast<int32_t>(random.next_below(static_cast<uint64_t>(hosts)));
      const int32_t size = 1 + static_cast<int32_t>(random.next_below(static_cast<uint64_t>(flits)));
      packets.send(i * gap, host, destination, size, static_cast<uint32_t>(random.next()));
    }
  }
  router::input_queued::Network network(machine.config, packets);
  RC_ASSERT(drain(network, 4'000'000));
  RC_ASSERT(network.failure() == "");
  RC_ASSERT(packets.arrived.size() == packets.sent);
  RC_ASSERT(network.flit_hops() == packets.flit_hops);
  RC_ASSERT(network.in_flight(0).flits == 0U);
  for (const router::input_queued::Link& link : machine.config.links) {
    for (int side = 0; side < 2; ++side) {
      const router::input_queued::End& end = link.ends[side];
      for (int32_t vc = 0; vc < machine.config.router.vcs; ++vc) {
        const int32_t credits =
            end.port < 0 ? network.host_credits(end.element, vc) : network.credits(end.element, end.port, vc);
        RC_ASSERT(credits == link.buffer_flits[1 - side]);
      }
    }
  }
  RC_ASSERT(!::testing::Test::HasFailure());
}

}  // namespace
}  // namespace fabrictwin
