// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/placement/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "cosim/base/text.h"
#include "models/network/topology.h"
#include "tests/experiments.h"
#include "tests/workloads/trace_helpers.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A system that jobs can be placed on.
struct System {
  experiment::Experiment experiment;
  system::SystemGraph graph;
};

System system_of(const std::string& topology, uint64_t seed = 0, const std::string& router = "PACKET") {
  const std::string text = "topology { " + topology + " } workload { exchange { } } router { model: " + router +
                           " } seed: " + std::to_string(seed);
  auto experiment = test::parse_experiment(text, "x.textproto");
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  auto graph = network::build_topology(*experiment);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return {*std::move(experiment), *std::move(graph)};
}

placement::PlacementSpec spec_of(v1::Placement::Kind kind, int32_t ranks_per_host = 1) {
  placement::PlacementSpec spec;
  spec.kind = kind;
  spec.ranks_per_host = ranks_per_host;
  spec.location.file = "x.textproto";
  spec.kind_location = spec.ranks_per_host_location = spec.location;
  return spec;
}

absl::StatusOr<std::vector<int32_t>> place(const System& system, const placement::PlacementSpec& spec, int32_t ranks,
                                           const std::vector<int32_t>& taken = {}, int32_t job = 0) {
  const auto placement = placement::Placement::create(spec, {system.experiment, system.graph, taken, job});
  if (!placement.ok()) return placement.status();
  return placement->hosts_of(ranks, "job");
}

std::string error_of(const absl::StatusOr<std::vector<int32_t>>& hosts) {
  return std::string(message_of(hosts.status()));
}

const char* const kSquare = "torus { dims: [2, 2] }";

TEST(Placement, BlocksFillHostAfterHost) {
  const System system = system_of(kSquare);
  EXPECT_THAT(place(system, spec_of(v1::Placement::BLOCK), 3).value(), ElementsAre(0, 1, 2));
  EXPECT_THAT(place(system, spec_of(v1::Placement::BLOCK, 2), 5).value(), ElementsAre(0, 0, 1, 1, 2));
}

TEST(Placement, RoundRobinTakesTurns) {
  const System system = system_of(kSquare);
  EXPECT_THAT(place(system, spec_of(v1::Placement::ROUND_ROBIN, 2), 5).value(), ElementsAre(0, 1, 2, 0, 1));
  EXPECT_THAT(place(system, spec_of(v1::Placement::ROUND_ROBIN), 3).value(), ElementsAre(0, 1, 2));
}

TEST(Placement, HostsComeInTheirOrder) {
  const System system = system_of(kSquare);
  placement::PlacementSpec spec = spec_of(v1::Placement::BLOCK);
  spec.hosts = {{3, 3}, {0, 1}};
  EXPECT_THAT(place(system, spec, 3).value(), ElementsAre(3, 0, 1));
  // Those of other jobs are left out unless they are named.
  EXPECT_THAT(place(system, spec_of(v1::Placement::BLOCK), 2, {1, 0, 2, 0}).value(), ElementsAre(1, 3));
  EXPECT_THAT(place(system, spec, 2, {1, 0, 2, 1}).value(), ElementsAre(3, 0));
}

TEST(Placement, RandomFollowsSeedAndJob) {
  const System one = system_of("torus { dims: [8, 8] }", 1);
  const System two = system_of("torus { dims: [8, 8] }", 2);
  const placement::PlacementSpec spec = spec_of(v1::Placement::RANDOM);
  EXPECT_EQ(place(one, spec, 64).value(), place(one, spec, 64).value());
  EXPECT_NE(place(one, spec, 64).value(), place(two, spec, 64).value());
  EXPECT_NE(place(one, spec, 64).value(), place(one, spec, 64, {}, 1).value());
}

TEST(Placement, CurvesKeepNeighboursNear) {
  const System system = system_of("torus { dims: [4, 4] }");
  const std::vector<int32_t> hosts = place(system, spec_of(v1::Placement::CURVE), 16).value();
  for (size_t rank = 1; rank < hosts.size(); ++rank) {
    const int32_t step =
        std::abs(hosts[rank] % 4 - hosts[rank - 1] % 4) + std::abs(hosts[rank] / 4 - hosts[rank - 1] / 4);
    EXPECT_EQ(step, 1);
  }
  // The boards of an ExaNeSt machine are a lattice, the MPSoCs of a board are one point of it.
  const System exanest = system_of("exanest { blades: 4 qfdbs: 4 }", 0, "EXANET");
  std::vector<int32_t> boards = place(exanest, spec_of(v1::Placement::CURVE), 64).value();
  for (int32_t& host : boards) host /= 4;
  EXPECT_EQ(std::unique(boards.begin(), boards.end()) - boards.begin(), 16);
}

TEST(Placement, VirtualTorusMakesNeighboursNeighbours) {
  const System system = system_of("tofu { x: 2 y: 2 z: 2 }");
  placement::PlacementSpec spec = spec_of(v1::Placement::VIRTUAL_TORUS);
  EXPECT_EQ(place(system, spec, 96).value().size(), 96u);
  spec.virtual_torus = {2, 3, 4};
  const std::vector<int32_t> hosts = place(system, spec, 24).value();
  const std::vector<int32_t> sizes = {2, 3, 4};
  // By coordinates: one step in one dimension of the machine.
  const auto distance = [&](int32_t a, int32_t b) {
    int32_t sum = 0;
    for (size_t d = 0; d < system.graph.dims.size(); ++d) {
      const int32_t size = system.graph.dims[d];
      const int32_t step = std::abs(system.graph.elements[static_cast<size_t>(a)].coordinates[d] -
                                    system.graph.elements[static_cast<size_t>(b)].coordinates[d]);
      sum += std::min(step, size - step);
    }
    return sum;
  };
  for (int32_t rank = 0; rank < 24; ++rank) {
    int32_t stride = 1;
    for (const int32_t size : sizes) {
      const int32_t next = rank + ((rank / stride + 1) % size - rank / stride % size) * stride;
      EXPECT_EQ(distance(hosts[static_cast<size_t>(rank)], hosts[static_cast<size_t>(next)]), 1);
      stride *= size;
    }
  }
  spec.virtual_torus = {3};
  EXPECT_THAT(error_of(place(system, spec, 2)), HasSubstr("has rings of 1 and of multiples of 2 up to 4 there"));
  EXPECT_THAT(error_of(place(system_of(kSquare), spec_of(v1::Placement::VIRTUAL_TORUS), 2)),
              HasSubstr("x.textproto:0:0: error: kind VIRTUAL_TORUS is for topology { tofu { } }"));
}

