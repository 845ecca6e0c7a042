// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Samples what a partition sends while it advances.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cosim/engine/partition.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/observe/link_series.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::run {

/// The rates of all directions of links of a system by channel, in bits a second.
std::vector<int64_t> channel_rates(const system::SystemGraph& graph);

/// A partition that advances another one from sample to sample. The result of the run is the same, because a partition
/// may be advanced in any steps. Thread-safe like the other one.
class LinkSampler : public engine::Partition {
 public:
  /// `partition` and `counters`, by channel, outlive the sampler. `receivers` are all of the partition, and the run
  /// goes no further than `limit`.
  LinkSampler(engine::Partition& partition, std::vector<const link::ChannelReceiver*> receivers,
              std::span<const link::LinkCounters> counters, observe::LinkSeries series, Time limit);

  absl::Status advance(Time until) override;
  Time reached(Time until) const override { return partition_.reached(until); }
  engine::Foreground foreground() const override { return partition_.foreground(); }
  void count_links(Time until) override { partition_.count_links(until); }
  Time next_event() const override { return partition_.next_event(); }
  uint64_t events() const override { return partition_.events(); }
  bool done() const override { return partition_.done(); }
  double workload_done() const override { return partition_.workload_done(); }
  std::vector<std::string> waits() const override { return partition_.waits(); }
  absl::Status close_files() override { return partition_.close_files(); }
  void measure(metric::Sink& sink) const override { partition_.measure(sink); }

  /// What has been sampled. Call it while the partition does not advance.
  void report(v1::LinkSeriesPart& part) const { series_.report(counters_, part); }

 private:
  bool rests() const;

  engine::Partition& partition_;
  std::vector<const link::ChannelReceiver*> receivers_;
  std::span<const link::LinkCounters> counters_;
  observe::LinkSeries series_;
  Time limit_;
};

}  // namespace fabrictwin::run
