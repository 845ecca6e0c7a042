// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Arbitration: which packet leaves next, by which port and when.
#include <algorithm>
#include <bit>

#include "fmt/format.h"
#include "models/router/packet/network.h"

namespace fabrictwin::router::packet {

// The packet in front of a buffer can leave from now on: it waits for all ports that it may take.
void Network::enroll(uint32_t id) {
  BufferRecord& buffer = buffers_[id];
  const NodeRecord& node = nodes_[buffer.element];
  PacketRecord& packet = packets_[buffer.front];
  if (looks_) [[unlikely]]
    note_change(buffer.element);
  const uint32_t input = input_of(node, id);
  if (deterministic_) {
    if (!find_route(node, id) || !leads_on(node, packet.out_port)) return fail_lost(node, packet);
    buffer.out_port = static_cast<int8_t>(packet.out_port);
    await(node, static_cast<uint32_t>(packet.out_port), input);
    return touch(node.first_port + static_cast<uint32_t>(packet.out_port));
  }
  routing::PacketRoute route = packet.route();
  if ((node.host_ports >> buffer.index & 1) != 0) {
    routing_->begin(node.number, route, *this);
    packet.set_route(route);
  }
  find_options(node, id, route);
  const auto all = options_.all();
  if (all.empty() || !std::all_of(all.begin(), all.end(), [&](const auto& option) {
        return is_valid(node, option) && leads_on(node, option.port);
      }))
    return fail_lost(node, packet);
  for (const routing::RouteOption& option : all) {
    const int32_t port = leaving_port(node, option, packet);
    await(node, static_cast<uint32_t>(port), input);
    touch(node.first_port + static_cast<uint32_t>(port));
  }
  if (all.size() > 1) {
    buffer.out_port = BufferRecord::kManyPorts;
    return;
  }
  // With a single option, the route is final.
  packet.set_route(route);
  packet.out_vcs = options_[0].vcs;
  buffer.out_port = static_cast<int8_t>(leaving_port(node, options_[0], packet));
  if (counted_) count(node, buffer.out_port, packet);
}

// Like enroll(), if nothing else happens at this time: the packet can leave at once if nothing is in its way.
void Network::pass(uint32_t id) {
  BufferRecord& buffer = buffers_[id];
  const NodeRecord& node = nodes_[buffer.element];
  const PacketRecord& packet = packets_[buffer.front];
  if (!find_route(node, id) || !leads_on(node, packet.out_port)) return fail_lost(node, packet);
  const auto port = static_cast<uint32_t>(packet.out_port);
  const uint32_t out = node.first_port + port;
  buffer.out_port = static_cast<int8_t>(packet.out_port);
  const PortRecord& output = ports_[out];
  if (output.busy_until > now_) {
    await(node, port, input_of(node, id));
    return try_at(out, output.busy_until);
  }
  if (output.link == buffer.link && !waited_for(node, port)) {
    const Candidate candidate{packet.time, id, buffer.front, packet.out_vcs, packet.wire_bytes, false, false};
    if (const int32_t out_vc = choose_vc(out, candidate, 0); out_vc >= 0)
      return forward(out, candidate, static_cast<uint32_t>(out_vc));
  }
  await(node, port, input_of(node, id));
  arbitrate(node, out);
}

bool Network::waited_for(const NodeRecord& node, uint32_t port) const {
  for (uint32_t word = 0; word <= node.wait_words; ++word) {
    if (waits(node, port, word) != 0) return true;
  }
  return false;
}

bool Network::is_valid(const NodeRecord& node, const routing::RouteOption& option) const {
  return option.port >= 0 && option.port < node.ports && (option.vcs & all_vcs()) != 0;
}

// Which of the options that have been found a packet takes, with an algorithm that does not look at the load; null if
// there is no such option.
const routing::RouteOption* Network::chosen_option(const NodeRecord& node, const routing::PacketRoute& route) const {
  const auto count = static_cast<int32_t>(options_.size());
  if (count == 0) return nullptr;
  const routing::RouteOption& option =
      options_[count == 1 ? 0 : static_cast<size_t>(routing_->choose(node.number, route, count))];
  return is_valid(node, option) ? &option : nullptr;
}

bool Network::leads_on(const NodeRecord& node, int32_t port) const {
  return ports_[node.first_port + static_cast<uint32_t>(port)].peer != PortRecord::kNone;
}

// Routes a packet in a buffer with an algorithm that does not look at the load, once, possibly before its turn. False
// if there is no route.
bool Network::find_route(const NodeRecord& node, uint32_t id, uint32_t waiting) {
  PacketRecord& packet = packets_[waiting];
  if (packet.out_port != kNotRouted) return true;
  routing::PacketRoute route = route_of(packet);
  find_options(node, id, route);
  packet.set_route(route);
  const routing::RouteOption* const option = chosen_option(node, route);
  if (option == nullptr) return false;
  packet.out_port = static_cast<int16_t>(leaving_port(node, *option, packet));
  packet.out_vcs = option->vcs;
  return true;
}

// When the routing block of a router of a node, which stands before lines and behind them, is done with the packet in
// front of a buffer. There is a deterministic route.
int64_t Network::past_block(uint32_t id) {
  const BufferRecord& buffer = buffers_[id];
  const NodeRecord& node = nodes_[buffer.element];
  const PacketRecord& packet = packets_[buffer.front];
  if (!find_route(node, id) || !leads_on(node, packet.out_port)) return packet.time;
  const PortRecord& output = ports_[node.first_port + static_cast<uint32_t>(packet.out_port)];
  return packet.time + block_between(links_[buffer.link], links_[output.link]);
}

void Network::fail_lost(const NodeRecord& node, const PacketRecord& packet) {
  fail(node, fmt::format("no route for a packet from host {} to {}", packet.source, packet.destination));
}

// A host with several ports receives a packet at the one that the packet names.
int32_t Network::leaving_port(const NodeRecord& node, const routing::RouteOption& option, int32_t destination,
                              int32_t destination_port) const {
  if (!several_host_ports_ || (node.host_ports >> option.port & 1) == 0) return option.port;
  const NodeRecord& host = nodes_[destination];
  if (destination_port >= host.ports) return option.port;
  const uint32_t here = tables_->exits[host.first_port + static_cast<uint32_t>(destination_port)] - node.first_port;
  return here < node.ports ? static_cast<int32_t>(here) : option.port;
}

// Removes the packet in front from all masks, and completes its route if that was left open.
void Network::withdraw(const NodeRecord& node, uint32_t id) {
  const BufferRecord& buffer = buffers_[id];
  const uint32_t input = input_of(node, id);
  const auto clear = [&](int32_t port) {
    waits(node, static_cast<uint32_t>(port), input / 64) &= ~(uint64_t{1} << (input & 63));
  };
  if (buffer.out_port >= 0) return clear(buffer.out_port);
  PacketRecord& packet = packets_[buffer.front];
  routing::PacketRoute route = packet.route();
  find_options(node, id, route);
  packet.set_route(route);
  for (const routing::RouteOption& option : options_.all()) {
    const int32_t port = leaving_port(node, option, packet);
    clear(port);
    // Packets behind it may wait for the same free space.
    const uint32_t other = node.first_port + static_cast<uint32_t>(port);
    if (ports_[other].stalled) try_at(other, now_);
  }
}

// A port whose link is free chooses among the packets that wait for it: the one that could have left first, ties by
// input port and VC. A packet that finds no free space in the VCs that it may take reserves them against younger ones.
void Network::arbitrate(const NodeRecord& node, uint32_t out) {
  PortRecord& port = ports_[out];
  if (port.busy_until > now_) return try_at(out, port.busy_until);
  gather(node, out);
  if (candidates_.empty()) {
    end_stall(port);
    return;
  }
  uint32_t reserved = 0;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    const Candidate& candidate = candidates_[i];
    if (const int32_t vc = choose_vc(out, candidate, reserved); vc >= 0) {
      end_stall(port);
      grant(node, out, candidate, static_cast<uint32_t>(vc));
      if (candidates_.size() > 1) {
        try_at(out, port.busy_until);
        candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(i));
        release_others(node, out, true);
      }
      return;
    }
    reserved |= candidate.vcs;
  }
  if (!port.stalled) {
    port.stalled = true;
    tables_->stalled[out] -= now_;
  }
  await_space(out, reserved);
  release_others(node, out, false);
}

