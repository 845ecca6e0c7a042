// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/faults.h"

#include "cosim/system/faults.h"

namespace fabrictwin::network {

absl::StatusOr<std::vector<router::packet::LinkFault>> find_faults(const experiment::Experiment& experiment,
                                                                   const system::SystemGraph& graph) {
  const absl::StatusOr<std::vector<system::ChannelFault>> found = system::find_channel_faults(experiment, graph);
  if (!found.ok()) return found.status();
  std::vector<router::packet::LinkFault> faults;
  for (const system::ChannelFault& channel : *found) {
    const experiment::FaultSpec& fault = experiment.faults[static_cast<size_t>(channel.fault)];
    faults.push_back({channel.fault, graph.channel_source(channel.channel), fault.at, fault.until, fault.rate});
  }
  return faults;
}

}  // namespace fabrictwin::network
