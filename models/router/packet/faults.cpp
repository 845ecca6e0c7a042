// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Faults: outputs that become slower or fail for a time. Everything happens in the router or host of the output; what
// is on the link arrives, and credits and pauses, which the other end sends, pass. docs/models/faults.md.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "cosim/base/random.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "models/router/packet/network.h"

namespace fabrictwin::router::packet {
namespace {

// The sender's measure of a lane: it falls with each slice that is right. At kBad packets are duplicated, and split
// again after kTrusted that were right, one after the other. These are assumptions.
constexpr int32_t kWrong = 8;
constexpr int32_t kBad = 24;
constexpr int32_t kTrusted = 64;
constexpr int32_t kLanes = 2;

}  // namespace

template <typename Visit>
void Network::for_each_buffer_of(const NodeRecord& node, const Visit& visit) const {
  for (uint32_t id = first_vc(node.first_port); id < first_vc(node.first_port + node.ports); ++id) {
    if (buffers_[id].front != 0) visit(id);
  }
}

void Network::schedule_faults(uint8_t self) {
  faulty_ = !tables_->faults.empty();
  for (uint32_t i = 0; i < tables_->faults.size(); ++i) {
    const FaultRecord& fault = tables_->faults[i];
    const uint32_t element = ports_[fault.port].element;
    if (tables_->shard_of[element] != self) continue;
    events_.add(fault.at, element, what(kFault, 2 * i));
    next_ = std::min(next_, fault.at);
    if (fault.until != FaultRecord::kNever) events_.add(fault.until, element, what(kFault, 2 * i + 1));
  }
}

// Faults and notices take effect before anything else of their time, so that the order of events does not matter.
// Faults that end come first: another one of the same port may begin.
void Network::process_first(std::span<const event::Entry> events) {
  for (const uint32_t ends : {1U, 0U}) {
    for (const event::Entry& event : events) {
      const auto id = static_cast<uint32_t>(event.what);
      if (kind_of(event) != kFault || id % 2 != ends) continue;
      alone_ = false;
      if (ends != 0) {
        end_fault(tables_->faults[id / 2]);
      } else {
        begin_fault(tables_->faults[id / 2]);
      }
    }
  }
  for (const event::Entry& event : events) {
    if (kind_of(event) == kLook) look(static_cast<uint32_t>(event.what));
    if (kind_of(event) == kNotice) take_notice(static_cast<uint32_t>(event.what));
  }
}

void Network::begin_fault(FaultRecord& fault) {
  PortRecord& port = ports_[fault.port];
  QueueRecord& queue = tables_->queues[fault.port];
  fault.phase = FaultRecord::Phase::kActive;
  fault.most_before = std::exchange(queue.most, queue.bytes);
  if (fault.errors > 0) {
    // A lane that is not trusted again since an earlier fault stays as it is.
    for (FaultRecord& earlier : tables_->faults) {
      if (earlier.port != fault.port || !earlier.duplicates) continue;
      fault.quality = earlier.quality;
      fault.duplicates = std::exchange(earlier.duplicates, false);
    }
    port.sliced = true;
    return;
  }
  if (!fault.fails) {
    port.link = fault.degraded;
    return;
  }
  const NodeRecord& node = nodes_[port.element];
  // What waits for free space waits for the link from now on, and a pause holds nothing back.
  fault.stalled = port.stalled;
  if (port.stalled) tables_->stalled[fault.port] += now_;
  port.stalled = false;
  if (queue.paused) count_pause(false);
  withdraw_routes(node);
  port.failed = true;
  // A port that is busy begins no packet.
  fault.busy_until = std::exchange(port.busy_until, std::max(port.busy_until, fault.until));
  route_again(node);
  if (shared_ && !node.host) move_queue(node, fault.port);
}

void Network::end_fault(FaultRecord& fault) {
  PortRecord& port = ports_[fault.port];
  QueueRecord& queue = tables_->queues[fault.port];
  fault.phase = FaultRecord::Phase::kHealing;
  fault.most = queue.most;
  queue.most = std::max(queue.most, fault.most_before);
  port.healing = true;
  if (queue.bytes == 0) end_healing(fault.port);
  if (fault.errors > 0) {
    fault.errors = 0;
    // Packets go on both lanes until the one is trusted again.
    port.sliced = fault.duplicates;
    return;
  }
  if (!fault.fails) {
    port.link = fault.nominal;
    return;
  }
  const NodeRecord& node = nodes_[port.element];
  if (fault.stalled) tables_->stalled[fault.port] -= now_;
  port.stalled = fault.stalled;
  if (queue.paused) count_pause(true);
  withdraw_routes(node);
  port.failed = false;
  port.busy_until = fault.busy_until;
  route_again(node);
  touch(fault.port);
}

// The queue of a port is empty.
void Network::end_healing(uint32_t port) {
  ports_[port].healing = false;
  for (FaultRecord& fault : tables_->faults) {
    if (fault.port != port || fault.phase != FaultRecord::Phase::kHealing) continue;
    fault.phase = FaultRecord::Phase::kOver;
    fault.recovered = now_;
  }
}

// Packets in a router take back their decisions, because other outputs can be chosen from now on.
void Network::withdraw_routes(const NodeRecord& node) {
  waiting_.clear();
  if (node.host) return;
  for_each_buffer_of(node, [&](uint32_t id) {
    BufferRecord& buffer = buffers_[id];
    for (uint32_t at = buffer.front; at != 0; at = packets_[at].next) {
      PacketRecord& packet = packets_[at];
      if ((packet.flags & PacketRecord::kCounted) != 0) {
        packet.flags &= static_cast<uint8_t>(~PacketRecord::kCounted);
        tables_->queues[node.first_port + static_cast<uint32_t>(counted_port(node, id, at))].add(
            -packet.wire_bytes, now_, tables_->queue_times);
      }
    }
    if (buffer.out_port != kNotRouted) {
      withdraw(node, id);
      buffer.out_port = kNotRouted;
      waiting_.push_back(id);
      // In its first router, it decides anew whether it takes a detour.
      if (routing_->detours() && (node.host_ports >> buffer.index & 1) != 0)
        packets_[buffer.front].intermediate = routing::PacketRoute::kNone;
    }
    for (uint32_t at = buffer.front; at != 0; at = packets_[at].next) packets_[at].out_port = kNotRouted;
  });
}

// The output among whose waiting packets a packet in a buffer has been counted.
int32_t Network::counted_port(const NodeRecord& node, uint32_t id, uint32_t packet) {
  const BufferRecord& buffer = buffers_[id];
  if (packets_[packet].out_port != kNotRouted) return packets_[packet].out_port;
  if (packet == buffer.front && buffer.out_port >= 0) return buffer.out_port;
  routing::PacketRoute route = packets_[packet].route();
  find_options(node, id, route);
  return leaving_port(node, options_[0], packets_[packet]);
}

// Packets that could have left decide anew.
void Network::route_again(const NodeRecord& node) {
  if (node.host || shared_) return;
  for (const uint32_t id : waiting_) enroll(id);
  for_each_buffer_of(node, [&](uint32_t id) { count_arrivals(id); });
}

// What waits in the queue of an output that has failed goes to other queues if routing has other outputs for it.
void Network::move_queue(const NodeRecord& node, uint32_t out) {
  QueueRecord& queue = tables_->queues[out];
  const std::array<uint32_t, 2> first = std::exchange(queue.first, {});
  queue.last = {};
  if (queue.bytes != 0) queue.add(-queue.bytes, now_, tables_->queue_times);
  for (uint32_t next : first) {
    for (uint32_t packet = next; packet != 0; packet = next) {
      PacketRecord& record = packets_[packet];
      next = record.next;
      const uint32_t input = record.out_vcs;
      record.out_port = kNotRouted;
      if (routing_->detours() && (node.host_ports >> input & 1) != 0) record.intermediate = routing::PacketRoute::kNone;
      const int32_t port = shortest_queue(node, first_vc(node.first_port + input), packet);
      record.out_vcs = input;
      if (port < 0 || !leads_on(node, port)) return fail_lost(node, record);
      enqueue(node.first_port + static_cast<uint32_t>(port), packet);
    }
  }
}

// Outputs that have failed are no options, unless there is no other.
void Network::avoid_failed(const NodeRecord& node) {
  const auto works = [&](const routing::RouteOption& option) {
    return !is_valid(node, option) || !ports_[node.first_port + static_cast<uint32_t>(option.port)].failed;
  };
  const auto all = options_.all();
  if (std::any_of(all.begin(), all.end(), works)) options_.keep(works);
}

std::vector<FaultOutcome> Network::fault_outcomes() const {
  std::vector<FaultOutcome> outcomes;
  for (const FaultRecord& fault : tables_->faults) {
    FaultOutcome& outcome = outcomes.emplace_back();
    outcome.fault = fault.fault;
    outcome.slicing = fault.slicing;
    outcome.damaged = fault.damaged;
    outcome.element = ports_[fault.port].element;
    const bool active = fault.phase == FaultRecord::Phase::kActive;
    outcome.queue_bytes = active ? tables_->queues[fault.port].most : fault.most;
    if (fault.phase == FaultRecord::Phase::kOver) outcome.recovered = Time::from_fs(fault.recovered);
  }
  return outcomes;
}

int64_t Network::most_queued(uint32_t port) const {
  int64_t most = tables_->queues[port].most;
  for (const FaultRecord& fault : tables_->faults) {
    if (fault.port == port && fault.phase == FaultRecord::Phase::kActive) most = std::max(most, fault.most_before);
  }
  return most;
}

std::vector<FailedOutput> Network::failed_outputs(uint8_t self) const {
  std::vector<FailedOutput> outputs;
  for (const FaultRecord& fault : tables_->faults) {
    const PortRecord& port = ports_[fault.port];
    // Packets of other shards are not in the pool of this one.
    if (tables_->shard_of[port.element] != self) continue;
    if (!port.failed || fault.phase != FaultRecord::Phase::kActive) continue;
    FailedOutput& output = outputs.emplace_back();
    output.fault = fault.fault;
    output.element = port.element;
    output.port = port.index;
    output.at = Time::from_fs(fault.at);
    const NodeRecord& node = nodes_[port.element];
    if (node.host) continue;
    const auto add = [&](const PacketRecord& packet) {
      ++output.packets;
      output.sources.push_back(packet.source);
    };
    if (shared_) {
      for (uint32_t at : tables_->queues[fault.port].first) {
        for (; at != 0; at = packets_[at].next) add(packets_[at]);
      }
    }
    for (uint32_t word = 0; word <= node.wait_words; ++word) {
      for (uint64_t bits = waits(node, port.index, word); bits != 0; bits &= bits - 1) {
        const uint32_t input = word * 64 + static_cast<uint32_t>(std::countr_zero(bits));
        add(packets_[buffers_[first_vc(node.first_port) + input].front]);
      }
    }
    if (queued_ != nullptr) {
      for (const auto& waiting : queued_->waiting[fault.port])
        add(packets_[queued_->queues[waiting.buffer][waiting.slot].first]);
    }
    std::sort(output.sources.begin(), output.sources.end());
    output.sources.erase(std::unique(output.sources.begin(), output.sources.end()), output.sources.end());
  }
  return outputs;
}

// When a packet is on its way for the last time. The receiver finds a wrong slice by its checksum and says so; the
// packet is sent again a round trip after its end.
Departure Network::slice(uint32_t out, Departure departure, int32_t bytes) {
  PortRecord& port = ports_[out];
  for (FaultRecord& fault : tables_->faults) {
    // A lane that has recovered is watched until packets are split again.
    const bool concerned =
        fault.port == out && (fault.errors > 0 ? fault.phase == FaultRecord::Phase::kActive : fault.duplicates);
    if (!concerned) continue;
    if (fault.duplicates && fault.quality >= kTrusted) {
      switch_slicing(fault, false);
      departure = timing_.departure(departure.begin, links_[port.link], bytes);
    }
    while (!fault.duplicates) {
      if (!slice_is_wrong(fault, bytes / kLanes)) {
        fault.quality = std::max(0, fault.quality - 1);
        return departure;
      }
      ++fault.slicing.repeated;
      if (tables_->apart) fault.damaged.push_back(now_);
      fault.quality += kWrong;
      if (fault.quality >= kBad) switch_slicing(fault, true);
      const LinkKind& link = links_[port.link];
      departure = timing_.departure(departure.end + 2 * link.latency, link, bytes);
    }
    ++fault.slicing.duplicated;
    const bool wrong = slice_is_wrong(fault, bytes);
    if (wrong) ++fault.slicing.saved;
    if (wrong && tables_->apart) fault.damaged.push_back(now_);
    fault.quality = wrong ? 0 : fault.quality + 1;
  }
  return departure;
}

bool Network::slice_is_wrong(FaultRecord& fault, int32_t bytes) {
  if (fault.errors == 0) return false;
  if (fault.errors >= 1) return true;
  const double right = std::pow(1 - fault.errors, 8.0 * bytes);
  return RandomStream(seed_, fault.port, RandomPurpose::kBitErrors).unit_at(fault.random_numbers++) >= right;
}

void Network::switch_slicing(FaultRecord& fault, bool duplicates) {
  PortRecord& port = ports_[fault.port];
  fault.duplicates = duplicates;
  fault.quality = 0;
  port.link = duplicates ? fault.degraded : fault.nominal;
  port.sliced = duplicates || fault.phase == FaultRecord::Phase::kActive;
}

}  // namespace fabrictwin::router::packet
