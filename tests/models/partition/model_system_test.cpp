// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/model_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "docs/examples/tlm-host/packet_host.h"
#include "models/topology/lattice/torus.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

experiment::Experiment torus(std::vector<int32_t> dims) {
  experiment::Experiment experiment;
  const std::vector<bool> wrap(dims.size(), true);
  experiment.topology_spec = topology::lattice::TorusSpec{.dims = std::move(dims),
                                                          .wrap = wrap,
                                                          .link_rate = Bandwidth{10'000'000'000},
                                                          .link_latency = Time::from_ns(120),
                                                          .tile_rate = Bandwidth{20'000'000'000},
                                                          .tile_latency = Time::from_ns(50)};
  experiment.router.clock = Frequency{156'250'000};
  experiment.router.buffer_words = 64;
  return experiment;
}

/// Makes fabric::Hosts as programs say, by node.
class Hosts {
 public:
  explicit Hosts(std::map<int32_t, PacketHost::Program> programs) : programs_(std::move(programs)) {}
  host::HostFactory factory() {
    return [this](const host::HostSite& site) -> std::unique_ptr<host::HostInterface> {
      const int32_t node = site.host->node;
      if (!programs_.contains(node)) return nullptr;
      auto host = std::make_unique<PacketHost>(("own_" + std::to_string(node)).c_str(), site, programs_[node]);
      made[node] = host.get();
      return host;
    };
  }
  std::map<int32_t, PacketHost*> made;

 private:
  std::map<int32_t, PacketHost::Program> programs_;
};

// Where coordinates say nothing, hosts of one's own go by the tables that a run has.
TEST(ModelSystem, HostsOfOnesOwnMeetOnAnyTopology) {
  const auto experiment = test::parse_experiment(
      "topology { fat_tree { down: [2, 2] } }\nworkload { traffic { load: 0.1 } }", "e.textproto");
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  Hosts hosts({{0, {3, 4, sc_core::sc_time(1, sc_core::SC_US)}}, {3, {0, 0, {}}}});
  const auto system = partition::ModelSystem::create(*experiment, hosts.factory());
  ASSERT_TRUE(system.ok()) << system.status();
  ASSERT_TRUE((*system)->run(Time::from_us(20)).ok());
  EXPECT_EQ(hosts.made.at(3)->received.size(), 4u);
}

// Four words between neighbours take what docs/models/network-interface.md derives.
TEST(ModelSystem, AHostOfOnesOwnSeesTheTimesOfTheUsualOne) {
  Hosts hosts({{0, {1, 1, sc_core::sc_time(1, sc_core::SC_US)}}, {1, {0, 0, {}}}});
  const auto system = partition::ModelSystem::create(torus({2, 2, 2}), hosts.factory());
  ASSERT_TRUE(system.ok()) << system.status();
  ASSERT_TRUE((*system)->run(Time::from_us(10)).ok());
  ASSERT_EQ(hosts.made.at(1)->received.size(), 1u);
  EXPECT_EQ(kernel::from_sc_time(hosts.made.at(1)->received[0].time), Time::from_ps(331'600));
  EXPECT_TRUE((*system)->next_event().is_never());
  EXPECT_EQ((*system)->counters((*system)->graph().channel_from(0, 0)).packets.get(), 1u);
}

// More than the buffers hold: everything arrives once and in order because credits are kept on both sides.
TEST(ModelSystem, HostsThatKeepCreditsLoseNothing) {
  std::map<int32_t, PacketHost::Program> programs;
  for (int32_t i = 0; i < 8; ++i) programs[i] = {7 - i, 500, sc_core::sc_time(1, sc_core::SC_NS)};
  Hosts hosts(programs);
  const auto system = partition::ModelSystem::create(torus({4, 2}), hosts.factory());
  ASSERT_TRUE(system.ok()) << system.status();
  while (!(*system)->next_event().is_never())
    ASSERT_TRUE((*system)->run((*system)->next_event() + Time::from_us(1)).ok());
  for (const auto& [node, host] : hosts.made) {
    ASSERT_EQ(host->received.size(), 500u);
    for (size_t i = 0; i < host->received.size(); ++i) {
      EXPECT_EQ(host->received[i].number, i);
      EXPECT_EQ(host->received[i].source, 7 - node);
    }
  }
}

TEST(ModelSystem, RefusesNetworkInterfacesWithoutCheckedValues) {
  experiment::Experiment adapters = torus({2, 2});
  adapters.host.nic = v1::Host::RDMA;
  EXPECT_THAT(std::string(partition::ModelSystem::create(adapters, nullptr).status().message()),
              HasSubstr("network interfaces of RDMA have no checked values (HostSpec::nic_spec)"));
}

TEST(ModelSystem, RefusesAMemoryThatMovesNothing) {
  experiment::Experiment memory = torus({2, 2});
  memory.host.memory = {.bandwidth = Bandwidth{8'000'000'000}, .burst = Bytes{256}};
  EXPECT_THAT(std::string(partition::ModelSystem::create(memory, nullptr).status().message()),
              HasSubstr("host.memory needs a bandwidth, outstanding and burst above zero"));
}

TEST(ModelSystem, RefusesRoutersWithoutWordsOnLinks) {
  experiment::Experiment flits = torus({2, 2});
  flits.router.model = v1::INPUT_QUEUED;
  EXPECT_THAT(std::string(partition::ModelSystem::create(flits, nullptr).status().message()),
              HasSubstr("of the model EXANET"));
}

}  // namespace
}  // namespace fabrictwin
