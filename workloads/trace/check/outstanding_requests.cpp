// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/check/outstanding_requests.h"

#include <string>

#include "fmt/format.h"

namespace fabrictwin::trace::check {

absl::Status OutstandingRequests::follow(const format::Event& event) {
  awaited_.clear();
  started_ = nullptr;
  if (format::action_shape(event.action).starts) start(event);
  ++events_;
  switch (event.action) {
    case v1::WAITALL:
      for (const auto& [number, request] : open_) awaited_.push_back(request);
      open_.clear();
      messages_.clear();
      return absl::OkStatus();
    case v1::WAIT:
      return wait_for_age(event.count);
    case v1::WAIT_SEND:
    case v1::WAIT_RECV:
      return wait_for_message(event);
    default:
      return absl::OkStatus();
  }
}

absl::StatusOr<format::Event> OutstandingRequests::named_wait() const {
  const Request& waited = awaited_.front();
  if (!waited.sends() && !waited.receives()) {
    return absl::UnimplementedError(
        fmt::format("a wait for a collective that does not block ({})", format::action_name(waited.action)));
  }
  const Request* other = oldest(waited.sends(), waited.peer, waited.tag);
  if (other != nullptr && other->number < waited.number) {
    return absl::UnimplementedError(
        fmt::format("waits for the request of event {} before the one of event {}, which has the same peer and tag",
                    waited.event, other->event));
  }
  format::Event event;
  event.action = waited.sends() ? v1::WAIT_SEND : v1::WAIT_RECV;
  event.peer = waited.peer;
  event.tag = waited.tag;
  return event;
}

void OutstandingRequests::start(const format::Event& event) {
  started_ = &open_[count_];
  *started_ = {.action = event.action,
               .peer = event.peer,
               .tag = event.tag,
               .communicator = event.communicator,
               .number = count_,
               .event = events_};
  if (started_->sends() || started_->receives()) messages_.insert(name(*started_));
  ++count_;
}

const OutstandingRequests::Request* OutstandingRequests::oldest(bool sends, int32_t peer, int32_t tag) const {
  const auto found = messages_.lower_bound(name(sends, peer, tag, 0));
  const bool fits = found != messages_.end() && *found < name(sends, peer, tag, count_);
  return fits ? &open_.at(std::get<3>(*found)) : nullptr;
}

absl::Status OutstandingRequests::wait_for_age(uint64_t started_later) {
  const auto found = started_later < count_ ? open_.find(count_ - 1 - started_later) : open_.end();
  if (found == open_.end()) {
    return absl::InvalidArgumentError(fmt::format(
        "waits for the request after which {} others were started, but there is no such request", started_later));
  }
  complete(found->second);
  return absl::OkStatus();
}

absl::Status OutstandingRequests::wait_for_message(const format::Event& event) {
  const bool sends = event.action == v1::WAIT_SEND;
  const Request* request = oldest(sends, event.peer, event.tag);
  if (request == nullptr) {
    return absl::InvalidArgumentError(
        fmt::format("waits for a {} {} with {}, but there is no such request", sends ? "send to" : "receive from",
                    event.peer == format::kAnySource ? "any rank" : fmt::format("rank {}", event.peer),
                    event.tag == format::kAnyTag ? "any tag" : fmt::format("tag {}", event.tag)));
  }
  complete(*request);
  return absl::OkStatus();
}

void OutstandingRequests::complete(const Request& request) {
  messages_.erase(name(request));
  awaited_.push_back(request);
  open_.erase(awaited_.back().number);
}

}  // namespace fabrictwin::trace::check
