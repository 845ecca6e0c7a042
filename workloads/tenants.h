// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All workloads of this program, and with them all that experiments can name.
#pragma once

#include <span>

#include "cosim/experiment/experiment.h"
#include "cosim/experiment/tenants.h"
#include "models/host/workload_kind.h"
#include "workloads/flows/flow_kind.h"
#include "workloads/mpi/job_kind.h"

namespace fabrictwin::workloads {

/// All kinds of workloads.
std::span<const host::WorkloadKind* const> kinds();
/// What can run on the ranks of a job.
std::span<const mpi::JobKind* const> job_kinds();

/// What else can be a job: flows.
std::span<const flows::FlowKind* const> flow_kinds();

/// The kind of an experiment's workload.
const host::WorkloadKind& kind_of(const experiment::Experiment& experiment);

/// These, all topologies and routing algorithms, and what routers, network interfaces and hardware can do, for
/// load_experiment().
experiment::Tenants tenants();

}  // namespace fabrictwin::workloads
