// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The communicators of a rank, as its events make and free them.
#pragma once

#include <cstdint>
#include <map>

#include "absl/status/status.h"
#include "workloads/trace/communicator.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// Follows the events of one rank. Not thread-safe.
class CommunicatorTable {
 public:
  CommunicatorTable(int32_t rank, int32_t ranks) : rank_(rank), world_(rank, ranks) {}

  /// The rank's next event, well formed. Makes or frees a communicator; InvalidArgument, without rank and event, if the
  /// event is about a communicator that is not there (or is there already), about ranks that are not its members, or
  /// has counts for another number of them.
  absl::Status follow(const TraceEvent& event);

  /// That of an event that follow() has taken.
  Communicator& of(const TraceEvent& event) { return event.communicator == 0 ? world_ : made_.at(event.communicator); }

 private:
  absl::Status check_use(const TraceEvent& event) const;

  int32_t rank_;
  Communicator world_;
  std::map<uint32_t, Communicator> made_;
};

}  // namespace fabrictwin
