// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Dynamic packet slicing over the two lanes of a link, one of which has a fault: docs/models/packet-slicing.md.
#include <algorithm>
#include <cmath>

#include "cosim/base/random.h"
#include "models/router/packet/network.h"

namespace fabrictwin::router::packet {
namespace {

// The sender's measure of a lane: it falls with each slice that is right. At kBad packets are duplicated, and split
// again after kTrusted that were right, one after the other. These are assumptions.
constexpr int32_t kWrong = 8;
constexpr int32_t kBad = 24;
constexpr int32_t kTrusted = 64;
constexpr int32_t kLanes = 2;

}  // namespace

// When a packet is on its way for the last time. The receiver finds a wrong slice by its checksum and says so; the
// packet is sent again a round trip after its end.
Departure Network::slice(uint32_t out, Departure departure, int32_t bytes) {
  PortRecord& port = ports_[out];
  for (FaultRecord& fault : tables_->faults) {
    // A lane that has recovered is watched until packets are split again.
    const bool concerned =
        fault.port == out && (fault.errors > 0 ? fault.phase == FaultRecord::Phase::kActive : fault.duplicates);
    if (!concerned) continue;
    if (fault.duplicates && fault.quality >= kTrusted) {
      switch_slicing(fault, false);
      departure = timing_.departure(departure.begin, links_[port.link], bytes);
    }
    while (!fault.duplicates) {
      if (!slice_is_wrong(fault, bytes / kLanes)) {
        fault.quality = std::max(0, fault.quality - 1);
        return departure;
      }
      ++fault.slicing.repeated;
      fault.quality += kWrong;
      if (fault.quality >= kBad) switch_slicing(fault, true);
      const LinkKind& link = links_[port.link];
      departure = timing_.departure(departure.end + 2 * link.latency, link, bytes);
    }
    ++fault.slicing.duplicated;
    const bool wrong = slice_is_wrong(fault, bytes);
    if (wrong) ++fault.slicing.saved;
    fault.quality = wrong ? 0 : fault.quality + 1;
  }
  return departure;
}

bool Network::slice_is_wrong(FaultRecord& fault, int32_t bytes) {
  if (fault.errors == 0) return false;
  if (fault.errors >= 1) return true;
  const double right = std::pow(1 - fault.errors, 8.0 * bytes);
  return RandomStream(seed_, fault.port, RandomPurpose::kBitErrors).unit_at(fault.draws++) >= right;
}

void Network::switch_slicing(FaultRecord& fault, bool duplicates) {
  PortRecord& port = ports_[fault.port];
  fault.duplicates = duplicates;
  fault.quality = 0;
  port.link = duplicates ? fault.degraded : fault.nominal;
  port.sliced = duplicates || fault.phase == FaultRecord::Phase::kActive;
}

}  // namespace fabrictwin::router::packet
