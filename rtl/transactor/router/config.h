// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The configuration of a router's transactor, independent of a system graph.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "cosim/link/counters.h"
#include "cosim/link/packet_mark.h"
#include "cosim/system/route_table.h"
#include "rtl/transactor/router/model.h"

namespace fabrictwin::rtl::router {

/// One port of a router; in a torus 0 is the local port, 1 + 2d is "+" and 2 + 2d is "-" of dimension d. What it points
/// to outlives the transactor.
struct PortConfig {
  bool enabled = false;
  Clock word_clock{Frequency{1}};  ///< Word clock of both directions of the link.
  int32_t initial_credits = 0;     ///< Buffer words of each VC of the neighbour, 18 to 255.
  bool to_host = false;            ///< The link leads to a host.
  link::ChannelSender* sender = nullptr;
  link::ChannelReceiver* receiver = nullptr;
  link::LinkCounters* counters = nullptr;  ///< Counters of the sending direction; may be null.
};

/// A waveform of one router over a window of simulated time. Edges that are skipped because the router is idle are not
/// in it: its clock is constant there.
struct Wave {
  std::string file;  ///< Empty: no waveform.
  Time from;
  Time to = Time::never();
};

/// One router.
struct Config {
  std::string name;  ///< Name, such as "router[5]".
  std::array<int32_t, kRouterDims> coordinates{};
  std::array<int32_t, kRouterDims> dims{1, 1, 1};  ///< Sizes of the lattice, 1 to 256 each.
  /// Routes by table instead of by coordinates; see Identity. At most kRouteTableDestinations of them.
  std::vector<system::RouteTable::Entry> routes{};
  int32_t route_destinations = 0;
  Clock router_clock{Frequency{1}};
  link::PacketMarking marking;  ///< Threshold and rate at most 65535, least words at most 31.
  std::array<PortConfig, kLargeRouterPorts> ports{};
  Wave wave;
  /// Skips clock edges at which nothing can happen. Disabled only to prove that this changes nothing.
  bool idle_skip = true;
};

}  // namespace fabrictwin::rtl::router
