// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/check/match_machine.h"

#include <algorithm>
#include <optional>

#include "cosim/base/text.h"
#include "fmt/format.h"

namespace fabrictwin::trace::check {
namespace {

// A rank runs at most this many events in a turn, which bounds the messages that it leaves for others.
constexpr int kTurn = 256;

MessageEnd end_of(uint32_t rank, const format::Event& event) {
  return {.rank = static_cast<int32_t>(rank),
          .peer = event.peer,
          .tag = event.tag,
          .communicator = event.communicator,
          .bytes = format::event_bytes(event)};
}

}  // namespace

MatchMachine::MatchMachine(const format::Source& trace, const MatchCheckOptions& options) : options_(options) {
  ranks_.reserve(trace.ranks());
  for (uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    ranks_.emplace_back(rank, trace.ranks());
    ranks_[rank].events = trace.rank(rank);
    ready_.push_back(rank);
  }
  world_.size = trace.ranks();
}

absl::Status MatchMachine::run() {
  while (!ready_.empty()) {
    const uint32_t rank = ready_.front();
    ready_.pop_front();
    ranks_[rank].ready = false;
    if (absl::Status status = run_rank(rank); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status MatchMachine::run_rank(uint32_t rank) {
  Rank& self = ranks_[rank];
  format::Event event;
  for (int turn = 0; turn < kTurn; ++turn) {
    absl::StatusOr<bool> more = self.events->next(event);
    if (!more.ok()) return more.status();
    if (!*more) {
      self.ended = true;
      self.events.reset();
      return absl::OkStatus();
    }
    ++report_.events;
    do_event(rank, event);
    ++self.next_event;
    if (blocked(self)) return absl::OkStatus();
  }
  wake(rank);
  return absl::OkStatus();
}

// False if the event is invalid.
bool MatchMachine::follow_communicators(uint32_t rank, const format::Event& event) {
  const absl::Status status = ranks_[rank].communicators.follow(event);
  if (status.ok()) return true;
  fault(FaultKind::kCommunicator, fmt::format("rank {}, event {} ({}): {}", rank, ranks_[rank].next_event,
                                              format::action_name(event.action), std::string(message_of(status))));
  return false;
}

void MatchMachine::do_event(uint32_t rank, const format::Event& event) {
  Rank& self = ranks_[rank];
  if (!follow_communicators(rank, event)) return;
  const format::ActionShape& shape = format::action_shape(event.action);
  if (shape.collective) {
    const uint32_t request = enter_collective(rank, event);
    if (!shape.starts) await(self, request);
  } else if (format::is_send(event.action) || format::is_receive(event.action)) {
    do_message(rank, event);
  } else {
    switch (event.action) {
      case v1::WAIT:
      case v1::WAIT_SEND:
      case v1::WAIT_RECV:
        await_fitting(rank, event);
        break;
      case v1::WAITALL:
        await_all(self);
        break;
      case v1::PROBE:
        probe(self, end_of(rank, event));
        break;
      case v1::COMM_CREATE:
        make_group(rank, event);
        break;
      default:
        return;
    }
  }
  block(self, event);
}

void MatchMachine::do_message(uint32_t rank, const format::Event& event) {
  Rank& self = ranks_[rank];
  if (event.action == v1::SENDRECV) {
    format::Event receive = event;
    receive.peer = event.receive_peer;
    receive.count = event.receive_count;
    receive.datatype = event.receive_datatype;
    const uint32_t received = start_receive(rank, receive);
    await(self, start_send(rank, event));
    await(self, received);
    return;
  }
  const uint32_t request = format::is_send(event.action) ? start_send(rank, event) : start_receive(rank, event);
  if (!format::action_shape(event.action).starts) await(self, request);
}

void MatchMachine::block(Rank& rank, const format::Event& event) {
  if (blocked(rank)) rank.call = format::action_name(event.action);
}

MatchMachine::Request& MatchMachine::new_request(uint32_t rank, const format::Event& event, RequestKind kind) {
  Rank& self = ranks_[rank];
  Request& request = self.requests.emplace_back();
  request.id = self.next_request++;
  request.event = self.next_event;
  request.peer = event.peer;
  request.tag = event.tag;
  request.communicator = event.communicator;
  request.kind = kind;
  request.own = format::action_shape(event.action).starts;
  if (request.own) request.number = self.own_requests++;
  return request;
}

uint32_t MatchMachine::start_send(uint32_t rank, const format::Event& event) {
  Request& request = new_request(rank, event, RequestKind::kSend);
  const bool buffered = event.action == v1::BSEND || event.action == v1::IBSEND;
  const bool synchronous = event.action == v1::SSEND || event.action == v1::ISSEND;
  request.done = buffered || (!options_.synchronous && !synchronous);
  MessageEnd send = end_of(rank, event);
  send.event = request.event;
  const uint32_t id = send.request = request.id;
  Rank& other = ranks_[static_cast<uint32_t>(event.peer)];
  if (const std::optional<MessageEnd> receive = other.board.arrive(send)) {
    matched(send, *receive);
  } else if (other.probe.has_value() && other.board.has(*other.probe)) {
    other.probe.reset();
    wake(static_cast<uint32_t>(event.peer));
  }
  return id;
}

uint32_t MatchMachine::start_receive(uint32_t rank, const format::Event& event) {
  const Request& request = new_request(rank, event, RequestKind::kReceive);
  MessageEnd receive = end_of(rank, event);
  receive.event = request.event;
  const uint32_t id = receive.request = request.id;
  if (const std::optional<MessageEnd> send = ranks_[rank].board.post(receive)) matched(*send, receive);
  return id;
}

void MatchMachine::matched(const MessageEnd& send, const MessageEnd& receive) {
  ++report_.messages;
  if (send.bytes > receive.bytes) {
    fault(FaultKind::kTruncation,
          fmt::format("rank {}, event {}: a receive of {} bytes from rank {} with tag {} takes a message of {} bytes "
                      "(rank {}, event {})",
                      receive.rank, receive.event, receive.bytes, send.rank, send.tag, send.bytes, send.rank,
                      send.event));
  }
  complete(static_cast<uint32_t>(receive.rank), receive.request);
  complete(static_cast<uint32_t>(send.rank), send.request);
}

void MatchMachine::complete(uint32_t rank, uint32_t request) {
  Rank& self = ranks_[rank];
  const auto found =
      std::find_if(self.requests.begin(), self.requests.end(), [&](const Request& each) { return each.id == request; });
  if (found == self.requests.end() || found->done) return;
  found->done = true;
  if (!found->awaited) return;
  self.requests.erase(found);
  if (--self.pending == 0) wake(rank);
}

void MatchMachine::await(Rank& rank, uint32_t request) {
  const auto found =
      std::find_if(rank.requests.begin(), rank.requests.end(), [&](const Request& each) { return each.id == request; });
  if (found->done) {
    rank.requests.erase(found);
    return;
  }
  found->awaited = true;
  ++rank.pending;
}

void MatchMachine::await_all(Rank& rank) {
  std::vector<uint32_t> all;
  for (const Request& request : rank.requests) {
    if (request.own) all.push_back(request.id);
  }
  for (const uint32_t request : all) await(rank, request);
}

void MatchMachine::await_fitting(uint32_t rank, const format::Event& event) {
  Rank& self = ranks_[rank];
  const auto found = std::find_if(self.requests.begin(), self.requests.end(), [&](const Request& each) {
    if (!each.own) return false;
    if (event.action == v1::WAIT) return each.number + event.count + 1 == self.own_requests;
    if (each.peer != event.peer || each.tag != event.tag || each.kind == RequestKind::kCollective) return false;
    // A trace does not say which end of a message to oneself is waited for; take the oldest.
    return event.peer == static_cast<int32_t>(rank) ||
           (each.kind == RequestKind::kSend) == (event.action == v1::WAIT_SEND);
  });
  if (found != self.requests.end()) return await(self, found->id);
  if (event.action == v1::WAIT) {
    return fault(FaultKind::kWaitForNothing,
                 fmt::format("rank {}, event {}: waits for the request after which {} others were started, but there "
                             "is no such request",
                             rank, self.next_event, event.count));
  }
  fault(FaultKind::kWaitForNothing,
        fmt::format("rank {}, event {}: waits for a {} rank {} with tag {}, but there is "
                    "no such request",
                    rank, self.next_event, event.action == v1::WAIT_SEND ? "send to" : "receive from", event.peer,
                    event.tag));
}

void MatchMachine::probe(Rank& rank, const MessageEnd& receive) {
  if (!rank.board.has(receive)) rank.probe = receive;
}

void MatchMachine::wake(uint32_t rank) {
  Rank& self = ranks_[rank];
  if (self.ready || self.ended || blocked(self)) return;
  self.ready = true;
  ready_.push_back(rank);
}

}  // namespace fabrictwin::trace::check
