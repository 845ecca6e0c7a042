// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The requests that a rank has started and not yet waited for, as its events say.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// Follows the events of one rank. Not thread-safe.
class OutstandingRequests {
 public:
  struct Request {
    v1::TraceAction action = v1::ISEND;
    int32_t peer = 0;
    int32_t tag = 0;
    uint32_t communicator = 0;
    uint64_t number = 0;  ///< Among the requests of the rank.
    uint64_t event = 0;   ///< That started it.
    uint64_t label = 0;   ///< The caller's own.
    bool sends() const { return action != v1::IRECV && !action_shape(action).collective; }
    bool receives() const { return action == v1::IRECV; }
  };

  explicit OutstandingRequests(int32_t rank) : rank_(rank) {}

  /// The rank's next event, well formed. NotFound, without rank and event, for a wait without a request that fits.
  absl::Status follow(const TraceEvent& event);

  /// What the last event has started; null if nothing.
  Request* started() { return started_ ? &open_.back() : nullptr; }
  /// What the last event waits for, oldest first.
  const std::vector<Request>& awaited() const { return awaited_; }
  /// Started and not waited for, oldest first.
  const std::vector<Request>& open() const { return open_; }
  /// After a WAIT: the same as a WAIT_SEND or WAIT_RECV. Unimplemented, without rank and event, where these would wait
  /// for another request, or if it is a collective.
  absl::StatusOr<TraceEvent> named_wait() const;

  /// Requests started so far.
  uint64_t count() const { return count_; }

 private:
  absl::Status wait_for(const TraceEvent& event);

  int32_t rank_;
  std::vector<Request> open_;
  std::vector<Request> awaited_;
  bool started_ = false;
  uint64_t count_ = 0;
  uint64_t events_ = 0;
};

}  // namespace fabrictwin
