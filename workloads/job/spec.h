// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The jobs of an experiment, checked: plain values.
#pragma once

#include <any>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cosim/experiment/source_location.h"
#include "workloads/flows/flow_kind.h"
#include "workloads/mpi/job_kind.h"
#include "workloads/placement/spec.h"

namespace fabrictwin::job {

/// One job; see Job in job.proto.
struct JobSpec {
  std::string name{};
  const mpi::JobKind* kind = nullptr;      ///< What runs on its ranks; null if it has none.
  const flows::FlowKind* flows = nullptr;  ///< What makes its flows, if it has some.
  bool traffic = false;                    ///< It is traffic. Neither of the three is a mistake.
  std::any work{};                         ///< Its checked values, of the type of its kind: GemmSpec for gemm.
  placement::PlacementSpec placement{};
  bool background = false;
  experiment::SourceLocation location{};

  /// It has hosts of its own, without ranks.
  bool has_own_hosts() const { return flows != nullptr || traffic; }
  /// The checked values if they are of this type, or else null.
  template <typename Spec>
  const Spec* work_as() const {
    return std::any_cast<Spec>(&work);
  }
};

/// The jobs of an experiment, at least one.
struct JobsSpec {
  std::vector<JobSpec> jobs;
  bool baseline = false;             ///< Each job that is not in the background runs alone first.
  std::optional<size_t> alone = {};  ///< The only job that runs; all are placed.

  bool runs(size_t job) const { return !alone.has_value() || *alone == job; }
};

}  // namespace fabrictwin::job
