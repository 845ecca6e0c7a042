// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/tofu_barrier.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::nic {
namespace {

/// The ranks that exchange, a power of two. The others are folded into the first of them.
int32_t exchanging(const std::vector<int32_t>& hosts) {
  return static_cast<int32_t>(std::bit_floor(static_cast<uint32_t>(hosts.size())));
}

}  // namespace

void TofuBarrier::configure(int32_t rank, const std::vector<int32_t>& hosts) {
  Rank& made = ranks_[rank];
  made.hosts = &hosts;
  // Ranks of a node take its TNIs in turn.
  made.tni = static_cast<int32_t>(ranks_.size() - 1) % costs_.tnis;
  free_.resize(static_cast<size_t>(costs_.tnis));
}

void TofuBarrier::order(Time now, int32_t rank, uint64_t cookie, uint64_t value, uint32_t bytes) {
  Rank& ordering = ranks_.at(rank);
  ordering.active = true;
  ordering.cookie = cookie;
  ordering.value = value;
  ordering.bytes = bytes;
  Time& free = free_[static_cast<size_t>(ordering.tni)];
  ordering.ready = std::max(now, free) + costs_.start;
  free = ordering.ready;
  const int32_t power = exchanging(*ordering.hosts);
  if (rank >= power) {
    send(rank, ordering, rank - power, kFoldIn);
    ordering.stage = kFoldOut;
  } else if (rank + power < static_cast<int32_t>(ordering.hosts->size())) {
    ordering.stage = kFoldIn;
  } else {
    ordering.stage = 0;
    enter(rank, ordering);
  }
  run(rank, ordering);
}

std::string TofuBarrier::arrive(Time now, const Signal& signal) {
  const auto found = ranks_.find(signal.rank);
  if (found == ranks_.end())
    return fmt::format("a signal for rank {} came, which has no barrier gates here", signal.rank);
  Rank& rank = found->second;
  const bool new_one = rank.come.try_emplace(input_key(signal.number, signal.stage), Input{now, signal.value}).second;
  if (!new_one || signal.number - rank.number > 1)
    return fmt::format("a signal of barrier {}, stage {} for rank {} came twice or too late", signal.number,
                       signal.stage, signal.rank);
  if (rank.active) run(signal.rank, rank);
  return {};
}

// Passes the gates for which both signals are there.
void TofuBarrier::run(int32_t number, Rank& rank) {
  while (rank.active) {
    const auto found = rank.come.find(input_key(rank.number, rank.stage));
    if (found == rank.come.end()) return;
    const Input input = found->second;
    rank.come.erase(found);
    rank.ready = std::max(rank.ready, input.time) + costs_.relay;
    if (rank.stage == kFoldOut) {
      rank.value = input.value;
      return finish(number, rank);
    }
    rank.value += input.value;
    rank.stage = rank.stage == kFoldIn ? 0 : rank.stage + 1;
    enter(number, rank);
  }
}

// A gate has sent its signal: to the next one of its node, and to that of the partner.
void TofuBarrier::enter(int32_t number, Rank& rank) {
  const int32_t power = exchanging(*rank.hosts);
  if (int32_t{1} << rank.stage < power) return send(number, rank, number ^ int32_t{1} << rank.stage, rank.stage);
  if (number + power < static_cast<int32_t>(rank.hosts->size())) send(number, rank, number + power, kFoldOut);
  finish(number, rank);
}

void TofuBarrier::send(int32_t number, const Rank& rank, int32_t peer, uint32_t stage) {
  Event event;
  event.signal = {.host = (*rank.hosts)[static_cast<size_t>(peer)],
                  .rank = peer,
                  .tni = rank.tni,
                  .number = rank.number,
                  .stage = stage,
                  .bytes = rank.bytes,
                  .value = rank.value};
  events_.emplace(std::tuple(rank.ready, number, stage), event);
}

void TofuBarrier::finish(int32_t number, Rank& rank) {
  Event event;
  event.what = What::kEnd;
  event.end = {rank.cookie, rank.value};
  constexpr uint32_t kAfterSignals = ~uint32_t{0};
  events_.emplace(std::tuple(rank.ready + costs_.end, number, kAfterSignals), event);
  rank.active = false;
  ++rank.number;
}

void TofuBarrier::advance(Time now, Actions& actions) {
  while (next_event() <= now) {
    const Time time = next_event();
    const Event event = events_.begin()->second;
    events_.erase(events_.begin());
    if (event.what == What::kEnd) {
      actions.ends.push_back(event.end);
    } else if (event.signal.host != node_) {
      actions.signals.push_back(event.signal);
    } else {
      std::string failure = arrive(time, event.signal);
      // The first one says what went wrong.
      if (actions.failure.empty()) actions.failure = std::move(failure);
    }
  }
}

}  // namespace fabrictwin::nic
