// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All parts of this program: only here do engine, models, RTL and workloads meet.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "bridges/board/config.h"
#include "cosim/engine/partition.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/input.h"
#include "cosim/run/registry.h"
#include "cosim/system/plan.h"

namespace fabrictwin::cli::support {

/// The registry of topologies, models with workloads, and RTL.
run::Registry all_parts();

/// Reads and checks an experiment; see load_experiment().
absl::StatusOr<experiment::Experiment> load(const experiment::Input& input);

/// The RTL router of a soft board.
absl::StatusOr<std::unique_ptr<engine::Partition>> make_board_element(const bridges::board::Config& config);

/// Builds the topology of an experiment and makes the plan.
absl::StatusOr<system::Plan> plan_experiment(const experiment::Experiment& experiment);

/// Builds the workload and discards it, to find its mistakes: more ranks than hosts, receives without a send.
absl::Status check_workload(const experiment::Experiment& experiment, const system::Plan& plan);

/// Whether each host, by its number, has a part in the workload. Errors are mistakes of the workload.
absl::StatusOr<std::vector<bool>> busy_hosts(const experiment::Experiment& experiment,
                                             const system::SystemGraph& graph);

}  // namespace fabrictwin::cli::support
