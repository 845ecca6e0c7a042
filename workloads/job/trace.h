// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Replay of a recorded run as a job.
#pragma once

#include <optional>
#include <string>

#include "cosim/base/quantity.h"
#include "workloads/mpi/job_kind.h"

namespace fabrictwin::job {

/// See MpiTrace in job.proto, which has the defaults.
struct MpiTraceSpec {
  std::string path;  ///< A path that can be opened from the working directory.
  double compute_scale = 0;
  std::optional<Bytes> eager_limit;  ///< If not set, the host's limit applies.
};

/// The kind mpi_trace.
const mpi::JobKind& mpi_trace();

}  // namespace fabrictwin::job
