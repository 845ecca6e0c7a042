// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/tree/routing.h"

#include <algorithm>
#include <utility>

#include "cosim/base/random.h"
#include "cosim/base/text.h"
#include "fmt/format.h"
#include "models/routing/factory.h"
#include "models/routing/mix.h"
#include "models/routing/vc_classes.h"

namespace fabrictwin::routing::tree {

TreeRouting::TreeRouting(int32_t vcs, Up up, uint64_t seed) : up_(up), seed_(seed), all_(VcClasses(vcs, 1).all()) {}

absl::StatusOr<TreeRouting> TreeRouting::create(const RouterGraph& routers, int32_t vcs, Up up, uint64_t seed) {
  TreeRouting made(vcs, up, seed);
  if (absl::Status status = made.find_levels(routers); !status.ok()) return status;
  made.find_ports(routers);
  if (absl::Status status = made.find_hosts(routers); !status.ok()) return status;
  if (absl::Status status = made.find_digits(routers); !status.ok()) return status;
  return made;
}

absl::Status TreeRouting::find_levels(const RouterGraph& routers) {
  nodes_.resize(static_cast<size_t>(routers.routers()));
  by_level_.emplace_back();
  for (int32_t router = 0; router < routers.routers(); ++router) {
    if (routers.first_host_port(router) < 0) continue;
    nodes_[router].level = 0;
    by_level_[0].push_back(router);
  }
  for (int32_t level = 0; !by_level_[level].empty(); ++level) {
    by_level_.emplace_back();
    for (const int32_t router : by_level_[level]) {
      for (int32_t port = 0; port < routers.ports(router); ++port) {
        const int32_t next = routers.peer(router, port).router;
        if (next < 0) continue;
        if (nodes_[next].level < 0) {
          nodes_[next].level = level + 1;
          by_level_[level + 1].push_back(next);
        } else if (nodes_[next].level == level) {
          return absl::InvalidArgumentError(fmt::format(", where {} and {} are joined on the same level",
                                                        routers.router_name(router), routers.router_name(next)));
        }
      }
    }
  }
  by_level_.pop_back();
  top_ = static_cast<int32_t>(by_level_.size()) - 1;
  for (std::vector<int32_t>& level : by_level_) std::ranges::sort(level);
  return absl::OkStatus();
}

void TreeRouting::find_ports(const RouterGraph& routers) {
  leads_up_.resize(nodes_.size());
  for (int32_t router = 0; router < routers.routers(); ++router) {
    Node& node = nodes_[router];
    // The ports to each neighbour, in the order of their first ports.
    std::vector<std::pair<int32_t, std::vector<int16_t>>> ups;
    std::vector<std::pair<int32_t, std::vector<int16_t>>> downs;
    for (int32_t port = 0; port < routers.ports(router); ++port) {
      const int32_t next = routers.peer(router, port).router;
      const bool up = next >= 0 && nodes_[next].level > node.level;
      leads_up_[router].push_back(up ? 1 : 0);
      if (next < 0) continue;
      auto& list = up ? ups : downs;
      auto found = std::ranges::find(list, next, [](const auto& entry) { return entry.first; });
      if (found == list.end()) found = list.insert(list.end(), {next, {}});
      found->second.push_back(static_cast<int16_t>(port));
    }
    // One link to each parent comes first, then the parallel ones, so that D-mod-K goes round the parents.
    node.first_up = static_cast<int32_t>(ports_.size());
    for (size_t link = 0, before = ports_.size() + 1; before != ports_.size(); ++link) {
      before = ports_.size();
      for (const auto& [parent, ports] : ups) {
        if (link < ports.size()) ports_.push_back(ports[link]);
      }
    }
    node.ups = static_cast<int32_t>(ports_.size()) - node.first_up;
    node.first_child = static_cast<int32_t>(children_.size());
    for (const auto& [child, ports] : downs) {
      children_.push_back({static_cast<int32_t>(ports_.size()), static_cast<int32_t>(ports.size()), child});
      ports_.insert(ports_.end(), ports.begin(), ports.end());
    }
  }
}

absl::Status TreeRouting::find_hosts(const RouterGraph& routers) {
  leaves_ = static_cast<int32_t>(by_level_[0].size());
  std::vector<int32_t> leaf_of(nodes_.size(), -1);
  for (int32_t leaf = 0; leaf < leaves_; ++leaf) leaf_of[by_level_[0][leaf]] = leaf;
  for (int32_t host = 0; host < routers.hosts(); ++host) {
    host_router_.push_back(routers.host_router(host));
    host_port_.push_back(static_cast<int16_t>(routers.host_port(host)));
    leaf_of_host_.push_back(leaf_of[host_router_.back()]);
  }
  child_of_.assign(nodes_.size() * static_cast<size_t>(leaves_), kNone);
  const auto row = [&](int32_t router) { return static_cast<size_t>(router) * static_cast<size_t>(leaves_); };
  for (int32_t leaf = 0; leaf < leaves_; ++leaf) child_of_[row(by_level_[0][leaf]) + static_cast<size_t>(leaf)] = 0;
  for (int32_t level = 1; level <= top_; ++level) {
    for (const int32_t router : by_level_[level]) {
      const int32_t end =
          router + 1 < routers.routers() ? nodes_[router + 1].first_child : static_cast<int32_t>(children_.size());
      for (int32_t child = nodes_[router].first_child; child < end; ++child) {
        for (int32_t leaf = 0; leaf < leaves_; ++leaf) {
          if (child_of_[row(children_[child].router) + static_cast<size_t>(leaf)] != kNone)
            child_of_[row(router) + static_cast<size_t>(leaf)] =
                static_cast<int16_t>(child - nodes_[router].first_child);
        }
      }
    }
  }
  for (int32_t router = 0; router < routers.routers(); ++router) {
    if (nodes_[router].level < 0)
      return absl::InvalidArgumentError(fmt::format(", where no host can reach {}", routers.router_name(router)));
    if (nodes_[router].ups > 0) continue;
    for (int32_t leaf = 0; leaf < leaves_; ++leaf) {
      if (child_of_[row(router) + static_cast<size_t>(leaf)] != kNone) continue;
      return absl::InvalidArgumentError(
          fmt::format(", where {} has not all hosts below it and no path up", routers.router_name(router)));
    }
  }
  return absl::OkStatus();
}

absl::Status TreeRouting::find_digits(const RouterGraph& routers) {
  if (up_ != Up::kDModK) return absl::OkStatus();
  int64_t width = 1;  // Routers at the top of a subtree of this level.
  for (int32_t level = 0; level < top_; ++level) {
    const int32_t ups = nodes_[by_level_[level].front()].ups;
    std::vector<int32_t> parents;
    for (const int32_t router : by_level_[level]) {
      if (nodes_[router].ups == ups) continue;
      return absl::InvalidArgumentError(fmt::format(", where {} and {} have not the same number of ports up",
                                                    routers.router_name(by_level_[level].front()),
                                                    routers.router_name(router)));
    }
    const Node& first = nodes_[by_level_[level].front()];
    for (int32_t up = 0; up < ups; ++up)
      parents.push_back(routers.peer(by_level_[level].front(), ports_[first.first_up + up]).router);
    std::ranges::sort(parents);
    for (int32_t host = 0; host < routers.hosts(); ++host) digits_.push_back(static_cast<uint16_t>(host / width % ups));
    width *= std::unique(parents.begin(), parents.end()) - parents.begin();
  }
  return absl::OkStatus();
}

void TreeRouting::options(int32_t router, int32_t, int32_t, PacketRoute& route, RouteOptions& options) const {
  const int32_t host = route.destination;
  if (host_router_[host] == router) {
    options.add({host_port_[host], false, all_});
    return;
  }
  const Node& node = nodes_[router];
  const size_t row = static_cast<size_t>(router) * static_cast<size_t>(leaves_);
  if (const int16_t child = child_of_[row + static_cast<size_t>(leaf_of_host_[host])]; child != kNone) {
    const Child& down = children_[node.first_child + child];
    options.add({ports_[down.first + (down.count > 1 ? host % down.count : 0)], false, all_});
    return;
  }
  const int16_t* up = &ports_[node.first_up];
  if (up_ == Up::kDModK) {
    options.add(
        {up[digits_[static_cast<size_t>(node.level) * host_router_.size() + static_cast<size_t>(host)]], false, all_});
    return;
  }
  for (int32_t i = 0; i < node.ups; ++i) options.add({up[i], false, all_});
}

int32_t TreeRouting::choose(int32_t router, const PacketRoute& route, int32_t count) const {
  uint32_t random = route.random;
  if (up_ == Up::kByFlow) {
    const uint64_t pair =
        uint64_t{static_cast<uint32_t>(route.source)} << 32 | static_cast<uint32_t>(route.destination);
    random = static_cast<uint32_t>(RandomStream(seed_, pair, RandomPurpose::kFlow).at(route.flow));
  }
  // Routers choose independently: otherwise all that come from below by one port would go on by one port.
  return pick(random, static_cast<uint32_t>(router), count);
}

int64_t TreeRouting::rank(int32_t router, int32_t port, int32_t) const {
  const int32_t level = nodes_[router].level;
  return leads_up_[router][port] != 0 ? level : 2 * top_ - level + 1;
}

namespace {

Made on_tree(const Request& request, TreeRouting::Up up) {
  absl::StatusOr<TreeRouting> made =
      TreeRouting::create(RouterGraph(request.graph()), request.vcs(), up, request.experiment().seed);
  if (!made.ok()) return request.unsuitable(message_of(made.status()));
  return share(*std::move(made));
}

}  // namespace

const Factory& up_down() {
  // With a root, a tree is a graph like any other.
  static const Factory factory{
      .kind = v1::UP_DOWN,
      .suits = [](const Request& request) { return is_tree(request) && request.spec().root.empty(); },
      .make = [](const Request& request) { return on_tree(request, TreeRouting::Up::kAny); }};
  return factory;
}

const Factory& d_mod_k() {
  static const Factory factory{
      .kind = v1::D_MOD_K, .make = [](const Request& request) { return on_tree(request, TreeRouting::Up::kDModK); }};
  return factory;
}

const Factory& ecmp() {
  static const Factory factory{
      .kind = v1::ECMP, .make = [](const Request& request) { return on_tree(request, TreeRouting::Up::kByFlow); }};
  return factory;
}

const Factory& random_up() {
  static const Factory factory{.kind = v1::RANDOM_UP, .make = [](const Request& request) {
                                 return on_tree(request, TreeRouting::Up::kByPacket);
                               }};
  return factory;
}

}  // namespace fabrictwin::routing::tree
