// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/graph/up_down.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "fmt/format.h"
#include "models/routing/factory.h"
#include "models/routing/graph/distances.h"
#include "models/routing/vc_classes.h"

namespace fabrictwin::routing::graph {
namespace {

constexpr int32_t kFar = std::numeric_limits<int32_t>::max() / 2;

/// The router with that name or, without a name, the first with most links to others; -1 if there is none.
int32_t find_root(const RouterGraph& routers, const std::string& name) {
  int32_t best = -1;
  int32_t best_links = -1;
  for (int32_t router = 0; router < routers.routers(); ++router) {
    if (!name.empty()) {
      if (routers.router_name(router) == name) return router;
      continue;
    }
    int32_t links = 0;
    for (int32_t port = 0; port < routers.ports(router); ++port)
      links += routers.peer(router, port).router >= 0 ? 1 : 0;
    if (links > best_links) {
      best = router;
      best_links = links;
    }
  }
  return best;
}

}  // namespace

UpDown::UpDown(const RouterGraph& routers, int32_t vcs)
    : fresh_(routers, kNone), down_(routers, kNone), all_(VcClasses(vcs, 1).all()) {}

absl::StatusOr<UpDown> UpDown::create(const RouterGraph& routers, int32_t vcs, const std::string& root) {
  const int32_t found = find_root(routers, root);
  if (found < 0) {
    return absl::InvalidArgumentError(
        fmt::format("there is no router \"{}\" to be the root; write the name of one, "
                    "such as \"{}\", or leave root out",
                    root, routers.router_name(0)));
  }
  const std::vector<int32_t> hops = hops_to(routers, found);
  if (const auto lost = std::ranges::find(hops, -1); lost != hops.end()) {
    return absl::InvalidArgumentError(fmt::format("there is no path from {} to {}; join them",
                                                  routers.router_name(static_cast<int32_t>(lost - hops.begin())),
                                                  routers.router_name(found)));
  }
  UpDown made(routers, vcs);
  made.order_from(routers, hops);
  for (int32_t target = 0; target < routers.routers(); ++target) made.fill(routers, target);
  return made;
}

void UpDown::order_from(const RouterGraph& routers, const std::vector<int32_t>& hops) {
  by_order_.resize(hops.size());
  std::iota(by_order_.begin(), by_order_.end(), 0);
  std::ranges::stable_sort(by_order_, {}, [&](int32_t router) { return hops[router]; });
  order_.resize(hops.size());
  for (size_t i = 0; i < by_order_.size(); ++i) order_[by_order_[i]] = static_cast<int32_t>(i);
  for (int32_t router = 0; router < routers.routers(); ++router) {
    first_port_.push_back(static_cast<int32_t>(leads_up_.size()));
    for (int32_t port = 0; port < routers.ports(router); ++port) {
      const int32_t next = routers.peer(router, port).router;
      leads_up_.push_back(next >= 0 && order_[next] < order_[router] ? 1 : 0);
    }
  }
}

void UpDown::fill(const RouterGraph& routers, int32_t target) {
  // Hops of the shortest route that only goes down, and of the shortest that may go up first.
  std::vector<int32_t> down(by_order_.size(), kFar);
  std::vector<int32_t> fresh(by_order_.size(), kFar);
  std::vector<uint8_t> good;
  const auto choose = [&](int32_t router, bool also_up, int32_t& hops) -> uint8_t {
    for (int32_t port = 0; port < routers.ports(router); ++port) {
      const int32_t next = routers.peer(router, port).router;
      if (next < 0) continue;
      const bool up = order_[next] < order_[router];
      if (up && !also_up) continue;
      const int32_t length = 1 + (up ? fresh[next] : down[next]);
      if (length < hops) {
        hops = length;
        good.clear();
      }
      if (length == hops && length < kFar) good.push_back(static_cast<uint8_t>(port));
    }
    const uint8_t port = good.empty() ? kNone : good[static_cast<size_t>(target) % good.size()];
    good.clear();
    return port;
  };
  // Downward distances are known first for routers last in the order.
  for (size_t i = by_order_.size(); i-- > 0;) {
    const int32_t router = by_order_[i];
    if (router == target) {
      down[router] = 0;
    } else {
      down_.at(router, target) = choose(router, false, down[router]);
    }
  }
  // Upward distances are known first for routers first in the order, which are above the others.
  for (const int32_t router : by_order_) {
    if (router == target) {
      fresh[router] = 0;
    } else {
      fresh_.at(router, target) = choose(router, true, fresh[router]);
    }
  }
}

void UpDown::options(int32_t router, int32_t in_port, int32_t, PacketRoute& route, RouteOptions& options) const {
  const int32_t target = fresh_.router_of(route.destination);
  const int16_t port =
      target == router ? fresh_.host_port(route.destination) : port_to(router, target, !came_down(router, in_port));
  options.add({port, false, all_});
}

int64_t UpDown::rank(int32_t router, int32_t port, int32_t) const {
  const auto last = static_cast<int64_t>(order_.size());
  return leads_up_[first_port_[router] + port] != 0 ? last - order_[router] : last + order_[router];
}

const Factory& up_down() {
  static const Factory factory{
      .kind = v1::UP_DOWN, .parameters = {"root"}, .make = [](const Request& request) -> Made {
        if (absl::Status status = request.check_size(table::RouterTable<uint8_t>::kMaxRouters); !status.ok())
          return status;
        absl::StatusOr<UpDown> made = UpDown::create(RouterGraph(request.graph()), request.vcs(), request.spec().root);
        if (!made.ok()) return request.refuse_root(made.status());
        return share(*std::move(made));
      }};
  return factory;
}

}  // namespace fabrictwin::routing::graph
