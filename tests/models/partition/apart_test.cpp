// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks of packets or flits in several partitions, however they are cut: what hosts receive, and when, is what they
// receive in one partition. All places are in this process, one executor has all of their partitions.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "cosim/engine/executor.h"
#include "cosim/observe/digest.h"
#include "cosim/run/add_hosts_report.h"
#include "cosim/run/place_runtime.h"
#include "cosim/run/run_memory.h"
#include "models/network/topology.h"
#include "models/partition/factory.h"
#include "tests/experiments.h"
#include "tests/models/router/packet/packet_run.h"
#include "workloads/workload_factory.h"

namespace fabrictwin {
namespace {

using Sets = std::vector<std::string>;

/// A rule for each part but the first; `part_of` is by router.
std::vector<std::string> rules_of(const std::vector<int>& part_of, int parts) {
  std::vector<std::string> rules;
  for (int part = 1; part < parts; ++part) {
    std::string selector;
    for (size_t router = 0; router < part_of.size(); ++router) {
      if (part_of[router] == part) selector += fmt::format("{}router[{}]", selector.empty() ? "" : ",", router);
    }
    if (!selector.empty()) rules.push_back(selector + "=MODEL@worker:shm");
  }
  return rules;
}

absl::StatusOr<v1::Report> run_apart(const std::string& text, const Sets& sets, const std::vector<std::string>& uses) {
  experiment::Overrides overrides;
  overrides.sets = sets;
  overrides.uses = uses;
  absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(text, "test.textproto", overrides);
  if (!experiment.ok()) return experiment.status();
  absl::StatusOr<system::SystemGraph> graph = network::build_topology(*experiment);
  if (!graph.ok()) return graph.status();
  const absl::StatusOr<system::Plan> plan = system::make_plan(*experiment, *std::move(graph));
  if (!plan.ok()) return plan.status();
  auto memory = run::RunMemory::create_heap(*plan);
  if (!memory.ok()) return memory.status();
  run::Registry registry;
  registry.tenants = workloads::tenants();
  registry.model = [](const run::PartitionContext& context) {
    return partition::create_model_partition(context, workloads::make_workload);
  };
  std::vector<std::unique_ptr<run::PlaceRuntime>> places;
  std::vector<engine::LocalPartition> partitions;
  for (size_t place = 0; place < plan->places.size(); ++place) {
    auto runtime = run::PlaceRuntime::create(*experiment, *plan, static_cast<int32_t>(place), registry, **memory, {});
    if (!runtime.ok()) return runtime.status();
    partitions.insert(partitions.end(), (*runtime)->local_partitions().begin(), (*runtime)->local_partitions().end());
    places.push_back(*std::move(runtime));
  }
  engine::ExecutorOptions options;
  options.others_work = true;
  engine::Executor executor((*memory)->table(), partitions, options, (*memory)->doorbell(0), {}, nullptr);
  if (absl::Status status = executor.run(std::stop_token()); !status.ok()) return status;
  v1::Report report;
  std::vector<observe::EndpointDigest> digests(static_cast<size_t>(plan->graph.host_count()));
  for (const auto& place : places) {
    v1::HostsReport hosts;
    place->report_hosts(hosts);
    EXPECT_TRUE(hosts.done());
    run::add_hosts_report(hosts, digests, report);
  }
  report.set_timing_digest(observe::combine_timing(digests));
  report.set_payload_digest(observe::combine_payload(digests));
  return report;
}

struct System {
  const char* text;
  int routers;
};

const System kSystems[] = {
    {"topology { torus { dims: [4, 3, 2] } } workload { exchange { bytes: \"3000B\" allreduce: \"8B\" } }", 24},
    {"topology { torus { dims: [2, 2, 2] } } router { packet_payload: \"64B\" } host { eager_limit: \"1KiB\" } "
     "workload { skeleton { ranks: 8 minife { global: \"12x12x12\" iterations: 3 } } }",
     8},
    {"topology { dragonfly { groups: 5 rows: 1 columns: 2 hosts_per_router: 2 column_links: 1 global_ports: 2 } } "
     "router { vcs: 4 } routing { algorithm: VALIANT } "
     "workload { skeleton { ranks: 20 minife { global: \"20x16x16\" iterations: 2 } } }",
     10},
    {"topology { fat_tree { down: [4, 4] } } routing { algorithm: UP_DOWN } "
     "workload { skeleton { ranks: 16 minife { global: \"16x16x16\" iterations: 2 } } }",
     8},
    {"topology { torus { dims: [4, 4] } } router { vcs: 4 } routing { algorithm: UGAL_L } "
     "workload { exchange { bytes: \"8KiB\" } }",
     16},
};

RC_GTEST_PROP(Apart, CutsDoNotShow, ()) {
  const System& system = *rc::gen::elementOf(std::vector<System>(std::begin(kSystems), std::end(kSystems)));
  const int parts = *rc::gen::inRange(2, 5);
  const auto part_of =
      *rc::gen::container<std::vector<int>>(static_cast<size_t>(system.routers), rc::gen::inRange(0, parts));
  const auto seed = *rc::gen::inRange(1, 1000);
  const std::string model = *rc::gen::element<std::string>("PACKET", "INPUT_QUEUED");
  const Sets sets{"router.model=" + model, fmt::format("seed={}", seed)};
  const absl::StatusOr<v1::Report> whole = run_models(system.text, sets);
  if (!whole.ok()) RC_LOG() << whole.status().ToString();
  RC_ASSERT(whole.ok());
  const absl::StatusOr<v1::Report> apart = run_apart(system.text, sets, rules_of(part_of, parts));
  if (!apart.ok()) RC_LOG() << apart.status().ToString();
  RC_ASSERT(apart.ok());
  RC_ASSERT(apart->timing_digest() == whole->timing_digest());
  RC_ASSERT(apart->payload_digest() == whole->payload_digest());
  RC_ASSERT(apart->simulated_fs() == whole->simulated_fs());
  RC_ASSERT(apart->packets_delivered() == whole->packets_delivered());
  RC_ASSERT(apart->ranks_size() == whole->ranks_size());
  for (int i = 0; i < whole->ranks_size(); ++i)
    RC_ASSERT(apart->ranks(i).SerializeAsString() == whole->ranks(i).SerializeAsString());
}

}  // namespace
}  // namespace fabrictwin
