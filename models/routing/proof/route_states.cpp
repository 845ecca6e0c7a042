// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/proof/route_states.h"

#include <algorithm>
#include <bit>

#include "fmt/format.h"

namespace fabrictwin::routing::proof {

RouteStates::RouteStates(const RouterGraph& routers, const RoutingAlgorithm& routing, int32_t vcs)
    : routers_(routers), routing_(routing), vcs_(vcs) {
  first_.resize(static_cast<size_t>(routers.channels()) * static_cast<size_t>(vcs));
  detours_.resize(static_cast<size_t>(routers.routers()));
  arrivals_.resize(detours_.size());
  find_detours();
}

void RouteStates::find_detours() {
  for (int32_t router = 0; router < routers_.routers(); ++router) {
    const int32_t port = routers_.first_host_port(router);
    if (port < 0) continue;
    PacketRoute packet;
    packet.source = routers_.peer(router, port).host;
    routing_.for_each_detour(router, packet, [&](const PacketRoute& route) {
      has_detours_ = true;
      detours_[route.intermediate].push_back({router, route.random, route.state});
    });
  }
}

void RouteStates::restart() {
  ++target_;
  states_.clear();
  steps_.clear();
  variants_.clear();
}

int32_t RouteStates::state_of(int32_t buffer, const PacketRoute& route) {
  First& first = first_[buffer];
  const auto fresh = static_cast<int32_t>(states_.size());
  if (first.target != target_) {
    first = {target_, fresh};
  } else {
    const PacketRoute& known = states_[first.state].route;
    if (known.state == route.state && known.random == route.random) return first.state;
    const auto [found, is_new] = variants_.try_emplace({buffer, route.random, route.state}, fresh);
    if (!is_new) return found->second;
  }
  states_.push_back({buffer, route, 0, 0, false});
  return fresh;
}

absl::Status RouteStates::expand(int32_t state, int32_t router, int32_t in_port, int32_t in_vc, PacketRoute route) {
  RouteOptions options;
  ++work_;
  const int32_t destination = route.destination;
  const auto fail = [&](std::string_view what) {
    return absl::InternalError(fmt::format("routing leads a packet for {} {} in {}", routers_.host_name(destination),
                                           what, routers_.router_name(router)));
  };
  routing_.options(router, in_port, in_vc, route, options);
  if (options.size() == 0) return fail("nowhere");
  for (const RouteOption& option : options.all()) {
    if (option.port < 0 || option.port >= routers_.ports(router)) return fail(fmt::format("to port {}", option.port));
    if (option.vcs == 0 || (vcs_ < 32 && option.vcs >> vcs_ != 0))
      return fail(fmt::format("to VCs that do not exist (mask {:x})", option.vcs));
    const RouterGraph::End& end = routers_.peer(router, option.port);
    if (end.host >= 0) {
      if (end.host != destination) return fail(fmt::format("to {}", routers_.host_name(end.host)));
      states_[state].arrived = true;
      continue;
    }
    if (end.router < 0)
      return fail(fmt::format("to {}, which is not connected", routers_.port_name(router, option.port)));
    saw_escape_ = saw_escape_ || option.escape;
    const int32_t first = routers_.channel(router, option.port) * vcs_;
    for (uint32_t vcs = option.vcs; vcs != 0; vcs &= vcs - 1)
      steps_.push_back({state_of(first + std::countr_zero(vcs), route), option.escape});
  }
  return absl::OkStatus();
}

absl::Status RouteStates::expand_all(int32_t first) {
  for (size_t i = static_cast<size_t>(first); i < states_.size(); ++i) {
    const State state = states_[i];
    const RouterGraph::End& at = routers_.channel_end(state.buffer / vcs_);
    states_[i].first_step = static_cast<int32_t>(steps_.size());
    if (state.route.intermediate == at.router) {
      add_arrival(at.router, state);
      continue;
    }
    if (absl::Status status = expand(static_cast<int32_t>(i), at.router, at.port, state.buffer % vcs_, state.route);
        !status.ok())
      return status;
    states_[i].step_count = static_cast<int32_t>(steps_.size()) - states_[i].first_step;
  }
  return absl::OkStatus();
}

void RouteStates::add_arrival(int32_t intermediate, const State& state) {
  std::vector<Arrival>& arrivals = arrivals_[intermediate];
  const Arrival arrival{state.buffer, state.route.state};
  if (std::ranges::find(arrivals, arrival) == arrivals.end()) arrivals.push_back(arrival);
}

absl::Status RouteStates::explore_detour(int32_t intermediate) {
  restart();
  // The route to the intermediate router does not depend on the destination, so any destination will do.
  PacketRoute route;
  route.intermediate = intermediate;
  for (const Beginning& beginning : detours_[intermediate]) {
    route.random = beginning.random;
    route.state = beginning.state;
    const int32_t port = routers_.first_host_port(beginning.router);
    route.source = routers_.peer(beginning.router, port).host;
    const auto start = static_cast<int32_t>(states_.size());
    states_.push_back({-1, route, static_cast<int32_t>(steps_.size()), 0, false});
    if (absl::Status status = expand(start, beginning.router, port, 0, route); !status.ok()) return status;
    states_[start].step_count = static_cast<int32_t>(steps_.size()) - states_[start].first_step;
    if (absl::Status status = expand_all(start + 1); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status RouteStates::explore(int32_t destination) {
  restart();
  absl::Status status;
  PacketRoute packet;
  packet.destination = destination;
  const auto begin = [&](int32_t router, int32_t buffer, int32_t port, int32_t vc, int32_t intermediate) {
    packet.intermediate = intermediate;
    routing_.for_each_beginning(router, packet, [&](const PacketRoute& beginning) {
      if (!status.ok()) return;
      const auto start = static_cast<int32_t>(states_.size());
      states_.push_back({buffer, beginning, static_cast<int32_t>(steps_.size()), 0, false});
      status = expand(start, router, port, vc, beginning);
      states_[start].step_count = static_cast<int32_t>(steps_.size()) - states_[start].first_step;
      if (status.ok()) status = expand_all(start + 1);
    });
  };
  for (int32_t router = 0; router < routers_.routers(); ++router) {
    const int32_t port = routers_.first_host_port(router);
    packet.state = 0;
    if (port >= 0) {
      packet.source = routers_.peer(router, port).host;
      begin(router, -1, port, 0, PacketRoute::kNone);
    }
    for (const Arrival& arrival : arrivals_[router]) {
      packet.state = arrival.state;
      const RouterGraph::End& at = routers_.channel_end(arrival.buffer / vcs_);
      begin(router, arrival.buffer, at.port, arrival.buffer % vcs_, router);
    }
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::routing::proof
