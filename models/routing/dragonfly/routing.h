// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routing on a dragonfly.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "models/routing/detour_choice.h"
#include "models/routing/router_graph.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::routing::dragonfly {

/// Minimal, Valiant's and UGAL routing on groups whose routers are joined all to all in rows and columns (Kim, Dally,
/// Scott and Abts, "Technology-driven, highly-scalable dragonfly topology", 2008). A packet goes along its row, then
/// its column, to the router with a global link to the destination's group, and there again along row and column. Its
/// random number chooses one of the global links between two groups, and parallel local links are all options;
/// alternatively the destination chooses both. A detour leads through a random group: the intermediate router is where
/// it enters that group. Packets inside a group take no detour. UGAL compares queue times hops of both routes: kLocal
/// with the queues of the first router, kGlobal with those of the global links, wherever their routers are. VCs have a
/// class for each number of global links already taken, 0 to 1, with detours 0 to 2; VCs of global links that no class
/// needs belong to the last one that has such links, unless each class is to use only its own. Free of deadlock:
/// packets move to ever higher classes, and in each class take a row, a column and a global link in this order, each at
/// most once.
class DragonflyRouting final : public RoutingAlgorithm {
 public:
  struct Options {
    bool detours = false;
    DetourRule rule;
    /// The destination chooses among equal links, as tables require, instead of random number and load; no detours.
    bool by_destination = false;
    /// Global links use only the VCs of their class.
    bool own_vcs = false;
  };

  /// For a graph whose routers have coordinates column, row and group. Needs at least classes_of(options) VCs.
  /// InvalidArgument with the reason if two groups, or routers of a row or column, are not joined.
  static absl::StatusOr<DragonflyRouting> create(const RouterGraph& routers, int32_t vcs, const Options& options);

  static int32_t classes_of(const Options& options) { return options.detours ? 3 : 2; }
  int32_t classes() const override { return classes_of(mode_); }
  bool local() const override { return mode_.rule.mode != DetourMode::kGlobal; }
  /// True if routed by destination, or without detours if there are no parallel local links.
  bool deterministic() const override { return mode_.by_destination || (!mode_.detours && !parallel_); }
  void begin(int32_t router, PacketRoute& route, const CongestionView& load) const override;
  bool detours() const override { return true; }
  bool reads_waiting() const override { return mode_.detours && mode_.rule.reads_waiting(); }
  void for_each_beginning(int32_t router, const PacketRoute& packet,
                          const std::function<void(const PacketRoute&)>& visit) const override;
  void for_each_detour(int32_t router, const PacketRoute& packet,
                       const std::function<void(const PacketRoute&)>& visit) const override;
  void options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
               RouteOptions& options) const override;
  int64_t rank(int32_t router, int32_t port, int32_t vc) const override;

 private:
  static constexpr int32_t kMaxClasses = 3;
  struct Position {
    int32_t group = 0;
    int32_t row = 0;
    int32_t column = 0;
  };
  /// A global link.
  struct Global {
    int32_t router = 0;
    int16_t port = 0;
    int32_t to = 0;  ///< Router at the other end.
  };
  struct Range {
    int32_t first = 0;
    int32_t count = 0;
  };
  enum class Kind : uint8_t { kHost, kRow, kColumn, kGlobal };

  DragonflyRouting(const RouterGraph& routers, int32_t vcs, const Options& options);
  absl::Status find_links(const RouterGraph& routers);
  void find_random_numbers();
  /// The link that a packet takes from one group to another after `globals` global links.
  const Global& global(int32_t from_group, int32_t to_group, const PacketRoute& route, int32_t globals) const;
  /// Global links already taken by a packet that entered a router through `in_port` on `in_vc`.
  int32_t globals_behind(int32_t router, int32_t in_port, int32_t in_vc) const;
  /// Ports one local hop nearer to a router of the same group.
  const Range& local(int32_t router, int32_t target) const;
  int32_t local_hops(int32_t a, int32_t b) const;
  /// Hops from one router to another over the link that the random number chooses, and the queue that UGAL considers.
  int32_t hops(int32_t from, int32_t to, const PacketRoute& route, int32_t globals) const;
  int64_t queue(int32_t from, int32_t to, const PacketRoute& route, const CongestionView& load) const;

  Options mode_;
  bool parallel_ = false;  ///< There are parallel local links.
  uint32_t all_ = 0;
  std::array<uint32_t, kMaxClasses> local_vcs_{};   ///< By global links already taken.
  std::array<uint32_t, kMaxClasses> global_vcs_{};  ///< By global links already taken.
  std::vector<int16_t> local_class_;                ///< By VC.
  std::vector<int16_t> global_class_;               ///< By VC.
  int32_t groups_ = 0;
  int32_t rows_ = 0;
  int32_t columns_ = 0;
  std::vector<Position> positions_;  ///< By router.
  std::vector<Range> in_row_;        ///< By router and column: indices into ports_.
  std::vector<Range> in_column_;     ///< By router and row: indices into ports_.
  std::vector<int16_t> ports_;
  std::vector<Range> between_;  ///< By two groups: indices into globals_.
  std::vector<Global> globals_;
  std::vector<std::vector<Kind>> kinds_;  ///< By router and port.
  std::vector<int32_t> host_router_;
  std::vector<int16_t> host_port_;
  /// Random numbers that choose link i of n after g global links: random_numbers_[g][n][i].
  std::array<std::vector<std::vector<uint32_t>>, kMaxClasses> random_numbers_;
};

}  // namespace fabrictwin::routing::dragonfly
