// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/outstanding_requests.h"

#include <algorithm>

#include "fmt/format.h"

namespace fabrictwin {

absl::Status OutstandingRequests::follow(const TraceEvent& event) {
  awaited_.clear();
  started_ = action_shape(event.action).starts;
  if (started_) {
    open_.push_back({.action = event.action,
                     .peer = event.peer,
                     .tag = event.tag,
                     .communicator = event.communicator,
                     .number = count_++,
                     .event = events_});
  }
  ++events_;
  switch (event.action) {
    case v1::WAITALL:
      std::swap(awaited_, open_);
      return absl::OkStatus();
    case v1::WAIT:
    case v1::WAIT_SEND:
    case v1::WAIT_RECV:
      return wait_for(event);
    default:
      return absl::OkStatus();
  }
}

absl::Status OutstandingRequests::wait_for(const TraceEvent& event) {
  const auto found = std::find_if(open_.begin(), open_.end(), [&](const Request& request) {
    if (event.action == v1::WAIT) return request.number + event.count + 1 == count_;
    if (request.peer != event.peer || request.tag != event.tag) return false;
    // A trace does not say which end of a message to oneself is waited for: the oldest.
    if (event.peer == rank_) return request.sends() || request.receives();
    return event.action == v1::WAIT_SEND ? request.sends() : request.receives();
  });
  if (found != open_.end()) {
    awaited_.push_back(*found);
    open_.erase(found);
    return absl::OkStatus();
  }
  if (event.action == v1::WAIT) {
    return absl::NotFoundError(fmt::format(
        "waits for the request after which {} others were started, but there is no such request", event.count));
  }
  const std::string peer = event.peer == kAnySource ? "any rank" : fmt::format("rank {}", event.peer);
  return absl::NotFoundError(fmt::format("waits for a {} {} with tag {}, but there is no such request",
                                         event.action == v1::WAIT_SEND ? "send to" : "receive from", peer, event.tag));
}

absl::StatusOr<TraceEvent> OutstandingRequests::named_wait() const {
  const Request& waited = awaited_.front();
  const bool both = waited.peer == rank_;
  if (!waited.sends() && !waited.receives()) {
    return absl::UnimplementedError(
        fmt::format("a wait for a collective that does not block ({})", action_name(waited.action)));
  }
  for (const Request& other : open_) {
    if (other.number < waited.number && (both ? other.sends() || other.receives() : other.sends() == waited.sends()) &&
        other.peer == waited.peer && other.tag == waited.tag) {
      return absl::UnimplementedError(
          fmt::format("waits for the request of event {} before the one of event {}, which has the same peer and tag",
                      waited.event, other.event));
    }
  }
  TraceEvent event;
  event.action = waited.sends() ? v1::WAIT_SEND : v1::WAIT_RECV;
  event.peer = waited.peer;
  event.tag = waited.tag;
  return event;
}

}  // namespace fabrictwin
