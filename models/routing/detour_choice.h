// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses between the minimal route and a detour.
#pragma once

#include <cstdint>

#include "models/routing/routing_algorithm.h"

namespace fabrictwin::routing {

enum class DetourMode : uint8_t {
  kAlways,  ///< Every packet goes through a random router (Valiant, "A scheme for fast parallel communication", 1982).
  kLocal,   ///< UGAL with the queues of the first router (Singh, "Load-balanced routing in interconnection networks",
            ///< 2005).
  kGlobal,  ///< UGAL with queues of other routers too.
};

/// When a packet takes a detour. Plain value.
struct DetourRule {
  DetourMode mode = DetourMode::kAlways;
  int32_t bias = 0;      ///< In flits, in favour of the minimal route.
  double threshold = 1;  ///< The factor of the detour's side.
  bool waiting = false;  ///< A queue is CongestionView::waiting(), otherwise CongestionView::queue().

  bool notices = false;  ///< UGAL_L adds what the next router has told of the output after the first one.

  /// The queue of an output, as this rule counts it.
  int64_t queue(const CongestionView& load, int32_t router, int32_t port) const {
    return waiting ? load.waiting(router, port) : load.queue(router, port);
  }
  bool reads_waiting() const { return waiting && mode != DetourMode::kAlways; }
  /// UGAL takes the minimal route unless its product of queue and hops exceeds `threshold` times that of the detour by
  /// more than `bias`.
  bool straight_is_better(int64_t straight_queue, int64_t straight_hops, int64_t detour_queue,
                          int64_t detour_hops) const {
    return no_more(straight_queue * straight_hops, detour_queue * detour_hops);
  }
  /// Whether what speaks against the minimal route is not more than what speaks against the detour.
  bool no_more(int64_t straight, int64_t detour) const {
    // Numbers of flits are exact as doubles.
    return static_cast<double>(straight) <= threshold * static_cast<double>(detour) + bias;
  }
};

}  // namespace fabrictwin::routing
