// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Export of time-independent traces for SimGrid.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::trace::ti {

/// The line for `event` of `rank`, without line end; parse_ti_line() reads it back as the same event. Only a wait for a
/// send to oneself reads as one for a receive (the outstanding requests tell them apart). Compute amounts are flop at 1
/// Gflop/s, that is nanoseconds. Unimplemented with the reason if the format cannot express the event.
absl::StatusOr<std::string> ti_line(const format::Event& event, uint32_t rank);

/// Writes the folder `out` with trace.index and one file for each rank, as `smpirun -replay` and import_ti() read it.
/// The folder must not exist or be empty; it appears only if the export succeeds. Errors are those of the source, of
/// OutputFolder, and Unimplemented "NAME: rank R, event E: reason".
absl::Status export_ti(const format::Source& trace, const std::string& out);

}  // namespace fabrictwin::trace::ti
