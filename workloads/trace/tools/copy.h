// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// From any source of events to a trace file.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

/// Writes all events of `trace` to the trace file `out`, rank by rank, so that memory does not grow with their number.
/// Returns how many. `out` appears only if all went well; errors are those of the source and of TraceWriter.
absl::StatusOr<uint64_t> copy_trace(const TraceSource& trace, const std::string& out);

}  // namespace fabrictwin
