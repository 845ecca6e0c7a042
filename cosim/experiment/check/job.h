// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The MPI jobs of an experiment: from the message to checked values.
#pragma once

#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/check/file.h"
#include "cosim/experiment/job_spec.h"
#include "cosim/experiment/place.h"
#include "fabrictwin/v1/experiment.pb.h"

namespace fabrictwin::experiment {

/// Reads a workload of MPI jobs: mpi_trace, skeleton, osu, gemm or jobs. Paths in the message are replaced by paths
/// that can be opened. Whether the ranks fit on the hosts is checked when the workload is built.
JobsSpec check_jobs(v1::Workload& workload, const FileChecker& files, FieldChecker& fields);

/// The source location for mistakes that are found when the workload is built: the path of a trace or the benchmark if
/// an argument gave it, else the workload.
SourcePlace workload_place(const PlaceMap& places);

}  // namespace fabrictwin::experiment
