// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/tenants.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>

#include "fabrictwin/v1/catalogue.pb.h"

namespace fabrictwin::experiment {

std::string TopologyCheck::router_clock(const v1::Topology& topology) const {
  const auto* field = topology.GetDescriptor()->FindFieldByNumber(kind());
  return field->message_type()->options().GetExtension(v1::router_clock);
}

const TopologyCheck* Tenants::topology(v1::Topology::KindCase kind) const {
  const auto found =
      std::ranges::find_if(topologies, [kind](const TopologyCheck* topology) { return topology->kind() == kind; });
  return found == topologies.end() ? nullptr : *found;
}

}  // namespace fabrictwin::experiment
