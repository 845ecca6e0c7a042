// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Export of time-independent traces for SimGrid.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

/// The line of `event` of `rank`, without line end: what parse_ti_line() reads back as the same event. Only a wait for
/// a send to oneself reads as one for a receive (what is outstanding tells them apart). Compute amounts are flop at 1
/// Gflop/s, that is nanoseconds. Unimplemented with the reason if there is no form for it.
absl::StatusOr<std::string> ti_line(const TraceEvent& event, uint32_t rank);

/// Writes the folder `out` with trace.index and one file for each rank, as `smpirun -replay` and import_ti() read it.
/// The folder must not be there yet, or be empty; it appears only if all went well. Errors are those of the source, of
/// OutputFolder, and Unimplemented "NAME: rank R, event E: reason".
absl::Status export_ti(const TraceSource& trace, const std::string& out);

}  // namespace fabrictwin
