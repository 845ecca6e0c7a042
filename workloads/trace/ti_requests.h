// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the lines of a SimGrid time-independent trace leave to the importer.
#pragma once

#include <cstdint>
#include <map>

#include "absl/status/statusor.h"
#include "workloads/trace/outstanding_requests.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// Follows the lines of one rank: which request a wait is for, and what is for MPI_PROC_NULL. Not thread-safe.
class TiRequests {
 public:
  explicit TiRequests(int32_t rank) : requests_(rank) {}

  /// Makes of `event`, the rank's next one as parse_ti_line() reads it from line `line`, a well formed one. False if it
  /// leaves nothing in the trace: a send to MPI_PROC_NULL, and a wait for it. InvalidArgument, without a place, for a
  /// wait without a request if nothing in the trace could stand for it (others are found when the trace is checked);
  /// Unimplemented if receives of the rank could be from MPI_PROC_NULL.
  absl::StatusOr<bool> follow(TraceEvent& event, int32_t line);

 private:
  // SMPI has one number, kTiProcNull, for MPI_ANY_SOURCE and MPI_PROC_NULL, and records receives that do not block from
  // both.
  absl::Status tell_apart(const TraceEvent& event, int32_t line);
  absl::Status follow_nobody(const TraceEvent& event);

  OutstandingRequests requests_;
  std::map<int32_t, uint64_t> to_nobody_;  ///< Sends to MPI_PROC_NULL that were not waited for, by tag.
  int32_t first_to_nobody_ = 0;            ///< The line; 0 if there is none.
  int32_t first_from_any_ = 0;             ///< Of receives from kTiProcNull that do not block; the line, or 0.
};

}  // namespace fabrictwin
