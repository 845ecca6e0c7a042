// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Assembles the parts of a recording into one trace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::recorder {

/// The result of an assembly.
struct TraceAssembly {
  uint32_t ranks = 0;
  uint64_t events = 0;
  std::vector<std::string> warnings;  ///< Warnings to the user: ranks that ended early, use of files.
};

/// Assembles the parts in `folder` (rank-0.part and so on) into the trace `out`. Ranks that ended without MPI_Finalize
/// have their events until then, and a warning. InvalidArgument, and no trace, if a rank did what a trace cannot
/// express (with rank, event and call), or a part is missing, of another run or damaged. FailedPrecondition if `out`
/// cannot be written. Memory does not grow with the length of the run.
absl::StatusOr<TraceAssembly> assemble_trace(const std::string& folder, const std::string& out);

}  // namespace fabrictwin::recorder
