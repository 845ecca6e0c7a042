// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An experiment whose workload is replaced by a micro-benchmark.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/input.h"
#include "cosim/experiment/tenants.h"
#include "cosim/system/plan.h"

namespace fabrictwin::study {

/// The arguments of `fabrictwin osu`. Those that are not given default to the experiment's values if its workload is
/// osu, else to the defaults of job.proto.
struct OsuRequest {
  std::string benchmark;             ///< Its name, as the suite or job.proto has it.
  experiment::Input experiment;      ///< Only osu, placement and a trace's eager limit of its workload are used.
  std::string hosts;                 ///< Their names, in the order of ranks: "mpsoc[0],mpsoc[1.3.0]".
  std::optional<std::string> sizes;  ///< "0,64,4MiB".
  std::optional<int32_t> ranks;
  std::optional<int32_t> ranks_per_host;
  std::optional<int32_t> iterations;
  std::optional<int32_t> warmup;
  std::optional<int32_t> window;
};

/// Reads and checks the experiment with the benchmark for its workload. Errors are those of load_experiment(), located
/// in the option that gave a value; InvalidArgument with the name of the option for other mistakes in the request, and
/// for a --set of something that does not run or that the request replaces. `tenants` is what experiments can name.
/// `make_plan` builds the topology of an experiment and makes its plan, which has the number of hosts and their names.
absl::StatusOr<experiment::Experiment> load_osu_experiment(
    const OsuRequest& request, const experiment::Tenants& tenants,
    const std::function<absl::StatusOr<system::Plan>(const experiment::Experiment&)>& make_plan);

}  // namespace fabrictwin::study
