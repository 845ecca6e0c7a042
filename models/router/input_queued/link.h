// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Links of a flit network.
#pragma once

#include <cstdint>

#include "models/router/input_queued/link_rate.h"

namespace fabrictwin::router::input_queued {

/// One end of a link: a port of a router, or a host (port -1).
struct End {
  int32_t element = 0;  ///< Router or host, by number.
  int32_t port = -1;
};

/// A full-duplex link. A flit or credit that leaves a router or host in a cycle arrives 1 + latency cycles later.
struct Link {
  End ends[2];
  int32_t latency = 1;               ///< Cycles, 0 to kMaxLatency.
  int32_t buffer_flits[2] = {0, 0};  ///< The buffer of each VC at each end; 0 means what the router specification says.
  LinkRate pace{};                   ///< The rate of flits in each direction.
  /// Flits leave in slots, as words do, and the latency, at least 1, includes the time of a word.
  bool slots = false;
  static constexpr int32_t kMaxLatency = 1024;
};

}  // namespace fabrictwin::router::input_queued
