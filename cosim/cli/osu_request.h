// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An experiment whose workload is replaced by a micro-benchmark.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/cli/experiment_options.h"
#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"

namespace fabrictwin {

/// What `fabrictwin osu` is asked for. What is not given is as the experiment has it if its workload is osu, else as
/// job.proto says.
struct OsuRequest {
  std::string benchmark;         ///< Its name, as the suite or job.proto has it.
  ExperimentOptions experiment;  ///< Of whose workload nothing is taken but osu, placement and a trace's eager limit.
  std::string place;             ///< Hosts by their names, in the order of ranks: "mpsoc[0],mpsoc[1.3.0]".
  std::optional<std::string> sizes;  ///< "0,64,4MiB".
  std::optional<int32_t> ranks;
  std::optional<int32_t> ranks_per_host;
  std::optional<int32_t> iterations;
  std::optional<int32_t> warmup;
  std::optional<int32_t> window;
};

/// The hosts that the parts of `place` select, part by part, each part ascending. InvalidArgument for parts that select
/// nothing, or elements that are no hosts.
absl::StatusOr<std::vector<int32_t>> hosts_of_places(const SystemGraph& graph, const std::string& place);

/// Reads and checks the experiment with the benchmark for its workload. Errors are those of load_experiment(), placed
/// in the option that gave a value; InvalidArgument with the name of the option for what else is wrong in the request,
/// and for --set of what does not run or is replaced by the request.
absl::StatusOr<Experiment> load_osu_experiment(const OsuRequest& request);

}  // namespace fabrictwin
