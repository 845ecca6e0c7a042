// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/graph/adaptive.h"

#include <bit>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "models/routing/factory.h"
#include "models/routing/graph/distances.h"
#include "models/routing/vc_classes.h"

namespace fabrictwin::routing::graph {

Adaptive::Adaptive(const RouterGraph& routers, UpDown up_down, int32_t vcs)
    : up_down_(std::move(up_down)), ports_(routers, 0), all_(VcClasses(vcs, 1).all()) {
  for (int32_t router = 0; router < routers.routers(); ++router) {
    uint64_t mask = 0;
    for (int32_t port = 0; port < routers.ports(router); ++port) {
      if (routers.peer(router, port).router >= 0) mask |= uint64_t{1} << port;
    }
    router_ports_.push_back(mask);
  }
  for (int32_t target = 0; target < routers.routers(); ++target) {
    const std::vector<int32_t> hops = hops_to(routers, target);
    for (int32_t router = 0; router < routers.routers(); ++router) {
      for (uint64_t rest = router_ports_[router]; rest != 0; rest &= rest - 1) {
        const int32_t port = std::countr_zero(rest);
        if (hops[routers.peer(router, port).router] == hops[router] - 1)
          ports_.at(router, target) |= uint64_t{1} << port;
      }
    }
  }
}

absl::StatusOr<Adaptive> Adaptive::create(const RouterGraph& routers, int32_t vcs, const std::string& root) {
  absl::StatusOr<UpDown> up_down = UpDown::create(routers, 1, root);
  if (!up_down.ok()) return up_down.status();
  return Adaptive(routers, *std::move(up_down), vcs);
}

void Adaptive::options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
                       RouteOptions& options) const {
  const int32_t target = ports_.router_of(route.destination);
  if (target == router) {
    options.add({ports_.host_port(route.destination), false, all_});
    return;
  }
  const bool on_escape = in_vc == 0 && (router_ports_[router] >> in_port & 1) != 0;
  if (!on_escape) {
    for (uint64_t rest = ports_.at(router, target); rest != 0; rest &= rest - 1)
      options.add({static_cast<int16_t>(std::countr_zero(rest)), false, all_ & ~1U});
  }
  const bool fresh = !on_escape || !up_down_.came_down(router, in_port);
  options.add({up_down_.port_to(router, target, fresh), true, 1U});
}

const Factory& adaptive() {
  static const Factory factory{
      .kind = v1::MINIMAL_ADAPTIVE, .parameters = {"root"}, .make = [](const Request& request) -> Made {
        if (absl::Status status = request.check_size(Adaptive::kMaxRouters); !status.ok()) return status;
        if (absl::Status status = request.check_vcs(Adaptive::kClasses); !status.ok()) return status;
        const RouterGraph routers(request.graph());
        if (routers.most_ports() > Adaptive::kMaxPorts)
          return request.unsuitable(fmt::format(", whose routers have more than {} ports", Adaptive::kMaxPorts));
        absl::StatusOr<Adaptive> made = Adaptive::create(routers, request.vcs(), request.spec().root);
        if (!made.ok()) return request.refuse_root(made.status());
        return share(*std::move(made));
      }};
  return factory;
}

}  // namespace fabrictwin::routing::graph
