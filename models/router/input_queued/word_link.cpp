// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/input_queued/word_link.h"

#include <algorithm>
#include <utility>

#include "cosim/link/record.h"
#include "models/router/input_queued/network.h"

namespace fabrictwin::router::input_queued {

WordLink::WordLink(Clock clock, const system::SystemGraph& graph, uint64_t seed, run::CutPort port, int64_t latency)
    : clock_(clock), port_(port), latency_(latency), edge_(graph, seed, port, fabric::WordEdge::Unit::kFlits) {}

int64_t WordLink::next_cycle() const {
  const link::Record* const front = port_.receiver->front();
  return std::min(front == nullptr ? Traffic::kNever : clock_.edge_at_or_after(front->time()),
                  coming_.empty() ? Traffic::kNever : coming_.front().cycle);
}

absl::Status WordLink::receive(int64_t until) {
  arrivals_.clear();
  spaces_.clear();
  words_.clear();
  const absl::Status status = edge_.receive(clock_.edge(until) + Time::from_fs(1), arrivals_, spaces_, &words_);
  if (!status.ok()) return status;
  auto arrival = arrivals_.begin();
  for (const fabric::WordEdge::Word& word : words_) {
    Vc& vc = vcs_[word.vc];
    const int64_t cycle = clock_.edge_at_or_after(word.arrived);
    if (word.enters) {
      const int32_t count = 1 + std::exchange(vc.waiting, 0);
      vc.left = arrival->packet.nic.wire_bytes / link::kWordBytes - count;
      coming_.push_back({cycle, word.vc, count, std::move(arrival->packet)});
      ++arrival;
    } else if (vc.left > 0) {
      --vc.left;
      coming_.push_back({cycle, word.vc, 1, std::nullopt});
    } else {
      ++vc.waiting;
    }
  }
  return absl::OkStatus();
}

// The flit has been given the slot that has begun last when it is on the link (LinkRate).
void WordLink::send_flit(int64_t arrival, uint8_t vc) {
  const Time on_link = clock_.edge(arrival - latency_);
  edge_.send_flit(vc, port_.sender->spec().word_clock.edge_at_or_after(on_link + Time::from_fs(1)) - 1);
}

std::optional<WordLink::Flits> WordLink::take(int64_t cycle) {
  if (coming_.empty() || coming_.front().cycle > cycle) return std::nullopt;
  std::optional<Flits> flits = std::move(coming_.front());
  coming_.pop_front();
  return flits;
}

}  // namespace fabrictwin::router::input_queued
