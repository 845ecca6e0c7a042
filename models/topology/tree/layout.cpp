// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/tree/layout.h"

namespace fabrictwin::topology::tree {
Layout::Layout(const FatTreeSpec& spec) {
  for (const int32_t children : spec.down) hosts_ *= children;
  Level level;
  for (size_t i = 0; i < spec.down.size(); ++i) {
    const bool last = i + 1 == spec.down.size();
    level.children = spec.down[i];
    level.parents = last ? 0 : spec.up[i];
    level.links_down = i == 0 ? 1 : spec.parallel[i - 1];
    level.links_up = last ? 0 : spec.parallel[i];
    level.hosts_below *= level.children;
    level.subtrees = hosts_ / level.hosts_below;
    level.first = routers_;
    routers_ += level.subtrees * level.width;
    levels_.push_back(level);
    level.width *= level.parents;
  }
}

int32_t Layout::level_of(int32_t router) const {
  int32_t level = levels();
  while (router < at(level).first) --level;
  return level;
}

int32_t Layout::subtree_of(int32_t router) const {
  const Level& level = at(level_of(router));
  return (router - level.first) / level.width;
}

int32_t Layout::index_of(int32_t router) const {
  const Level& level = at(level_of(router));
  return (router - level.first) % level.width;
}

bool Layout::is_above(int32_t router, int32_t host) const {
  return host / at(level_of(router)).hosts_below == subtree_of(router);
}

}  // namespace fabrictwin::topology::tree
