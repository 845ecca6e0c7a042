// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/tenants.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <google/protobuf/descriptor.h>

#include <algorithm>

#include "fabrictwin/v1/catalogue.pb.h"

namespace fabrictwin::experiment {

std::string TopologyCheck::router_clock(const v1::Topology& topology) const {
  const auto* field = topology.GetDescriptor()->FindFieldByNumber(kind());
  return field->message_type()->options().GetExtension(v1::router_clock);
}

namespace {

template <typename Check, typename Kind>
const Check* find(const std::vector<const Check*>& checks, Kind kind) {
  const auto found = std::ranges::find_if(checks, [kind](const Check* check) { return check->kind() == kind; });
  return found == checks.end() ? nullptr : *found;
}

}  // namespace

const RouterCheck* Tenants::router(v1::RouterModel model) const {
  if (model == v1::ROUTER_MODEL_UNSPECIFIED) return routers.empty() ? nullptr : routers.front();
  const auto found =
      std::ranges::find_if(routers, [model](const RouterCheck* one) { return one->capabilities().model == model; });
  return found == routers.end() ? nullptr : *found;
}

const TopologyCheck* Tenants::topology(v1::Topology::KindCase kind) const { return find(topologies, kind); }

const WorkloadCheck* Tenants::workload(v1::Workload::KindCase kind) const { return find(workloads, kind); }

std::string Tenants::node_topologies() const {
  std::vector<std::string> names;
  for (const TopologyCheck* one : topologies) {
    if (one->traits({}).nodes) names.push_back(topology_text(one->kind()));
  }
  return fmt::format("{}", fmt::join(names, " or "));
}

std::string topology_text(v1::Topology::KindCase kind) {
  return fmt::format("topology {{ {} {{ }} }}", v1::Topology::descriptor()->FindFieldByNumber(kind)->name());
}

}  // namespace fabrictwin::experiment
