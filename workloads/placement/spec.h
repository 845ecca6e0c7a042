// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the ranks of a job run, checked: plain values.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cosim/experiment/source_location.h"
#include "fabrictwin/v1/job.pb.h"

namespace fabrictwin::placement {

/// Which rank runs where; see Placement in job.proto, which has the defaults.
struct PlacementSpec {
  v1::Placement::Kind kind{};
  int32_t ranks_per_host = 0;
  std::vector<std::pair<int32_t, int32_t>> hosts;  ///< Ranges with both ends included; empty means all hosts.
  std::string file;                                ///< A path that can be opened from the working directory.
  std::vector<int32_t> virtual_torus;
  experiment::SourceLocation location{};
  experiment::SourceLocation kind_location{};            ///< The kind, or the placement if no kind is written.
  experiment::SourceLocation ranks_per_host_location{};  ///< ranks_per_host, or the placement if it is not written.
};

}  // namespace fabrictwin::placement
