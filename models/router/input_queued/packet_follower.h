// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Records the packets of an input-queued network in the packet trace of a run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/observe/packet_trace.h"
#include "models/router/input_queued/network.h"
#include "models/router/input_queued/observer.h"

namespace fabrictwin::router::input_queued {

/// Reports the packets of a Network to a PacketTrace. Not thread-safe.
class PacketFollower final : public Observer {
 public:
  /// `sources` are the ends at which channels begin, by channel; each router has `ports` ports. `trace` outlives it.
  PacketFollower(observe::PacketTrace& trace, Clock clock, std::span<const End> sources, int32_t ports);

  bool wants(const Packet& packet) override { return trace_.wants(key_of(packet)); }
  void packet_moves(const Packet& packet, const End& from, int64_t left, int64_t arrives) override;
  void packet_arrived(const Packet& packet, int64_t cycle) override { trace_.end(key_of(packet), clock_.edge(cycle)); }

 private:
  static observe::PacketTrace::Key key_of(const Packet& packet) {
    return {packet.source, packet.destination, packet.sequence};
  }

  observe::PacketTrace& trace_;
  Clock clock_;
  int32_t ports_;
  std::vector<int32_t> host_channels_;    ///< By host.
  std::vector<int32_t> router_channels_;  ///< By router and port.
};

}  // namespace fabrictwin::router::input_queued
