// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// When an open-loop host generates its packets.
#pragma once

#include <cstdint>

#include "cosim/base/random.h"
#include "cosim/run/experiment.h"
#include "workloads/traffic/geometric_gap.h"

namespace fabrictwin {

/// Slots between the packets of a host of the processes BERNOULLI and BURSTY; see TrafficProcess in traffic.proto.
/// Immutable: what is random comes from the host's stream.
class PacketGaps {
 public:
  /// Nothing is sent.
  PacketGaps() = default;
  /// `flits` of a packet; a load of `spec` counts them.
  PacketGaps(const TrafficSpec& spec, int64_t flits);

  /// Slots without a packet in front of the first one. The host may be off at the beginning, as often as later.
  int64_t first(RandomStream& random) const {
    if (bursty_ && random.next_unit() < idle_share_) return off_.next(random) + on_.next(random);
    return on_.next(random);
  }
  /// Slots without a packet in front of another one.
  int64_t next(RandomStream& random) const {
    if (bursty_ && random.next_unit() < end_) return off_.next(random) + on_.next(random);
    return on_.next(random);
  }

 private:
  bool bursty_ = false;
  double end_ = 0;         ///< A burst ends after a packet with this probability.
  double idle_share_ = 0;  ///< Of the time.
  GeometricGap on_{1.0};
  GeometricGap off_{1.0};
};

}  // namespace fabrictwin
