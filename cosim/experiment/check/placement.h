// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The placement of an MPI job: from the message to checked values.
#pragma once

#include <string>

#include "cosim/run/field_checker.h"
#include "cosim/run/file_check.h"
#include "cosim/run/job_spec.h"
#include "fabrictwin/v1/job.pb.h"

namespace fabrictwin {

/// Most ranks of a host: what is left for their numbers in a message of the MPI layer.
inline constexpr int32_t kMaxRanksPerHost = 64;

/// Reads the placement at `path` ("workload.placement") of a job whose `ranks_path` ("workload.osu.ranks") says how
/// many ranks there are. Hosts that do not exist, and too few of them, show when the workload is made.
PlacementSpec check_placement(const std::string& path, const std::string& ranks_path, v1::Placement& placement,
                              const FileChecker& files, FieldChecker& fields);

}  // namespace fabrictwin
