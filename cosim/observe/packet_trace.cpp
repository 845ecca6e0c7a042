// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/packet_trace.h"

#include <algorithm>
#include <tuple>

namespace fabrictwin::observe {

PacketTrace::PacketTrace(const experiment::PacketTraceSpec& spec, uint64_t seed)
    : seed_(seed),
      max_packets_(static_cast<size_t>(spec.max_packets)),
      bound_(static_cast<unsigned __int128>(spec.sample * 0x1.0p64)) {}

void PacketTrace::begin(const Key& key, int32_t flits, Time created, const Hop& hop) {
  const uint64_t rank = hash(key);
  if (rank >= bound_) return;
  packets_[key] = {key, flits, created, {hop}};
  ranked_.push({rank, key});
  if (ranked_.size() <= max_packets_) return;
  const auto dropped = packets_.find(ranked_.top().key);
  if (!dropped->second.arrived.is_never()) --finished_;
  packets_.erase(dropped);
  bound_ = ranked_.top().hash;
  ranked_.pop();
}

void PacketTrace::move(const Key& key, const Hop& hop) {
  const auto found = packets_.find(key);
  if (found == packets_.end()) return;
  std::vector<Hop>& hops = found->second.hops;
  const auto seen = [&](const Hop& taken) { return taken.channel == hop.channel; };
  if (std::none_of(hops.begin(), hops.end(), seen)) hops.push_back(hop);
}

void PacketTrace::end(const Key& key, Time arrived) {
  const auto found = packets_.find(key);
  if (found == packets_.end() || !found->second.arrived.is_never()) return;
  found->second.arrived = arrived;
  ++finished_;
}

std::vector<const PacketTrace::Packet*> PacketTrace::finished() const {
  std::vector<const Packet*> packets;
  for (const auto& [key, packet] : packets_) {
    if (!packet.arrived.is_never()) packets.push_back(&packet);
  }
  std::sort(packets.begin(), packets.end(), [](const Packet* a, const Packet* b) {
    return std::tie(a->created, a->key) < std::tie(b->created, b->key);
  });
  return packets;
}

}  // namespace fabrictwin::observe