void Network::end_stall(PortRecord& port) {
  if (!port.stalled) return;
  port.stalled = false;
  tables_->stalled[&port - ports_.data()] += now_;
  if (counted_) tables_->queues[static_cast<size_t>(&port - ports_.data())].blocked = now_;
}

// Packets that have lost here may have declined other ports in favour of this one: their escapes, because of free space
// here (which another packet has taken), and earlier ports, in the hope of more free space here.
void Network::release_others(const NodeRecord& node, uint32_t out, bool granted) {
  if (deterministic_) return;
  for (const Candidate& candidate : candidates_) {
    const BufferRecord& buffer = buffers_[candidate.vc];
    if (buffer.out_port != BufferRecord::kManyPorts || candidate.escape) continue;
    const PacketRecord& packet = packets_[candidate.packet];
    routing::PacketRoute route = packet.route();
    find_options(node, candidate.vc, route);
    for (const routing::RouteOption& option : options_.all()) {
      const uint32_t other = node.first_port + static_cast<uint32_t>(leaving_port(node, option, packet));
      if ((granted ? other != out : other < out) && ports_[other].busy_until <= now_) try_at(other, now_);
    }
  }
}

void Network::gather(const NodeRecord& node, uint32_t out) {
  candidates_.clear();
  const uint32_t port = ports_[out].index;
  for (uint32_t word = 0; word <= node.wait_words; ++word) {
    for (uint64_t bits = waits(node, port, word); bits != 0; bits &= bits - 1)
      consider(node, out, first_vc(node.first_port) + word * 64 + static_cast<uint32_t>(std::countr_zero(bits)));
  }
  // Insertion sort: there are few candidates, already in the order of inputs.
  for (size_t i = 1; i < candidates_.size(); ++i) {
    for (size_t j = i; j > 0 && candidates_[j].ready < candidates_[j - 1].ready; --j)
      std::swap(candidates_[j], candidates_[j - 1]);
  }
}

