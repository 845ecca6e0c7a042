// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cosim/experiment/check/topology_families.h"
#include "cosim/experiment/check/topology_reader.h"

namespace fabrictwin::experiment {
namespace {

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

}  // namespace

DragonflySpec check_dragonfly(const v1::Dragonfly& dragonfly, Frequency clock, FieldChecker& fields) {
  TopologyReader reader(dragonfly, "topology.dragonfly", clock, fields);
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

}  // namespace fabrictwin::experiment
