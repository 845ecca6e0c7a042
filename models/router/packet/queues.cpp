// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What waits for the outputs of routers: counted for congestion management, and, in switches whose ports share a
// buffer, kept in a queue for each output.
#include <algorithm>
#include <tuple>
#include <utility>

#include "fmt/format.h"
#include "models/router/packet/network.h"

namespace fabrictwin::router::packet {

// With input buffers, a packet waits for its output from its arrival on, wherever it is in its buffer. What adaptive
// routing has not decided yet waits for no port.
void Network::count_arrivals(uint32_t id) {
  const BufferRecord& buffer = buffers_[id];
  const NodeRecord& node = nodes_[buffer.element];
  // The first router of a packet may send it on a detour, which it decides when the packet is in front.
  const bool undecided = (node.host_ports >> buffer.index & 1) != 0 && routing_->detours();
  if (undecided) return;
  for (uint32_t waiting = buffer.front; waiting != 0 && packets_[waiting].time <= now_;
       waiting = packets_[waiting].next) {
    PacketRecord& packet = packets_[waiting];
    if ((packet.flags & PacketRecord::kCounted) != 0 || packet.control()) continue;
    if (deterministic_) {
      if (!find_route(node, id, waiting)) return fail_lost(node, packet);
      count(node, packet.out_port, packet);
      continue;
    }
    routing::PacketRoute route = packet.route();
    find_options(node, id, route);
    if (options_.size() == 1 && is_valid(node, options_[0]))
      count(node, leaving_port(node, options_[0], packet), packet);
  }
}

void Network::count(const NodeRecord& node, int32_t port, PacketRecord& packet) {
  if ((packet.flags & PacketRecord::kCounted) != 0 || packet.control()) return;
  packet.flags |= PacketRecord::kCounted;
  tables_->queues[node.first_port + static_cast<uint32_t>(port)].add(packet.wire_bytes, now_, tables_->queue_times);
}

// A packet begins to leave a router (or a host, if the scheme wants that): the scheme may mark it, or write into the
// record of its path. Of control packets, notices may have one; acknowledgements take that of their data packet back.
void Network::tell_manager(const PortRecord& port, uint32_t leaving) {
  PacketRecord& packet = packets_[leaving];
  const auto out = static_cast<uint32_t>(&port - ports_.data());
  QueueRecord& queue = tables_->queues[out];
  if ((packet.flags & PacketRecord::kCounted) != 0) {
    packet.flags &= static_cast<uint8_t>(~PacketRecord::kCounted);
    queue.add(-packet.wire_bytes, now_, tables_->queue_times);
    if (port.healing && queue.bytes == 0) [[unlikely]]
      end_healing(static_cast<uint32_t>(&port - ports_.data()));
  }
  const bool data = packet.kind == nic::NicPacket::Kind::kData;
  const bool recorded =
      (data || packet.kind == nic::NicPacket::Kind::kNotice) && (packet.flags & nic::NicPacket::kTelemetry) != 0;
  if (!recorded && (manager_ == nullptr || (!data && first_managed_ > 0))) return;
  const int64_t rate = links_[port.link].rate;
  // Whatever waited when the output could send again would have left by now.
  const bool blocked =
      static_cast<double>(now_ - queue.blocked) * static_cast<double>(rate) < 8e15 * static_cast<double>(queue.bytes);
  const congestion::PortState state{.element = port.element,
                                    .port = port.index,
                                    .now = now_,
                                    .queue_bytes = queue.bytes,
                                    .sent_bytes = port.bytes - packet.wire_bytes,
                                    .sent_packets = port.packets - 1,
                                    .bits_per_second = rate,
                                    .packet_bytes = packet.wire_bytes,
                                    .output = out,
                                    .to_host = port.peer < first_router_port_,
                                    .blocked = blocked};
  if (data && manager_ != nullptr && manager_->marks(state)) {
    packet.flags |= nic::NicPacket::kMarked;
    queue.congested = queue.congested || !blocked;
  }
  if (!data && !recorded) return manager_->control(state);
  if (!recorded) return;
  congestion::PathRecord& path = paths_[static_cast<uint32_t>(packet.user)];
  if (manager_ != nullptr) {
    manager_->record(state, path);
  } else {
    congestion::add_hop(state, path);
  }
}

// All of the packet in front has arrived at a switch whose ports share a buffer: it goes to the queue of its output.
void Network::store(uint32_t id) {
  BufferRecord& buffer = buffers_[id];
  const NodeRecord& node = nodes_[buffer.element];
  const uint32_t arrived = buffer.front;
  PacketRecord& packet = packets_[arrived];
  if (looks_) [[unlikely]]
    note_change(buffer.element);
  const int32_t port = shortest_queue(node, id, arrived);
  if (port < 0 || !leads_on(node, port)) return fail_lost(node, packet);
  pop(id);
  if (buffer.front != 0) events_.add(std::max(packets_[buffer.front].time, now_), buffer.element, what(kReady, id));
  // The packet has one route only, so this is free.
  packet.out_vcs = buffer.index;
  if (!packet.control()) {
    buffer::SharedBuffer& memory = tables_->memories[static_cast<size_t>(node.number)];
    signal(node.first_port + buffer.index, memory.add(buffer.index, packet.wire_bytes));
    if (memory.overflown()) return fail(node, fmt::format("the headroom of port {} overflows", buffer.index));
  }
  enqueue(node.first_port + static_cast<uint32_t>(port), arrived);
}

// The output of a packet in a buffer: of several that routing gives, the one with the least waiting bytes.
int32_t Network::shortest_queue(const NodeRecord& node, uint32_t id, uint32_t waiting) {
  const BufferRecord& buffer = buffers_[id];
  PacketRecord& packet = packets_[waiting];
  if (deterministic_) return find_route(node, id, waiting) ? packet.out_port : -1;
  routing::PacketRoute route = packet.route();
  if ((node.host_ports >> buffer.index & 1) != 0) routing_->begin(node.number, route, *this);
  find_options(node, id, route);
  packet.set_route(route);
  int32_t best = -1;
  bool escape = true;
  for (const routing::RouteOption& option : options_.all()) {
    if (!is_valid(node, option)) return -1;
    const int32_t port = leaving_port(node, option, packet);
    const auto bytes = [&](int32_t of) { return tables_->queues[node.first_port + static_cast<uint32_t>(of)].bytes; };
    if (best >= 0 && (option.escape || (!escape && bytes(port) >= bytes(best)))) continue;
    best = port;
    escape = option.escape;
  }
  return best;
}

void Network::enqueue(uint32_t out, uint32_t packet) {
  QueueRecord& queue = tables_->queues[out];
  PacketRecord& record = packets_[packet];
  const size_t list = record.control() ? 1 : 0;
  record.next = 0;
  if (queue.first[list] == 0) {
    queue.first[list] = packet;
  } else {
    packets_[queue.last[list]].next = packet;
  }
  queue.last[list] = packet;
  if (list == 0) queue.add(record.wire_bytes, now_, tables_->queue_times);
  if (alone_) return send_next(out);
  touch(out);
}

// Sends what has waited longest for an output, control packets first.
void Network::send_next(uint32_t out) {
  const PortRecord& port = ports_[out];
  QueueRecord& queue = tables_->queues[out];
  const bool data = queue.first[0] != 0 && !queue.paused;
  if (queue.first[1] == 0 && !data) return;
  if (port.busy_until > now_) return try_at(out, port.busy_until);
  const size_t list = queue.first[1] != 0 ? 1 : 0;
  const uint32_t packet = queue.first[list];
  PacketRecord& leaving = packets_[packet];
  queue.first[list] = leaving.next;
  if (list == 0) {
    queue.add(-leaving.wire_bytes, now_, tables_->queue_times);
    if (port.healing && queue.bytes == 0) [[unlikely]]
      end_healing(out);
    const NodeRecord& node = nodes_[port.element];
    const uint32_t input = leaving.out_vcs;
    signal(node.first_port + input,
           tables_->memories[static_cast<size_t>(node.number)].remove(input, leaving.wire_bytes));
  }
  const int32_t bytes = packets_[packet].wire_bytes;
  Departure departure = timing_.departure(now_, links_[port.link], bytes);
  if (port.sliced) [[unlikely]]
    departure = slice(out, departure, bytes);
  transmit(out, 0, packet, departure);
  if (queue.first[0] != 0 || queue.first[1] != 0) try_at(out, port.busy_until);
}

// Tells the sender of an input to pause or to go on, by a control frame in the reverse direction, which does not wait.
void Network::signal(uint32_t input, buffer::SharedBuffer::Signal signal) {
  if (signal == buffer::SharedBuffer::Signal::kNone) return;
  const bool on = signal == buffer::SharedBuffer::Signal::kPause;
  if (on) ++pauses_;
  const PortRecord& port = ports_[input];
  const LinkKind& link = links_[port.link];
  const int64_t frame = link.duration[std::min<size_t>(buffer::SharedBuffer::kPauseFrame, link.duration.size() - 1)];
  const int64_t time = now_ + frame + link.latency;
  if (port.cut) {
    Outbox& box = outbox_of(port);
    box.pauses.push_back({time, port.peer, on});
    box.first = std::min(box.first, time);
    return;
  }
  events_.add(time, port.peer_element, what(on ? kPause : kResume, port.peer));
}

// Beginnings count negatively, so the sum is that of the pauses that are over; unsigned numbers may wrap meanwhile.
void Network::count_pause(bool begins) {
  paused_fs_ += begins ? -static_cast<uint64_t>(now_) : static_cast<uint64_t>(now_);
  paused_outputs_ += begins ? 1 : -1;
}

void Network::set_paused(uint32_t port, bool paused) {
  QueueRecord& queue = tables_->queues[port];
  if (paused != queue.paused && !ports_[port].failed) count_pause(paused);
  queue.paused = paused;
  if (paused) return;
  queue.blocked = now_;
  touch(port);
}

void Network::send_aside(const nic::NicPacket& packet, int64_t at) {
  PacketRecord record(packet, 0);
  record.time = at;
  record.next = kNoBuffer;
  const auto element = static_cast<uint32_t>(packet.destination);
  const uint8_t self = tables_->shard_of[static_cast<size_t>(packet.source)];
  if (tables_->shard_of[element] != self) {
    Outbox& box = outboxes_[boxes_ + tables_->shard_of[element]];
    add_to(box, record);
    return;
  }
  const uint32_t made = packets_.make();
  packets_[made] = record;
  events_.add(at, element, what(kAside, made));
}

// Puts a packet into an outbox, with the record of its path.
void Network::add_to(Outbox& box, const PacketRecord& packet) {
  box.packets.push_back(packet);
  box.first = std::min(box.first, packet.time);
  if ((packet.flags & nic::NicPacket::kTelemetry) == 0) return;
  const auto record = static_cast<uint32_t>(packet.user);
  box.paths.push_back(std::move(paths_[record]));
  paths_.drop(record);
}

// Their numbers depend on how the network is divided, so they come in another order.
void Network::deliver_asides() {
  std::sort(asides_.begin(), asides_.end(), [this](uint32_t a, uint32_t b) {
    const PacketRecord& x = packets_[a];
    const PacketRecord& y = packets_[b];
    return std::tie(x.destination, x.source, x.message, x.kind, x.offset) <
           std::tie(y.destination, y.source, y.message, y.kind, y.offset);
  });
  for (const uint32_t aside : asides_) {
    client_->packet_arrived(now_, packets_[aside].nic());
    packets_.drop(aside);
  }
  asides_.clear();
}

uint32_t Network::make_path_record() {
  const uint32_t made = paths_.make();
  paths_[made].hops.clear();
  return made;
}

int64_t Network::link_rate(int32_t host, int32_t port) const {
  // That of its input, which is the same link, never changes.
  return links_[buffers_[first_vc(nodes_[host].first_port + static_cast<uint32_t>(port))].link].rate;
}

}  // namespace fabrictwin::router::packet
