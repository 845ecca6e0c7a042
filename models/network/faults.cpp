// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/faults.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "cosim/base/suggest.h"
#include "cosim/base/text.h"
#include "fmt/format.h"

namespace fabrictwin::network {
namespace {

using experiment::FaultSpec;
using router::packet::LinkFault;

absl::Status refuse_fault(const FaultSpec& fault, std::string_view message) {
  return absl::InvalidArgumentError(experiment::format_diagnostic(fault.source, message));
}

std::vector<std::string_view> names_of(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

/// The port that a fault names.
absl::StatusOr<system::LinkEnd> find_port(const FaultSpec& fault, const system::SystemGraph& graph) {
  const std::string_view text = fault.link;
  const size_t bracket = text.find(']');
  const size_t dot = text.find('.', bracket == std::string_view::npos ? 0 : bracket);
  const std::string_view name = text.substr(0, dot);
  const auto element =
      std::ranges::find_if(graph.elements, [&](const system::Element& candidate) { return candidate.name == name; });
  if (element == graph.elements.end()) {
    std::vector<std::string_view> names;
    for (const system::Element& candidate : graph.elements) names.emplace_back(candidate.name);
    return refuse_fault(
        fault, fmt::format("there is no \"{}\" in this network{}; it has {} to {} and {} to {}", name,
                           did_you_mean(name, names), graph.elements.front().name,
                           graph.elements[static_cast<size_t>(graph.host_count()) - 1].name,
                           graph.elements[static_cast<size_t>(graph.host_count())].name, graph.elements.back().name));
  }
  const auto id = static_cast<system::ElementId>(element - graph.elements.begin());
  const std::vector<std::string_view> ports = names_of(element->ports);
  system::LinkEnd end{id, 0};
  if (dot == std::string_view::npos) {
    if (ports.size() == 1) return end;
    return refuse_fault(fault, fmt::format("{} has {} ports, and the fault is that of one link; write link: \"{}.{}\", "
                                           "with a port of {}",
                                           name, ports.size(), name, ports.front(), comma_list(ports)));
  }
  const std::string_view port = text.substr(dot + 1);
  const auto found = std::ranges::find(ports, port);
  if (found == ports.end()) {
    return refuse_fault(fault, fmt::format("{} has no port \"{}\"{}; its ports are {}", name, port,
                                           did_you_mean(port, ports), comma_list(ports)));
  }
  end.port = static_cast<int32_t>(found - ports.begin());
  if (graph.channel_from(end.element, end.port) < 0)
    return refuse_fault(fault, fmt::format("port {} of {} has no link; write another port", port, name));
  return end;
}

bool same(const system::LinkEnd& a, const system::LinkEnd& b) { return a.element == b.element && a.port == b.port; }

}  // namespace

absl::StatusOr<std::vector<LinkFault>> find_faults(const experiment::Experiment& experiment,
                                                   const system::SystemGraph& graph) {
  std::vector<LinkFault> faults;
  for (size_t i = 0; i < experiment.faults.size(); ++i) {
    const FaultSpec& fault = experiment.faults[i];
    const absl::StatusOr<system::LinkEnd> port = find_port(fault, graph);
    if (!port.ok()) return port.status();
    std::vector<system::LinkEnd> outputs{*port};
    if (!fault.one_way) outputs.push_back(graph.channel_target(graph.channel_from(port->element, port->port)));
    for (const system::LinkEnd& output : outputs) {
      for (const LinkFault& other : faults) {
        if (!same(other.output, output) || other.until <= fault.at || fault.until <= other.at) continue;
        const FaultSpec& before = experiment.faults[static_cast<size_t>(other.fault)];
        return refuse_fault(
            fault,
            fmt::format("{} has this fault from {} on while that of \"{}\" from {} to {} lasts, and a link has one "
                        "fault at a time; write other times, or leave one out",
                        fault.link, to_string(fault.at), before.link, to_string(before.at),
                        before.until.is_never() ? "the end" : to_string(before.until)));
      }
      faults.push_back({static_cast<int32_t>(i), output, fault.at, fault.until, fault.rate});
    }
  }
  return faults;
}

}  // namespace fabrictwin::network
