// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/parts.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "cosim/base/text.h"
#include "cosim/cli/support/memory_need.h"
#include "cosim/system/split/parts.h"
#include "models/network/builder.h"
#include "models/network/topology.h"
#include "models/partition/apart_check.h"
#include "models/partition/factory.h"
#include "models/router/input_queued/packet_workload.h"
#include "models/topology/exanest/exanest.h"
#include "rtl/partition.h"
#include "rtl/transactor/gemm/accelerator.h"
#include "rtl/transactor/node/config.h"
#include "rtl/transactor/node/transactor.h"
#include "rtl/transactor/router/config.h"
#include "rtl/transactor/router/transactor.h"
#include "workloads/tenants.h"
#include "workloads/workload_factory.h"

namespace fabrictwin::cli::support {
namespace {

/// Builds the graph, unless this machine does not even have the memory for it: the kernel would then kill the process
/// without a message.
absl::StatusOr<system::SystemGraph> build_graph(const experiment::Experiment& experiment) {
  if (absl::Status memory = check_memory(experiment, MemoryUse::kPlan); !memory.ok()) return memory;
  absl::StatusOr<system::SystemGraph> graph = network::build_system(experiment);
  if (graph.ok() && !graph->routing_proved) spdlog::warn("{}: {}", graph->topology, graph->routing);
  return graph;
}

/// The matrix-multiply accelerators that there are in RTL, for the ranks of jobs.
gemm::Accelerators accelerators() {
  return {.shapes = rtl::gemm::accelerator_shapes(),
          .has = rtl::gemm::has_accelerator,
          .make = [](int32_t tile, int32_t lanes, int32_t memory_latency) -> absl::StatusOr<gemm::Multiply> {
            auto made = rtl::gemm::Accelerator::create(tile, lanes, memory_latency);
            if (!made.ok()) return made.status();
            return [accelerator = std::shared_ptr(*std::move(made))](auto&&... matrices) {
              return accelerator->multiply(matrices...);
            };
          }};
}

/// All that experiments can name.
experiment::Tenants tenants() {
  static const workloads::Kinds kinds(accelerators());
  return workloads::tenants(kinds);
}

}  // namespace

run::Registry all_parts() {
  run::Registry registry;
  registry.tenants = tenants();
  registry.topology = build_graph;

  registry.model = [](const run::PartitionContext& context) {
    return partition::create_model_partition(context, workloads::make_workload);
  };
  registry.rtl = rtl::make_rtl_partition;
  registry.merge_parts = workloads::merge_parts;
  return registry;
}

namespace {

/// A rule that makes packets or flits of routers of words.
bool is_coarse(const experiment::Experiment& whole, const experiment::UseSpec& use) {
  return use.depth != v1::ROUTER_MODEL_UNSPECIFIED && use.depth != whole.router.model;
}

/// The depth of the routers that --split cuts, where those of words stay: none if all are words.
absl::StatusOr<std::optional<v1::RouterModel>> depth_of_parts(const experiment::Experiment& whole,
                                                              const system::Plan& plan) {
  std::set<v1::RouterModel> depths;
  for (const system::PartitionPlan& partition : plan.partitions) {
    if (partition.depth != whole.router.model) depths.insert(partition.depth);
    if (!partition.packets.empty()) depths.insert(v1::PACKET);
  }
  if (depths.empty()) return std::nullopt;
  if (depths.size() == 1) return *depths.begin();
  std::vector<std::string> names;
  for (const v1::RouterModel depth : depths) names.push_back(v1::RouterModel_Name(depth));
  return absl::InvalidArgumentError(
      fmt::format("--split: the parts of a system are of one depth, and its routers are {}; leave one of them out, or "
                  "--split",
                  absl::StrJoin(names, " and ")));
}

/// The routers that are not cut, because those that have this depth are beside them.
system::split::Kept kept_of(const system::Plan& plan, v1::RouterModel depth) {
  system::split::Kept kept;
  if (depth == v1::INPUT_QUEUED) kept.work = system::split::kKeptWorkOfFlits;
  for (const system::PartitionPlan& partition : plan.partitions) {
    for (const system::ElementId id : partition.elements) {
      if (plan.graph.elements[id].kind == system::ElementKind::kHost || !plan.moves_words(id)) continue;
      kept.elements.push_back(id);
      // What runs elsewhere is no work here, and models of nodes cost as much whatever their routers are.
      const bool light = plan.graph.has_nodes() && partition.implementation == v1::MODEL;
      if (partition.place == 0 && !light) kept.heavy.push_back(id);
    }
  }
  std::sort(kept.elements.begin(), kept.elements.end());
  return kept;
}

/// Routers with their hosts, ascending.
std::vector<system::ElementId> with_hosts(const system::SystemGraph& graph, std::vector<system::ElementId> routers) {
  std::vector<system::ElementId> hosts;
  for (system::ElementId host = 0; host < graph.host_count(); ++host) {
    if (std::binary_search(routers.begin(), routers.end(), graph.host_router(host))) hosts.push_back(host);
  }
  routers.insert(routers.begin(), hosts.begin(), hosts.end());
  return routers;
}

/// The experiment with a rule for each part but the first, which stays here.
absl::StatusOr<experiment::Experiment> load_split(const experiment::Input& input, const experiment::Experiment& whole) {
  const bool coarse = std::any_of(whole.uses.begin(), whole.uses.end(),
                                  [&](const experiment::UseSpec& use) { return is_coarse(whole, use); });
  // RTL, boards and routers of words stay where they are if others are packets or flits.
  const bool placed = std::any_of(whole.uses.begin(), whole.uses.end(), [&](const experiment::UseSpec& use) {
    return coarse ? use.implementation == v1::MODEL && use.place != "inproc"
                  : use.place != "inproc" || use.implementation != v1::MODEL;
  });
  if (placed) {
    return absl::InvalidArgumentError(
        coarse
            ? "--split: a rule says itself where routers that are packets or flits run; leave its place out, or --split"
            : "--split: a rule makes routers RTL or boards, or gives them a place, and --split alone cuts a system of "
              "words; leave out --split or those rules, or make the rest packets before them (--use '*=MODEL/PACKET')");
  }
  const absl::StatusOr<system::Plan> plan = plan_experiment(whole);
  if (!plan.ok()) return plan.status();
  const system::SystemGraph& graph = plan->graph;
  const auto depth = depth_of_parts(whole, *plan);
  if (!depth.ok()) return depth.status();
  const auto kept = depth->has_value() ? kept_of(*plan, **depth) : system::split::Kept();
  const std::string at_depth = depth->has_value() ? "/" + v1::RouterModel_Name(**depth) : "";
  const absl::StatusOr<std::vector<bool>> busy = busy_hosts(whole, graph);
  if (!busy.ok()) return busy.status();
  const auto parts = system::split::find_parts(graph, input.split, kept, *busy);
  if (!parts.ok()) return absl::Status(parts.status().code(), fmt::format("--split: {}", message_of(parts.status())));
  experiment::Input cut = input;
  for (size_t part = 1; part < parts->size(); ++part) {
    const std::string place = input.split_by_ranks ? fmt::format("mpi:{}", part) : "worker:shm";
    cut.overrides.parts.push_back(fmt::format(
        "{}=MODEL{}@{}", system::split::selector_of(graph, with_hosts(graph, (*parts)[part])), at_depth, place));
  }
  return cut.load(tenants());
}

}  // namespace

absl::StatusOr<experiment::Experiment> load(const experiment::Input& input) {
  absl::StatusOr<experiment::Experiment> experiment = input.load(tenants());
  if (!experiment.ok() || input.split == 1) return experiment;
  if (!input.split_by_ranks) {
    // Finding the parts takes the whole graph, and long.
    const absl::Status memory = check_memory(*experiment, MemoryUse::kRun, memory_limit(), input.split);
    if (!memory.ok()) return memory;
  }
  return load_split(input, *experiment);
}

namespace {

/// Copies the configuration of a board's ports to the element's.
template <size_t N>
void connect(const bridges::board::Config& board, std::array<rtl::router::PortConfig, N>& ports) {
  static_assert(bridges::board::kBoardPorts >= N);
  for (size_t i = 0; i < N; ++i) {
    const bridges::board::PortConfig& from = board.ports[i];
    rtl::router::PortConfig& to = ports[i];
    to.enabled = from.enabled;
    to.word_clock = from.word_clock;
    to.initial_credits = from.initial_credits;
    to.to_host = from.to_host;
    to.sender = from.sender;
    to.receiver = from.receiver;
    to.counters = from.counters;
  }
}

absl::StatusOr<std::unique_ptr<engine::Partition>> make_board_node(const bridges::board::Config& board) {
  rtl::node::Config config;
  config.name = board.name;
  config.kind = board.address % topology::exanest::kFpgasPerQfdb == 0 ? rtl::node::FpgaKind::kNetwork
                                                                      : rtl::node::FpgaKind::kPlain;
  config.node = board.address;
  config.tile_bits = board.tile_bits;
  config.x_bits = board.x_bits;
  config.y_bits = board.y_bits;
  config.coordinates = board.coordinates;
  config.dims = board.dims;
  config.router_clock = board.router_clock;
  connect(board, config.ports);
  return rtl::node::make_node_transactor(config);
}

}  // namespace

absl::StatusOr<std::unique_ptr<engine::Partition>> make_board_element(const bridges::board::Config& board) {
  static_assert(bridges::board::kBoardDims == rtl::router::kRouterDims &&
                bridges::board::kBoardDims == rtl::node::kNodeDims);
  if (board.element == bridges::board::Element::kNode) return make_board_node(board);
  rtl::router::Config config;
  config.name = board.name;
  config.coordinates = board.coordinates;
  config.routes = board.routes;
  config.route_destinations = board.route_destinations;
  config.dims = board.dims;
  config.router_clock = board.router_clock;
  config.marking = board.marking;
  connect(board, config.ports);
  return rtl::router::make_router_transactor(config);
}

absl::StatusOr<system::Plan> plan_experiment(const experiment::Experiment& experiment) {
  absl::StatusOr<system::SystemGraph> graph = build_graph(experiment);
  if (!graph.ok()) return graph.status();
  return system::make_plan(experiment, *std::move(graph));
}

absl::StatusOr<std::vector<bool>> busy_hosts(const experiment::Experiment& experiment,
                                             const system::SystemGraph& graph) {
  const absl::StatusOr<std::unique_ptr<host::Workload>> workload = workloads::make_workload(experiment, graph);
  if (!workload.ok()) return workload.status();
  std::vector<bool> busy;
  for (int32_t host = 0; host < graph.host_count(); ++host) busy.push_back((*workload)->takes_part(host));
  return busy;
}

absl::Status check_workload(const experiment::Experiment& experiment, const system::Plan& plan) {
  const system::SystemGraph& graph = plan.graph;
  const absl::StatusOr<std::unique_ptr<host::Workload>> workload = workloads::make_workload(experiment, graph);
  if (!workload.ok()) return workload.status();
  if (absl::Status apart = partition::check_apart(experiment, plan, **workload); !apart.ok()) return apart;
  // Traffic that sends bare packets reads no files.
  if (router::input_queued::packets_of(**workload) != nullptr) return absl::OkStatus();
  // Processes read the beginning of their trace when they are made.
  std::vector<observe::EndpointDigest> digests(static_cast<size_t>(graph.host_count()));
  std::vector<std::unique_ptr<host::HostProcess>> processes;
  for (int32_t host = 0; host < graph.host_count(); ++host) {
    absl::StatusOr<std::unique_ptr<host::HostProcess>> process = (*workload)->make_process(host, &digests[host]);
    if (!process.ok()) return process.status();
    processes.push_back(*std::move(process));
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::cli::support
