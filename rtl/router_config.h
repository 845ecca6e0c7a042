// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a router's transactor must know, with or without a system graph.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "cosim/run/counters.h"
#include "cosim/run/route_table.h"
#include "rtl/router_model.h"

namespace fabrictwin {

/// One port of a router; in a torus 0 is the tile, 1 + 2d is "+" and 2 + 2d is "-" of dimension d. What it points to
/// outlives the transactor.
struct RouterPortConfig {
  bool enabled = false;
  Clock word_clock{Frequency{1}};  ///< Of the link, both directions.
  int32_t initial_credits = 0;     ///< Buffer words of each VC of the neighbour, 18 to 255.
  ChannelSender* sender = nullptr;
  ChannelReceiver* receiver = nullptr;
  LinkCounters* counters = nullptr;  ///< Of the sending direction; may be null.
};

/// A waveform of one router over a window of simulated time. Edges that are skipped because the router is idle are not
/// in it: its clock stands still there.
struct RouterWave {
  std::string file;  ///< Empty: none.
  Time from;
  Time to = Time::never();
};

/// One router.
struct RouterConfig {
  std::string name;  ///< "router[5]".
  std::array<int32_t, kRouterDims> coordinates{};
  std::array<int32_t, kRouterDims> dims{1, 1, 1};  ///< 1 to 256 each.
  /// Routes by table instead of by coordinates; see RouterIdentity. At most kRouteTableDestinations of them.
  std::vector<RouteTable::Entry> routes{};
  int32_t route_destinations = 0;
  Clock router_clock{Frequency{1}};
  std::array<RouterPortConfig, kLargeRouterPorts> ports{};
  RouterWave wave;
  /// Skips clock edges at which nothing can happen. Off only to prove that it changes nothing.
  bool idle_skip = true;
};

}  // namespace fabrictwin
