// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs of topologies as users write them, and what holds for all of them.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/experiment/experiment.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "models/network/topology.h"
#include "tests/experiments.h"

namespace fabrictwin {

/// The experiment with this topology: "torus { dims: 4 }".
inline absl::StatusOr<experiment::Experiment> experiment_with(const std::string& topology) {
  return test::parse_experiment(fmt::format("topology {{ {} }}\nworkload {{ traffic {{ load: 0.1 }} }}\n", topology),
                                "e.textproto");
}

inline std::string error_of(const std::string& topology) {
  const absl::StatusOr<experiment::Experiment> experiment = experiment_with(topology);
  return experiment.ok() ? "" : std::string(message_of(experiment.status()));
}

/// Builds it, and checks what each graph keeps: hosts first and by number, each port used once and there, each host's
/// port 0 linked with a router, names once only.
inline system::SystemGraph built(const std::string& topology) {
  const absl::StatusOr<experiment::Experiment> experiment = experiment_with(topology);
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  absl::StatusOr<system::SystemGraph> graph = network::build_topology(*experiment);
  EXPECT_TRUE(graph.ok()) << graph.status();
  EXPECT_GE(network::topology_nodes(*experiment), graph->host_count());
  std::set<std::string> names;
  const int32_t hosts = graph->host_count();
  for (size_t i = 0; i < graph->elements.size(); ++i) {
    const system::Element& element = graph->elements[i];
    const auto index = static_cast<int32_t>(i);
    EXPECT_EQ(element.kind == system::ElementKind::kHost, index < hosts);
    EXPECT_EQ(element.node, index < hosts ? index : index - hosts);
    EXPECT_TRUE(names.insert(element.name).second) << element.name;
  }
  std::set<std::pair<system::ElementId, int32_t>> used;
  for (const system::Link& link : graph->links) {
    EXPECT_NE(link.ends[0].element, link.ends[1].element);
    EXPECT_GT(link.latency, Time::zero());
    for (const system::LinkEnd& end : link.ends) {
      EXPECT_LT(end.port, static_cast<int32_t>(graph->elements[end.element].ports.size()));
      EXPECT_TRUE(used.insert({end.element, end.port}).second) << graph->elements[end.element].name << ' ' << end.port;
    }
  }
  for (int32_t host = 0; host < hosts; ++host) EXPECT_GE(graph->host_router(host), hosts);
  return *std::move(graph);
}

}  // namespace fabrictwin
