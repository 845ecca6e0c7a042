// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/dragonfly/dragonfly.h"

#include <string>

#include "fmt/format.h"
#include "models/topology/dragonfly/layout.h"
#include "models/topology/graph_builder.h"

namespace fabrictwin::topology::dragonfly {
namespace {

/// Builds one dragonfly.
class Builder {
 public:
  explicit Builder(const experiment::Experiment& experiment)
      : spec_(experiment.dragonfly),
        layout_(spec_),
        builder_(system::TopologyKind::kDragonfly,
                 fmt::format("dragonfly {} groups of {}x{}", spec_.groups, spec_.rows, spec_.columns), experiment,
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
    const auto place = [&](int32_t router) {
      return std::array{layout_.group_of(router), layout_.row_of(router), layout_.column_of(router)};
    };
    for (int32_t host = 0; host < layout_.hosts(); ++host) {
      const auto [group, row, column] = place(layout_.router_of_host(host));
      const int32_t slot = layout_.host_port(host);
      builder_.add_host({slot, column, row, group}, position_text({group, row, column, slot}), {"nic"});
    }
    std::vector<std::string> ports;
    add_port_names(ports, "host", spec_.hosts_per_router);
    add_port_names(ports, "row", (spec_.columns - 1) * spec_.row_links);
    add_port_names(ports, "column", (spec_.rows - 1) * spec_.column_links);
    add_port_names(ports, "global", spec_.global_ports);
    for (int32_t router = 0; router < layout_.routers(); ++router) {
      const auto [group, row, column] = place(router);
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

  const experiment::DragonflySpec& spec_;
  const Layout layout_;
  GraphBuilder builder_;
};

}  // namespace

system::SystemGraph build_dragonfly(const experiment::Experiment& experiment) { return Builder(experiment).build(); }

}  // namespace fabrictwin::topology::dragonfly
