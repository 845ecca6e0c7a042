// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/engine/lookahead.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace fabrictwin::engine {

Lookahead::Lookahead(const SyncTable& table)
    : table_(table),
      rows_(table.partitions()),
      earliest_(table.partitions(), Time::zero()),
      sent_(table.channels().size(), 0),
      consumed_(table.channels().size(), 0),
      settled_(table.partitions(), false),
      fixed_(table.partitions(), false) {}

bool Lookahead::update() {
  const int32_t count = table_.partitions();
  for (int32_t p = 0; p < count; ++p) {
    if (!table_.read(p, rows_[p])) return false;
  }
  for (int32_t p = 0; p < count; ++p) {
    const auto out = table_.outbound(p);
    for (size_t i = 0; i < out.size(); ++i) sent_[out[i]] = rows_[p].sent[i];
    const auto in = table_.inbound(p);
    for (size_t i = 0; i < in.size(); ++i) consumed_[in[i]] = rows_[p].consumed[i];
  }

  using Entry = std::pair<Time, int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  at_rest_ = true;
  for (int32_t p = 0; p < count; ++p) {
    const auto in = table_.inbound(p);
    settled_[p] = std::all_of(in.begin(), in.end(), [&](int32_t c) { return consumed_[c] >= sent_[c]; });
    earliest_[p] = settled_[p] ? std::max(rows_[p].now, rows_[p].next_event) : rows_[p].now;
    fixed_[p] = false;
    if (!earliest_[p].is_never()) at_rest_ = false;
    queue.emplace(earliest_[p], p);
  }
  if (at_rest_) {
    find_end();
    return true;
  }
  while (!queue.empty()) {
    const auto [time, p] = queue.top();
    queue.pop();
    if (fixed_[p] || time != earliest_[p]) continue;
    fixed_[p] = true;
    if (time.is_never()) break;
    for (int32_t c : table_.outbound(p)) {
      const SyncChannel& channel = table_.channels()[c];
      if (!settled_[channel.target]) continue;
      const Time influenced = std::max(time + channel.latency, rows_[channel.target].now);
      if (influenced < earliest_[channel.target]) {
        earliest_[channel.target] = influenced;
        queue.emplace(influenced, channel.target);
      }
    }
  }
  find_end();
  return true;
}

void Lookahead::find_end() {
  for (size_t p = 0; p < rows_.size(); ++p) {
    const Foreground& foreground = rows_[p].foreground;
    if (foreground.state == Foreground::State::kUnknown) continue;
    runs_until_ = std::max(runs_until_, foreground.state == Foreground::State::kOver ? foreground.end : earliest_[p]);
  }
}

Time Lookahead::arrival_bound(int32_t channel) const {
  const SyncChannel& description = table_.channels()[channel];
  return earliest_[description.source] + description.latency;
}

int32_t Lookahead::waits_for(int32_t partition) const {
  // It still has to take what has been sent to it.
  if (!settled_[partition]) return kNobody;
  Time bound = Time::never();
  int32_t peer = kNobody;
  for (const int32_t channel : table_.inbound(partition)) {
    if (const Time arrival = arrival_bound(channel); arrival < bound) {
      bound = arrival;
      peer = table_.channels()[channel].source;
    }
  }
  const PartitionSnapshot& row = rows_[partition];
  return std::max(row.now, row.next_event) < bound ? kNobody : peer;
}

}  // namespace fabrictwin::engine
