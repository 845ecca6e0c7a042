// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/dragonfly/routing.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "models/routing/factory.h"
#include "models/routing/mix.h"
#include "models/routing/vc_classes.h"

namespace fabrictwin::routing::dragonfly {
namespace {

/// The random number of a packet decides several things independently.
constexpr uint32_t kGroupSalt = 100;
/// Destinations that share a global link need not share the local links before it.
constexpr uint32_t kLocalSalt = 200;

}  // namespace

DragonflyRouting::DragonflyRouting(const RouterGraph& routers, int32_t vcs, const Options& options) : mode_(options) {
  const VcClasses shared(vcs, classes());
  all_ = shared.all();
  for (int32_t globals = 0; globals < classes(); ++globals) {
    local_vcs_[globals] = shared.mask(globals);
    global_vcs_[globals] = shared.mask(globals);
  }
  // The last class has no global links of its own.
  if (!options.own_vcs) global_vcs_[classes() - 2] |= global_vcs_[classes() - 1];
  for (int32_t vc = 0; vc < vcs; ++vc) {
    local_class_.push_back(static_cast<int16_t>(shared.of(vc)));
    global_class_.push_back(static_cast<int16_t>(std::min(shared.of(vc), classes() - 2)));
  }
  for (int32_t router = 0; router < routers.routers(); ++router) {
    const std::vector<int32_t>& at = routers.graph().elements[routers.hosts() + router].coordinates;
    positions_.push_back({at[2], at[1], at[0]});
    groups_ = std::max(groups_, at[2] + 1);
    rows_ = std::max(rows_, at[1] + 1);
    columns_ = std::max(columns_, at[0] + 1);
  }
  for (int32_t host = 0; host < routers.hosts(); ++host) {
    host_router_.push_back(routers.host_router(host));
    host_port_.push_back(static_cast<int16_t>(routers.host_port(host)));
  }
}

absl::StatusOr<DragonflyRouting> DragonflyRouting::create(const RouterGraph& routers, int32_t vcs,
                                                          const Options& options) {
  for (int32_t router = 0; router < routers.routers(); ++router) {
    if (routers.graph().elements[routers.hosts() + router].coordinates.size() != 3)
      return absl::InvalidArgumentError(", whose routers are not in columns, rows and groups");
  }
  DragonflyRouting made(routers, vcs, options);
  if (absl::Status status = made.find_links(routers); !status.ok()) return status;
  made.find_random_numbers();
  const auto several = [](const Range& range) { return range.count > 1; };
  made.parallel_ = std::any_of(made.in_row_.begin(), made.in_row_.end(), several) ||
                   std::any_of(made.in_column_.begin(), made.in_column_.end(), several);
  return made;
}

absl::Status DragonflyRouting::find_links(const RouterGraph& routers) {
  std::vector<std::vector<Global>> between(static_cast<size_t>(groups_) * static_cast<size_t>(groups_));
  kinds_.resize(positions_.size());
  for (int32_t router = 0; router < routers.routers(); ++router) {
    const Position& here = positions_[router];
    std::vector<std::vector<int16_t>> row(static_cast<size_t>(columns_));
    std::vector<std::vector<int16_t>> column(static_cast<size_t>(rows_));
    for (int32_t port = 0; port < routers.ports(router); ++port) {
      const int32_t next = routers.peer(router, port).router;
      kinds_[router].push_back(Kind::kHost);
      if (next < 0) continue;
      const Position& there = positions_[next];
      const auto number = static_cast<int16_t>(port);
      if (there.group != here.group) {
        kinds_[router].back() = Kind::kGlobal;
        between[here.group * groups_ + there.group].push_back({router, number, next});
      } else if (there.row == here.row) {
        kinds_[router].back() = Kind::kRow;
        row[there.column].push_back(number);
      } else if (there.column == here.column) {
        kinds_[router].back() = Kind::kColumn;
        column[there.row].push_back(number);
      } else {
        return absl::InvalidArgumentError(fmt::format(", where {} is joined with {} of another row and column",
                                                      routers.router_name(router), routers.router_name(next)));
      }
    }
    const auto keep = [&](const std::vector<std::vector<int16_t>>& lists, int32_t own, std::vector<Range>& ranges) {
      for (size_t to = 0; to < lists.size(); ++to) {
        if (lists[to].empty() && static_cast<int32_t>(to) != own) return false;
        ranges.push_back({static_cast<int32_t>(ports_.size()), static_cast<int32_t>(lists[to].size())});
        ports_.insert(ports_.end(), lists[to].begin(), lists[to].end());
      }
      return true;
    };
    if (!keep(row, here.column, in_row_) || !keep(column, here.row, in_column_)) {
      return absl::InvalidArgumentError(
          fmt::format(", where {} is not joined with all routers of its row and column", routers.router_name(router)));
    }
  }
  for (int32_t pair = 0; pair < groups_ * groups_; ++pair) {
    const std::vector<Global>& links = between[pair];
    if (links.empty() && pair / groups_ != pair % groups_)
      return absl::InvalidArgumentError(
          fmt::format(", where groups {} and {} are not joined", pair / groups_, pair % groups_));
    between_.push_back({static_cast<int32_t>(globals_.size()), static_cast<int32_t>(links.size())});
    globals_.insert(globals_.end(), links.begin(), links.end());
  }
  return absl::OkStatus();
}

void DragonflyRouting::find_random_numbers() {
  int32_t most = 0;
  for (const Range& range : between_) most = std::max(most, range.count);
  for (int32_t globals = 0; globals < classes() - 1; ++globals) {
    random_numbers_[globals].resize(static_cast<size_t>(most) + 1);
    for (const Range& range : between_) {
      std::vector<uint32_t>& numbers = random_numbers_[globals][range.count];
      if (!numbers.empty() || range.count == 0) continue;
      numbers.resize(static_cast<size_t>(range.count));
      std::vector<bool> found(numbers.size());
      int32_t left = range.count;
      for (uint32_t random = 0; left > 0; ++random) {
        const int32_t link = pick(random, static_cast<uint32_t>(globals), range.count);
        if (found[link]) continue;
        found[link] = true;
        numbers[link] = random;
        --left;
      }
    }
  }
}

const DragonflyRouting::Global& DragonflyRouting::global(int32_t from_group, int32_t to_group, const PacketRoute& route,
                                                         int32_t globals) const {
  const Range& range = between_[from_group * groups_ + to_group];
  // Neighbours have consecutive numbers, so this spreads them evenly.
  if (mode_.by_destination) return globals_[range.first + route.destination % range.count];
  return globals_[range.first + pick(route.random, static_cast<uint32_t>(globals), range.count)];
}

const DragonflyRouting::Range& DragonflyRouting::local(int32_t router, int32_t target) const {
  const Position& there = positions_[target];
  return there.column != positions_[router].column ? in_row_[router * columns_ + there.column]
                                                   : in_column_[router * rows_ + there.row];
}

int32_t DragonflyRouting::local_hops(int32_t a, int32_t b) const {
  return (positions_[a].row != positions_[b].row ? 1 : 0) + (positions_[a].column != positions_[b].column ? 1 : 0);
}

int32_t DragonflyRouting::hops(int32_t from, int32_t to, const PacketRoute& route, int32_t globals) const {
  if (positions_[from].group == positions_[to].group) return local_hops(from, to);
  const Global& link = global(positions_[from].group, positions_[to].group, route, globals);
  return local_hops(from, link.router) + 1 + local_hops(link.to, to);
}

int64_t DragonflyRouting::queue(int32_t from, int32_t to, const PacketRoute& route, const CongestionView& load) const {
  const Global& link = global(positions_[from].group, positions_[to].group, route, 0);
  if (mode_.rule.mode == DetourMode::kGlobal || link.router == from)
    return mode_.rule.queue(load, link.router, link.port);
  const Range& ports = local(from, link.router);
  int64_t least = mode_.rule.queue(load, from, ports_[ports.first]);
  for (int32_t i = 1; i < ports.count; ++i)
    least = std::min(least, mode_.rule.queue(load, from, ports_[ports.first + i]));
  return mode_.rule.notices ? least + load.told(from, link.router, link.port) : least;
}

void DragonflyRouting::begin(int32_t router, PacketRoute& route, const CongestionView& load) const {
  const int32_t target = host_router_[route.destination];
  const int32_t own = positions_[router].group;
  if (!mode_.detours || own == positions_[target].group) return;
  const int32_t over = pick(route.random, kGroupSalt, groups_);
  if (over == own || over == positions_[target].group) return;
  const int32_t intermediate = global(own, over, route, 0).to;
  if (mode_.rule.mode != DetourMode::kAlways &&
      mode_.rule.straight_is_better(queue(router, target, route, load), hops(router, target, route, 0),
                                    queue(router, intermediate, route, load),
                                    hops(router, intermediate, route, 0) + hops(intermediate, target, route, 1)))
    return;
  route.intermediate = intermediate;
}

void DragonflyRouting::for_each_beginning(int32_t router, const PacketRoute& packet,
                                          const std::function<void(const PacketRoute&)>& visit) const {
  const int32_t from = positions_[router].group;
  const int32_t to = positions_[host_router_[packet.destination]].group;
  PacketRoute route = packet;
  if (from == to || mode_.by_destination) {
    visit(route);
    return;
  }
  for (const uint32_t random :
       random_numbers_[packet.intermediate == router ? 1 : 0][between_[from * groups_ + to].count]) {
    route.random = random;
    visit(route);
  }
}

void DragonflyRouting::for_each_detour(int32_t router, const PacketRoute& packet,
                                       const std::function<void(const PacketRoute&)>& visit) const {
  if (!mode_.detours || groups_ < 3) return;
  const int32_t from = positions_[router].group;
  PacketRoute route = packet;
  for (int32_t over = 0; over < groups_; ++over) {
    if (over == from) continue;
    for (const uint32_t random : random_numbers_[0][between_[from * groups_ + over].count]) {
      route.random = random;
      route.intermediate = global(from, over, route, 0).to;
      visit(route);
    }
  }
}

int32_t DragonflyRouting::globals_behind(int32_t router, int32_t in_port, int32_t in_vc) const {
  const Kind kind = kinds_[router][in_port];
  if (kind == Kind::kHost) return 0;
  return kind == Kind::kGlobal ? global_class_[in_vc] + 1 : local_class_[in_vc];
}

void DragonflyRouting::options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
                               RouteOptions& options) const {
  if (route.intermediate == router) route.intermediate = PacketRoute::kNone;
  const int32_t target =
      route.intermediate == PacketRoute::kNone ? host_router_[route.destination] : route.intermediate;
  if (target == router) {
    options.add({host_port_[route.destination], false, all_});
    return;
  }
  const int32_t globals = globals_behind(router, in_port, in_vc);
  const int32_t own = positions_[router].group;
  int32_t next = target;
  if (positions_[target].group != own) {
    const Global& link = global(own, positions_[target].group, route, globals);
    if (link.router == router) {
      options.add({link.port, false, global_vcs_[globals]});
      return;
    }
    next = link.router;
  }
  const Range& ports = local(router, next);
  if (mode_.by_destination) {
    const int32_t chosen = pick(static_cast<uint32_t>(route.destination), kLocalSalt, ports.count);
    options.add({ports_[ports.first + chosen], false, local_vcs_[globals]});
    return;
  }
  for (int32_t i = 0; i < ports.count; ++i) options.add({ports_[ports.first + i], false, local_vcs_[globals]});
}

