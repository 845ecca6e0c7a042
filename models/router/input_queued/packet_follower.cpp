// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/input_queued/packet_follower.h"

namespace fabrictwin::router::input_queued {

PacketFollower::PacketFollower(observe::PacketTrace& trace, Clock clock, std::span<const End> sources, int32_t ports)
    : trace_(trace), clock_(clock), ports_(ports) {
  for (size_t channel = 0; channel < sources.size(); ++channel) {
    const End& from = sources[channel];
    if (from.element < 0) continue;
    std::vector<int32_t>& channels = from.port < 0 ? host_channels_ : router_channels_;
    const auto position = static_cast<size_t>(from.port < 0 ? from.element : from.element * ports + from.port);
    if (channels.size() <= position) channels.resize(position + 1, -1);
    channels[position] = static_cast<int32_t>(channel);
  }
}

void PacketFollower::packet_moves(const Packet& packet, const End& from, int64_t left, int64_t arrives) {
  const int32_t channel =
      from.port < 0 ? host_channels_[from.element] : router_channels_[from.element * ports_ + from.port];
  const observe::PacketTrace::Hop hop{channel, clock_.edge(left), clock_.edge(arrives)};
  if (from.port < 0) {
    trace_.begin(key_of(packet), packet.flits, clock_.edge(packet.created), hop);
  } else {
    trace_.move(key_of(packet), hop);
  }
}

}  // namespace fabrictwin::router::input_queued