TEST(Placement, ReadsFiles) {
  const TestFolder folder;
  const System system = system_of(kSquare);
  placement::PlacementSpec spec = spec_of(v1::Placement::FROM_FILE, 2);
  const auto with = [&](std::string_view text) {
    spec.file = folder.write("ranks.txt", text);
    return place(system, spec, 3);
  };
  EXPECT_THAT(with("# three\n3\n\n0 # a\r\n3\n").value(), ElementsAre(3, 0, 3));
  EXPECT_THAT(error_of(with("3\n0\n")), HasSubstr("job has 3 ranks, and " + spec.file + " has the hosts of 2"));
  EXPECT_THAT(error_of(with("3\n0\n1\n2\n")), HasSubstr("has the hosts of 4"));
  EXPECT_THAT(error_of(with("3\n4\n1\n")), HasSubstr("ranks.txt:2:1: error: \"4\" is not the number of a host"));
  EXPECT_THAT(error_of(with("3\n  one\n1\n")), HasSubstr("ranks.txt:2:3: error: \"one\""));
  EXPECT_THAT(error_of(with("3\n3\n3\n")), HasSubstr("ranks.txt:3:1: error: rank 2 would be one more than the 2"));
  spec.file = folder.file("none.txt");
  EXPECT_EQ(place(system, spec, 3).status().code(), absl::StatusCode::kNotFound);
}

TEST(Placement, SaysWhatDoesNotFit) {
  const System system = system_of(kSquare);
  placement::PlacementSpec spec = spec_of(v1::Placement::BLOCK);
  EXPECT_THAT(error_of(place(system, spec, 5)),
              HasSubstr("job has 5 ranks, but torus 2x2 has only 4 hosts; rank i runs on host[i]"));
  spec.hosts = {{1, 2}};
  EXPECT_THAT(error_of(place(system, spec, 3)),
              HasSubstr("job has 3 ranks, but hosts names only 2 hosts; 1 each hold 2 ranks"));
  spec.hosts = {{1, 4}};
  EXPECT_THAT(error_of(place(system, spec, 3)), HasSubstr("host 4 does not exist: torus 2x2 has 4 hosts"));
  EXPECT_THAT(error_of(place(system_of("spine_leaf { spines: 1 leaves: 2 hosts_per_leaf: 2 }"),
                             spec_of(v1::Placement::CURVE), 3)),
              HasSubstr("kind CURVE needs hosts at the points of a lattice"));
  EXPECT_THAT(error_of(place(system_of("exanest { }", 0, "EXANET"), spec_of(v1::Placement::BLOCK, 5), 3)),
              HasSubstr("an MPSoC has 4 cores"));
}

// Whatever the kind: each rank has one host, and no host has more ranks than it may.
RC_GTEST_PROP(PlacementProperty, NoHostHasTooManyRanks, ()) {
  const System torus = system_of("torus { dims: [4, 3, 2] }", *rc::gen::inRange<uint64_t>(0, 100));
  const System tofu = system_of("tofu { x: 1 y: 2 z: 1 }");
  const auto kind = *rc::gen::element(v1::Placement::BLOCK, v1::Placement::ROUND_ROBIN, v1::Placement::RANDOM,
                                      v1::Placement::CURVE, v1::Placement::VIRTUAL_TORUS);
  placement::PlacementSpec spec = spec_of(kind, *rc::gen::inRange(1, 5));
  if (kind != v1::Placement::VIRTUAL_TORUS && *rc::gen::arbitrary<bool>()) {
    const int32_t first = *rc::gen::inRange(0, 12);
    spec.hosts = {{12 + first, 23}, {first, 11}};
  }
  const System& system = kind == v1::Placement::VIRTUAL_TORUS ? tofu : torus;
  const auto placement =
      placement::Placement::create(spec, {system.experiment, system.graph, {}, *rc::gen::inRange(0, 3)});
  RC_ASSERT(placement.ok());
  const int32_t ranks = *rc::gen::inRange<int32_t>(1, static_cast<int32_t>(placement->space()) + 1);
  const auto hosts = placement->hosts_of(ranks, "job");
  RC_ASSERT(hosts.ok());
  RC_ASSERT(static_cast<int32_t>(hosts->size()) == ranks);
  std::map<int32_t, int32_t> count;
  for (const int32_t host : *hosts) {
    RC_ASSERT(host >= 0 && host < system.graph.host_count());
    RC_ASSERT(++count[host] <= spec.ranks_per_host);
    RC_ASSERT(spec.hosts.empty() || std::any_of(spec.hosts.begin(), spec.hosts.end(), [&](const auto& range) {
                return host >= range.first && host <= range.second;
              }));
  }
  // As few hosts as can be.
  RC_ASSERT(static_cast<int32_t>(count.size()) == (ranks + spec.ranks_per_host - 1) / spec.ranks_per_host);
}

}  // namespace
}  // namespace fabrictwin
