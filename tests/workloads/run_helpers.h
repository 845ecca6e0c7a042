// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs experiments in a test, from text or file to report.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/run/run.h"
#include "models/partition_factory.h"
#include "models/topology/topology.h"
#include "workloads/workload_factory.h"

namespace fabrictwin {

struct Outcome {
  absl::Status status;
  v1::Report report;
  double done = -1;  ///< As the progress line has it at the end.
};

/// Runs it with all its elements as models.
inline Outcome run_experiment(absl::StatusOr<Experiment> experiment) {
  if (!experiment.ok()) return {experiment.status(), {}};
  Registry registry;
  registry.topology = build_topology;
  registry.model = [](const PartitionContext& context) { return create_model_partition(context, make_workload); };
  auto created = Run::create(*std::move(experiment), std::move(registry), {}, {});
  if (!created.ok()) return {created.status(), {}};
  const absl::Status status = (*created)->execute(std::stop_token());
  return {status, (*created)->report(), (*created)->progress().done};
}

/// The same for a file.
inline Outcome run(const std::string& file, const std::vector<std::string>& sets,
                   std::optional<uint64_t> seed = std::nullopt) {
  Overrides overrides;
  overrides.sets = sets;
  overrides.seed = seed;
  return run_experiment(load_experiment(file, overrides));
}

/// The same for text. Paths in it are relative to the working directory.
inline Outcome run_text(const std::string& text) { return run_experiment(parse_experiment(text, "test.textproto")); }

}  // namespace fabrictwin
