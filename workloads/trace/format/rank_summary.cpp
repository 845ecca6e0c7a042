// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/format/rank_summary.h"

#include "cosim/base/random.h"

namespace fabrictwin::trace::format {
namespace {

// The hash covers only those arguments of a collective that MPI requires to be equal on all ranks, even if buffers are
// in place.
uint64_t collective_key(const Event& event) {
  uint64_t key = mix64(static_cast<uint64_t>(event.action));
  if (action_shape(event.action).peers == 1) key = mix64(key ^ static_cast<uint64_t>(event.peer));
  switch (blocking_action(event.action)) {
    case v1::BCAST:
    case v1::REDUCE:
    case v1::ALLREDUCE:
    case v1::SCAN:
    case v1::EXSCAN:
      return mix64(key ^ event_bytes(event));
    default:
      return key;
  }
}

}  // namespace

void RankSummary::add_receive(int32_t source) {
  if (source == kAnySource) {
    ++wildcard_receives_;
  } else {
    ++peers_[source].receives;
  }
}

void RankSummary::add(const Event& event) {
  ActionCount& action = actions_[event.action];
  if (action.count++ == 0) action.first_event = events_;
  ++events_;
  if (is_send(event.action)) ++peers_[event.peer].sends;
  if (is_receive(event.action)) add_receive(event.action == v1::SENDRECV ? event.receive_peer : event.peer);
  // Only collectives of the world are the same on all ranks.
  if (action_shape(event.action).collective && event.communicator == 0)
    collectives_hash_ = mix64(collectives_hash_ ^ collective_key(event));
}

void RankSummary::add_block(uint64_t offset, uint32_t bytes, uint32_t events) {
  v1::BlockPosition& block = blocks_.emplace_back();
  block.set_offset(offset);
  block.set_bytes(bytes);
  block.set_events(events);
}

v1::RankIndex RankSummary::to_proto() const {
  v1::RankIndex index;
  index.set_events(events_);
  for (const v1::BlockPosition& block : blocks_) *index.add_blocks() = block;
  for (int action = 1; action < kActions; ++action) {
    if (actions_[action].count == 0) continue;
    v1::ActionSummary& summary = *index.add_actions();
    summary.set_action(static_cast<v1::TraceAction>(action));
    summary.set_count(actions_[action].count);
    summary.set_first_event(actions_[action].first_event);
  }
  for (const auto& [rank, count] : peers_) {
    v1::PeerSummary& peer = *index.add_peers();
    peer.set_rank(static_cast<uint32_t>(rank));
    peer.set_sends(count.sends);
    peer.set_receives(count.receives);
  }
  index.set_wildcard_receives(wildcard_receives_);
  index.set_collectives_hash(collectives_hash_);
  return index;
}

}  // namespace fabrictwin::trace::format
