// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/link_samples.h"

#include <utility>
#include <vector>

namespace fabrictwin::partition {

observe::LinkSeries link_series_of(const run::PartitionContext& context) {
  const system::SystemGraph& graph = context.plan->graph;
  const system::PartitionPlan& partition = context.plan->partitions[context.partition];
  const Time interval = context.experiment->statistics.link_interval;
  if (interval == Time::zero() || partition.place != 0 || partition.elements.size() != graph.elements.size()) return {};
  std::vector<int64_t> rates;
  rates.reserve(static_cast<size_t>(graph.channel_count()));
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel)
    rates.push_back(graph.channel_link(channel).rate.bits_per_second);
  return {interval, std::move(rates)};
}

}  // namespace fabrictwin::partition
