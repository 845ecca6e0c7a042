// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Queries of the state of a flit network between two cycles.
#include <algorithm>

#include "models/router/input_queued/network.h"

namespace fabrictwin::router::input_queued {

uint64_t Network::flits_sent(End from, int64_t cycle) const {
  uint64_t flits = outputs_[index(from)].flits;
  if (wires_.empty()) return flits;
  const Fifo<Queued>& queued = wires_[index(from)].queued;
  for (size_t i = queued.size(); i > 0 && queued[i - 1].start >= cycle; --i) --flits;
  return flits;
}

uint64_t Network::packets_sent(End from, int64_t cycle) const {
  uint64_t packets = outputs_[index(from)].packets;
  if (wires_.empty()) return packets;
  const Fifo<Queued>& queued = wires_[index(from)].queued;
  for (size_t i = queued.size(); i > 0 && queued[i - 1].start >= cycle; --i) {
    if (queued[i - 1].tail) --packets;
  }
  return packets;
}

uint64_t Network::stall_cycles(int32_t router, int32_t port) const {
  return std::visit([&](const auto& routers) { return routers[router].stall_cycles(port); }, routers_);
}

int32_t Network::credits(int32_t router, int32_t port, int32_t vc) const {
  return std::visit([&](const auto& routers) { return routers[router].credits(port, vc); }, routers_);
}

int32_t Network::flits(int32_t router, int32_t port, int32_t vc) const {
  return std::visit([&](const auto& routers) { return routers[router].flits(port, vc); }, routers_);
}

int64_t Network::queue(int32_t router, int32_t port) const {
  return std::visit([&](const auto& routers) { return routers[router].queue(port); }, routers_);
}

int64_t Network::waiting(int32_t router, int32_t port) const {
  if (sent_.empty()) return queue(router, port);
  // cycle_ is the next one.
  const int64_t moving = sent_[index({router, port})].sum(cycle_ - 1);
  return std::max<int64_t>(queue(router, port) - moving, 0);
}

int64_t Network::flits_in(int32_t router) const {
  return std::visit([&](const auto& routers) { return routers[router].flits(); }, routers_);
}

int64_t Network::fullest_input() const {
  int64_t most = 0;
  std::visit(
      [&](const auto& routers) {
        for (const auto& router : routers) most = std::max(most, router.fullest_input());
      },
      routers_);
  return most;
}

End Network::input(size_t number) const {
  const auto next = std::ranges::upper_bound(first_output_, static_cast<int32_t>(number));
  const auto router = static_cast<int32_t>(next - first_output_.begin()) - 1;
  return {router, static_cast<int32_t>(number) - first_output_[static_cast<size_t>(router)]};
}

int64_t Network::capacity(int32_t router) const {
  return std::visit([&](const auto& routers) { return routers[router].capacity(); }, routers_);
}

Network::InFlight Network::in_flight(int64_t cycle) const {
  InFlight sum;
  const auto add = [&](const Packet& packet, int64_t flits) {
    sum.flits += static_cast<uint64_t>(flits);
    sum.age += static_cast<uint64_t>(flits * (cycle - packet.created));
  };
  for (const Packet& packet : packets_) {
    if (packet.in_network) add(packet, packet.flits);
  }
  for (const HostVc& receiving : host_vcs_) {
    if (receiving.left > 0) add(packets_[receiving.packet], receiving.left - packets_[receiving.packet].flits);
  }
  return sum;
}

}  // namespace fabrictwin::router::input_queued
