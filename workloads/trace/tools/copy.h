// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies any source of events to a trace file.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::trace::tools {

/// Writes all events of `trace` to the trace file `out`, rank by rank, so that memory does not grow with their number.
/// Returns the number of events. `out` appears only on success; errors are those of the source and of format::Writer.
absl::StatusOr<uint64_t> copy_trace(const format::Source& trace, const std::string& out);

}  // namespace fabrictwin::trace::tools
