// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports what a run of MatchMachine has left unfinished.
#include <algorithm>
#include <map>
#include <set>

#include "fmt/format.h"
#include "workloads/trace/check/match_machine.h"

namespace fabrictwin::trace::check {
namespace {

// Text for users: "rank 3 with tag 7", "any rank with any tag of communicator 2".
std::string end_text(int32_t peer, int32_t tag, uint32_t communicator) {
  const std::string rank = peer == format::kAnySource ? "any rank" : fmt::format("rank {}", peer);
  const std::string with = tag == format::kAnyTag ? "any tag" : fmt::format("tag {}", tag);
  const std::string of = communicator == 0 ? std::string() : fmt::format(" of communicator {}", communicator);
  return fmt::format("{} with {}{}", rank, with, of);
}

}  // namespace

void MatchMachine::fault(FaultKind kind, std::string text) {
  ++report_.fault_count;
  if (fault_counts_[static_cast<size_t>(kind)]++ >= kMaxFaultsOfAKind) return;
  report_.faults.push_back({kind, std::move(text)});
}

const MatchMachine::Request* MatchMachine::first_pending(const Rank& rank) const {
  for (const Request& request : rank.requests) {
    if (request.awaited && !request.done) return &request;
  }
  return nullptr;
}

// The member that delays the collective of a request.
uint32_t MatchMachine::waits_for_member(uint32_t rank, const Request& request) const {
  const MatchGroup& group = *request.group;
  const MatchGroup::Collective& collective = group.collectives[request.collective - group.first_collective];
  const v1::TraceAction action = format::blocking_action(collective.event.action);
  const bool for_root =
      !options_.synchronous && (action == v1::BCAST || action == v1::SCATTER || action == v1::SCATTERV);
  if (for_root) return static_cast<uint32_t>(collective.event.peer);
  for (uint32_t i = 0; i < group.size; ++i) {
    if (!collective.called[i]) return group.member(i);
  }
  return rank;
}

uint32_t MatchMachine::waits_for(uint32_t rank) const {
  const Rank& self = ranks_[rank];
  if (self.probe.has_value())
    return self.probe->peer == format::kAnySource ? rank : static_cast<uint32_t>(self.probe->peer);
  const Request* const request = first_pending(self);
  if (request != nullptr && request->kind == RequestKind::kCollective) return waits_for_member(rank, *request);
  return request == nullptr || request->peer == format::kAnySource ? rank : static_cast<uint32_t>(request->peer);
}

std::string MatchMachine::blocked_text(uint32_t rank) const {
  const Rank& self = ranks_[rank];
  const std::string where = fmt::format("rank {}, event {} ({})", rank, self.next_event - 1, self.call);
  if (self.probe.has_value())
    return fmt::format("{} waits for a message from {}", where,
                       end_text(self.probe->peer, self.probe->tag, self.probe->communicator));
  const Request* const request = first_pending(self);
  if (request == nullptr) return where;
  if (request->kind == RequestKind::kCollective) {
    const std::string started = request->own ? fmt::format(" of event {}", request->event) : std::string();
    return fmt::format("{} waits in {}{} for rank {}", where, request->group->text(request->collective), started,
                       waits_for(rank));
  }
  return fmt::format("{} waits for {} {} of event {}", where,
                     request->kind == RequestKind::kSend ? "its send to" : "its receive from",
                     end_text(request->peer, request->tag, request->communicator), request->event);
}

void MatchMachine::report_deadlock() {
  // Walk number by rank while following what each rank waits for; 0 if not visited.
  std::vector<uint32_t> seen(ranks_.size(), 0);
  for (uint32_t start = 0; start < ranks_.size(); ++start) {
    uint32_t at = start;
    while (!ranks_[at].ended && blocked(ranks_[at]) && seen[at] == 0) {
      seen[at] = start + 1;
      at = waits_for(at);
    }
    const bool closed = !ranks_[at].ended && blocked(ranks_[at]) && seen[at] == start + 1 && waits_for(at) != at;
    if (!closed) continue;
    std::string text = "deadlock: " + blocked_text(at);
    int told = 1;
    for (uint32_t each = waits_for(at); each != at; each = waits_for(each)) {
      if (++told <= 8) text += "; " + blocked_text(each);
    }
    if (told > 8) text += fmt::format("; and {} more ranks in the same circle", told - 8);
    fault(FaultKind::kDeadlock, text);
  }
}

void MatchMachine::report_collective(uint32_t rank) {
  const Request* const request = first_pending(ranks_[rank]);
  if (request == nullptr || request->kind != RequestKind::kCollective) return;
  const uint32_t other = waits_for(rank);
  if (!ranks_[other].ended) return;
  fault(FaultKind::kCollectiveMismatch, fmt::format("{}, which ends without it", blocked_text(rank)));
}

void MatchMachine::report_board(const Rank& rank) {
  // A send that waits for a receive is reported with the messages.
  for (const MessageEnd& receive : rank.board.receives()) {
    fault(FaultKind::kUnmatchedRecv,
          fmt::format("rank {}, event {}: nothing comes for the receive from {} of {} bytes", receive.rank,
                      receive.event, end_text(receive.peer, receive.tag, receive.communicator), receive.bytes));
  }
  for (const MessageEnd& send : rank.board.messages()) {
    fault(FaultKind::kUnmatchedSend,
          fmt::format("rank {}, event {}: nobody receives the message to {} of {} bytes", send.rank, send.event,
                      end_text(send.peer, send.tag, send.communicator), send.bytes));
  }
}

void MatchMachine::report_left(const MatchGroup& group) {
  for (size_t i = 0; i < group.collectives.size(); ++i) {
    const MatchGroup::Collective& collective = group.collectives[i];
    // The ranks that wait in it have been reported.
    if (collective.arrived == 0 || !collective.waiting.empty()) continue;
    for (uint32_t member = 0; member < group.size; ++member) {
      if (collective.called[member]) continue;
      fault(FaultKind::kCollectiveMismatch,
            fmt::format("{}: rank {}, event {} is {}, but rank {} does not call it",
                        group.text(group.first_collective + i), collective.first_rank, collective.first_event,
                        format::action_name(collective.event.action), group.member(member)));
      break;
    }
  }
}

// Finds communicators of one number where a rank of each has made the other one instead.
void MatchMachine::report_other_members() {
  // By number and a rank that has made them; only those that not all members have made.
  std::map<std::pair<uint32_t, uint64_t>, std::vector<const MatchGroup*>> made;
  for (const auto& [key, alike] : groups_) {
    for (const MatchGroup& group : alike) {
      if (group.complete()) continue;
      for (uint32_t i = 0; i < group.size; ++i) {
        if (group.made[i]) made[{group.number, group.members[i]}].push_back(&group);
      }
    }
  }
  // The communicator of another rank that has not made `group`.
  const auto made_instead = [&](const MatchGroup& group) -> const MatchGroup* {
    for (uint32_t i = 0; i < group.size; ++i) {
      const auto others = made.find({group.number, group.members[i]});
      if (group.made[i] || others == made.end()) continue;
      for (const MatchGroup* const other : others->second) {
        for (uint32_t member = 0; member < other->size; ++member) {
          const size_t index = group.index_of(other->members[member]);
          if (!other->made[member] && index < group.size && group.made[index]) return other;
        }
      }
    }
    return nullptr;
  };
  std::set<const MatchGroup*> told;
  for (const auto& [key, alike] : groups_) {
    for (const MatchGroup& group : alike) {
      if (group.complete() || told.contains(&group)) continue;
      const MatchGroup* const other = made_instead(group);
      if (other == nullptr) continue;
      // The opposite pair would only repeat it.
      told.insert(other);
      fault(FaultKind::kCommunicator,
            fmt::format("rank {}, event {} makes communicator {} of other members than rank {}, event {}", other->maker,
                        other->maker_event, group.number, group.maker, group.maker_event));
    }
  }
}

MatchReport MatchMachine::finish() {
  report_deadlock();
  report_left(world_);
  report_other_members();
  for (const auto& [key, alike] : groups_) {
    for (const MatchGroup& group : alike) report_left(group);
  }
  for (uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    const Rank& self = ranks_[rank];
    if (!self.ended) report_collective(rank);
    report_board(self);
    if (self.probe.has_value()) {
      fault(FaultKind::kUnmatchedRecv,
            fmt::format("rank {}, event {}: nothing comes for the probe of {}", rank, self.next_event - 1,
                        end_text(self.probe->peer, self.probe->tag, self.probe->communicator)));
    }
    for (const Request& request : self.requests) {
      if (request.kind == RequestKind::kSend || !request.done) continue;
      const std::string what = request.kind == RequestKind::kCollective
                                   ? request.group->text(request.collective)
                                   : "the receive from " + end_text(request.peer, request.tag, request.communicator);
      fault(FaultKind::kNotCompleted,
            fmt::format("rank {}, event {}: no wait completes {}", rank, request.event, what));
    }
  }
  return std::move(report_);
}

absl::StatusOr<MatchReport> check_matching(const format::Source& trace, const MatchCheckOptions& options) {
  MatchMachine machine(trace, options);
  if (absl::Status status = machine.run(); !status.ok()) return status;
  return machine.finish();
}

}  // namespace fabrictwin::trace::check