void Network::consider(const NodeRecord& node, uint32_t out, uint32_t id) {
  const BufferRecord& buffer = buffers_[id];
  // The port is arbitrated again when the input is free.
  if (first_of(id).read_until > now_) return read_again(id);
  const PortRecord& port = ports_[out];
  const PacketRecord& packet = packets_[buffer.front];
  const int32_t bytes = packet.wire_bytes;
  if (buffer.link != port.link && !timing_.by_words()) {
    // A faster output must not run out of data: the last word out follows the last word in.
    const auto& coming = links_[buffer.link].duration;
    const auto& going = links_[port.link].duration;
    const int32_t word = std::min(bytes, link::kWordBytes);
    const int64_t whole = packet.time - coming[word] + coming[bytes] - going[bytes] + going[word];
    if (whole > now_) return try_at(out, whole);
  }
  // Filled in place: a copy right after would have to wait until its parts are written.
  Candidate& candidate = candidates_.emplace_back();
  candidate.ready = packet.time;
  candidate.vc = id;
  candidate.packet = buffer.front;
  candidate.vcs = packet.out_vcs;
  candidate.bytes = bytes;
  if (buffer.out_port == BufferRecord::kManyPorts && !consider_options(node, out, candidate)) candidates_.pop_back();
}

// A packet with several options takes the free port with the most free space behind it, and an escape only if no other
// option has enough.
bool Network::consider_options(const NodeRecord& node, uint32_t out, Candidate& candidate) {
  const PacketRecord& packet = packets_[candidate.packet];
  routing::PacketRoute route = packet.route();
  find_options(node, candidate.vc, route);
  int32_t best_elsewhere = -1;
  bool others_have_space = false;
  candidate.vcs = 0;
  candidate.escape = true;
  for (const routing::RouteOption& option : options_.all()) {
    const uint32_t other = node.first_port + static_cast<uint32_t>(leaving_port(node, option, packet));
    if (other == out) {
      // The same port may be an option and, on other VCs, the escape.
      if (!option.escape) {
        if (candidate.escape) candidate.vcs = 0;
        candidate.escape = false;
        candidate.vcs |= option.vcs;
      } else if (candidate.escape) {
        candidate.vcs |= option.vcs;
      }
      candidate.spoken = candidate.spoken || option.escape;
    } else if (!option.escape) {
      const int32_t space = space_behind(other, option.vcs);
      others_have_space = others_have_space || space >= candidate.bytes;
      const bool still_to_come = (node.dirty >> ports_[other].index & 1) != 0 && ports_[other].busy_until <= now_;
      if (still_to_come) best_elsewhere = std::max(best_elsewhere, space);
    }
  }
  if (!candidate.escape) {
    const int32_t space = space_behind(out, candidate.vcs);
    if (space >= candidate.bytes) return best_elsewhere <= space;
    if (!candidate.spoken || others_have_space) return best_elsewhere < candidate.bytes;
    // There is no free space on its own VCs or elsewhere, and the escape is here too.
    for (const routing::RouteOption& option : options_.all()) {
      if (option.escape && node.first_port + static_cast<uint32_t>(leaving_port(node, option, packet)) == out)
        candidate.vcs |= option.vcs;
    }
    return true;
  }
  return !others_have_space;
}

