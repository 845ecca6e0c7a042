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
  if (!host_queues_.empty()) return step_host_queues(cycle, index);
  if (!source_queues_.empty()) return step_source_queues(cycle, index);
  Host& host = hosts_[index];
  if (host.left == 0 && !begin_packet(cycle, index, 0, host)) return;
  if (!waits_for_link(cycle, index)) send_from(cycle, index, host);
}

// As in BookSim2, the queue after the one that sent last comes first, and one that cannot send lets the others.
void Network::step_source_queues(int64_t cycle, int32_t index) {
  Host& host = hosts_[index];
  if (waits_for_link(cycle, index)) return;
  for (int32_t i = 0; i < config_.source_queues; ++i) {
    const int32_t number = (host.turn + i) % config_.source_queues;
    SourceQueue& queue = source_queue(index, number);
    if (queue.left == 0 && !begin_packet(cycle, index, number, queue)) continue;
    if (!send_from(cycle, index, queue)) continue;
    host_vcs_[host_vc(index, queue.vc)].taken = queue.left > 0;
    host.turn = static_cast<int16_t>((number + 1) % config_.source_queues);
    return;
  }
}

// A packet goes on until it has left or has no credit, then the next queue has its turn.
void Network::step_host_queues(int64_t cycle, int32_t index) {
  admit_packets(cycle, index);
  HostQueues& waiting = host_queues_[index];
  if (waiting.queues.empty() || waits_for_link(cycle, index)) return;
  auto at = waiting.queues.lower_bound(waiting.next);
  for (size_t turn = 0; turn < waiting.queues.size(); ++turn, ++at) {
    if (at == waiting.queues.end()) at = waiting.queues.begin();
    HostQueue& queue = at->second;
    if (queue.left == 0) {
      queue.packet = queue.packets.front();
      queue.left = packets_[queue.packet].flits;
      queue.vc = hosts_[index].vc;
    }
    if (!send_from(cycle, index, queue)) continue;
    if (queue.left + 1 == packets_[queue.packet].flits) {
      queue.packets.pop_front();
      --waiting_packets_;
      packets_[queue.packet].in_network = true;
      hosts_[index].vc = queue.vc;
    }
    host_vcs_[host_vc(index, queue.vc)].taken = queue.left > 0;
    waiting.next = at->first + (queue.left > 0 ? 0 : 1);
    if (queue.left == 0 && queue.packets.empty()) waiting.queues.erase(at);
    return;
  }
}

// Takes all packets that exist into the queues of the host.
void Network::admit_packets(int64_t cycle, int32_t index) {
  for (int32_t source = 0; source < config_.source_queues; ++source) {
    Packet packet;
    while (take_packet(cycle, index, source, source_queue(index, source), packet)) {
      int32_t queue = packet.destination;
      if (config_.router.queues.admittance == v1::Queues::AS_ROUTER)
        queue = next_queues_ == nullptr ? 0 : next_queues_->first(index, packet);
      const uint32_t number = new_packet();
      packets_[number] = packet;
      host_queues_[index].queues[queue].packets.push_back(number);
      ++waiting_packets_;
    }
  }
}

bool Network::waits_for_link(int64_t cycle, int32_t index) {
  if (!hosts_[index].slow || wires_[this->index({index, -1})].flits.start(cycle) == cycle) return false;
  activate_next(static_cast<uint32_t>(config_.routers + index));
  return true;
}

bool Network::send_from(int64_t cycle, int32_t index, SourceQueue& queue) {
  const bool head = queue.left == packets_[queue.packet].flits;
  if (head && !choose_vc(queue, index)) return false;
  if (host_vcs_[host_vc(index, queue.vc)].credits == 0) return false;
  send_flit(cycle, index, queue, head);
  return true;
}

