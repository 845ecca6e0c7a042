// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What follows from a plan once it is made.
#include <algorithm>
#include <string>

#include "cosim/system/plan.h"
#include "fmt/format.h"

namespace fabrictwin::system {

std::string Plan::name_with_place(const PartitionPlan& partition) const {
  const std::string& place = places[static_cast<size_t>(partition.place)].name;
  return partition.name.ends_with("@" + place) ? partition.name : fmt::format("{} ({})", partition.name, place);
}

const Link& Plan::channel_link(int32_t channel) const {
  const auto is_model = [&](int32_t partition) {
    return partitions[static_cast<size_t>(partition)].implementation == v1::MODEL;
  };
  const bool modelled =
      !graph.modelled_links.empty() && is_model(source_partition(channel)) && is_model(target_partition(channel));
  return modelled ? graph.modelled_links[static_cast<size_t>(channel)] : graph.channel_link(channel);
}

link::LinkType Plan::link_type(int32_t channel) const {
  const link::LinkType& source = partitions[source_partition(channel)].link_type;
  const bool words = source.content == link::LinkType::Content::kWords;
  return !words && source == partitions[target_partition(channel)].link_type ? source : graph.words;
}

bool Plan::moves_words(ElementId id) const {
  const PartitionPlan& partition = partitions[static_cast<size_t>(partition_of[static_cast<size_t>(id)])];
  return partition.link_type.content == link::LinkType::Content::kWords &&
         !std::binary_search(partition.packets.begin(), partition.packets.end(), id);
}

bool Plan::hosts_apart() const {
  const int32_t hosts = graph.host_count();
  for (int32_t host = 0; host < hosts; ++host) {
    if (place_of(host) != 0 || partition_of[host] != partition_of[0]) return true;
  }
  // Models that do not move words have their hosts with them and go on for other partitions.
  return hosts > 0 && partitions.size() > 1 &&
         partitions[partition_of[0]].link_type.content != link::LinkType::Content::kWords;
}

bool Plan::ends_together(const experiment::Experiment& experiment) const {
  if (!hosts_apart()) return false;
  const bool words = partitions[partition_of[0]].link_type.content == link::LinkType::Content::kWords;
  const bool answers = experiment.host.nic_spec.has_value() || experiment.hardware_congestion.has_value();
  return experiment.workload_traits.background || (words && answers);
}

}  // namespace fabrictwin::system
