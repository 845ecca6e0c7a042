// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Trees of congested outputs as SVG text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dashboards/report/svg.h"

namespace fabrictwin::dashboards::report {

/// A node of a tree, and the one that it waits for.
struct TreeNode {
  std::string label;           ///< "router[0].x+".
  std::string value;           ///< "12.3 kB".
  double weight = 0;           ///< From 0 to 1: how dark it is.
  std::optional<size_t> next;  ///< Its number among the nodes; a root has none.
};

/// Trees with their roots on the left, and right of each node those that wait for it; nodes that wait for each other in
/// a circle have the first of them as root. InvalidArgument if a text cannot be drawn or `next` is not the number of a
/// node.
absl::StatusOr<Picture> tree_picture(const std::string& title, const std::vector<TreeNode>& nodes);

}  // namespace fabrictwin::dashboards::report
