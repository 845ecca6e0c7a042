// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/models/packet/packet_run.h"

#include <utility>

#include "cosim/run/experiment.h"
#include "models/partition_factory.h"
#include "models/topology/topology.h"
#include "tests/models/packet/stepped_partition.h"
#include "workloads/workload_factory.h"

namespace fabrictwin {

absl::StatusOr<std::unique_ptr<Run>> prepare_models(const std::string& text, const std::vector<std::string>& sets,
                                                    Time step, int threads) {
  Overrides overrides;
  overrides.sets = sets;
  absl::StatusOr<Experiment> experiment = parse_experiment(text, "test.textproto", overrides);
  if (!experiment.ok()) return experiment.status();
  Registry registry;
  registry.topology = build_topology;
  registry.model = [step](const PartitionContext& context) -> absl::StatusOr<std::unique_ptr<Partition>> {
    absl::StatusOr<std::unique_ptr<Partition>> models = create_model_partition(context, make_workload);
    if (!models.ok() || step.is_never()) return models;
    return std::make_unique<SteppedPartition>(*std::move(models), step);
  };
  RunOptions options;
  options.threads = threads;
  return Run::create(*std::move(experiment), std::move(registry), {}, options);
}

absl::StatusOr<v1::Report> run_models(const std::string& text, const std::vector<std::string>& sets, Time step,
                                      int threads) {
  absl::StatusOr<std::unique_ptr<Run>> run = prepare_models(text, sets, step, threads);
  if (!run.ok()) return run.status();
  if (absl::Status status = (*run)->execute(std::stop_token()); !status.ok()) return status;
  return (*run)->report();
}

}  // namespace fabrictwin
