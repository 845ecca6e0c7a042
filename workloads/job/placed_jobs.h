// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The jobs of an experiment on the hosts of a network.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "workloads/flows/flow.h"
#include "workloads/job/spec.h"
#include "workloads/mpi/job_program.h"

namespace fabrictwin::job {

/// A job with its hosts.
struct PlacedJob {
  const JobSpec* spec = nullptr;             ///< Belongs to the JobsSpec.
  std::vector<int32_t> hosts;                ///< By rank; of a job of flows or of traffic each one once.
  std::unique_ptr<mpi::JobProgram> program;  ///< Null for a job without ranks.
  flows::FlowList flows;                     ///< Between hosts of the network.
  uint64_t seed = 0;                         ///< A job of traffic has its random numbers from it.
};

/// Places all jobs of `spec`, which must outlive the result, in their order. Errors (InvalidArgument, NotFound,
/// Unimplemented, DataLoss) are diagnostics at the job or its placement: ranks or flows that do not fit on their hosts,
/// or hosts that two jobs cannot share.
absl::StatusOr<std::vector<PlacedJob>> place_jobs(const JobsSpec& spec, const experiment::Experiment& experiment,
                                                  const system::SystemGraph& graph);

}  // namespace fabrictwin::job
