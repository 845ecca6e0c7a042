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
uint32_t Network::next_random(const nic::NicPacket& packet) {
  if (ties_by_flow_) [[unlikely]]
    return nic::flow_ties(seed_, packet.source, packet.destination);
  const RandomStream random(seed_, static_cast<uint64_t>(packet.source), RandomPurpose::kTieBreak);
  return static_cast<uint32_t>(random.at(tables_->packets_sent[static_cast<size_t>(packet.source)]++));
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
  if (!shared_) credits_of(port, out_vc).free -= bytes;
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
    if (meter_ != nullptr && tables_->apart) [[unlikely]]
      box.leaving.push_back({now_, port.link});
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

// In routers of nodes, words of a packet leave as they come, and before an APElink packets wait behind the switch.
void Network::forward_by_lines(uint32_t out, const Candidate& candidate, uint32_t out_vc) {
  const uint32_t id = candidate.vc;
  const LinkKind& link = links_[ports_[out].link];
  PacketRecord& packet = packets_[candidate.packet];
  const int64_t last =
      timing_.passed_on(static_cast<int64_t>(packet.user)) + block_between(links_[buffers_[id].link], link);
  const Departure through = timing_.departure(now_, link.line ? tables_->crossbar : link, candidate.bytes, last);
  const Departure departure = link.line ? line_up(out, through, candidate.bytes) : through;
  leave(id, through.end + links_[buffers_[id].link].latency + credit_delay_);
  first_of(id).read_until = through.end;
  follow(id, through.end + link.turnaround);
  packet.user = static_cast<uint64_t>(departure.end + link.latency);
  transmit(out, out_vc, candidate.packet, departure);
  ports_[out].busy_until = through.end;
  read_others(id);
}

// When a packet that goes through the switch leaves by the line behind it. Of the framing whole words take slots;
// without a following packet, idle units fill the word.
Departure Network::line_up(uint32_t out, const Departure& through, int32_t bytes) {
  constexpr uint8_t kFramingQuarters = 3;
  constexpr uint8_t kWordQuarters = 4;
  LineRecord& line = tables_->lines[out];
  const LinkKind& link = links_[ports_[out].link];
  const int64_t last = through.end - tables_->crossbar.slots.period().fs();
  const Departure departure = timing_.departure(std::max(through.begin, line.free), link, bytes, last);
  if (departure.begin > line.free) line.quarters = 0;
  line.quarters += kFramingQuarters;
  line.free = departure.end;
  if (line.quarters < kWordQuarters) return departure;
  line.quarters -= kWordQuarters;
  const int64_t slot = link.slots.edge_at_or_after(Time::from_fs(departure.end));
  line.free = link.slots.edge(slot + 1).fs();
  return departure;
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
    // The receiver of a packet in another partition counts it there.
    const int32_t to = tables_->apart && port.cut ? BufferMeter::kNoRouter : router(port.peer_element);
    meter_->add(router(port.element), to, link, leaving.wire_bytes, now_);
  }
  if (leaving.followed()) observer_->packet_leaves({leaving, port.element, port.index, link, now_});
}

void Network::count_coming(uint32_t element, uint32_t link, int32_t bytes, int64_t begin) {
  if (meter_ == nullptr) return;
  meter_->add(BufferMeter::kNoRouter, static_cast<int32_t>(element) - hosts_, links_[link], bytes, begin);
}

}  // namespace fabrictwin::router::packet
