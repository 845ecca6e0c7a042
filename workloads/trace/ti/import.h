// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Import of SimGrid time-independent traces.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace fabrictwin::trace::ti {

/// Converts a SimGrid time-independent trace (a folder with a trace.index, or the index itself) to the trace file
/// `out`, one line at a time. Compute amounts are taken as flop at 1 Gflop/s, that is nanoseconds. NotFound if a file
/// cannot be opened; InvalidArgument "FILE:LINE:COL: error: ..." for invalid input; Unimplemented "FILE:LINE:COL:
/// error: ..." for a call, which it names, that a trace file cannot express. `out` appears only if the whole trace was
/// converted. Thread-safe for different `out`.
absl::Status import_ti(const std::string& path, const std::string& out);

}  // namespace fabrictwin::trace::ti
