// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves what the lines of a SimGrid time-independent trace leave open.
#pragma once

#include <cstdint>
#include <map>

#include "absl/status/statusor.h"
#include "workloads/trace/check/outstanding_requests.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::ti {

/// Follows the lines of one rank: finds the request of each wait, and calls for MPI_PROC_NULL. Not thread-safe.
class Requests {
 public:
  explicit Requests(int32_t rank) : requests_(rank) {}

  /// Makes `event`, the rank's next one as parse_ti_line() reads it from line `line`, well formed. False if it is
  /// dropped: a send to MPI_PROC_NULL, or a wait for it. InvalidArgument, without a location, for a wait without a
  /// request if nothing in the trace could stand for it (others are found when the trace is checked); Unimplemented if
  /// receives of the rank could be from MPI_PROC_NULL.
  absl::StatusOr<bool> follow(format::Event& event, int32_t line);

 private:
  // SMPI has one number, kTiProcNull, for MPI_ANY_SOURCE and MPI_PROC_NULL, and records nonblocking receives from both.
  absl::Status tell_apart(const format::Event& event, int32_t line);
  absl::Status follow_nobody(const format::Event& event);

  check::OutstandingRequests requests_;
  std::map<int32_t, uint64_t> to_nobody_;  ///< Sends to MPI_PROC_NULL that were not waited for, by tag.
  int32_t first_to_nobody_ = 0;            ///< The line of the first such send; 0 if there is none.
  int32_t first_from_any_ = 0;  ///< The line of the first nonblocking receive from kTiProcNull; 0 if there is none.
};

}  // namespace fabrictwin::trace::ti
