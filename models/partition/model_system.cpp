// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/model_system.h"

#include <fmt/format.h>

#include <utility>

#include "models/network/builder.h"

namespace fabrictwin::partition {
namespace {

/// Stands in for a workload: hosts that bring their own program need none.
class NoWorkload : public host::Workload {
 public:
  absl::StatusOr<std::unique_ptr<host::Endpoint>> make_endpoint(int32_t, observe::EndpointDigest*) override {
    return nullptr;
  }
  void report(v1::Report&) const override {}
  double done() const override { return 0; }
};

absl::StatusOr<std::unique_ptr<host::Workload>> make_nothing(const experiment::Experiment&,
                                                             const system::SystemGraph&) {
  return std::make_unique<NoWorkload>();
}

}  // namespace

absl::StatusOr<std::unique_ptr<ModelSystem>> ModelSystem::create(const experiment::Experiment& experiment,
                                                                 host::HostFactory make_host,
                                                                 const WorkloadFactory& make_workload) {
  if (experiment.router.model != v1::EXANET)
    return absl::InvalidArgumentError(
        "hosts of one's own need routers of the model EXANET here: others have no words on links, or no model");
  if (experiment.host.nic != v1::Host::PLAIN && !experiment.host.nic_spec.has_value()) {
    return absl::InvalidArgumentError(fmt::format(
        "network interfaces of {} have no checked values (HostSpec::nic_spec), which experiment::load_experiment() "
        "makes; load the experiment, or set host.nic to PLAIN",
        v1::Host::Nic_Name(experiment.host.nic)));
  }
  if (const auto& memory = experiment.host.memory;
      memory.has_value() && (memory->bandwidth <= Bandwidth{} || memory->outstanding < 1 || memory->burst.count < 1)) {
    return absl::InvalidArgumentError(
        "host.memory needs a bandwidth, outstanding and burst above zero, whose defaults experiment::load_experiment() "
        "knows; load the experiment, or set them");
  }
  std::unique_ptr<ModelSystem> system(new ModelSystem(experiment));
  system->experiment_.uses.clear();
  absl::StatusOr<system::SystemGraph> graph = network::build_system(system->experiment_);
  if (!graph.ok()) return graph.status();
  absl::StatusOr<system::Plan> plan = system::make_plan(system->experiment_, *std::move(graph));
  if (!plan.ok()) return plan.status();
  system->plan_ = *std::move(plan);
  system->counters_ = std::vector<link::LinkCounters>(static_cast<size_t>(system->plan_.graph.channel_count()));
  system->digests_.resize(static_cast<size_t>(system->plan_.graph.host_count()));
  run::PartitionContext context;
  context.experiment = &system->experiment_;
  context.plan = &system->plan_;
  context.link_counters = system->counters_;
  context.digests = system->digests_;
  absl::StatusOr<std::unique_ptr<engine::Partition>> partition =
      ModelPartition::create(context, make_workload ? make_workload : make_nothing, std::move(make_host));
  if (!partition.ok()) return partition.status();
  system->partition_ = *std::move(partition);
  return system;
}

ModelSystem::~ModelSystem() = default;

absl::Status ModelSystem::run(Time until) { return partition_->advance(until); }

}  // namespace fabrictwin::partition
