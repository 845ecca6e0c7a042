// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What must be in one partition.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/plan.h"
#include "models/host/workload.h"

namespace fabrictwin::partition {

/// Whether a partition of models that do not move words is only a part of its system.
bool is_apart(const system::Plan& plan, int32_t partition);

/// Whether a partition is the first one of its place that has hosts: it is the one whose metrics have those of the
/// workload, as series of one place must not come twice.
bool measures_workload(const system::Plan& plan, int32_t partition);

/// Unimplemented, as a diagnostic with its location, if something of an experiment, or its workload, must be in one
/// partition, and the plan has models that do not move words in several partitions, or beside others, or hosts in other
/// processes.
absl::Status check_apart(const experiment::Experiment& experiment, const system::Plan& plan,
                         const host::Workload& workload);
/// Such an error for another obstacle.
absl::Status apart_error(const experiment::Experiment& experiment, const system::Plan& plan, std::string_view obstacle);

}  // namespace fabrictwin::partition
