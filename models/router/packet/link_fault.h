// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Faults of links, and what came of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::router::packet {

/// The output of a port that degrades or fails for a time. Plain value.
struct LinkFault {
  int32_t fault = 0;  ///< Number of the fault in the experiment; both directions of a link have the same one.
  system::LinkEnd output;
  Time at;
  Time until = Time::never();
  double rate = 0;  ///< The share of the link's rate that is left; 0 if it fails.
  /// The probability of a wrong bit on one of the two lanes of a link with packet slicing, 1 if that lane has failed;
  /// 0: the fault is that of the whole link.
  double lane_errors = 0;
};

/// What packet slicing did because of a lane. Plain value.
struct SlicingCounters {
  uint64_t repeated = 0;    ///< Packets that were sent again, as a slice was wrong: once for each time.
  uint64_t duplicated = 0;  ///< Packets that went on both lanes.
  uint64_t saved = 0;       ///< Those of them of which one copy was wrong.
};

/// What came of a fault until a time of a run. Plain value.
struct FaultOutcome {
  int32_t fault = 0;               ///< Number of the fault in the experiment.
  uint32_t element = 0;            ///< The element of the output.
  int64_t queue_bytes = 0;         ///< The longest queue at the link while the fault lasted.
  Time recovered = Time::never();  ///< When that queue was empty again after the end.
  SlicingCounters slicing;
  /// When slices or copies were wrong, in rising order, where others have parts of the network. Valid until the network
  /// goes on.
  std::span<const int64_t> damaged;
};

/// An output that has failed, and who waits for it.
struct FailedOutput {
  int32_t fault = 0;     ///< Number of the fault in the experiment.
  uint32_t element = 0;  ///< The element of the output, and its port there.
  int32_t port = 0;
  Time at;                       ///< Since when.
  int64_t packets = 0;           ///< Packets at the heads of queues of a router, and the hosts that sent them.
  std::vector<int32_t> sources;  ///< In rising order.
};

}  // namespace fabrictwin::router::packet
