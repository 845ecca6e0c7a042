// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The MPI jobs of an experiment: from the message to checked values.
#pragma once

#include "cosim/run/experiment_place.h"
#include "cosim/run/field_checker.h"
#include "cosim/run/file_check.h"
#include "cosim/run/job_spec.h"
#include "fabrictwin/v1/experiment.pb.h"

namespace fabrictwin {

/// Reads a workload of MPI jobs: mpi_trace, skeleton, osu, gemm or jobs. Paths in the message become those that can be
/// opened. Whether the ranks fit on the hosts shows when the workload is made.
JobsSpec check_jobs(v1::Workload& workload, const FileChecker& files, FieldChecker& fields);

/// Where mistakes belong that show when the workload is made: the path of a trace or the benchmark if an argument gave
/// it, else the workload.
SourcePlace workload_place(const PlaceMap& places);

}  // namespace fabrictwin
