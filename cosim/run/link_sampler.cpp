// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/link_sampler.h"

#include <algorithm>
#include <utility>

namespace fabrictwin::run {

std::vector<int64_t> channel_rates(const system::SystemGraph& graph) {
  std::vector<int64_t> rates;
  rates.reserve(static_cast<size_t>(graph.channel_count()));
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel)
    rates.push_back(graph.channel_link(channel).rate.bits_per_second);
  return rates;
}

LinkSampler::LinkSampler(engine::Partition& partition, std::vector<const link::ChannelReceiver*> receivers,
                         std::span<const link::LinkCounters> counters, observe::LinkSeries series, Time limit)
    : partition_(partition),
      receivers_(std::move(receivers)),
      counters_(counters),
      series_(std::move(series)),
      limit_(limit) {}

absl::Status LinkSampler::advance(Time until) {
  while (series_.next() <= until && !series_.next().is_never()) {
    if (absl::Status status = partition_.advance(series_.next()); !status.ok()) return status;
    // Its foreground work has ended before.
    if (partition_.reached(series_.next()) < series_.next()) return absl::OkStatus();
    // Up to the limit, or for ever, there would be samples of nothing.
    if (until >= limit_ && rests()) break;
    partition_.count_links(series_.next());
    series_.sample(counters_);
  }
  return partition_.advance(until);
}

// Nothing happens any more in the partition, whatever time comes.
bool LinkSampler::rests() const {
  return partition_.next_event().is_never() &&
         std::all_of(receivers_.begin(), receivers_.end(),
                     [](const link::ChannelReceiver* receiver) { return receiver->front() == nullptr; });
}

}  // namespace fabrictwin::run
