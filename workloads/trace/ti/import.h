// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Import of SimGrid time-independent traces.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace fabrictwin {

/// Converts a SimGrid time-independent trace (a folder with a trace.index, or the index itself) to the trace file
/// `out`, one line at a time. Compute amounts are taken as flop at 1 Gflop/s, that is nanoseconds. Errors: NotFound
/// where a file cannot be opened; InvalidArgument "FILE:LINE:COL: error: ..." for what cannot be understood,
/// Unimplemented "FILE:LINE:COL: error: ..." with its name for a call that has no form in a trace file. `out` appears
/// only if the whole trace could be converted. Thread-safe for different `out`.
absl::Status import_ti(const std::string& path, const std::string& out);

}  // namespace fabrictwin
