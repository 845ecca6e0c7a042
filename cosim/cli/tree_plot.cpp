// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/tree_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "dashboards/report/plot_stack.h"
#include "dashboards/report/tree_plot.h"

namespace fabrictwin::cli {

absl::StatusOr<std::string> trees_svg(const v1::Report& report) {
  std::vector<dashboards::report::Picture> pictures;
  for (const v1::TreeSnapshot& tree : report.trees()) {
    uint64_t most = 1;
    for (const v1::TreePort& port : tree.ports()) most = std::max(most, port.bytes());
    std::vector<dashboards::report::TreeNode> nodes;
    for (const v1::TreePort& port : tree.ports()) {
      dashboards::report::TreeNode& node = nodes.emplace_back();
      node.label = port.port();
      node.value = fmt::format("{:.4g} kB", static_cast<double>(port.bytes()) / 1e3);
      node.weight = static_cast<double>(port.bytes()) / static_cast<double>(most);
      if (port.has_next()) node.next = static_cast<size_t>(port.next());
    }
    auto picture = dashboards::report::tree_picture(
        fmt::format("Congested outputs at {:g} us: each with those right of it that wait for it", tree.seconds() * 1e6),
        nodes);
    if (!picture.ok()) return picture.status();
    pictures.push_back(*std::move(picture));
  }
  return dashboards::report::stack_pictures(pictures);
}

}  // namespace fabrictwin::cli
