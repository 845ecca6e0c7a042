// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/node_timing.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "cosim/base/suggest.h"
#include "fmt/format.h"
#include "models/routing/exanest/routing.h"
#include "models/topology/exanest/exanest.h"

namespace fabrictwin::nic::exanet {
namespace {

constexpr int32_t kMost = 1000;
/// Logic may be faster than the model of its router, but not faster than the router itself.
constexpr int32_t kLeastLink = -8;

template <int32_t Timing::*Field>
int32_t& ni(NodeTiming& timing) {
  return timing.ni.*Field;
}

template <int32_t NodeTiming::*Field>
int32_t& link(NodeTiming& timing) {
  return timing.*Field;
}

constexpr NodeTimingParameter kParameters[] = {
    {"register_write", "cycles", 1, kMost, 4, 4, 3, false, ni<&Timing::register_write>},
    {"register_read", "cycles", 1, kMost, 4, 4, 4, false, ni<&Timing::register_read>},
    {"descriptor_write", "cycles", 1, kMost, 4, 4, 3, false, ni<&Timing::descriptor_write>},
    {"router_link", "cycles", kLeastLink, kMost, 0, 4, 1, false, link<&NodeTiming::router_link>},
    {"switch_link", "cycles", kLeastLink, kMost, 0, 4, -4, false, link<&NodeTiming::switch_link>},
    {"network_link", "cycles", kLeastLink, kMost, 0, 4, 8, false, link<&NodeTiming::network_link>},
    {"router_port", "cycles", 0, kMost, 2, 2, 0, false, link<&NodeTiming::router_port>},
    {"network_framing", "thousandths", 0, kMost, 0, 16, 0, false, link<&NodeTiming::network_framing>},
    {"router_gap", "cycles", 0, 2, 2, 1, 1, false, link<&NodeTiming::router_gap>},
    {"switch_gap", "cycles", 0, 2, 2, 1, 0, false, link<&NodeTiming::switch_gap>},
    {"doorbell", "cycles", 0, kMost, 4, 4, 4, true, ni<&Timing::doorbell>},
    {"mailbox", "cycles", 0, kMost, 2, 4, 2, true, ni<&Timing::mailbox>},
    {"answer", "cycles", 0, kMost, 3, 4, 3, true, ni<&Timing::answer>},
    {"answered", "cycles", 0, kMost, 1, 4, 1, true, ni<&Timing::answered>},
    {"transfer_start", "cycles", 0, kMost, 2, 4, 2, true, ni<&Timing::transfer_start>},
    {"cell_interval", "cycles", 1, kMost, 3, 4, 3, true, ni<&Timing::cell_interval>},
    {"cell_send", "cycles", 0, kMost, 1, 4, 1, true, ni<&Timing::cell_send>},
    {"notify_send", "cycles", 0, kMost, 3, 4, 3, true, ni<&Timing::notify_send>},
    {"forward", "cycles", 0, kMost, 1, 4, 1, true, ni<&Timing::forward>},
    {"cell_receive", "cycles", 0, kMost, 2, 4, 2, true, ni<&Timing::cell_receive>},
    {"notify", "cycles", 0, kMost, 5, 4, 5, true, ni<&Timing::notify>},
    {"block_answer", "cycles", 0, kMost, 4, 4, 4, true, ni<&Timing::block_answer>},
    {"block_answered", "cycles", 0, kMost, 6, 4, 6, true, ni<&Timing::block_answered>},
    {"firmware", "cycles", 0, kMost, 0, 4, 0, true, ni<&Timing::firmware>},
    {"routing_block", "cycles", 0, kMost, 0, 4, 0, true, link<&NodeTiming::routing_block>},
};

absl::Status wrong(const experiment::Experiment& experiment, std::string_view what) {
  return absl::InvalidArgumentError(experiment::format_diagnostic(
      experiment.calibration_location,
      fmt::format("{}; make the file anew with `fabrictwin validate --calibrate`", what)));
}

}  // namespace

std::span<const NodeTimingParameter> node_timing_parameters() { return kParameters; }

absl::StatusOr<NodeTiming> node_timing(const experiment::Experiment& experiment) {
  NodeTiming timing;
  if (!experiment.calibration.has_value()) return timing;
  for (const v1::CalibratedParameter& parameter : experiment.calibration->parameter()) {
    const auto* known = std::find_if(std::begin(kParameters), std::end(kParameters),
                                     [&](const NodeTimingParameter& p) { return p.name == parameter.name(); });
    if (known == std::end(kParameters)) {
      std::vector<std::string_view> names;
      for (const NodeTimingParameter& p : kParameters) names.emplace_back(p.name);
      return wrong(experiment, fmt::format("{} sets \"{}\", which no model has{}", experiment.message.calibration(),
                                           parameter.name(), did_you_mean(parameter.name(), names)));
    }
    // The default value is always allowed, for example accesses that take no time.
    if ((parameter.value() < known->least || parameter.value() > known->most) &&
        parameter.value() != known->field(timing)) {
      return wrong(experiment,
                   fmt::format("{} sets {} to {}, which must be from {} to {}", experiment.message.calibration(),
                               parameter.name(), parameter.value(), known->least, known->most));
    }
    known->field(timing) = static_cast<int32_t>(parameter.value());
  }
  const Timing& ni = timing.ni;
  const bool whole = ni.register_write > 0 && ni.register_read > 0 && ni.descriptor_write > 0;
  if (!whole && (ni.register_write > 0 || ni.register_read > 0 || ni.descriptor_write > 0)) {
    return wrong(experiment,
                 fmt::format("{} sets some of register_write, register_read and descriptor_write to zero and "
                             "others not; the processor's accesses take time or they do not",
                             experiment.message.calibration()));
  }
  return timing;
}

namespace {

/// The link on which `logic` sends from `port`.
system::Link timed_link(const NodeTiming& timing, const Clock& router_clock, const system::Element& logic, int32_t port,
                        system::Link link) {
  const bool board = port <= routing::exanest::NetworkFpgaRouting::kBoardPorts;
  const int32_t cycles = !board                                      ? timing.network_link
                         : topology::exanest::is_network_fpga(logic) ? timing.router_link
                                                                     : timing.switch_link;
  const Time change = router_clock.edge(std::abs(cycles));
  link.latency = std::max(cycles < 0 ? link.latency - change : link.latency + change, Time::from_fs(1));
  if (!board) link.rate.bits_per_second = link.rate.bits_per_second * 1000 / (1000 + timing.network_framing);
  return link;
}

}  // namespace

absl::StatusOr<std::vector<system::Link>> modelled_links(const experiment::Experiment& experiment,
                                                         const system::SystemGraph& graph) {
  const absl::StatusOr<NodeTiming> timing = node_timing(experiment);
  if (!timing.ok()) return timing.status();
  std::vector<system::Link> links;
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
    const system::LinkEnd& from = graph.channel_source(channel);
    const system::Element& source = graph.elements[static_cast<size_t>(from.element)];
    const bool between_nodes =
        source.kind == system::ElementKind::kNode &&
        graph.elements[static_cast<size_t>(graph.channel_target(channel).element)].kind == system::ElementKind::kNode;
    const system::Link& link = graph.channel_link(channel);
    links.push_back(between_nodes ? timed_link(*timing, graph.router_clock, source, from.port, link) : link);
  }
  return links;
}

}  // namespace fabrictwin::nic::exanet
