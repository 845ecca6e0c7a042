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
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "workloads/placement/spec.h"

namespace fabrictwin::placement {

/// The most ranks that a host may have: its cores, if the topology defines their number.
int32_t most_ranks_on_host(const system::SystemGraph& graph);

/// The system on which a job is placed.
struct PlacementSite {
  const experiment::Experiment& experiment;
  const system::SystemGraph& graph;
  /// Ranks of other jobs on each host. A placement that does not name hosts avoids those that have any.
  std::span<const int32_t> taken;
  int32_t job = 0;  ///< Number of the job: two random placements have different orders.
};

/// The rank slots of one job, in the order of ranks, before the number of ranks is known. Immutable.
class Placement {
 public:
  /// InvalidArgument with a diagnostic at the placement or in its file: hosts that do not exist, a curve without a
  /// lattice, a virtual torus that the machine does not have.
  static absl::StatusOr<Placement> create(const PlacementSpec& spec, const PlacementSite& site);

  /// The most ranks that fit.
  int64_t space() const { return space_; }
  /// The host of each of `ranks` ranks. InvalidArgument with a diagnostic if they do not fit; `name` is that of the
  /// job.
  absl::StatusOr<std::vector<int32_t>> hosts_of(int32_t ranks, const std::string& name) const;

 private:
  explicit Placement(PlacementSpec spec) : spec_(std::move(spec)) {}
  absl::Status find_hosts(const PlacementSite& site);
  absl::Status sort_on_curve(const system::SystemGraph& graph);
  absl::Status find_virtual_torus(const PlacementSite& site);
  void shuffle(uint64_t seed, int32_t job);

  PlacementSpec spec_;
  std::string topology_;
  std::vector<int32_t> hosts_;  ///< In the order in which they are used; FROM_FILE: by rank.
  int64_t space_ = 0;
  int32_t most_on_host_ = 0;
};

}  // namespace fabrictwin::placement
