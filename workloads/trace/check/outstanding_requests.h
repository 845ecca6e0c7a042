// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The requests that a rank has started and not yet waited for, derived from its events.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::check {

/// Follows the events of one rank. The cost of an event is logarithmic in the number of outstanding requests. Not
/// thread-safe.
class OutstandingRequests {
 public:
  struct Request {
    v1::TraceAction action = v1::ISEND;
    int32_t peer = 0;
    int32_t tag = 0;
    uint32_t communicator = 0;
    uint64_t number = 0;  ///< Number among the requests of the rank.
    uint64_t event = 0;   ///< The event that started it.
    uint64_t label = 0;   ///< For the caller's use.
    bool sends() const { return action != v1::IRECV && !format::action_shape(action).collective; }
    bool receives() const { return action == v1::IRECV; }
  };

  explicit OutstandingRequests(int32_t rank) : rank_(rank) {}

  /// Takes the rank's next event, well formed. InvalidArgument, without rank and event, for a wait without a matching
  /// request, which then waits for nothing.
  absl::Status follow(const format::Event& event);

  /// The request that the last event has started; null if none.
  Request* started() { return started_; }
  /// The requests that the last event waits for, oldest first.
  const std::vector<Request>& awaited() const { return awaited_; }
  /// Whether the request of this number has not been waited for.
  bool outstanding(uint64_t number) const { return open_.contains(number); }
  /// After a WAIT: the equivalent WAIT_SEND or WAIT_RECV. Unimplemented, without rank and event, if that would wait for
  /// another request, or if it is a collective.
  absl::StatusOr<format::Event> named_wait() const;

  /// Requests started so far.
  uint64_t count() const { return count_; }

 private:
  // The name of a message: whether it is sent, peer, tag and number. A wait for a message to oneself is for the oldest
  // one, whichever end it is: these count as received.
  using Name = std::tuple<bool, int32_t, int32_t, uint64_t>;
  Name name(bool sends, int32_t peer, int32_t tag, uint64_t number) const {
    return {sends && peer != rank_, peer, tag, number};
  }
  Name name(const Request& request) const { return name(request.sends(), request.peer, request.tag, request.number); }
  const Request* oldest(bool sends, int32_t peer, int32_t tag) const;
  void start(const format::Event& event);
  absl::Status wait_for_age(uint64_t started_later);
  absl::Status wait_for_message(const format::Event& event);
  void complete(const Request& request);

  int32_t rank_;
  std::map<uint64_t, Request> open_;  ///< By number.
  std::set<Name> messages_;
  std::vector<Request> awaited_;
  Request* started_ = nullptr;
  uint64_t count_ = 0;
  uint64_t events_ = 0;
};

}  // namespace fabrictwin::trace::check
