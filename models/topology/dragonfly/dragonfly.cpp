// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The dragonfly: docs/models/topologies.md.
#include <array>
#include <cstdint>
#include <string>

#include "fmt/format.h"
#include "models/topology/dragonfly/layout.h"
#include "models/topology/graph_builder.h"
#include "models/topology/topology.h"

namespace fabrictwin::topology::dragonfly {
namespace {

using experiment::kMaxRouterPorts;
using experiment::TopologyReader;

constexpr int32_t kMaxGroups = 4096;

/// The number of links of each pair of groups: as written, or else as many as the ports allow.
int32_t check_global_links(TopologyReader& reader, const DragonflySpec& spec) {
  if (spec.groups == 1) {
    if (reader.has("global_links")) reader.complain("global_links", "there is one group, so no pair of them to link");
    return 0;
  }
  const int32_t ports = spec.rows * spec.columns * spec.global_ports;
  const int32_t most = ports / (spec.groups - 1);
  if (most == 0) {
    reader.complain(reader.has("groups") ? "groups" : "global_ports",
                    fmt::format("{} groups: a group of {} routers has {} global ports, too few for a link to each of "
                                "the other {}; write at most {} groups or more global_ports",
                                spec.groups, spec.rows * spec.columns, ports, spec.groups - 1, ports + 1));
    return 1;
  }
  return reader.number("global_links", 1, most, most);
}

DragonflySpec check_dragonfly(TopologyReader& reader) {
  DragonflySpec spec;
  spec.groups = reader.number("groups", 1, kMaxGroups);
  spec.rows = reader.number("rows", 1, kMaxRouterPorts);
  spec.columns = reader.number("columns", 1, kMaxRouterPorts);
  spec.hosts_per_router = reader.number("hosts_per_router", 1, kMaxRouterPorts);
  spec.row_links = reader.number("row_links", 1, kMaxRouterPorts);
  spec.column_links = reader.number("column_links", 1, kMaxRouterPorts);
  spec.global_ports = reader.number("global_ports", 1, kMaxRouterPorts);
  spec.global_links = check_global_links(reader, spec);
  const int64_t ports = spec.hosts_per_router + int64_t{spec.columns - 1} * spec.row_links +
                        int64_t{spec.rows - 1} * spec.column_links + spec.global_ports;
  reader.check_ports("", "a router", ports,
                     fmt::format("{} are for hosts, {} for its row, {} for its column and {} for other groups: write "
                                 "fewer of one of them",
                                 spec.hosts_per_router, int64_t{spec.columns - 1} * spec.row_links,
                                 int64_t{spec.rows - 1} * spec.column_links, spec.global_ports));
  const int64_t routers = int64_t{spec.groups} * spec.rows * spec.columns;
  reader.check_nodes("", routers * spec.hosts_per_router, routers);
  spec.local = reader.link("local");
  spec.global = reader.link("global");
  spec.host = reader.link("host");
  return spec;
}

/// Builds one dragonfly, numbered as Layout says. Routers have positions "group.row.column", hosts
/// "group.row.column.slot".
class Builder {
 public:
  Builder(const DragonflySpec& spec, const experiment::Experiment& experiment)
      : spec_(spec),
        layout_(spec_),
        builder_(fmt::format("dragonfly {} groups of {}x{}", spec_.groups, spec_.rows, spec_.columns), experiment,
                 spec_.local.rate) {}

  system::SystemGraph build() {
    add_elements();
    for (int32_t host = 0; host < layout_.hosts(); ++host)
      builder_.join_host(host, 0, layout_.router_of_host(host), layout_.host_port(host), spec_.host);
    for (int32_t router = 0; router < layout_.routers(); ++router) join_group(router);
    for (int32_t a = 0; a < spec_.groups; ++a) {
      for (int32_t b = a + 1; b < spec_.groups; ++b) join_groups(a, b);
    }
    return builder_.build();
  }

 private:
  void add_elements() {
    const auto position = [&](int32_t router) {
      return std::array{layout_.group_of(router), layout_.row_of(router), layout_.column_of(router)};
    };
    for (int32_t host = 0; host < layout_.hosts(); ++host) {
      const auto [group, row, column] = position(layout_.router_of_host(host));
      const int32_t slot = layout_.host_port(host);
      builder_.add_host({slot, column, row, group}, position_text({group, row, column, slot}), {"nic"});
    }
    std::vector<std::string> ports;
    add_port_names(ports, "host", spec_.hosts_per_router);
    add_port_names(ports, "row", (spec_.columns - 1) * spec_.row_links);
    add_port_names(ports, "column", (spec_.rows - 1) * spec_.column_links);
    add_port_names(ports, "global", spec_.global_ports);
    for (int32_t router = 0; router < layout_.routers(); ++router) {
      const auto [group, row, column] = position(router);
      builder_.add_router({column, row, group}, position_text({group, row, column}), ports);
    }
  }

  /// Joins a router with those of its row and of its column that come after it.
  void join_group(int32_t router) {
    const int32_t row = layout_.row_of(router);
    const int32_t column = layout_.column_of(router);
    for (int32_t other = column + 1; other < spec_.columns; ++other) {
      for (int32_t k = 0; k < spec_.row_links; ++k) {
        builder_.join_routers(router, layout_.row_port(column, other, k), router + other - column,
                              layout_.row_port(other, column, k), spec_.local);
      }
    }
    for (int32_t other = row + 1; other < spec_.rows; ++other) {
      for (int32_t k = 0; k < spec_.column_links; ++k) {
        builder_.join_routers(router, layout_.column_port(row, other, k), router + (other - row) * spec_.columns,
                              layout_.column_port(other, row, k), spec_.local);
      }
    }
  }

  void join_groups(int32_t a, int32_t b) {
    for (int32_t j = 0; j < spec_.global_links; ++j) {
      const GlobalPort from = layout_.global_port(a, b, j);
      const GlobalPort to = layout_.global_port(b, a, j);
      builder_.join_routers(from.router, from.port, to.router, to.port, spec_.global);
    }
  }

  const DragonflySpec& spec_;
  const Layout layout_;
  GraphBuilder builder_;
};

class Dragonfly final : public TopologyOf<v1::Topology::kDragonfly, v1::Dragonfly, DragonflySpec> {
 public:
  system::TopologyFamily family() const override { return system::TopologyFamily::kDragonfly; }

 private:
  DragonflySpec check(const v1::Dragonfly& /*message*/, const experiment::RouterSpec& /*router*/,
                      TopologyReader& reader) const override {
    return check_dragonfly(reader);
  }
  absl::StatusOr<system::SystemGraph> build(const DragonflySpec& spec,
                                            const experiment::Experiment& experiment) const override {
    return Builder(spec, experiment).build();
  }
  double nodes(const DragonflySpec& spec) const override { return Layout(spec).hosts(); }
};

}  // namespace

const Topology& dragonfly() {
  static const Dragonfly topology;
  return topology;
}

}  // namespace fabrictwin::topology::dragonfly