// Requires a credit.
void Network::send_flit(int64_t cycle, int32_t index, SourceQueue& queue, bool head) {
  const size_t own = this->index({index, -1});
  --host_vcs_[host_vc(index, queue.vc)].credits;
  if (hosts_[index].slow) wires_[own].flits.take(cycle);
  ++outputs_[own].flits;
  if (head) {
    Packet& packet = packets_[queue.packet];
    packet.injected = cycle;
    if (packet.followed) observer_->packet_moves(packet, {index, -1}, cycle, cycle + outputs_[own].flit_delay);
  }
  put_flit(cycle, outputs_[own], queue.packet, queue.vc, head);
  if (--queue.left == 0) ++outputs_[own].packets;
  activate_next(static_cast<uint32_t>(config_.routers + index));
}

bool Network::take_packet(int64_t cycle, int32_t index, int32_t number, SourceQueue& queue, Packet& packet) {
  if (cycle < queue.wake) return false;
  packet = {};
  queue.wake = source_queues_.empty() ? traffic_.next_packet(index, cycle, packet)
                                      : traffic_.next_packet_of(index, number, cycle, packet);
  if (queue.wake == Traffic::kWait) return false;
  if (queue.wake > cycle) {
    if (queue.wake != Traffic::kNever) wakes_.add(queue.wake, index);
    return false;
  }
  packet.source_queue = static_cast<uint8_t>(number);
  packet.followed = observer_ != nullptr && observer_->wants(packet);
  return true;
}

bool Network::begin_packet(int64_t cycle, int32_t index, int32_t number, SourceQueue& queue) {
  Packet packet;
  if (!take_packet(cycle, index, number, queue, packet)) return false;
  queue.packet = new_packet();
  queue.left = packet.flits;
  packet.in_network = true;
  packets_[queue.packet] = packet;
  return true;
}

// Packets of a host use its VCs in turn, as far as there are credits; of queues, those of the packet's own queue.
bool Network::choose_vc(SourceQueue& queue, int32_t index) {
  const auto has_space = [&](int32_t asking) {
    const HostVc& there = host_vcs_[host_vc(index, asking)];
    return !there.taken && there.credits >= credits_for_head(there, queue.left);
  };
  const auto in_turn = [&](int32_t last, int32_t vcs, auto can) {
    return kernel::RoundRobin(static_cast<uint16_t>(last + 1)).find(vcs, can);
  };
  const int32_t vcs = vcs_of_hosts();
  if (next_queues_ == nullptr) {
    const int32_t vc = in_turn(queue.vc, vcs, has_space);
    if (vc >= 0) queue.vc = vc;
    return vc >= 0;
  }
  const Packet& packet = packets_[queue.packet];
  if (!host_set_aside_.empty() && host_set_aside_[index].stopped(0, packet.destination)) return false;
  const int32_t queues = next_queues_->queues();
  const int32_t own = next_queues_->first(index, packet);
  const int32_t vc = in_turn(queue.vc < 0 ? -1 : queue.vc / queues, vcs / queues,
                             [&](int32_t asking) { return has_space(asking * queues + own); });
  if (vc >= 0) queue.vc = vc * queues + own;
  return vc >= 0;
}

int32_t Network::credits_for_head(const HostVc& vc, int32_t flits) const {
  switch (config_.router.switching) {
    case Switching::kVirtualCutThrough:
    case Switching::kSpaceForPacket:
      return flits;
    case Switching::kWormhole:
      return vc.capacity;
    default:
      return 1;
  }
}

int32_t Network::host_space(int32_t host) const {
  int32_t space = 0;
  for (int32_t vc = 0; vc < vcs_of_hosts(); ++vc) {
    const HostVc& there = host_vcs_[host_vc(host, vc)];
    if (config_.hold_packets || config_.router.switching == Switching::kVirtualCutThrough) {
      space = std::max(space, there.credits);
    } else if (there.credits >= credits_for_head(there, 1)) {
      return std::numeric_limits<int32_t>::max();
    }
  }
  return space;
}

void Network::return_held(int64_t cycle) {
  for (; !held_.empty() && held_.top().cycle <= cycle; held_.pop()) {
    const Held& held = held_.top();
    put_credits(cycle, outputs_[index({held.host, -1})], held.vc, held.flits);
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
