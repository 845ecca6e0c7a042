// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All parts that this program has: the one place where engine, models, RTL and workloads meet.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "bridges/board_config.h"
#include "cosim/engine/partition.h"
#include "cosim/run/experiment.h"
#include "cosim/run/plan.h"
#include "cosim/run/registry.h"

namespace fabrictwin {

/// Topologies, models with workloads, and RTL.
Registry all_parts();

/// The RTL router of a soft board.
absl::StatusOr<std::unique_ptr<Partition>> make_board_element(const BoardConfig& config);

/// Builds the topology of an experiment and makes the plan.
absl::StatusOr<Plan> plan_experiment(const Experiment& experiment);

/// Makes the workload and drops it, for what is wrong with it: more ranks than hosts, receives that nothing is sent to.
absl::Status check_workload(const Experiment& experiment, const SystemGraph& graph);

}  // namespace fabrictwin
