// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The communicators of a rank, as its events create and free them.
#pragma once

#include <cstdint>
#include <map>

#include "absl/status/status.h"
#include "workloads/trace/format/communicator.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::format {

/// Follows the events of one rank. Not thread-safe.
class CommunicatorTable {
 public:
  CommunicatorTable(int32_t rank, int32_t ranks) : rank_(rank), world_(rank, ranks) {}

  /// Takes the rank's next event, which must be well formed, and creates or frees a communicator if it says so.
  /// InvalidArgument, without rank and event, if the event uses a communicator that does not exist (or creates one that
  /// does), ranks that are not its members, or a wrong number of counts.
  absl::Status follow(const Event& event);

  /// The communicator of an event that follow() has taken.
  Communicator& of(const Event& event) { return event.communicator == 0 ? world_ : made_.at(event.communicator); }

 private:
  absl::Status check_use(const Event& event) const;

  int32_t rank_;
  Communicator world_;
  std::map<uint32_t, Communicator> made_;
};

}  // namespace fabrictwin::trace::format
