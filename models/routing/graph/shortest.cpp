// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/graph/shortest.h"

#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "models/routing/factory.h"
#include "models/routing/graph/distances.h"
#include "models/routing/vc_classes.h"

namespace fabrictwin::routing::graph {

Shortest::Shortest(const RouterGraph& routers, int32_t vcs) : ports_(routers, 0), all_(VcClasses(vcs, 1).all()) {}

absl::StatusOr<Shortest> Shortest::create(const RouterGraph& routers, int32_t vcs) {
  Shortest made(routers, vcs);
  std::vector<uint8_t> good;
  for (int32_t target = 0; target < routers.routers(); ++target) {
    const std::vector<int32_t> hops = hops_to(routers, target);
    for (int32_t router = 0; router < routers.routers(); ++router) {
      if (router == target) continue;
      if (hops[router] < 0) {
        return absl::InvalidArgumentError(fmt::format("there is no path from {} to {}; join them",
                                                      routers.router_name(router), routers.router_name(target)));
      }
      good.clear();
      for (int32_t port = 0; port < routers.ports(router); ++port) {
        const int32_t next = routers.peer(router, port).router;
        if (next >= 0 && hops[next] == hops[router] - 1) good.push_back(static_cast<uint8_t>(port));
      }
      made.ports_.at(router, target) = good[static_cast<size_t>(target) % good.size()];
    }
  }
  return made;
}

void Shortest::options(int32_t router, int32_t, int32_t, PacketRoute& route, RouteOptions& options) const {
  const int32_t target = ports_.router_of(route.destination);
  const int16_t port = target == router ? ports_.host_port(route.destination) : ports_.at(router, target);
  options.add({port, false, all_});
}

const Factory& shortest() {
  static const Factory factory{
      .kind = v1::SHORTEST, .make = [](const Request& request) -> Made {
        if (absl::Status status = request.check_size(table::RouterTable<uint8_t>::kMaxRouters); !status.ok())
          return status;
        absl::StatusOr<Shortest> made = Shortest::create(RouterGraph(request.graph()), request.vcs());
        if (!made.ok()) return Request::refuse(request.experiment().topology_location, message_of(made.status()));
        return share(*std::move(made));
      }};
  return factory;
}

}  // namespace fabrictwin::routing::graph
