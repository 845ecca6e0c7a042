// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The times at which an open-loop host generates its packets.
#pragma once

#include <cstdint>

#include "cosim/base/random.h"
#include "workloads/traffic/geometric_gap.h"
#include "workloads/traffic/spec.h"

namespace fabrictwin::traffic {

/// The element of the random streams of a host for a class of traffic, from 0 on.
constexpr uint64_t class_element(uint64_t host, uint64_t of_class) { return of_class << 40 | host; }

/// Slots between the packets of a host for the processes BERNOULLI and BURSTY; see TrafficProcess in traffic.proto.
/// Immutable: randomness comes from the host's stream.
class PacketGaps {
 public:
  /// A source that sends nothing.
  PacketGaps() = default;
  /// `flits` is the length of a packet; a load of `spec` counts flits.
  PacketGaps(const ClassSpec& spec, int64_t flits);

  /// Slots without a packet before the first one. The host may be off at the beginning, with the same probability as
  /// later.
  int64_t first(RandomStream& random) const {
    if (bursty_ && random.next_unit() < idle_share_) return off_.next(random) + on_.next(random);
    return on_.next(random);
  }
  /// Slots without a packet before any other one.
  int64_t next(RandomStream& random) const {
    if (bursty_ && random.next_unit() < end_) return off_.next(random) + on_.next(random);
    return on_.next(random);
  }

 private:
  bool bursty_ = false;
  double end_ = 0;         ///< A burst ends after a packet with this probability.
  double idle_share_ = 0;  ///< Share of the time in which the host is off.
  GeometricGap on_{1.0};
  GeometricGap off_{1.0};
};

}  // namespace fabrictwin::traffic
