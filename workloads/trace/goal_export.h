// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Export of GOAL schedules, as LogGOPSim and its relatives read them.
#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

/// Writes the folder `out` with the one file trace.goal: for each rank its sends, receives and computations (whole
/// nanoseconds) with what each must wait for. `trace` must be without collectives (expand_collectives()). The folder
/// must not be there yet, or be empty; it appears only if all went well. Errors are those of the source and of
/// OutputFolder, and Unimplemented "NAME: rank R, event E: reason" for a collective, a synchronous send, a probe, a
/// communicator, or a receive from any source.
absl::Status export_goal(const TraceSource& trace, const std::string& out);

}  // namespace fabrictwin
