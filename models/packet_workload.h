// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A workload of bare packets, for networks whose flits carry no payload.
#pragma once

#include <cstdint>
#include <span>

#include "cosim/base/clock.h"
#include "cosim/run/digest.h"
#include "models/iq_network.h"

namespace fabrictwin {

/// What runs on the hosts of an IqNetwork. Times are router cycles.
class PacketWorkload : public IqTraffic {
 public:
  /// Before the first cycle: where to add what hosts receive (by node), and the clock that counts the cycles. Both
  /// outlive it.
  virtual void bind(std::span<EndpointDigest> digests, const Clock& clock) = 0;
  /// Flits of its shortest packet.
  virtual int32_t min_packet_flits() const = 0;
  /// The next cycle before which it wants to look at the network; after check() of that one, a later one.
  virtual int64_t next_check() const = 0;
  /// Everything before `cycle`, which is next_check(), has been simulated.
  virtual void check(int64_t cycle, const IqNetwork& network) = 0;
  /// Nothing more is to be simulated.
  virtual bool finished() const = 0;
};

}  // namespace fabrictwin
