// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/models/router/packet/packet_run.h"

#include <gtest/gtest.h>

#include <utility>

#include "cosim/experiment/experiment.h"
#include "models/network/builder.h"
#include "models/network/topology.h"
#include "models/partition/factory.h"
#include "tests/experiments.h"
#include "tests/models/router/packet/stepped_partition.h"
#include "workloads/workload_factory.h"

namespace fabrictwin {

absl::StatusOr<std::unique_ptr<run::Run>> prepare_models(const std::string& text, const std::vector<std::string>& sets,
                                                         Time step, int threads, observe::MessageLog* messages,
                                                         run::PartitionFactory rtl) {
  experiment::Overrides overrides;
  overrides.sets = sets;
  absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(text, "test.textproto", overrides);
  if (!experiment.ok()) return experiment.status();
  run::Registry registry;
  registry.tenants = workloads::tenants();
  // Only routers of EXANET go by tables, and the proofs of others have tests of their own.
  registry.topology = experiment->router.model == v1::EXANET ? network::build_system : network::build_topology;
  registry.model = [step](const run::PartitionContext& context) -> absl::StatusOr<std::unique_ptr<engine::Partition>> {
    absl::StatusOr<std::unique_ptr<engine::Partition>> models =
        partition::create_model_partition(context, workloads::make_workload);
    if (!models.ok() || step.is_never()) return models;
    return std::make_unique<SteppedPartition>(*std::move(models), step);
  };
  registry.rtl = std::move(rtl);
  run::RunOptions options;
  options.threads = threads;
  options.messages = messages;
  return run::Run::create(*std::move(experiment), std::move(registry), {}, options);
}

absl::StatusOr<v1::Report> run_models(const std::string& text, const std::vector<std::string>& sets, Time step,
                                      int threads) {
  absl::StatusOr<std::unique_ptr<run::Run>> run = prepare_models(text, sets, step, threads);
  if (!run.ok()) return run.status();
  if (absl::Status status = (*run)->execute(std::stop_token()); !status.ok()) return status;
  return (*run)->report();
}

v1::Report report_of(const std::string& text, std::vector<std::string> sets, bool packet) {
  if (packet) sets.insert(sets.begin(), "router.model=PACKET");
  const auto report = run_models(text, sets);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *report : v1::Report();
}

std::string error_of(const std::string& text, const std::vector<std::string>& sets) {
  return std::string(run_models(text, sets).status().message());
}

}  // namespace fabrictwin
