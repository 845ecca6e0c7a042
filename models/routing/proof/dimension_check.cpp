// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/proof/dimension_check.h"

#include <array>
#include <bit>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "models/routing/proof/dependency_graph.h"

namespace fabrictwin::routing::proof {
namespace {

constexpr int32_t kSamples = 20'000;
constexpr int32_t kMaxHops = 4096;

/// One proof. The parts of a packet's route are 0, to an intermediate router, and 1, to the destination.
class DimensionProof {
 public:
  DimensionProof(const RouterGraph& routers, const RoutingAlgorithm& routing, const lattice::Lattice& lattice,
                 int32_t vcs)
      : routers_(routers), routing_(routing), lattice_(lattice), vcs_(vcs) {
    lines_.resize(static_cast<size_t>(lattice.axes()));
    for (int32_t router = 0; router < lattice.routers(); ++router) {
      for (int32_t axis = 0; axis < lattice.axes(); ++axis) {
        // The line contains router 0: in all other dimensions it has that router's coordinates.
        bool on_line = true;
        for (int32_t other = 0; other < lattice.axes(); ++other)
          on_line = on_line && (other == axis || lattice.coordinate(router, other) == 0);
        if (!on_line) continue;
        lines_[axis].resize(static_cast<size_t>(lattice.at(axis).size));
        lines_[axis][lattice.coordinate(router, axis)] = router;
      }
    }
    PacketRoute packet;
    routing.for_each_detour(0, packet, [this](const PacketRoute&) { first_part_ = 0; });
  }

  absl::StatusOr<DeadlockProof> prove() {
    for (int32_t router = 0; router < routers_.routers(); ++router) {
      if (routers_.first_host_port(router) >= 0) continue;
      return DeadlockProof{DeadlockProofKind::kNone,
                           fmt::format("not proved free of deadlock: {} has no host", routers_.router_name(router))};
    }
    for (int32_t part = first_part_; part < 2; ++part) {
      if (absl::Status status = check_lines(part); !status.ok()) return status;
    }
    if ((used_[0] & used_[1]) != 0) return absl::InvalidArgumentError("both parts of a path use the same VCs");
    if ((escapes_ & adaptive_) != 0) return absl::InvalidArgumentError("escapes have no VCs of their own");
    std::mt19937 random(1);  // Every run samples the same packets.
    for (int32_t i = 0; i < kSamples; ++i) {
      if (absl::Status status = check_sample(random); !status.ok()) return status;
    }
    return DeadlockProof{DeadlockProofKind::kByDimension,
                         fmt::format("free of deadlock dimension by dimension: no cycle among the {} dependencies of "
                                     "the packets of one line of routers in each dimension ({} packets), and {} random "
                                     "packets among all {} routers took the ports and VCs of these lines",
                                     dependencies_, line_packets_, kSamples, routers_.routers())};
  }

 private:
  int32_t host_at(int32_t router) const { return routers_.peer(router, routers_.first_host_port(router)).host; }

  /// A packet that goes from one router to another in one part of its route.
  PacketRoute packet_between(int32_t from, int32_t to, int32_t part, uint32_t random) const {
    PacketRoute packet;
    packet.source = host_at(from);
    packet.destination = host_at(part == 0 ? from : to);
    packet.intermediate = part == 0 ? to : PacketRoute::kNone;
    packet.random = random;
    return packet;
  }

  /// The option that must not lead to a cycle: the only one, or the escape.
  absl::StatusOr<RouteOption> ask(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute packet) {
    RouteOptions options;
    routing_.options(router, in_port, in_vc, packet, options);
    for (const RouteOption& option : options.all()) {
      if (!option.escape && options.size() > 1) adaptive_ |= option.vcs;
    }
    if (options.size() == 0 || (options.size() > 1 && !options[options.size() - 1].escape)) {
      return absl::InvalidArgumentError(fmt::format("a packet for {} has neither a single path nor an escape in {}",
                                                    routers_.host_name(packet.destination),
                                                    routers_.router_name(router)));
    }
    const RouteOption last = options[options.size() - 1];
    if (last.escape) escapes_ |= last.vcs;
    return last;
  }

  absl::Status check_lines(int32_t part) {
    DependencyGraph graph(routers_, vcs_);
    for (int32_t axis = 0; axis < lattice_.axes(); ++axis) {
      for (const int32_t from : lines_[axis]) {
        for (const int32_t to : lines_[axis]) {
          if (from == to) continue;
          for (const uint32_t random : {uint32_t{0}, uint32_t{1} << lattice_.at(axis).dimension}) {
            ++line_packets_;
            if (absl::Status status = follow(axis, from, to, part, random, graph); !status.ok()) return status;
          }
        }
      }
    }
    std::vector<int32_t> ranks;
    dependencies_ += graph.edges();
    if (graph.rank(ranks)) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("packets can wait for each other in a circle: {}", graph.cycle_text(graph.find_cycle())));
  }

