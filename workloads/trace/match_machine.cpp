// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/match_machine.h"

#include <algorithm>
#include <optional>

#include "cosim/base/random.h"
#include "fmt/format.h"

namespace fabrictwin {
namespace {

// A rank does not run further ahead than this at a time, which bounds what it leaves for others.
constexpr int kTurn = 256;

bool from_root(v1::TraceAction action) {
  return action == v1::BCAST || action == v1::SCATTER || action == v1::SCATTERV;
}
bool to_root(v1::TraceAction action) { return action == v1::REDUCE || action == v1::GATHER || action == v1::GATHERV; }
bool one_size(v1::TraceAction action) {
  const ActionShape& shape = action_shape(action);
  return shape.received == CountForm::kNone && shape.sent == CountForm::kOne;
}

uint64_t pair_hash(uint64_t source, uint64_t destination, uint64_t bytes) {
  return mix64(mix64(mix64(source) ^ destination) ^ bytes);
}

}  // namespace

MatchMachine::MatchMachine(const TraceSource& trace, const MatchCheckOptions& options)
    : options_(options), ranks_(trace.ranks()) {
  for (uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    ranks_[rank].events = trace.rank(rank);
    ready_.push_back(rank);
  }
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
  TraceEvent event;
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

void MatchMachine::do_event(uint32_t rank, const TraceEvent& event) {
  Rank& self = ranks_[rank];
  switch (event.action) {
    case v1::SEND:
      await(self, start_send(rank, event.peer, event.tag, event_bytes(event)));
      break;
    case v1::ISEND:
      start_send(rank, event.peer, event.tag, event_bytes(event));
      return;
    case v1::RECV:
      await(self, start_receive(rank, event.peer, event.tag, event_bytes(event)));
      break;
    case v1::IRECV:
      start_receive(rank, event.peer, event.tag, event_bytes(event));
      return;
    case v1::SENDRECV: {
      const uint32_t receive = start_receive(rank, event.receive_peer, event.tag, event_receive_bytes(event));
      await(self, start_send(rank, event.peer, event.tag, event_bytes(event)));
      await(self, receive);
      break;
    }
    case v1::WAIT_SEND:
    case v1::WAIT_RECV:
      await_fitting(rank, event);
      break;
    case v1::WAITALL: {
      std::vector<uint32_t> all;
      for (const Request& request : self.requests) all.push_back(request.id);
      for (const uint32_t request : all) await(self, request);
      break;
    }
    default:
      if (!action_shape(event.action).collective) return;
      enter_collective(rank, event);
  }
  block(self, event);
}

void MatchMachine::block(Rank& rank, const TraceEvent& event) {
  if (blocked(rank)) rank.call = action_name(event.action);
}

uint32_t MatchMachine::start_send(uint32_t rank, int32_t peer, int32_t tag, uint64_t bytes) {
  Rank& self = ranks_[rank];
  const uint32_t id = self.next_request++;
  self.requests.push_back(
      {.id = id, .event = self.next_event, .peer = peer, .tag = tag, .send = true, .done = !options_.synchronous});
  const MessageEnd send{.rank = static_cast<int32_t>(rank),
                        .peer = peer,
                        .tag = tag,
                        .bytes = bytes,
                        .event = self.next_event,
                        .request = id};
  if (const std::optional<MessageEnd> receive = ranks_[peer].board.arrive(send)) matched(send, *receive);
  return id;
}

uint32_t MatchMachine::start_receive(uint32_t rank, int32_t peer, int32_t tag, uint64_t bytes) {
  Rank& self = ranks_[rank];
  const uint32_t id = self.next_request++;
  self.requests.push_back({.id = id, .event = self.next_event, .peer = peer, .tag = tag});
  const MessageEnd receive{.rank = static_cast<int32_t>(rank),
                           .peer = peer,
                           .tag = tag,
                           .bytes = bytes,
                           .event = self.next_event,
                           .request = id};
  if (const std::optional<MessageEnd> send = self.board.post(receive)) matched(*send, receive);
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
  if (options_.synchronous) complete(static_cast<uint32_t>(send.rank), send.request);
}

void MatchMachine::complete(uint32_t rank, uint32_t request) {
  Rank& self = ranks_[rank];
  const auto found =
      std::find_if(self.requests.begin(), self.requests.end(), [&](const Request& each) { return each.id == request; });
  if (found == self.requests.end()) return;
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

void MatchMachine::await_fitting(uint32_t rank, const TraceEvent& event) {
  Rank& self = ranks_[rank];
  const bool send = event.action == v1::WAIT_SEND;
  const auto found = std::find_if(self.requests.begin(), self.requests.end(), [&](const Request& each) {
    return each.send == send && each.peer == event.peer && each.tag == event.tag;
  });
  if (found != self.requests.end()) return await(self, found->id);
  fault(FaultKind::kWaitForNothing,
        fmt::format("rank {}, event {}: waits for a {} rank {} with tag {}, but there is no such request", rank,
                    self.next_event, send ? "send to" : "receive from", event.peer, event.tag));
}

void MatchMachine::wake(uint32_t rank) {
  Rank& self = ranks_[rank];
  if (self.ready || self.ended || blocked(self)) return;
  self.ready = true;
  ready_.push_back(rank);
}

bool MatchMachine::must_wait(uint32_t rank, const Collective& collective) const {
  if (collective.arrived == ranks_.size()) return false;
  const v1::TraceAction action = collective.event.action;
  const bool is_root = static_cast<int32_t>(rank) == collective.event.peer;
  if (options_.synchronous) return true;
  if (from_root(action)) return !is_root && !collective.root_arrived;
  if (to_root(action)) return is_root;
  return action != v1::SCAN && action != v1::EXSCAN;
}

void MatchMachine::enter_collective(uint32_t rank, const TraceEvent& event) {
  Rank& self = ranks_[rank];
  const uint64_t number = self.collectives++;
  while (number - first_collective_ >= collectives_.size()) collectives_.emplace_back();
  Collective& collective = collectives_[number - first_collective_];
  if (collective.arrived == 0) {
    collective.event = event;
    collective.first_rank = rank;
    collective.first_event = self.next_event;
  } else {
    compare_collective(rank, event, collective);
  }
  for (uint32_t other = 0; other < event.send_counts.size() && event.action == v1::ALLTOALLV; ++other) {
    collective.sent += pair_hash(rank, other, event.send_counts[other] * datatype_bytes(event.datatype));
    collective.received += pair_hash(other, rank, event.receive_counts[other] * datatype_bytes(event.receive_datatype));
  }
  ++collective.arrived;
  collective.root_arrived |= static_cast<int32_t>(rank) == collective.event.peer;
  if (collective.arrived == ranks_.size() && !collective.differs && collective.sent != collective.received) {
    fault(FaultKind::kCollectiveMismatch,
          fmt::format("collective {} (rank {}, event {}: {}): what ranks send does not fit what others receive", number,
                      collective.first_rank, collective.first_event, action_name(event.action)));
  }
  if (must_wait(rank, collective)) {
    collective.waiting.push_back(rank);
    self.in_collective = true;
  }
  // Only these arrivals can free anybody; asking each rank at each arrival would be quadratic.
  if (collective.arrived == ranks_.size() || static_cast<int32_t>(rank) == collective.event.peer) release(collective);
  while (!collectives_.empty() && collectives_.front().arrived == ranks_.size()) {
    collectives_.pop_front();
    ++first_collective_;
    ++report_.collectives;
  }
}

void MatchMachine::compare_collective(uint32_t rank, const TraceEvent& event, Collective& collective) {
  const TraceEvent& first = collective.event;
  const bool root = action_shape(first.action).peers == 1;
  const bool same = first.action == event.action && (!root || first.peer == event.peer) &&
                    (!one_size(first.action) || event_bytes(first) == event_bytes(event));
  if (same || collective.differs) return;
  // Once told, the rest of the ranks would only repeat it.
  collective.differs = true;
  const auto text = [](const TraceEvent& each) {
    const std::string with_root =
        action_shape(each.action).peers == 1 ? fmt::format(" with root {}", each.peer) : std::string();
    return fmt::format("{}{} of {} bytes", action_name(each.action), with_root, event_bytes(each));
  };
  fault(FaultKind::kCollectiveMismatch,
        fmt::format("collective {}: rank {}, event {} is {}, but rank {}, event {} is {}", ranks_[rank].collectives - 1,
                    collective.first_rank, collective.first_event, text(first), rank, ranks_[rank].next_event,
                    text(event)));
}

void MatchMachine::release(Collective& collective) {
  std::vector<uint32_t> still;
  for (const uint32_t rank : collective.waiting) {
    if (must_wait(rank, collective)) {
      still.push_back(rank);
      continue;
    }
    ranks_[rank].in_collective = false;
    wake(rank);
  }
  collective.waiting = std::move(still);
}

}  // namespace fabrictwin