int64_t DragonflyRouting::rank(int32_t router, int32_t port, int32_t vc) const {
  const Kind kind = kinds_[router][port];
  const int32_t globals = kind == Kind::kGlobal ? global_class_[vc] : local_class_[vc];
  return 3 * globals + (kind == Kind::kRow ? 0 : kind == Kind::kColumn ? 1 : 2);
}

namespace {

constexpr std::string_view kNoDragonfly = ", which is no dragonfly";

Made on_dragonfly(const Request& request, const DragonflyRouting::Options& options) {
  if (absl::Status status = request.check_vcs(DragonflyRouting::classes_of(options)); !status.ok()) return status;
  absl::StatusOr<DragonflyRouting> made =
      DragonflyRouting::create(RouterGraph(request.graph()), request.vcs(), options);
  if (!made.ok()) return request.unsuitable(message_of(made.status()));
  return share(*std::move(made));
}

Made with_detours(const Request& request, DetourMode mode) {
  return on_dragonfly(request, {.detours = true, .rule = request.detours(mode), .own_vcs = request.spec().own_vcs});
}

}  // namespace

const Factory& minimal() {
  // The tables of ExaNet routers cannot choose among equal links.
  static const Factory factory{.kind = v1::MINIMAL,
                               .parameters = {"own_vcs"},
                               .suits = is_dragonfly,
                               .unless = kNoDragonfly,
                               .make = [](const Request& request) {
                                 return on_dragonfly(request,
                                                     {.by_destination = request.experiment().router.model == v1::EXANET,
                                                      .own_vcs = request.spec().own_vcs});
                               }};
  return factory;
}

const Factory& valiant() {
  static const Factory factory{
      .kind = v1::VALIANT,
      .parameters = {"own_vcs"},
      .suits = is_dragonfly,
      .unless = kNoDragonfly,
      .make = [](const Request& request) { return with_detours(request, DetourMode::kAlways); }};
  return factory;
}

const Factory& ugal_l() {
  static const Factory factory{
      .kind = v1::UGAL_L,
      .parameters = {"bias", "threshold", "queue_measure", "notification", "own_vcs"},
      .suits = is_dragonfly,
      .unless = kNoDragonfly,
      .make = [](const Request& request) { return with_detours(request, DetourMode::kLocal); }};
  return factory;
}

const Factory& ugal_g() {
  static const Factory factory{
      .kind = v1::UGAL_G,
      .parameters = {"bias", "threshold", "queue_measure", "notification", "own_vcs"},
      .suits = is_dragonfly,
      .unless = kNoDragonfly,
      .make = [](const Request& request) { return with_detours(request, DetourMode::kGlobal); }};
  return factory;
}

}  // namespace fabrictwin::routing::dragonfly
