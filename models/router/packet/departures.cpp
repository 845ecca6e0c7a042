// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What leaves by links, and when it is at the next router.
#include <algorithm>

#include "cosim/base/random.h"
#include "models/nic/word_packet.h"
#include "models/router/packet/network.h"

namespace fabrictwin::router::packet {

// The random number of a packet that leaves its host now.
uint32_t Network::next_draw(const nic::NicPacket& packet) {
  if (flows_in_order_) [[unlikely]]
    return nic::flow_ties(seed_, packet.source, packet.destination);
  const RandomStream draws(seed_, static_cast<uint64_t>(packet.source), RandomPurpose::kTieBreak);
  return static_cast<uint32_t>(draws.at(tables_->drawn[static_cast<size_t>(packet.source)]++));
}

void Network::transmit(uint32_t out, uint32_t out_vc, uint32_t packet, const Departure& departure) {
  const int32_t bytes = packets_[packet].wire_bytes;
  PortRecord& port = ports_[out];
  const LinkKind& link = links_[port.link];
  port.busy_until = departure.end;
  port.bytes += static_cast<uint64_t>(bytes);
  ++port.packets;
  ++hops_;
  const uint32_t id = first_vc(port.peer) + out_vc;
  if (!shared_) room_of(port, out_vc).free -= bytes;
  if (watched_) [[unlikely]]
    tell_departure(port, packet);
  const bool last_hop = port.peer < first_router_port_;
  int64_t time = departure.begin + link.latency;
  if (last_hop) {
    time = departure.end + link.latency;
  } else if (!shared_ && link.nominal < 0) [[likely]] {
    time += timing_.first_word(departure.begin, link, bytes) + pipeline_;
  } else {
    time += time_at_next_router(link, bytes) + pipeline_;
  }
  if (port.cut) {
    Outbox& box = outbox_of(port);
    packets_[packet].time = time;
    packets_[packet].next = id;
    add_to(box, packets_[packet]);
    if (timing_.by_words()) [[unlikely]]
      box.ends.push_back(departure.end);
    packets_.drop(packet);
    return;
  }
  if (!last_hop) time = timing_.ready(time - pipeline_);
  put(id, port.peer_element, time, packet);
}

// How long after it begins to leave a packet has come as far as the next router needs, in other cases than the usual
// one: switches that share a buffer forward it when all of it has arrived.
int64_t Network::time_at_next_router(const LinkKind& link, int32_t bytes) const {
  if (shared_) return link.duration[bytes];
  return link.duration[bytes] - links_[static_cast<size_t>(link.nominal)].rest_of(bytes);
}

void Network::tell_departure(const PortRecord& port, uint32_t packet) {
  if (looks_ && port.element >= static_cast<uint32_t>(hosts_)) note_change(port.element);
  if (!sent_.empty()) sent_[static_cast<size_t>(&port - ports_.data())].add(now_, packets_[packet].wire_bytes);
  if (counted_ && port.element >= first_managed_) tell_manager(port, packet);
  const PacketRecord& leaving = packets_[packet];
  const LinkKind& link = links_[port.link];
  if (meter_ != nullptr) {
    const auto router = [this](uint32_t element) {
      return std::max(static_cast<int32_t>(element) - hosts_, BufferMeter::kNoRouter);
    };
    meter_->add(router(port.element), router(port.peer_element), link, leaving.wire_bytes, now_);
  }
  if (leaving.followed()) observer_->packet_leaves({leaving, port.element, port.index, link, now_});
}

}  // namespace fabrictwin::router::packet
