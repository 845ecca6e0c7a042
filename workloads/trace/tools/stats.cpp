// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/tools/stats.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "workloads/trace/format/reader.h"

namespace fabrictwin::trace::tools {
namespace {

class Totals {
 public:
  void add(const format::Event& event) {
    ++actions_[event.action];
    if (format::is_send(event.action)) ++sizes_[format::event_bytes(event)];
    if (event.action == v1::COMPUTE) rank_fs_ += event.duration.fs();
    if (format::action_shape(event.action).collective) ++collectives_[{event.action, sent_bytes(event)}];
  }

  void end_rank(const format::RankFacts& facts) {
    wildcards_ += facts.wildcard_receives;
    for (const v1::PeerSummary& peer : facts.peers) pairs_ += peer.sends() > 0 ? 1 : 0;
    rank_seconds_.push_back(static_cast<double>(rank_fs_) * 1e-15);
    rank_fs_ = 0;
  }

  void write(v1::TraceStats& stats) const {
    for (int action = 1; action < format::kActions; ++action) {
      if (actions_[action] == 0) continue;
      v1::ActionTotal& total = *stats.add_actions();
      total.set_action(std::string(name_of(action)));
      total.set_count(actions_[action]);
    }
    v1::PointToPointTotal& p2p = *stats.mutable_point_to_point();
    for (const auto& [bytes, messages] : sizes_) {
      p2p.set_messages(p2p.messages() + messages);
      p2p.set_bytes(p2p.bytes() + bytes * messages);
      v1::SizeBucket& bucket = *p2p.add_sizes();
      bucket.set_bytes(bytes);
      bucket.set_messages(messages);
    }
    p2p.set_wildcard_receives(wildcards_);
    p2p.set_directed_pairs(pairs_);
    for (const auto& [key, calls] : collectives_) {
      v1::CollectiveTotal& total = *stats.add_collectives();
      total.set_action(std::string(name_of(key.first)));
      total.set_bytes(key.second);
      total.set_calls(calls);
    }
    v1::ComputeTotal& compute = *stats.mutable_compute();
    compute.set_events(actions_[v1::COMPUTE]);
    compute.set_seconds(std::accumulate(rank_seconds_.begin(), rank_seconds_.end(), 0.0));
    compute.set_min_rank_seconds(*std::min_element(rank_seconds_.begin(), rank_seconds_.end()));
    compute.set_max_rank_seconds(*std::max_element(rank_seconds_.begin(), rank_seconds_.end()));
  }

 private:
  static std::string_view name_of(int action) { return format::action_name(static_cast<v1::TraceAction>(action)); }

  static uint64_t sent_bytes(const format::Event& event) {
    if (event.send_counts.empty()) return format::event_bytes(event);
    return std::accumulate(event.send_counts.begin(), event.send_counts.end(), uint64_t{0}) *
           format::datatype_bytes(event.datatype);
  }

  std::array<uint64_t, format::kActions> actions_{};
  std::map<uint64_t, uint64_t> sizes_;
  std::map<std::pair<int, uint64_t>, uint64_t> collectives_;
  std::vector<double> rank_seconds_;
  __int128 rank_fs_ = 0;  // The sum of computations may exceed the range of Time.
  uint64_t wildcards_ = 0;
  uint64_t pairs_ = 0;
};

}  // namespace

absl::StatusOr<v1::TraceStats> trace_stats(const std::string& file) {
  absl::StatusOr<std::shared_ptr<const format::Reader>> reader = format::Reader::open(file);
  if (!reader.ok()) return reader.status();
  Totals totals;
  for (uint32_t rank = 0; rank < (*reader)->ranks(); ++rank) {
    format::RankCursor cursor(*reader, rank);
    while (true) {
      absl::StatusOr<std::optional<format::Event>> event = cursor.next();
      if (!event.ok()) return event.status();
      if (!event->has_value()) break;
      totals.add(**event);
    }
    totals.end_rank((*reader)->rank(rank));
  }
  v1::TraceStats stats;
  stats.set_application((*reader)->header().application());
  stats.set_source((*reader)->header().source());
  stats.set_ranks((*reader)->ranks());
  stats.set_events((*reader)->events());
  stats.set_file_bytes((*reader)->file_bytes());
  totals.write(stats);
  return stats;
}

}  // namespace fabrictwin::trace::tools
