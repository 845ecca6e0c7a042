// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/hardware_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/system/plan.h"

namespace fabrictwin::system {
namespace {

/// The register has 20 bits: rtl/rdma.
constexpr int64_t kMaxFirmwareCycles = (1 << 20) - 1;
/// Reads, and writes, of memory under way: `MaxBursts` of rtl/rdma.
constexpr int32_t kMemoryBursts = 8;

class HardwareChecker {
 public:
  HardwareChecker(const experiment::Experiment& experiment, const SystemGraph& graph,
                  experiment::DiagnosticList& diagnostics)
      : experiment_(experiment), graph_(graph), diagnostics_(diagnostics) {}

  void check(const experiment::UseSpec& use) {
    const std::string_view name = v1::Implementation_Name(use.implementation);
    if (graph_.has_card()) return check_card(use);
    if (use.place == experiment::kShellBoard) check_shell(use);
    if (graph_.routes) return check_tables(use);
    if (graph_.dims.size() > hardware().dims) {
      diagnostics_.add(
          use.source, fmt::format("{} routers have at most {} dimensions and this lattice has {}; use MODEL, a smaller "
                                  "lattice, or routing {{ "
                                  "algorithm: DIMENSION_ORDER }}, which goes by tables",
                                  name, hardware().dims, graph_.dims.size()));
    }
    for (const Element& element : graph_.elements) {
      if (element.address < hardware().node_addresses) continue;
      diagnostics_.add(
          use.source,
          fmt::format("the network interface of {} nodes tells the messages of {} nodes apart and {} has {}; use "
                      "MODEL or at most 8 blades",
                      name, hardware().node_addresses, graph_.topology, graph_.host_count()));
      break;
    }
    check_buffers(name);
    check_links(use);
    check_host_timing(name);
  }

 private:
  const experiment::HardwareCapabilities& hardware() const { return experiment_.capabilities.hardware; }

  /// Boards hold routers and nodes.
  void check_card(const experiment::UseSpec& use) {
    if (use.implementation != v1::BOARD) return;
    diagnostics_.add(use.source,
                     fmt::format("\"{}\" selects a card, and boards hold routers or nodes; write implementation: "
                                 "RTL or MODEL",
                                 use.select));
  }

  void check_shell(const experiment::UseSpec& use) {
    const absl::StatusOr<std::vector<ElementId>> selected = select_elements(graph_, use.select);
    if (!selected.ok()) return;
    for (const ElementId id : *selected) {
      const Element& element = graph_.elements[static_cast<size_t>(id)];
      const auto ports = static_cast<int32_t>(element.ports.size());
      const bool node = element.kind == ElementKind::kNode;
      if (id < graph_.host_count() || (!node && ports <= hardware().shell_ports)) continue;
      const std::string what = node ? "is a node" : fmt::format("has {} ports", ports);
      diagnostics_.add(use.source,
                       fmt::format("{} {}, and a Verilated shell is for routers of up to {}; write board: \"soft\"",
                                   element.name, what, hardware().shell_ports));
      return;
    }
  }

  void check_buffers(std::string_view name) {
    if (graph_.buffer_words == hardware().buffer_words) return;
    diagnostics_.add(
        experiment_.router_location,
        fmt::format("{} routers have buffers of {} words and buffer_words is {}; leave it at {} or use MODEL", name,
                    hardware().buffer_words, graph_.buffer_words, hardware().buffer_words));
  }

  /// Checks the links between boards, which are those with a protocol, of what is selected.
  void check_links(const experiment::UseSpec& use) {
    const absl::StatusOr<std::vector<ElementId>> selected = select_elements(graph_, use.select);
    if (!selected.ok()) return;
    const std::set<ElementId> elements(selected->begin(), selected->end());
    for (const Link& link : graph_.links) {
      if (link.refresh == Time::zero() || std::ranges::count(hardware().node_link_words, link.buffer_words) > 0)
        continue;
      if (std::ranges::none_of(link.ends, [&](const LinkEnd& end) { return elements.contains(end.element); })) continue;
      diagnostics_.add(use.source,
                       fmt::format("links between boards of {} nodes hold {} or {} words of each virtual channel, and "
                                   "link_buffer_words is {}; write one of those, or use MODEL",
                                   v1::Implementation_Name(use.implementation), hardware().node_link_words[0],
                                   hardware().node_link_words[1], link.buffer_words));
      return;
    }
  }

  /// Checks RTL routers of networks other than tori, which use route tables.
  void check_tables(const experiment::UseSpec& use) {
    const std::string_view name = v1::Implementation_Name(use.implementation);
    const int32_t hosts = graph_.host_count();
    const int32_t destinations = graph_.routes->destinations();
    if (destinations > hardware().table_destinations) {
      const std::string has = destinations == hosts
                                  ? fmt::format("{}", hosts)
                                  : fmt::format("{}, each with {} ports that count", hosts, destinations / hosts);
      diagnostics_.add(use.source,
                       fmt::format("{} routers have tables for {} hosts and {} has {}; use MODEL or a smaller network",
                                   name, hardware().table_destinations, graph_.topology, has));
    }
    check_buffers(name);
    check_host_timing(name);
  }

  /// Refuses parameters that only the model of a node's network interface supports. Others are always models.
  void check_host_timing(std::string_view name) {
    if (!graph_.has_nodes()) return;
    check_memory(name);
    const int64_t cycles = graph_.router_clock.edge_at_or_after(experiment_.host.firmware_delay.value_or(Time::zero()));
    if (cycles > kMaxFirmwareCycles) {
      diagnostics_.add(experiment_.firmware_location,
                       fmt::format("firmware_delay is {} cycles, and the register of {} nodes says at most {}; write a "
                                   "shorter one or use MODEL",
                                   cycles, name, kMaxFirmwareCycles));
    }
  }

  void check_memory(std::string_view name) {
    const auto& memory = experiment_.host.memory;
    if (!memory.has_value()) return;
    if (memory->outstanding != kMemoryBursts) {
      diagnostics_.add(experiment_.memory_location,
                       fmt::format("memory: outstanding is {}, and {} nodes have {} bursts under way; leave it at {} "
                                   "or use MODEL",
                                   memory->outstanding, name, kMemoryBursts, kMemoryBursts));
    }
    if (memory->page_fault_time > Time::zero()) {
      diagnostics_.add(experiment_.memory_location,
                       fmt::format("memory: page_fault_time is that of hosts whose network interface is a model, and "
                                   "some are {}; leave it out or use MODEL",
                                   name));
    }
  }

  const experiment::Experiment& experiment_;
  const SystemGraph& graph_;
  experiment::DiagnosticList& diagnostics_;
};

}  // namespace

void check_hardware(const experiment::Experiment& experiment, const SystemGraph& graph, const experiment::UseSpec& use,
                    experiment::DiagnosticList& diagnostics) {
  HardwareChecker(experiment, graph, diagnostics).check(use);
}

}  // namespace fabrictwin::system
