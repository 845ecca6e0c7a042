// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/packet_trace.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace fabrictwin::observe {

PacketTrace::PacketTrace(const experiment::PacketTraceSpec& spec, uint64_t seed, Scope scope)
    : seed_(seed),
      scope_(scope),
      max_packets_(static_cast<size_t>(spec.max_packets)),
      bound_(static_cast<unsigned __int128>(spec.sample * 0x1.0p64)) {}

PacketTrace::Packet* PacketTrace::add(const Key& key, uint64_t rank) {
  packets_[key].key = key;
  ranked_.push({rank, key});
  if (ranked_.size() > max_packets_) {
    const auto dropped = packets_.find(ranked_.top().key);
    if (!dropped->second.arrived.is_never()) --finished_;
    packets_.erase(dropped);
    bound_ = ranked_.top().hash;
    ranked_.pop();
  }
  const auto found = packets_.find(key);
  return found == packets_.end() ? nullptr : &found->second;
}

PacketTrace::Packet* PacketTrace::find(const Key& key) {
  const auto found = packets_.find(key);
  if (found != packets_.end()) return &found->second;
  if (scope_ == Scope::kWhole) return nullptr;
  const uint64_t rank = hash(key);
  return rank < bound_ ? add(key, rank) : nullptr;
}

void PacketTrace::begin(const Key& key, int32_t flits, Time created, const Hop& hop) {
  const uint64_t rank = hash(key);
  if (rank >= bound_) return;
  if (Packet* const packet = add(key, rank)) {
    packet->flits = flits;
    packet->created = created;
    packet->hops = {hop};
  }
}

void PacketTrace::move(const Key& key, const Hop& hop) {
  Packet* const packet = find(key);
  if (packet == nullptr) return;
  std::vector<Hop>& hops = packet->hops;
  const auto seen = [&](const Hop& taken) { return taken.channel == hop.channel; };
  if (std::none_of(hops.begin(), hops.end(), seen)) hops.push_back(hop);
}

void PacketTrace::end(const Key& key, Time arrived) {
  Packet* const packet = find(key);
  if (packet == nullptr || !packet->arrived.is_never()) return;
  packet->arrived = arrived;
  ++finished_;
}

void PacketTrace::report_part(v1::PacketTracePart& part) const {
  std::vector<const Packet*> packets;
  for (const auto& [key, packet] : packets_) packets.push_back(&packet);
  std::sort(packets.begin(), packets.end(), [](const Packet* a, const Packet* b) { return a->key < b->key; });
  for (const Packet* packet : packets) {
    v1::PacketTraceSpan& span = *part.add_packets();
    span.set_source(packet->key.source);
    span.set_destination(packet->key.destination);
    span.set_sequence(packet->key.sequence);
    span.set_flits(packet->flits);
    span.set_created_fs(packet->created.fs());
    for (const Hop& hop : packet->hops) {
      span.add_channels(hop.channel);
      span.add_left_fs(hop.left.fs());
      span.add_arrives_fs(hop.arrives.fs());
    }
    if (!packet->arrived.is_never()) span.set_arrived_fs(packet->arrived.fs());
  }
}

// Each part has all that it has seen of the packets with the least hashes, so those of the least hashes of all are
// whole.
absl::Status PacketTrace::merge(const google::protobuf::RepeatedPtrField<v1::PacketTracePart>& parts, int32_t channels,
                                int32_t hosts) {
  const auto is_below = [](int64_t number, int64_t end) { return number >= 0 && number < end; };
  std::map<Key, Packet> all;
  for (const v1::PacketTracePart& part : parts) {
    for (const v1::PacketTraceSpan& span : part.packets()) {
      const int hops = span.channels_size();
      bool sound = is_below(span.source(), hosts) && is_below(span.destination(), hosts) && span.created_fs() >= 0 &&
                   span.arrived_fs() >= 0 && span.left_fs_size() == hops && span.arrives_fs_size() == hops;
      for (int i = 0; sound && i < hops; ++i)
        sound = is_below(span.channels(i), channels) && span.left_fs(i) >= 0 && span.arrives_fs(i) >= 0;
      if (!sound) return absl::DataLossError("a place tells of packets that cannot be");
      const Key key{span.source(), span.destination(), span.sequence()};
      Packet& packet = all[key];
      packet.key = key;
      if (span.flits() > 0) {
        packet.flits = span.flits();
        packet.created = Time::from_fs(span.created_fs());
      }
      for (int i = 0; i < hops; ++i)
        packet.hops.push_back({span.channels(i), Time::from_fs(span.left_fs(i)), Time::from_fs(span.arrives_fs(i))});
      if (span.has_arrived_fs()) packet.arrived = Time::from_fs(span.arrived_fs());
    }
  }
  packets_.clear();
  ranked_ = {};
  finished_ = 0;
  for (auto& [key, packet] : all) {
    // One that has not begun anywhere was left out where it began.
    if (packet.flits == 0 || !wants(key)) continue;
    std::stable_sort(packet.hops.begin(), packet.hops.end(),
                     [](const Hop& a, const Hop& b) { return a.left < b.left; });
    Packet* const kept = add(key, hash(key));
    if (kept == nullptr) continue;
    *kept = std::move(packet);
    if (!kept->arrived.is_never()) ++finished_;
  }
  return absl::OkStatus();
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
