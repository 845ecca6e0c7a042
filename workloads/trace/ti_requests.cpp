// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/ti_requests.h"

namespace fabrictwin {

void TiRequests::see(const TraceEvent& event) {
  if (event.action == v1::WAITALL) {
    open_.clear();
    by_ordinal_.clear();
  }
  if (event.action != v1::ISEND && event.action != v1::IRECV) return;
  const bool send = event.action == v1::ISEND;
  const Name name = name_of(send, event.peer, event.tag);
  open_[name].push_back({started_, send});
  by_ordinal_[started_++] = name;
}

void TiRequests::take_oldest(std::map<Name, std::deque<Request>>::iterator place) {
  by_ordinal_.erase(place->second.front().ordinal);
  place->second.pop_front();
  if (place->second.empty()) open_.erase(place);
}

void TiRequests::read(TraceEvent& wait) {
  const auto place = open_.find(name_of(wait.action == v1::WAIT_SEND, wait.peer, wait.tag));
  // A wait for nothing is found when the trace is checked.
  if (place == open_.end()) return;
  wait.action = place->second.front().send ? v1::WAIT_SEND : v1::WAIT_RECV;
  take_oldest(place);
}

absl::Status TiRequests::write(TraceEvent& wait) {
  if (wait.action == v1::WAIT) {
    const auto named = wait.count < started_ ? by_ordinal_.find(started_ - 1 - wait.count) : by_ordinal_.end();
    if (named == by_ordinal_.end()) return absl::InvalidArgumentError("it waits for a request that is not outstanding");
    const auto place = open_.find(named->second);
    if (place->second.front().ordinal != named->first || named->second.tag == kAnyTag) {
      return absl::UnimplementedError(
          "a time-independent trace waits only for the oldest request with a source, destination and tag");
    }
    const bool send = place->second.front().send;
    wait.action = send ? v1::WAIT_SEND : v1::WAIT_RECV;
    wait.peer = send ? named->second.destination : named->second.source;
    wait.tag = named->second.tag;
    wait.count = 0;
    take_oldest(place);
    return absl::OkStatus();
  }
  const bool send = wait.action == v1::WAIT_SEND;
  const auto place = open_.find(name_of(send, wait.peer, wait.tag));
  if (place == open_.end()) return absl::OkStatus();
  if (place->second.front().send != send) {
    return absl::UnimplementedError(
        "a time-independent trace waits for messages to oneself in the order in which they were started");
  }
  take_oldest(place);
  return absl::OkStatus();
}

}  // namespace fabrictwin
