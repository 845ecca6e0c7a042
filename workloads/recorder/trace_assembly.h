// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a recording as one trace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin {

/// What was put together.
struct TraceAssembly {
  uint32_t ranks = 0;
  uint64_t events = 0;
  std::vector<std::string> warnings;  ///< What the user should know: ranks that ended early, files.
};

/// Puts the parts in `folder` (rank-0.part and so on) together as the trace `out`. Ranks that ended without
/// MPI_Finalize have what they did until then, and a warning. InvalidArgument, and no trace, if a rank did what a trace
/// cannot hold (with rank, event and call), or a part is missing, of another run or damaged. FailedPrecondition if
/// `out` cannot be written. Memory does not grow with the length of the run.
absl::StatusOr<TraceAssembly> assemble_trace(const std::string& folder, const std::string& out);

}  // namespace fabrictwin
