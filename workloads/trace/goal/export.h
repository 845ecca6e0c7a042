// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Export of GOAL schedules in the format of LogGOPSim and its relatives.
#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::trace::goal {

/// Writes the folder `out` with the single file trace.goal: for each rank its sends, receives and computations (whole
/// nanoseconds) with their dependencies. `trace` must not contain collectives (see expand_collectives()). The folder
/// must not exist or be empty; it appears only if the export succeeds. Errors are those of the source and of
/// OutputFolder, and Unimplemented "NAME: rank R, event E: reason" for what the format cannot express: collectives,
/// probes, communicators and synchronous sends.
absl::Status export_goal(const format::Source& trace, const std::string& out);

}  // namespace fabrictwin::trace::goal
