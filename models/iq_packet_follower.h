// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// From an input-queued network to the packet trace of a run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/run/packet_trace.h"
#include "models/iq_network.h"
#include "models/iq_observer.h"

namespace fabrictwin {

/// Tells a PacketTrace of the packets of an IqNetwork. Not thread-safe.
class IqPacketFollower final : public IqObserver {
 public:
  /// `sources` are the ends at which channels begin, by channel; routers have `ports` each. `trace` outlives it.
  IqPacketFollower(PacketTrace& trace, Clock clock, std::span<const IqEnd> sources, int32_t ports);

  bool wants(const IqPacket& packet) override { return trace_.wants(key_of(packet)); }
  void packet_moves(const IqPacket& packet, const IqEnd& from, int64_t left, int64_t arrives) override;
  void packet_arrived(const IqPacket& packet, int64_t cycle) override {
    trace_.end(key_of(packet), clock_.edge(cycle));
  }

 private:
  static PacketTrace::Key key_of(const IqPacket& packet) {
    return {packet.source, packet.destination, packet.sequence};
  }

  PacketTrace& trace_;
  Clock clock_;
  int32_t ports_;
  std::vector<int32_t> host_channels_;    ///< By host.
  std::vector<int32_t> router_channels_;  ///< By router and port.
};

}  // namespace fabrictwin