int32_t Network::space_behind(uint32_t id, uint32_t vcs) {
  int32_t space = -1;
  for (uint32_t mask = vcs & all_vcs(); mask != 0; mask &= mask - 1) {
    BufferRecord& behind = credits_of(ports_[id], static_cast<uint32_t>(std::countr_zero(mask)));
    collect(behind);
    space = std::max(space, behind.free);
  }
  return space;
}

// The VC with the most free space, if that is enough; -1 otherwise.
int32_t Network::choose_vc(uint32_t out, const Candidate& candidate, uint32_t reserved) {
  int32_t chosen = -1;
  int32_t space = candidate.bytes - 1;
  for (uint32_t mask = candidate.vcs & all_vcs() & ~reserved; mask != 0; mask &= mask - 1) {
    const int32_t index = std::countr_zero(mask);
    BufferRecord& behind = credits_of(ports_[out], static_cast<uint32_t>(index));
    collect(behind);
    if (behind.free <= space) continue;
    space = behind.free;
    chosen = index;
  }
  return chosen;
}

// Arbitrates again when a buffer behind the port has more free space.
void Network::await_space(uint32_t out, uint32_t vcs) {
  for (uint32_t mask = vcs & all_vcs(); mask != 0; mask &= mask - 1) {
    BufferRecord& behind = credits_of(ports_[out], static_cast<uint32_t>(std::countr_zero(mask)));
    if (behind.time[0] == BufferRecord::kNever) {
      behind.wanted = 1;
    } else {
      try_at(out, behind.time[0]);
    }
  }
}

// The next packet of a VC is considered when the one before it has left.
void Network::follow(uint32_t id, int64_t gate) {
  BufferRecord& buffer = buffers_[id];
  buffer.gate = gate;
  if (buffer.front == 0) return;
  events_.add(std::max(packets_[buffer.front].time, buffer.gate), buffer.element, what(kReady, id));
}

void Network::grant(const NodeRecord& node, uint32_t out, const Candidate& candidate, uint32_t out_vc) {
  withdraw(node, candidate.vc);
  forward(out, candidate, out_vc);
}

void Network::forward(uint32_t out, const Candidate& candidate, uint32_t out_vc) {
  if (lines_) [[unlikely]]
    return forward_by_lines(out, candidate, out_vc);
  const uint32_t id = candidate.vc;
  const LinkKind& link = links_[ports_[out].link];
  Departure departure =
      timing_.departure(now_, link, candidate.bytes, links_[buffers_[id].link], packets_[candidate.packet].time);
  if (ports_[out].sliced) [[unlikely]]
    departure = slice(out, departure, candidate.bytes);
  const int64_t end = departure.end;
  leave(id, end + links_[buffers_[id].link].latency + credit_delay_);
  BufferRecord& first = first_of(id);
  first.read_until = end;
  follow(id, end + link.turnaround);
  transmit(out, out_vc, candidate.packet, departure);
  read_others(id);
}

// Packets in the other buffers of an input that is being read are checked again.
void Network::read_others(uint32_t id) {
  const uint32_t occupied = first_of(id).occupied;
  for (uint32_t mask = occupied & ~(uint32_t{1} << vc_index(id)); mask != 0; mask &= mask - 1) {
    const uint32_t other = (id >> vc_shift_ << vc_shift_) + static_cast<uint32_t>(std::countr_zero(mask));
    if (packets_[buffers_[other].front].time <= now_) return read_again(id);
  }
}

}  // namespace fabrictwin::router::packet
