// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/mixed_calibration.h"

#include <map>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "models/nic/exanet/node_timing.h"
#include "models/routing/exanest/routing.h"
#include "models/topology/exanest/exanest.h"

namespace fabrictwin::network {
namespace {

bool is_model(const system::Plan& plan, system::ElementId element) {
  return plan.partitions[plan.partition_of[element]].implementation == v1::MODEL;
}

/// Whether there are both modelled nodes and others.
bool is_mixed(const system::Plan& plan) {
  bool models = false;
  bool others = false;
  for (system::ElementId id = 0; id < static_cast<system::ElementId>(plan.graph.elements.size()); ++id) {
    if (plan.graph.elements[id].kind != system::ElementKind::kNode) continue;
    (is_model(plan, id) ? models : others) = true;
  }
  return models && others;
}

/// The directions of links on which a modelled node sends and something else receives, by the calibration parameter
/// that concerns them.
std::map<std::string_view, int32_t> crossings(const system::Plan& plan) {
  std::map<std::string_view, int32_t> count;
  const system::SystemGraph& graph = plan.graph;
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
    const system::LinkEnd& from = graph.channel_source(channel);
    const system::LinkEnd& to = graph.channel_target(channel);
    const system::Element& element = graph.elements[from.element];
    if (element.kind != system::ElementKind::kNode || graph.elements[to.element].kind != system::ElementKind::kNode)
      continue;
    if (!is_model(plan, from.element) || is_model(plan, to.element)) continue;
    if (from.port > routing::exanest::NetworkFpgaRouting::kBoardPorts) {
      ++count["network_link"];
      ++count["network_framing"];
    } else {
      ++count[topology::exanest::is_network_fpga(element) ? "router_link" : "switch_link"];
    }
  }
  return count;
}

}  // namespace

std::string calibrated_otherwise(const experiment::Experiment& experiment) {
  absl::StatusOr<nic::exanet::NodeTiming> timing = nic::exanet::node_timing(experiment);
  if (!experiment.calibration.has_value() || !timing.ok()) return {};
  std::vector<std::string> differing;
  for (const nic::exanet::NodeTimingParameter& parameter : nic::exanet::node_timing_parameters()) {
    const int32_t value = parameter.field(*timing);
    if (value != parameter.rtl)
      differing.push_back(fmt::format("{} {} {} (RTL: {})", parameter.name, value, parameter.unit, parameter.rtl));
  }
  return fmt::format("{}", fmt::join(differing, ", "));
}

std::string mixed_calibration(const experiment::Experiment& experiment, const system::Plan& plan) {
  if (!experiment.calibration.has_value() || !is_mixed(plan)) return {};
  absl::StatusOr<nic::exanet::NodeTiming> timing = nic::exanet::node_timing(experiment);
  if (!timing.ok()) return {};
  const std::map<std::string_view, int32_t> crossing = crossings(plan);
  std::vector<std::string> left_out;
  for (const nic::exanet::NodeTimingParameter& parameter : nic::exanet::node_timing_parameters()) {
    const int32_t value = parameter.field(*timing);
    const auto found = crossing.find(parameter.name);
    nic::exanet::NodeTiming plain;
    if (found != crossing.end() && value != parameter.field(plain))
      left_out.push_back(fmt::format("{} {} {} ({} channels)", parameter.name, value, parameter.unit, found->second));
  }
  std::vector<std::string> differences;
  const std::string differing = calibrated_otherwise(experiment);
  if (!differing.empty()) differences.push_back(fmt::format("they differ in {}", differing));
  if (!left_out.empty()) {
    differences.push_back(fmt::format("links from a model to RTL or a board go without {}", fmt::join(left_out, ", ")));
  }
  if (differences.empty()) return {};
  return fmt::format("calibrated models of nodes ({}) beside RTL or boards: {}; docs/models/validation.md says more",
                     experiment.message.calibration(), fmt::join(differences, "; "));
}

}  // namespace fabrictwin::network
