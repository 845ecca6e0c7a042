// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What must be in one partition.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "cosim/experiment/experiment.h"
#include "cosim/metric/sink.h"
#include "cosim/system/plan.h"
#include "models/host/workload.h"

namespace fabrictwin::partition {

/// Whether a partition of models that do not move words is only a part of its system.
bool is_apart(const system::Plan& plan, int32_t partition);

/// Gives what the workload of a partition measures to `sink`. Of the partitions of a place that have hosts, only the
/// first one gives what does not add up.
void measure_workload(const system::Plan& plan, int32_t partition, const host::Workload& workload, metric::Sink& sink);

/// Whether no other partition of its place has models, so that what it has of them is all that the place has.
bool has_all_models(const system::Plan& plan, int32_t partition);

/// Unimplemented, as a diagnostic with its location, if something of an experiment, or its workload, must be in one
/// partition, and the plan has models that do not move words in several partitions, or beside others, or hosts in other
/// processes.
absl::Status check_apart(const experiment::Experiment& experiment, const system::Plan& plan,
                         const host::Workload& workload);
/// Such an error for another obstacle.
absl::Status apart_error(const experiment::Experiment& experiment, const system::Plan& plan, std::string_view obstacle);

}  // namespace fabrictwin::partition
