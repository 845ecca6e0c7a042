// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/parts.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "models/partition_factory.h"
#include "models/system_builder.h"
#include "models/topology/exanest.h"
#include "models/topology/topology.h"
#include "rtl/node_config.h"
#include "rtl/node_transactor.h"
#include "rtl/router_config.h"
#include "rtl/router_transactor.h"
#include "rtl/rtl_partition.h"
#include "workloads/workload_factory.h"

namespace fabrictwin {
namespace {

/// What a node takes in the graph alone, with some reserve; a run takes more.
constexpr double kBytesPerNode = 2048;

/// Builds the graph, unless this machine could not even hold it: then the kernel would end the process without a word.
absl::StatusOr<SystemGraph> build_graph(const Experiment& experiment) {
  const double nodes = topology_nodes(experiment);
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  if (nodes * kBytesPerNode > memory) {
    constexpr double kGiB = 1 << 30;
    return absl::InvalidArgumentError(format_diagnostic(
        experiment.topology_place, fmt::format("a system of {:.0f} nodes takes more than {:.1f} GiB of memory and this "
                                               "machine has {:.1f}; make it smaller",
                                               nodes, nodes * kBytesPerNode / kGiB, memory / kGiB)));
  }
  absl::StatusOr<SystemGraph> graph = build_system(experiment);
  if (graph.ok() && !graph->routing_proved) spdlog::warn("{}: {}", graph->topology, graph->routing);
  return graph;
}

}  // namespace

Registry all_parts() {
  Registry registry;
  registry.topology = build_graph;

  registry.model = [](const PartitionContext& context) { return create_model_partition(context, make_workload); };
  registry.rtl = make_rtl_partition;
  return registry;
}

namespace {

/// The ports of a board's element.
template <size_t N>
void connect(const BoardConfig& board, std::array<RouterPortConfig, N>& ports) {
  static_assert(kBoardPorts >= N);
  for (size_t i = 0; i < N; ++i) {
    const BoardPortConfig& from = board.ports[i];
    RouterPortConfig& to = ports[i];
    to.enabled = from.enabled;
    to.word_clock = from.word_clock;
    to.initial_credits = from.initial_credits;
    to.sender = from.sender;
    to.receiver = from.receiver;
    to.counters = from.counters;
  }
}

absl::StatusOr<std::unique_ptr<Partition>> make_board_node(const BoardConfig& board) {
  NodeConfig config;
  config.name = board.name;
  config.kind = board.address % kFpgasPerQfdb == 0 ? NodeKind::kNetwork : NodeKind::kPlain;
  config.node = board.address;
  config.tile_bits = board.tile_bits;
  config.x_bits = board.x_bits;
  config.y_bits = board.y_bits;
  config.coordinates = board.coordinates;
  config.dims = board.dims;
  config.router_clock = board.router_clock;
  connect(board, config.ports);
  return make_node_transactor(config);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Partition>> make_board_element(const BoardConfig& board) {
  static_assert(kBoardDims == kRouterDims && kBoardDims == kNodeDims);
  if (board.element == BoardElement::kNode) return make_board_node(board);
  RouterConfig config;
  config.name = board.name;
  config.coordinates = board.coordinates;
  config.routes = board.routes;
  config.route_destinations = board.route_destinations;
  config.dims = board.dims;
  config.router_clock = board.router_clock;
  connect(board, config.ports);
  return make_router_transactor(config);
}

absl::StatusOr<Plan> plan_experiment(const Experiment& experiment) {
  absl::StatusOr<SystemGraph> graph = build_graph(experiment);
  if (!graph.ok()) return graph.status();
  return make_plan(experiment, *std::move(graph));
}

absl::Status check_workload(const Experiment& experiment, const SystemGraph& graph) {
  const absl::StatusOr<std::unique_ptr<Workload>> workload = make_workload(experiment, graph);
  if (!workload.ok()) return workload.status();
  // Traffic that sends bare packets reads nothing.
  if ((*workload)->packets() != nullptr) return absl::OkStatus();
  // Processes read the beginning of their trace when they are made.
  std::vector<EndpointDigest> digests(static_cast<size_t>(graph.host_count()));
  std::vector<std::unique_ptr<HostProcess>> processes;
  for (int32_t host = 0; host < graph.host_count(); ++host) {
    absl::StatusOr<std::unique_ptr<HostProcess>> process = (*workload)->make_process(host, &digests[host]);
    if (!process.ok()) return process.status();
    processes.push_back(*std::move(process));
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin
