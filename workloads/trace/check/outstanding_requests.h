// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The requests that a rank has started and not yet waited for, as its events say.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// Follows the events of one rank. Each event costs the logarithm of what is outstanding. Not thread-safe.
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

  /// The rank's next event, well formed. InvalidArgument, without rank and event, for a wait without a request that
  /// fits; it waits for nothing then.
  absl::Status follow(const TraceEvent& event);

  /// What the last event has started; null if nothing.
  Request* started() { return started_; }
  /// What the last event waits for, oldest first.
  const std::vector<Request>& awaited() const { return awaited_; }
  /// Whether the request of this number is still to be waited for.
  bool outstanding(uint64_t number) const { return open_.contains(number); }
  /// After a WAIT: the same as a WAIT_SEND or WAIT_RECV. Unimplemented, without rank and event, where these would wait
  /// for another request, or if it is a collective.
  absl::StatusOr<TraceEvent> named_wait() const;

  /// Requests started so far.
  uint64_t count() const { return count_; }

 private:
  // Of a message: whether it is sent, peer, tag and number. A wait for a message to oneself is for the oldest one,
  // whichever end it is: these count as received.
  using Name = std::tuple<bool, int32_t, int32_t, uint64_t>;
  Name name(bool sends, int32_t peer, int32_t tag, uint64_t number) const {
    return {sends && peer != rank_, peer, tag, number};
  }
  Name name(const Request& request) const { return name(request.sends(), request.peer, request.tag, request.number); }
  const Request* oldest(bool sends, int32_t peer, int32_t tag) const;
  void start(const TraceEvent& event);
  absl::Status wait_for_age(uint64_t started_later);
  absl::Status wait_for_message(const TraceEvent& event);
  void complete(const Request& request);

  int32_t rank_;
  std::map<uint64_t, Request> open_;  ///< By number.
  std::set<Name> messages_;
  std::vector<Request> awaited_;
  Request* started_ = nullptr;
  uint64_t count_ = 0;
  uint64_t events_ = 0;
};

}  // namespace fabrictwin
