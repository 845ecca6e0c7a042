// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/models/partition/apart_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "cosim/engine/executor.h"
#include "cosim/observe/digest.h"
#include "cosim/run/add_hosts_report.h"
#include "cosim/run/place_runtime.h"
#include "cosim/run/run_memory.h"
#include "models/network/builder.h"
#include "models/partition/factory.h"
#include "tests/experiments.h"
#include "workloads/workload_factory.h"

namespace fabrictwin {

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
  absl::StatusOr<system::SystemGraph> graph = network::build_system(*experiment);
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
    auto runtime = run::PlaceRuntime::create(*experiment, *plan, static_cast<int32_t>(place), registry, **memory,
                                             std::vector<bool>(plan->places.size(), true), {});
    if (!runtime.ok()) return runtime.status();
    partitions.insert(partitions.end(), (*runtime)->local_partitions().begin(), (*runtime)->local_partitions().end());
    places.push_back(*std::move(runtime));
  }
  engine::ExecutorOptions options;
  options.others_work = true;
  options.ends_together = plan->ends_together(*experiment);
  engine::Executor executor((*memory)->table(), partitions, options, (*memory)->doorbell(0), {}, nullptr);
  if (absl::Status status = executor.run(std::stop_token()); !status.ok()) return status;
  v1::Report report;
  std::vector<observe::EndpointDigest> digests(static_cast<size_t>(plan->graph.host_count()));
  google::protobuf::RepeatedPtrField<v1::WorkloadPart> parts;
  for (const auto& place : places) {
    v1::HostsReport hosts;
    place->report_hosts(hosts);
    EXPECT_TRUE(hosts.done());
    run::add_hosts_report(hosts, digests, report);
    parts.MergeFrom(hosts.parts());
  }
  report.set_complete(true);
  run::drop_late(parts, Time::from_fs(report.simulated_fs()), digests, report);
  if (!parts.empty()) {
    if (absl::Status status = workloads::merge_parts(*experiment, plan->graph, parts, report); !status.ok())
      return status;
  } else if (places.size() == 1) {
    v1::Report whole;
    places[0]->report(whole);
    *report.mutable_traffic() = whole.traffic();
    *report.mutable_classes() = whole.classes();
    if (whole.has_queues()) *report.mutable_queues() = whole.queues();
    if (whole.has_series()) *report.mutable_series() = whole.series();
    if (whole.has_message_latency_seconds())
      *report.mutable_message_latency_seconds() = whole.message_latency_seconds();
  }
  report.set_simulated_seconds(Time::from_fs(report.simulated_fs()).seconds());
  run::add_goodputs(report);
  report.set_timing_digest(observe::combine_timing(digests));
  report.set_payload_digest(observe::combine_payload(digests));
  return report;
}

}  // namespace fabrictwin
