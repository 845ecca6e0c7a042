// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A NaNet-10 card with the senders at its ports and its computer: docs/models/nanet.md.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "models/topology/topology.h"
#include "rtl/nanet/interface/card_spec.h"

namespace fabrictwin::topology::nanet {
namespace {

using rtl::nanet::CardSpec;

constexpr int32_t kMostPorts = 4;
/// PCI Express 3.0 with eight lanes.
constexpr Bandwidth kPcieRate{63'000'000'000};
/// Slower cards would not be emptied in a time that a run waits for.
constexpr Bandwidth kLeastRate{100'000'000};
constexpr Time kMostLine = Time::from_us(10'000);
constexpr Time kMostPcie = Time::from_us(10);

Bandwidth check_rate(std::string_view name, const experiment::TopologyReader& reader) {
  const auto rate = reader.quantity<Bandwidth>(name, parse_bandwidth);
  if (rate.bits_per_second >= kLeastRate.bits_per_second && rate.bits_per_second <= kPcieRate.bits_per_second)
    return rate;
  reader.complain(name, fmt::format("{} {}: the PCIe port of a card carries {} to {}; write such a rate", name,
                                    to_string(rate), to_string(kLeastRate), to_string(kPcieRate)));
  return parse_bandwidth(reader.default_of(name)).value_or(kPcieRate);
}

Time check_time(std::string_view name, experiment::TopologyReader& reader) {
  constexpr Time kMost = Time::from_fs(1'000'000'000'000);
  const auto time = reader.quantity<Time>(name, parse_time);
  if (time >= Time::zero() && time <= kMost) return time;
  reader.complain(name, fmt::format("{} {}: write at most {}", name, to_string(time), to_string(kMost)));
  return Time::zero();
}

/// A latency of a link of at most `most`.
Time check_latency(std::string_view name, std::string_view what, Time most, experiment::TopologyReader& reader) {
  const Time latency = reader.latency(name, what);
  if (latency <= most) return latency;
  reader.complain(name, fmt::format("{} {}: write at most {}", name, to_string(latency), to_string(most)));
  return most;
}

/// The first of the parts of an experiment that mean nothing beside a card.
std::string_view foreign_part(const v1::Experiment& message) {
  if (message.has_router()) return "router";
  if (message.has_routing()) return "routing";
  if (message.has_host()) return "host";
  if (message.has_congestion()) return "congestion";
  if (message.has_transport()) return "transport";
  if (message.has_pfc()) return "pfc";
  if (message.has_queues()) return "queues";
  if (message.fault_size() > 0) return "fault";
  if (message.statistics().has_packet_trace()) return "statistics.packet_trace";
  if (message.statistics().queues()) return "statistics.queues";
  if (message.statistics().latency_histogram()) return "statistics.latency_histogram";
  if (!message.statistics().occupancy_interval().empty()) return "statistics.occupancy_interval";
  return {};
}

absl::Status check_experiment(const experiment::Experiment& experiment) {
  if (const std::string_view part = foreign_part(experiment.message); !part.empty()) {
    return absl::InvalidArgumentError(experiment::format_diagnostic(
        experiment.topology_location, fmt::format("{0} is of networks of routers, and nanet is one card with its "
                                                  "senders and its computer; leave {0} out",
                                                  part)));
  }
  if (experiment.workload == v1::Workload::kDatagrams) return absl::OkStatus();
  return absl::InvalidArgumentError(
      experiment::format_diagnostic(experiment.workload_location,
                                    "nanet takes frames of Ethernet and nothing else; write workload { datagrams { "
                                    "stream { rate: \"5Gbps\" } } }, or another topology"));
}

system::Element element(std::string name, system::ElementKind kind, int32_t node, std::vector<std::string> ports) {
  system::Element element;
  element.name = std::move(name);
  element.kind = kind;
  element.node = node;
  element.ports = std::move(ports);
  return element;
}

class Nanet final : public TopologyOf<v1::Topology::kNanet, v1::Nanet, CardSpec> {
  CardSpec check(const v1::Nanet& /*message*/, const experiment::RouterSpec& /*router*/,
                 experiment::TopologyReader& reader) const override {
    CardSpec spec;
    spec.ports = reader.number("ports", 1, kMostPorts);
    spec.line_latency = check_latency("line_latency", "line", kMostLine, reader);
    spec.pcie_latency = check_latency("pcie_latency", "PCIe port", kMostPcie, reader);
    spec.memory_latency = check_time("memory_latency", reader);
    spec.interrupt_latency = check_time("interrupt_latency", reader);
    spec.write_rate = check_rate("write_rate", reader);
    spec.cpu_read_rate = check_rate("cpu_read_rate", reader);
    spec.gpu_read_rate = check_rate("gpu_read_rate", reader);
    return spec;
  }

  absl::StatusOr<system::SystemGraph> build(const CardSpec& spec,
                                            const experiment::Experiment& experiment) const override {
    if (absl::Status status = check_experiment(experiment); !status.ok()) return status;
    system::SystemGraph graph;
    graph.topology = fmt::format("nanet with {} ports", spec.ports);
    graph.router_clock = Clock(experiment.router.clock);
    graph.buffer_words = experiment.router.buffer_words;
    graph.link_rate = rtl::nanet::kLineRate;
    graph.words = {.content = link::LinkType::Content::kWords, .vcs = 1, .word_bits = rtl::nanet::kLineBits};
    graph.all_logic = "nanet";
    std::vector<std::string> ports;
    for (int32_t port = 0; port < spec.ports; ++port) {
      graph.elements.push_back(element(fmt::format("host[{}]", port), system::ElementKind::kHost, port, {"line"}));
      ports.push_back(fmt::format("eth{}", port));
    }
    graph.elements.push_back(
        element(fmt::format("host[{}]", spec.ports), system::ElementKind::kHost, spec.ports, {"pcie"}));
    ports.emplace_back("pcie");
    const int32_t card = spec.ports + 1;
    graph.elements.push_back(element("nanet", system::ElementKind::kCard, 0, std::move(ports)));
    for (int32_t port = 0; port <= spec.ports; ++port) {
      const bool line = port < spec.ports;
      graph.links.push_back({.ends = {{port, 0}, {card, port}},
                             .rate = line ? rtl::nanet::kLineRate : kPcieRate,
                             .latency = line ? spec.line_latency : spec.pcie_latency,
                             .buffer_words = experiment.router.buffer_words,
                             .word_bits = rtl::nanet::kLineBits});
    }
    graph.build_index();
    return graph;
  }
  double nodes(const CardSpec& spec) const override { return spec.ports + 1; }
};

}  // namespace

const Topology& nanet() {
  static const Nanet topology;
  return topology;
}

}  // namespace fabrictwin::topology::nanet
