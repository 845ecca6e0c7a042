// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run of MatchMachine has left undone.
#include <algorithm>

#include "fmt/format.h"
#include "workloads/trace/match_machine.h"

namespace fabrictwin {

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

uint32_t MatchMachine::waits_for(uint32_t rank) const {
  const Rank& self = ranks_[rank];
  if (self.in_collective) {
    const Collective& collective = collectives_[self.collectives - 1 - first_collective_];
    const int32_t root = collective.event.peer;
    const bool for_root =
        !options_.synchronous && (collective.event.action == v1::BCAST || collective.event.action == v1::SCATTER ||
                                  collective.event.action == v1::SCATTERV);
    if (for_root) return static_cast<uint32_t>(root);
    for (uint32_t other = 0; other < ranks_.size(); ++other) {
      if (ranks_[other].collectives < self.collectives) return other;
    }
    return rank;
  }
  const Request* const request = first_pending(self);
  return request == nullptr || request->peer == kAnySource ? rank : static_cast<uint32_t>(request->peer);
}

std::string MatchMachine::blocked_text(uint32_t rank) const {
  const Rank& self = ranks_[rank];
  const std::string where = fmt::format("rank {}, event {} ({})", rank, self.next_event - 1, self.call);
  if (self.in_collective)
    return fmt::format("{} waits in collective {} for rank {}", where, self.collectives - 1, waits_for(rank));
  const Request* const request = first_pending(self);
  if (request == nullptr) return where;
  const std::string peer = request->peer == kAnySource ? "any rank" : fmt::format("rank {}", request->peer);
  return fmt::format("{} waits for {} {} with tag {} of event {}", where,
                     request->send ? "its send to" : "its receive from", peer, request->tag, request->event);
}

void MatchMachine::report_deadlock() {
  // Colours of a walk along what each rank waits for: 0 not seen, else the walk's number.
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

MatchReport MatchMachine::finish() {
  report_deadlock();
  for (uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    const Rank& self = ranks_[rank];
    if (!self.ended && self.in_collective) {
      const uint32_t other = waits_for(rank);
      if (ranks_[other].ended) {
        fault(FaultKind::kCollectiveMismatch,
              fmt::format("{}, which ends after {} collectives", blocked_text(rank), ranks_[other].collectives));
      }
    }
    // A send that waits for a receive is told where it is a message.
    for (const MessageEnd& receive : self.board.receives()) {
      const std::string source = receive.peer == kAnySource ? "any rank" : fmt::format("rank {}", receive.peer);
      fault(FaultKind::kUnmatchedRecv,
            fmt::format("rank {}, event {}: nothing comes for the receive from {} with tag {} of "
                        "{} bytes",
                        receive.rank, receive.event, source, receive.tag, receive.bytes));
    }
    for (const MessageEnd& send : self.board.messages()) {
      fault(FaultKind::kUnmatchedSend,
            fmt::format("rank {}, event {}: nobody receives the message to rank {} with tag {} of "
                        "{} bytes",
                        send.rank, send.event, send.peer, send.tag, send.bytes));
    }
    for (const Request& request : self.requests) {
      if (request.send || !request.done) continue;
      fault(FaultKind::kNotCompleted,
            fmt::format("rank {}, event {}: no wait completes the receive from rank {} with tag {}", rank,
                        request.event, request.peer, request.tag));
    }
  }
  return std::move(report_);
}

absl::StatusOr<MatchReport> check_matching(const TraceSource& trace, const MatchCheckOptions& options) {
  MatchMachine machine(trace, options);
  if (absl::Status status = machine.run(); !status.ok()) return status;
  return machine.finish();
}

}  // namespace fabrictwin
