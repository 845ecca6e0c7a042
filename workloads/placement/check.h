// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The placement of an MPI job: from the message to checked values.
#pragma once

#include <string>

#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/check/file.h"
#include "fabrictwin/v1/job.pb.h"
#include "workloads/placement/spec.h"

namespace fabrictwin::placement {

/// The most ranks of a host, limited by the bits for their numbers in a message of the MPI layer.
inline constexpr int32_t kMaxRanksPerHost = 64;

/// Reads the placement at `path` ("workload.placement") of a job whose `ranks_path` ("workload.osu.ranks") says how
/// many ranks there are. Whether there are enough hosts, and whether they exist, is checked when the workload is built.
PlacementSpec check_placement(const std::string& path, const std::string& ranks_path, v1::Placement& placement,
                              const experiment::FileChecker& files, experiment::FieldChecker& fields);

}  // namespace fabrictwin::placement
