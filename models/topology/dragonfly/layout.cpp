// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/dragonfly/layout.h"

namespace fabrictwin::topology::dragonfly {

GlobalPort Layout::global_port(int32_t from_group, int32_t to_group, int32_t link) const {
  const int32_t peer = (to_group - from_group - 1 + spec_.groups) % spec_.groups;
  const int32_t number = peer * spec_.global_links + link;
  return {from_group * group_size() + number % group_size(), first_global_port() + number / group_size()};
}

int32_t Layout::global_peer(int32_t router, int32_t port) const {
  const int32_t number = port * group_size() + router % group_size();
  if (number >= (spec_.groups - 1) * spec_.global_links) return -1;
  return (group_of(router) + 1 + number / spec_.global_links) % spec_.groups;
}

}  // namespace fabrictwin::topology::dragonfly
