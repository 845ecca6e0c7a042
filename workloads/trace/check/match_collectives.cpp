// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The collectives of a MatchMachine.
#include <algorithm>
#include <string>

#include "cosim/base/random.h"
#include "fmt/format.h"
#include "workloads/trace/check/match_machine.h"

namespace fabrictwin::trace::check {
namespace {

bool from_root(v1::TraceAction action) {
  action = format::blocking_action(action);
  return action == v1::BCAST || action == v1::SCATTER || action == v1::SCATTERV;
}
bool to_root(v1::TraceAction action) {
  action = format::blocking_action(action);
  return action == v1::REDUCE || action == v1::GATHER || action == v1::GATHERV;
}
bool one_size(v1::TraceAction action) {
  const format::ActionShape& shape = format::action_shape(action);
  return shape.received == format::CountForm::kNone && shape.sent == format::CountForm::kOne;
}

uint64_t pair_hash(uint64_t source, uint64_t destination, uint64_t bytes) {
  return mix64(mix64(mix64(source) ^ destination) ^ bytes);
}

std::string call_text(const format::Event& event) {
  const std::string root =
      format::action_shape(event.action).peers == 1 ? fmt::format(" with root {}", event.peer) : std::string();
  return fmt::format("{}{} of {} bytes", format::action_name(event.action), root, format::event_bytes(event));
}

}  // namespace

MatchGroup& MatchMachine::group_of(uint32_t rank, const format::Event& event) {
  return event.communicator == 0 ? world_ : *ranks_[rank].groups.at(event.communicator);
}

void MatchMachine::make_group(uint32_t rank, const format::Event& event) {
  Rank& self = ranks_[rank];
  const uint32_t number = static_cast<uint32_t>(event.count);
  std::deque<MatchGroup>& alike = groups_[{number, event.send_counts}];
  const uint32_t before = self.made[&alike]++;
  if (before == alike.size()) {
    MatchGroup& group = alike.emplace_back();
    group.number = number;
    group.members = event.send_counts;
    group.size = static_cast<uint32_t>(event.send_counts.size());
    group.made.resize(group.size);
    group.maker = rank;
    group.maker_event = self.next_event;
  }
  MatchGroup& group = alike[before];
  group.made[group.index_of(rank)] = true;
  self.groups[number] = &group;
}

bool MatchMachine::must_wait(uint32_t rank, const MatchGroup& group, const MatchGroup::Collective& collective) const {
  if (collective.arrived >= group.size) return false;
  const v1::TraceAction action = collective.event.action;
  const bool is_root = static_cast<int32_t>(rank) == collective.event.peer;
  if (options_.synchronous) return true;
  if (from_root(action)) return !is_root && !collective.root_arrived;
  if (to_root(action)) return is_root;
  return format::blocking_action(action) != v1::SCAN && format::blocking_action(action) != v1::EXSCAN;
}

uint32_t MatchMachine::enter_collective(uint32_t rank, const format::Event& event) {
  Rank& self = ranks_[rank];
  MatchGroup& group = group_of(rank, event);
  format::Communicator& communicator = self.communicators.of(event);
  const uint64_t number = communicator.collectives++;
  Request& request = new_request(rank, event, RequestKind::kCollective);
  request.group = &group;
  request.collective = number;
  const uint32_t id = request.id;
  // No rank enters a collective that is complete: it has made this group, and as a member of it, counts its collectives
  // from 0.
  while (number - group.first_collective >= group.collectives.size()) group.collectives.emplace_back();
  MatchGroup::Collective& collective = group.collectives[number - group.first_collective];
  if (collective.arrived == 0) {
    collective.event = event;
    collective.first_rank = rank;
    collective.first_event = self.next_event;
    collective.called.resize(group.size);
  } else {
    compare_collective(rank, event, group, number, collective);
  }
  if (format::blocking_action(event.action) == v1::ALLTOALLV) {
    for (uint32_t i = 0; i < group.size && i < event.send_counts.size(); ++i) {
      const uint64_t other = group.member(i);
      collective.sent += pair_hash(rank, other, event.send_counts[i] * format::datatype_bytes(event.datatype));
      collective.received +=
          pair_hash(other, rank, event.receive_counts[i] * format::datatype_bytes(event.receive_datatype));
    }
  }
  ++collective.arrived;
  if (const size_t index = static_cast<size_t>(communicator.self()); index < collective.called.size())
    collective.called[index] = true;
  collective.root_arrived |= static_cast<int32_t>(rank) == collective.event.peer;
  if (collective.arrived == group.size && !collective.differs && collective.sent != collective.received) {
    fault(
        FaultKind::kCollectiveMismatch,
        fmt::format("{} (rank {}, event {}: {}): what ranks send does not fit what others receive", group.text(number),
                    collective.first_rank, collective.first_event, format::action_name(event.action)));
  }
  if (must_wait(rank, group, collective)) {
    collective.waiting.emplace_back(rank, id);
  } else {
    complete(rank, id);
  }
  // Only these arrivals can release a rank; checking each rank at each arrival would be quadratic.
  if (collective.arrived == group.size || static_cast<int32_t>(rank) == collective.event.peer)
    release(group, collective);
  while (!group.collectives.empty() && group.collectives.front().arrived >= group.size) {
    group.collectives.pop_front();
    ++group.first_collective;
    ++report_.collectives;
  }
  return id;
}

void MatchMachine::compare_collective(uint32_t rank, const format::Event& event, const MatchGroup& group,
                                      uint64_t number, MatchGroup::Collective& collective) {
  const format::Event& first = collective.event;
  const bool root = format::action_shape(first.action).peers == 1;
  bool same = first.action == event.action && (!root || first.peer == event.peer) &&
              (!one_size(first.action) || format::event_bytes(first) == format::event_bytes(event));
  // All ranks must give the same sizes for all.
  if (format::blocking_action(first.action) == v1::REDUCE_SCATTER)
    same = same && first.send_counts == event.send_counts;
  if (same || collective.differs) return;
  // Once reported, other ranks would only repeat it.
  collective.differs = true;
  fault(FaultKind::kCollectiveMismatch, fmt::format("{}: rank {}, event {} is {}, but rank {}, event {} is {}",
                                                    group.text(number), collective.first_rank, collective.first_event,
                                                    call_text(first), rank, ranks_[rank].next_event, call_text(event)));
}

void MatchMachine::release(const MatchGroup& group, MatchGroup::Collective& collective) {
  std::vector<MatchGroup::Waiting> still;
  for (const auto& [rank, request] : collective.waiting) {
    if (must_wait(rank, group, collective)) {
      still.emplace_back(rank, request);
    } else {
      complete(rank, request);
    }
  }
  collective.waiting = std::move(still);
}

}  // namespace fabrictwin::trace::check
