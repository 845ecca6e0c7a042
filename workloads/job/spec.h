// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The MPI jobs of an experiment, checked: plain values.
#pragma once

#include <any>
#include <string>
#include <vector>

#include "cosim/experiment/source_location.h"
#include "workloads/mpi/job_kind.h"
#include "workloads/placement/spec.h"

namespace fabrictwin::job {

/// One job; see Job in job.proto.
struct JobSpec {
  std::string name{};
  const mpi::JobKind* kind = nullptr;  ///< Null if the job does nothing, which is a mistake.
  std::any work{};                     ///< Its checked values, of the type of its kind: GemmSpec for gemm.
  placement::PlacementSpec placement{};
  bool background = false;
  experiment::SourceLocation location{};

  /// The checked values if they are of this type, or else null.
  template <typename Spec>
  const Spec* work_as() const {
    return std::any_cast<Spec>(&work);
  }
};

/// The jobs of an experiment, at least one.
struct JobsSpec {
  std::vector<JobSpec> jobs;
};

}  // namespace fabrictwin::job
