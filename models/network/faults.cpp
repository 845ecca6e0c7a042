// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/faults.h"

#include "cosim/system/faults.h"
#include "fmt/format.h"

namespace fabrictwin::network {

absl::StatusOr<std::vector<router::packet::LinkFault>> find_faults(const experiment::Experiment& experiment,
                                                                   const system::SystemGraph& graph) {
  const absl::StatusOr<std::vector<system::ChannelFault>> found = system::find_channel_faults(experiment, graph);
  if (!found.ok()) return found.status();
  std::vector<router::packet::LinkFault> faults;
  for (const system::ChannelFault& channel : *found) {
    const experiment::FaultSpec& fault = experiment.faults[static_cast<size_t>(channel.fault)];
    faults.push_back({channel.fault, graph.channel_source(channel.channel), fault.at, fault.until, fault.rate});
    router::packet::LinkFault& made = faults.back();
    for (const system::ChannelFault& other : *found) {
      const bool errors = experiment.faults[static_cast<size_t>(other.fault)].bit_error_rate > 0;
      if (other.channel != channel.channel || errors == (fault.bit_error_rate > 0)) continue;
      return absl::InvalidArgumentError(experiment::format_diagnostic(
          fault.source, fmt::format("{} has a lane with bit errors and another fault, and can have one kind of them; "
                                    "leave one out",
                                    fault.link)));
    }
    made.lane_errors = fault.bit_error_rate;
    if (fault.bit_error_rate == 0) continue;
    for (const system::LinkEnd& end : graph.links[static_cast<size_t>(channel.channel / 2)].ends) {
      if (graph.elements[static_cast<size_t>(end.element)].kind != system::ElementKind::kHost) continue;
      return absl::InvalidArgumentError(experiment::format_diagnostic(
          fault.source, fmt::format("{} is the link of a TNI, and bit errors are those of a lane of links between "
                                    "routers; name such a link, or leave bit_error_rate out",
                                    fault.link)));
    }
  }
  return faults;
}

}  // namespace fabrictwin::network
