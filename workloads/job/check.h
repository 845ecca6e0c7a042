// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The jobs of an experiment: from the message to checked values.
#pragma once

#include <span>

#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/check/file.h"
#include "fabrictwin/v1/experiment.pb.h"
#include "fabrictwin/v1/workload.pb.h"
#include "workloads/flows/flow_kind.h"
#include "workloads/job/spec.h"
#include "workloads/mpi/job_kind.h"

namespace fabrictwin::job {

/// Reads a workload that is one job of this kind. Paths in the message are replaced by paths that can be opened.
/// Whether the ranks fit on the hosts is checked when the workload is built.
JobsSpec check_single_job(const mpi::JobKind& kind, v1::Workload& workload, const experiment::FileChecker& files,
                          experiment::FieldChecker& fields);

/// What jobs can be.
struct KnownJobs {
  std::span<const mpi::JobKind* const> ranks;
  std::span<const flows::FlowKind* const> flows;
};

/// Reads a workload of several jobs, each of one of these kinds.
JobsSpec check_several_jobs(const KnownJobs& known, v1::Experiment& experiment, const experiment::FileChecker& files,
                            experiment::FieldChecker& fields);

/// The source location for mistakes of a single job that are found when the workload is built: its main field if an
/// argument gave it, else the workload.
experiment::SourceLocation single_job_location(const mpi::JobKind& kind, const experiment::LocationMap& locations);

}  // namespace fabrictwin::job