  /// Follows a packet along its line on the lowest VC that it may use; the others of a class behave alike.
  absl::Status follow(int32_t axis, int32_t from, int32_t to, int32_t part, uint32_t random, DependencyGraph& graph) {
    std::vector<int32_t> before;
    const PacketRoute packet = packet_between(from, to, part, random);
    int32_t at = from;
    int32_t in_port = routers_.first_host_port(from);
    int32_t in_vc = 0;
    while (at != to) {
      const absl::StatusOr<RouteOption> option = ask(at, in_port, in_vc, packet);
      if (!option.ok()) return option.status();
      const RouterGraph::End& end = routers_.peer(at, option->port);
      if (end.router < 0 || lattice_.axis_of_port(option->port) != axis ||
          before.size() > static_cast<size_t>(kMaxHops)) {
        return absl::InvalidArgumentError(fmt::format("a packet from {} to {} leaves its dimension by {}",
                                                      routers_.router_name(from), routers_.router_name(to),
                                                      routers_.port_name(at, option->port)));
      }
      used_[part] |= option->vcs;
      // A packet with escapes may leave them and return to them; others go from buffer to buffer.
      std::vector<int32_t> now;
      for (uint32_t vcs = option->vcs; vcs != 0; vcs &= vcs - 1)
        now.push_back(routers_.channel(at, option->port) * vcs_ + std::countr_zero(vcs));
      for (const int32_t held : before) {
        for (const int32_t wanted : now) graph.add(held, wanted);
      }
      if (!option->escape) before.clear();
      before.insert(before.end(), now.begin(), now.end());
      in_vc = std::countr_zero(option->vcs);
      in_port = end.port;
      at = end.router;
    }
    return absl::OkStatus();
  }

  /// Compares each hop of a random packet with that of a packet on the line of its dimension.
  absl::Status check_sample(std::mt19937& random) {
    const auto random_router = [&] {
      return static_cast<int32_t>(random() % static_cast<uint32_t>(lattice_.routers()));
    };
    const int32_t part = first_part_ == 0 ? static_cast<int32_t>(random() % 2) : 1;
    const int32_t from = random_router();
    const int32_t to = random_router();
    const PacketRoute packet = packet_between(from, to, part, random());
    int32_t at = from;
    int32_t in_port = routers_.first_host_port(from);
    int32_t in_vc = 0;
    for (int32_t hop = 0; at != to; ++hop) {
      const absl::StatusOr<RouteOption> option = ask(at, in_port, in_vc, packet);
      if (!option.ok()) return option.status();
      const int32_t axis = lattice_.first_difference(at, to);
      const int32_t on_line = lines_[axis][lattice_.coordinate(at, axis)];
      const int32_t line_to = lines_[axis][lattice_.coordinate(to, axis)];
      const bool inside = lattice_.axis_of_port(in_port) == axis;
      const absl::StatusOr<RouteOption> expected =
          ask(on_line, inside ? in_port : routers_.first_host_port(on_line), inside ? in_vc : 0,
              packet_between(on_line, line_to, part, packet.random));
      if (!expected.ok()) return expected.status();
      if (option->port != expected->port || option->vcs != expected->vcs || hop > kMaxHops) {
        return absl::InvalidArgumentError(fmt::format("a packet from {} to {} does not go dimension by dimension in {}",
                                                      routers_.router_name(from), routers_.router_name(to),
                                                      routers_.router_name(at)));
      }
      in_vc = std::countr_zero(option->vcs);
      in_port = routers_.peer(at, option->port).port;
      at = routers_.peer(at, option->port).router;
    }
    return absl::OkStatus();
  }

  const RouterGraph& routers_;
  const RoutingAlgorithm& routing_;
  const lattice::Lattice& lattice_;
  int32_t vcs_;
  int32_t first_part_ = 1;
  std::vector<std::vector<int32_t>> lines_;  ///< By dimension and position: the routers.
  std::array<uint32_t, 2> used_{};           ///< Masks of VCs, by part.
  uint32_t escapes_ = 0;
  uint32_t adaptive_ = 0;
  int64_t dependencies_ = 0;
  int64_t line_packets_ = 0;
};

}  // namespace

absl::StatusOr<DeadlockProof> check_by_dimension(const RouterGraph& routers, const RoutingAlgorithm& routing,
                                                 const lattice::Lattice& lattice, int32_t vcs) {
  return DimensionProof(routers, routing, lattice, vcs).prove();
}

}  // namespace fabrictwin::routing::proof
