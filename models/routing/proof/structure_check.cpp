// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/proof/structure_check.h"

#include <bit>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/text.h"
#include "fmt/format.h"
#include "models/routing/lattice/by_dimension.h"
#include "models/routing/proof/dimension_check.h"

namespace fabrictwin::routing::proof {
namespace {

constexpr int32_t kSamples = 20'000;
constexpr int32_t kMaxHops = 10'000;

/// A packet between random hosts, on one of the routes with which it may begin.
PacketRoute random_packet(const RouterGraph& routers, const RoutingAlgorithm& routing, std::mt19937& random) {
  PacketRoute packet;
  packet.source = static_cast<int32_t>(random() % static_cast<uint32_t>(routers.hosts()));
  packet.destination = static_cast<int32_t>(random() % static_cast<uint32_t>(routers.hosts()));
  const int32_t router = routers.host_router(packet.source);
  std::vector<PacketRoute> routes;
  const auto keep = [&](const PacketRoute& route) { routes.push_back(route); };
  if (random() % 2 == 0) routing.for_each_detour(router, packet, keep);
  if (routes.empty()) routing.for_each_beginning(router, packet, keep);
  return routes[random() % routes.size()];
}

/// Follows one packet: OK if every buffer on its route ranks higher than the one before.
absl::Status check_ranks(const RouterGraph& routers, const RoutingAlgorithm& routing, PacketRoute packet,
                         std::mt19937& random) {
  int32_t at = routers.host_router(packet.source);
  int32_t in_port = routers.host_port(packet.source);
  int32_t in_vc = 0;
  int64_t held = -1;
  for (int32_t hop = 0; hop < kMaxHops; ++hop) {
    RouteOptions options;
    routing.options(at, in_port, in_vc, packet, options);
    if (options.size() == 0) return absl::InvalidArgumentError("nowhere in " + routers.router_name(at));
    for (const RouteOption& option : options.all()) {
      if (routers.peer(at, option.port).host == packet.destination) return absl::OkStatus();
      for (uint32_t vcs = option.vcs; vcs != 0; vcs &= vcs - 1) {
        const int32_t vc = std::countr_zero(vcs);
        if (routers.peer(at, option.port).router >= 0 && routing.rank(at, option.port, vc) > held) continue;
        return absl::InvalidArgumentError(
            fmt::format("to {} VC {}, whose rank is not higher", routers.port_name(at, option.port), vc));
      }
    }
    const RouteOption& taken = options[random() % options.size()];
    in_vc = std::countr_zero(taken.vcs);
    held = routing.rank(at, taken.port, in_vc);
    in_port = routers.peer(at, taken.port).port;
    at = routers.peer(at, taken.port).router;
  }
  return absl::InvalidArgumentError("on and on");
}

absl::StatusOr<DeadlockProof> check_by_rank(const RouterGraph& routers, const RoutingAlgorithm& routing) {
  std::mt19937 random(1);  // Every run samples the same packets.
  for (int32_t i = 0; i < kSamples; ++i) {
    const PacketRoute packet = random_packet(routers, routing, random);
    const absl::Status status = check_ranks(routers, routing, packet, random);
    if (status.ok()) continue;
    return absl::InvalidArgumentError(fmt::format("routing leads a packet from {} to {} {}",
                                                  routers.host_name(packet.source),
                                                  routers.host_name(packet.destination), message_of(status)));
  }
  return DeadlockProof{
      DeadlockProofKind::kByRank,
      fmt::format("free of deadlock by the ranks that this algorithm gives to buffers: not all packets "
                  "of {} routers were looked at, but {} random ones only went to higher ranks",
                  routers.routers(), kSamples)};
}

}  // namespace

absl::StatusOr<DeadlockProof> check_structure(const RouterGraph& routers, const RoutingAlgorithm& routing,
                                              int32_t vcs) {
  const auto* const by_dimension = dynamic_cast<const lattice::ByDimension*>(&routing);
  if (by_dimension != nullptr && by_dimension->by_dimension() != nullptr)
    return check_by_dimension(routers, routing, *by_dimension->by_dimension(), vcs);
  for (int32_t port = 0; port < routers.ports(0); ++port) {
    if (routers.peer(0, port).router >= 0 && routing.rank(0, port, 0) >= 0) return check_by_rank(routers, routing);
  }
  return DeadlockProof{DeadlockProofKind::kNone,
                       fmt::format("not proved free of deadlock: {} routers are too many to look at all packets, and "
                                   "this algorithm has no structure that a proof could use",
                                   routers.routers())};
}

}  // namespace fabrictwin::routing::proof
