// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/faults.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "cosim/base/suggest.h"
#include "cosim/base/text.h"
#include "cosim/system/plan.h"
#include "fmt/format.h"

namespace fabrictwin::system {
namespace {

using experiment::FaultSpec;

absl::Status refuse_fault(const FaultSpec& fault, std::string_view message) {
  return absl::InvalidArgumentError(experiment::format_diagnostic(fault.source, message));
}

std::vector<std::string_view> names_of(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

/// The number of an element with this name, or -1.
ElementId element_named(const SystemGraph& graph, std::string_view name) {
  const auto found =
      std::ranges::find_if(graph.elements, [&](const Element& candidate) { return candidate.name == name; });
  return found == graph.elements.end() ? -1 : static_cast<ElementId>(found - graph.elements.begin());
}

absl::Status refuse_name(const FaultSpec& fault, const SystemGraph& graph, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Element& candidate : graph.elements) names.emplace_back(candidate.name);
  return refuse_fault(
      fault,
      fmt::format("there is no \"{}\" in this network{}; it has {} to {} and {} to {}", name, did_you_mean(name, names),
                  graph.elements.front().name, graph.elements[static_cast<size_t>(graph.host_count()) - 1].name,
                  graph.elements[static_cast<size_t>(graph.host_count())].name, graph.elements.back().name));
}

/// The port that a fault names.
absl::StatusOr<LinkEnd> find_port(const FaultSpec& fault, const SystemGraph& graph) {
  const std::string_view text = fault.link;
  // The port is behind the last dot; elements of exanest have one in their names.
  const size_t dot = element_named(graph, text) < 0 ? text.rfind('.') : std::string_view::npos;
  const std::string_view name = text.substr(0, dot);
  const ElementId id = element_named(graph, name);
  if (id < 0) return refuse_name(fault, graph, name);
  const Element* const element = &graph.elements[static_cast<size_t>(id)];
  const std::vector<std::string_view> ports = names_of(element->ports);
  LinkEnd end{id, 0};
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

/// Whether a reset of one of its ends is seen at a link: not at those of hosts, nor within a board of nodes.
bool seen_at(const SystemGraph& graph, int32_t channel) {
  const Link& link = graph.channel_link(channel);
  return (!graph.has_nodes() || link.refresh > Time::zero()) &&
         std::ranges::none_of(link.ends, [&](const LinkEnd& end) {
           return graph.elements[static_cast<size_t>(end.element)].kind == ElementKind::kHost;
         });
}

/// The channels from an element that is reset.
absl::StatusOr<std::vector<int32_t>> channels_of_reset(const FaultSpec& fault, const SystemGraph& graph) {
  const ElementId id = element_named(graph, fault.link);
  if (id < 0) return refuse_name(fault, graph, fault.link);
  std::vector<int32_t> channels;
  for (size_t port = 0; port < graph.elements[static_cast<size_t>(id)].ports.size(); ++port) {
    const int32_t channel = graph.channel_from(id, static_cast<int32_t>(port));
    if (channel >= 0 && seen_at(graph, channel)) channels.push_back(channel);
  }
  if (!channels.empty()) return channels;
  return refuse_fault(fault, fmt::format("{} has no link to another {}, so nobody sees its reset; write one that has",
                                         fault.link, graph.has_nodes() ? "board" : "router"));
}

/// The channels that a fault concerns.
absl::StatusOr<std::vector<int32_t>> channels_of(const FaultSpec& fault, const SystemGraph& graph) {
  std::vector<int32_t> channels;
  if (fault.reset) {
    const absl::StatusOr<std::vector<int32_t>> from = channels_of_reset(fault, graph);
    if (!from.ok()) return from.status();
    for (const int32_t channel : *from) channels.insert(channels.end(), {channel, channel ^ 1});
    return channels;
  }
  const absl::StatusOr<LinkEnd> port = find_port(fault, graph);
  if (!port.ok()) return port.status();
  channels.push_back(graph.channel_from(port->element, port->port));
  if (!fault.one_way) channels.push_back(channels.front() ^ 1);
  return channels;
}

/// Whether two faults of a link exclude each other.
bool overlap(const FaultSpec& a, const FaultSpec& b) {
  const bool same_kind = (a.bit_error_rate > 0) == (b.bit_error_rate > 0);
  return same_kind && a.until > b.at && b.until > a.at;
}

/// Why a channel of words cannot have a fault; empty if it can.
std::string word_obstacle(const FaultSpec& fault, const experiment::Experiment& experiment, const Plan& plan,
                          int32_t channel) {
  const SystemGraph& graph = plan.graph;
  const std::string name = fault.reset ? graph.channel_name(channel) : fault.link;
  const bool framed = graph.channel_link(channel).refresh > Time::zero();
  bool boards = true;
  for (const LinkEnd& end : graph.links[static_cast<size_t>(channel / 2)].ends) {
    const Element& element = graph.elements[static_cast<size_t>(end.element)];
    const PartitionPlan& partition =
        plan.partitions[static_cast<size_t>(plan.partition_of[static_cast<size_t>(end.element)])];
    if (element.kind == ElementKind::kHost) {
      return fmt::format(
          "{} leads to {}, and faults of links that carry words are between {}s; name such a link, or "
          "write router {{ model: PACKET }}",
          name, element.name, graph.has_nodes() ? "board" : "router");
    }
    if (partition.depth != experiment.router.model || std::ranges::binary_search(partition.packets, end.element)) {
      return fmt::format("{} is a link of {}, which a rule makes less deep than {}; leave that depth out for both ends",
                         name, element.name, v1::RouterModel_Name(experiment.router.model));
    }
    boards = boards && partition.implementation == v1::BOARD;
  }
  if (boards) {
    return fmt::format(
        "both ends of {} are boards, between which nobody can make a fault; make one of them RTL or "
        "MODEL",
        name);
  }
  if (framed) return {};
  if (graph.has_nodes()) {
    return fmt::format(
        "{} is a link within a board, which has no protocol for faults; name a link between boards, "
        "\"qfdb[0].router.x+\"",
        name);
  }
  const bool hardware = std::ranges::any_of(
      plan.partitions, [](const PartitionPlan& partition) { return partition.implementation != v1::MODEL; });
  if (fault.bit_error_rate == 0 && fault.until.is_never() && hardware && experiment.stop_after.is_never()) {
    return fmt::format(
        "{} does not return, and the clocks of RTL and boards go on for ever while packets wait for it; "
        "write until, or stop {{ after_simulated: \"1ms\" }}",
        name);
  }
  if (fault.bit_error_rate == 0) return {};
  return "network interfaces here do not repeat what bit errors destroy; leave bit_error_rate out for a link that "
         "fails, or write topology { exanest { } }, whose interfaces do";
}

}  // namespace

absl::StatusOr<std::vector<ChannelFault>> find_channel_faults(const experiment::Experiment& experiment,
                                                              const SystemGraph& graph) {
  std::vector<ChannelFault> faults;
  for (size_t i = 0; i < experiment.faults.size(); ++i) {
    const FaultSpec& fault = experiment.faults[i];
    const absl::StatusOr<std::vector<int32_t>> channels = channels_of(fault, graph);
    if (!channels.ok()) return channels.status();
    for (const int32_t channel : *channels) {
      for (const ChannelFault& other : faults) {
        const FaultSpec& before = experiment.faults[static_cast<size_t>(other.fault)];
        if (other.channel != channel || !overlap(before, fault)) continue;
        return refuse_fault(
            fault,
            fmt::format("{} has this fault from {} on while that of \"{}\" from {} to {} lasts, and a link has one "
                        "fault at a time; write other times, or leave one out",
                        fault.link, to_string(fault.at), before.link, to_string(before.at),
                        before.until.is_never() ? "the end" : to_string(before.until)));
      }
      faults.push_back({static_cast<int32_t>(i), channel});
    }
  }
  return faults;
}

absl::StatusOr<std::vector<ChannelFault>> find_word_faults(const experiment::Experiment& experiment, const Plan& plan) {
  const experiment::RouterCapabilities& routers = experiment.capabilities.of(experiment.router.model);
  if (experiment.faults.empty() || routers.content != link::LinkType::Content::kWords)
    return std::vector<ChannelFault>();
  absl::StatusOr<std::vector<ChannelFault>> faults = find_channel_faults(experiment, plan.graph);
  if (!faults.ok()) return faults.status();
  for (const ChannelFault& channel : *faults) {
    const FaultSpec& fault = experiment.faults[static_cast<size_t>(channel.fault)];
    if (const std::string obstacle = word_obstacle(fault, experiment, plan, channel.channel); !obstacle.empty())
      return refuse_fault(fault, obstacle);
  }
  return faults;
}

int32_t fault_place(const Plan& plan, int32_t channel) {
  const int32_t source = plan.source_partition(channel);
  const bool board = plan.partitions[static_cast<size_t>(source)].implementation == v1::BOARD;
  return plan.partitions[static_cast<size_t>(board ? plan.target_partition(channel) : source)].place;
}

bool has_faults(const Plan& plan, int32_t place) {
  return std::ranges::any_of(plan.faults,
                             [&](const ChannelFault& fault) { return fault_place(plan, fault.channel) == place; });
}

}  // namespace fabrictwin::system
