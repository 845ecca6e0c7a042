// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/packet_gaps.h"

namespace fabrictwin::traffic {

PacketGaps::PacketGaps(const ClassSpec& spec, int64_t flits) {
  const auto size = static_cast<double>(flits);
  if (spec.process != v1::BURSTY || spec.burst_load <= spec.load) {
    on_ = GeometricGap(spec.load / size);
    return;
  }
  // A burst of B packets takes B F / p slots at load p, and with the following idle time B F / l at the mean load l.
  const double off = spec.burst_packets * size * (1 / spec.load - 1 / spec.burst_load);
  bursty_ = true;
  end_ = 1 / spec.burst_packets;
  idle_share_ = 1 - spec.load / spec.burst_load;
  on_ = GeometricGap(spec.burst_load / size);
  off_ = GeometricGap(1 / (1 + off));
}

}  // namespace fabrictwin::traffic
