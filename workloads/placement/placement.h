// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Which ranks of a job run on which hosts: docs/experiment-file.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"

namespace fabrictwin {

/// Most ranks that a host may have: its cores, where the topology says how many these are.
int32_t most_ranks_on_host(const SystemGraph& graph);

/// The system on which a job is placed.
struct PlacementSite {
  const Experiment& experiment;
  const SystemGraph& graph;
  /// Ranks that other jobs have put on each host. Where a placement names no hosts, those that have any are not used.
  std::span<const int32_t> taken;
  int32_t job = 0;  ///< Its number: of two random placements, each has its own order.
};

/// The places of one job, in the order of ranks, before it is known how many of them it needs. Immutable.
class Placement {
 public:
  /// InvalidArgument with a diagnostic at the placement, or in its file: hosts that do not exist, a curve where there
  /// is no lattice, a virtual torus that the machine does not have.
  static absl::StatusOr<Placement> create(const PlacementSpec& spec, const PlacementSite& site);

  /// Most ranks that it has places for.
  int64_t room() const { return room_; }
  /// The host of each of `ranks` ranks. InvalidArgument with a diagnostic if there are not as many places; `name` is
  /// that of the job.
  absl::StatusOr<std::vector<int32_t>> hosts_of(int32_t ranks, const std::string& name) const;

 private:
  explicit Placement(PlacementSpec spec) : spec_(std::move(spec)) {}
  absl::Status find_hosts(const PlacementSite& site);
  absl::Status sort_on_curve(const SystemGraph& graph);
  absl::Status find_virtual_torus(const PlacementSite& site);
  void shuffle(uint64_t seed, int32_t job);

  PlacementSpec spec_;
  std::string topology_;
  std::vector<int32_t> hosts_;  ///< In the order in which they are used; FROM_FILE: by rank.
  int64_t room_ = 0;
  int32_t most_on_host_ = 0;
};

}  // namespace fabrictwin
