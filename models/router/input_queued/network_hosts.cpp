// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The hosts of a flit network: which packet sends its next flit, and on which VC.
#include <algorithm>
#include <limits>

#include "models/kernel/round_robin.h"
#include "models/router/input_queued/network.h"

namespace fabrictwin::router::input_queued {

void Network::step_host(int64_t cycle, int32_t index) {
  Host& host = hosts_[index];
  if (!host_queues_.empty()) return step_host_queues(cycle, index);
  if (host.left == 0 && !begin_packet(cycle, index)) return;
  if (waits_for_link(cycle, index)) return;
  const bool head = host.left == packets_[host.packet].flits;
  if (head) {
    const int32_t vc = choose_vc(index, host.packet, host.vc);
    if (vc < 0) return;
    host.vc = vc;
  }
  if (host_vcs_[host_vc(index, host.vc)].credits == 0) return;
  --host.left;
  send_flit(cycle, index, host.packet, host.vc, head, host.left == 0);
}

bool Network::waits_for_link(int64_t cycle, int32_t index) {
  if (!hosts_[index].slow || wires_[this->index({index, -1})].flits.start(cycle) == cycle) return false;
  activate_next(static_cast<uint32_t>(config_.routers + index));
  return true;
}

void Network::send_flit(int64_t cycle, int32_t index, uint32_t packet, int32_t vc, bool head, bool tail) {
  const size_t own = this->index({index, -1});
  --host_vcs_[host_vc(index, vc)].credits;
  if (hosts_[index].slow) wires_[own].flits.take(cycle);
  ++outputs_[own].flits;
  if (head) {
    Packet& first = packets_[packet];
    first.injected = cycle;
    if (first.followed) observer_->packet_moves(first, {index, -1}, cycle, cycle + outputs_[own].flit_delay);
  }
  put_flit(cycle, outputs_[own], packet, vc, head);
  if (tail) ++outputs_[own].packets;
  activate_next(static_cast<uint32_t>(config_.routers + index));
}

bool Network::begin_packet(int64_t cycle, int32_t index) {
  Host& host = hosts_[index];
  if (cycle < host.wake) return false;
  Packet packet;
  host.wake = traffic_.next_packet(index, cycle, packet);
  if (host.wake == Traffic::kWait) return false;
  if (host.wake > cycle) {
    if (host.wake != Traffic::kNever) wakes_.add(host.wake, index);
    return false;
  }
  host.packet = new_packet();
  host.left = packet.flits;
  packet.in_network = true;
  packet.followed = observer_ != nullptr && observer_->wants(packet);
  packets_[host.packet] = packet;
  return true;
}

// Packets of a host use its VCs in turn, as far as there are credits; of queues, those of the packet's own queue.
int32_t Network::choose_vc(int32_t index, uint32_t packet, int32_t last) {
  const auto has_space = [&](int32_t asking) {
    const HostVc& there = host_vcs_[host_vc(index, asking)];
    return !there.taken && there.credits >= credits_for_head(there, packets_[packet].flits);
  };
  const int32_t vcs = config_.router.vcs;
  if (next_queues_ == nullptr) return kernel::RoundRobin(static_cast<uint16_t>(last + 1)).find(vcs, has_space);
  if (!host_set_aside_.empty() && host_set_aside_[index].stopped(0, packets_[packet].destination)) return -1;
  const int32_t queues = next_queues_->queues();
  const int32_t queue = next_queues_->first(index, packets_[packet]);
  const int32_t after = last < 0 ? 0 : last / queues + 1;
  const int32_t vc = kernel::RoundRobin(static_cast<uint16_t>(after)).find(vcs / queues, [&](int32_t asking) {
    return has_space(asking * queues + queue);
  });
  return vc < 0 ? -1 : vc * queues + queue;
}

int32_t Network::credits_for_head(const HostVc& vc, int32_t flits) const {
  switch (config_.router.switching) {
    case Switching::kVirtualCutThrough:
      return flits;
    case Switching::kWormhole:
      return vc.capacity;
    default:
      return 1;
  }
}

int32_t Network::host_space(int32_t host) const {
  int32_t space = 0;
  for (int32_t vc = 0; vc < config_.router.vcs; ++vc) {
    const HostVc& there = host_vcs_[host_vc(host, vc)];
    if (config_.router.switching == Switching::kVirtualCutThrough) {
      space = std::max(space, there.credits);
    } else if (there.credits >= credits_for_head(there, 1)) {
      return std::numeric_limits<int32_t>::max();
    }
  }
  return space;
}

// Takes all packets that exist into the queues of the host.
void Network::admit_packets(int64_t cycle, int32_t index) {
  Host& host = hosts_[index];
  while (cycle >= host.wake) {
    Packet packet;
    host.wake = traffic_.next_packet(index, cycle, packet);
    if (host.wake == Traffic::kWait) return;
    if (host.wake > cycle) {
      if (host.wake != Traffic::kNever) wakes_.add(host.wake, index);
      return;
    }
    int32_t queue = packet.destination;
    if (config_.router.queues.admittance == v1::Queues::AS_ROUTER)
      queue = next_queues_ == nullptr ? 0 : next_queues_->first(index, packet);
    const uint32_t number = new_packet();
    packets_[number] = packet;
    host_queues_[index].queues[queue].packets.push_back(number);
    ++waiting_packets_;
  }
}

// Sends a flit of the first queue in turn that can: a packet goes on until it has left or has no credit, then the next
// queue has its turn.
void Network::step_host_queues(int64_t cycle, int32_t index) {
  admit_packets(cycle, index);
  HostQueues& waiting = host_queues_[index];
  if (waiting.queues.empty() || waits_for_link(cycle, index)) return;
  auto at = waiting.queues.lower_bound(waiting.next);
  for (size_t turn = 0; turn < waiting.queues.size(); ++turn, ++at) {
    if (at == waiting.queues.end()) at = waiting.queues.begin();
    if (send_from(cycle, index, at->second)) break;
  }
  // Beyond the last one, the turn is over without a flit.
  if (at == waiting.queues.end()) return;
  HostQueue& queue = at->second;
  waiting.next = at->first;
  if (queue.left > 0) return;
  ++waiting.next;
  if (queue.packets.empty()) waiting.queues.erase(at);
}

bool Network::send_from(int64_t cycle, int32_t index, HostQueue& queue) {
  const uint32_t number = queue.packets.front();
  const bool head = queue.left == 0;
  if (head) {
    const int32_t vc = choose_vc(index, number, hosts_[index].vc);
    if (vc < 0) return false;
    Packet& packet = packets_[number];
    queue.vc = hosts_[index].vc = vc;
    queue.left = packet.flits;
    packet.in_network = true;
    packet.followed = observer_ != nullptr && observer_->wants(packet);
    --waiting_packets_;
  }
  HostVc& there = host_vcs_[host_vc(index, queue.vc)];
  if (there.credits == 0) return false;
  --queue.left;
  there.taken = queue.left > 0;
  if (queue.left == 0) queue.packets.pop_front();
  send_flit(cycle, index, number, queue.vc, head, queue.left == 0);
  return true;
}

void Network::return_held(int64_t cycle) {
  for (; !held_.empty() && held_.top().cycle <= cycle; held_.pop()) {
    const Held& held = held_.top();
    for (int32_t flit = 0; flit < held.flits; ++flit) put_credit(cycle, outputs_[index({held.host, -1})], held.vc);
  }
}

uint32_t Network::new_packet() {
  if (free_packets_.empty()) {
    packets_.emplace_back();
    return static_cast<uint32_t>(packets_.size() - 1);
  }
  const uint32_t packet = free_packets_.back();
  free_packets_.pop_back();
  return packet;
}

}  // namespace fabrictwin::router::input_queued
