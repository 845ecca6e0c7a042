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
#include "models/network/topology.h"
#include "models/partition/factory.h"
#include "tests/experiments.h"
#include "tests/workloads/trace_helpers.h"
#include "workloads/trace/format/file_trace.h"
#include "workloads/trace/tools/copy.h"
#include "workloads/trace/tools/cut.h"
#include "workloads/workload_factory.h"

namespace fabrictwin {

struct Outcome {
  absl::Status status;
  v1::Report report;
  double done = -1;  ///< As the progress line has it at the end.
};

/// Runs it with all its elements as models.
inline Outcome run_experiment(absl::StatusOr<experiment::Experiment> experiment) {
  if (!experiment.ok()) return {experiment.status(), {}};
  run::Registry registry;
  registry.tenants = workloads::tenants();
  registry.topology = network::build_topology;
  registry.model = [](const run::PartitionContext& context) {
    return partition::create_model_partition(context, workloads::make_workload);
  };
  auto created = run::Run::create(*std::move(experiment), std::move(registry), {}, {});
  if (!created.ok()) return {created.status(), {}};
  const absl::Status status = (*created)->execute(std::stop_token());
  return {status, (*created)->report(), (*created)->progress().done};
}

/// Runs an experiment that is a file.
inline Outcome run_text(const std::string& file, const std::vector<std::string>& sets,
                        std::optional<uint64_t> seed = std::nullopt) {
  experiment::Overrides overrides;
  overrides.sets = sets;
  overrides.seed = seed;
  return run_experiment(test::load_experiment(file, overrides));
}

/// Runs an experiment that is text. Paths in it are relative to the working directory.
inline Outcome run_text(const std::string& text) {
  return run_experiment(test::parse_experiment(text, "test.textproto"));
}

/// The first iterations of the recorded miniFE, as a trace in `folder`: the whole of it takes long to replay.
inline std::string start_of_minife(const TestFolder& folder) {
  const std::string path = folder.file("start.fttrace");
  auto whole = trace::format::FileTrace::open("workloads/experiments/data/minife-8.fttrace");
  EXPECT_TRUE(whole.ok()) << whole.status();
  const auto start = trace::tools::cut_trace(*std::move(whole), {.end_collective = 40});
  EXPECT_TRUE(start.ok() && trace::tools::copy_trace(**start, path).ok()) << start.status();
  return path;
}

}  // namespace fabrictwin
