// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/cycle_generator.h"

#include <algorithm>
#include <array>

namespace fabrictwin::traffic {

using router::input_queued::Packet;
using router::input_queued::Traffic;

CycleGenerator::CycleGenerator(const TrafficSpec& spec, const DestinationPattern& pattern, Measurement& measurement,
                               uint64_t seed, int32_t hosts)
    : pattern_(pattern),
      measurement_(measurement),
      think_time_(spec.think_time),
      sampled_(spec.sampled),
      flits_(static_cast<uint16_t>(measurement.packet_words())) {
  if (!sampled_) end_ = measurement.next_check();
  const bool closed = spec.process == v1::CLOSED_LOOP;
  if (closed) {
    ready_.resize(static_cast<size_t>(hosts));
  } else {
    gaps_ = PacketGaps(spec, flits_);
  }
  for (int32_t host = 0; host < hosts; ++host) {
    const auto element = static_cast<uint64_t>(host);
    hosts_.push_back({RandomStream(seed, element, RandomPurpose::kTrafficGap),
                      RandomStream(seed, element, RandomPurpose::kTrafficDestination),
                      RandomStream(seed, element, RandomPurpose::kTieBreak)});
    Host& made = hosts_.back();
    if (!pattern_.sends(host)) {
      made.created = Traffic::kNever;
    } else if (closed) {
      made.created = 0;
      for (int32_t slot = 1; slot < spec.window; ++slot) ready_[host].push_back(0);
    } else {
      made.created += 1 + gaps_.first(made.gaps);
      if (made.created >= end_) made.created = Traffic::kNever;
    }
  }
  flits_received_.resize(hosts_.size());
}

void CycleGenerator::bind(std::span<observe::EndpointDigest> digests, const Clock& clock) {
  digests_ = digests;
  clock_ = &clock;
  think_cycles_ = clock.edge_at_or_after(think_time_);
}

int64_t CycleGenerator::next_packet(int32_t index, int64_t cycle, Packet& packet) {
  Host& host = hosts_[index];
  if (host.created > cycle) return host.created;
  packet.created = host.created;
  packet.source = index;
  packet.destination = pattern_.next(index, host.destinations, host.sequence);
  packet.flits = flits_;
  packet.sequence = host.sequence++;
  packet.draw = static_cast<uint32_t>(host.ties.next());
  packet.measured = measurement_.packet_left(packet.created);
  if (!sampled_) measurement_.reach(cycle);
  if (ready_.empty()) {
    host.created += 1 + gaps_.next(host.gaps);
    if (host.created >= end_) host.created = Traffic::kNever;
  } else if (ready_[index].empty()) {
    host.created = Traffic::kNever;
  } else {
    host.created = ready_[index].front();
    ready_[index].pop_front();
  }
  const int64_t drain = measurement_.drain();
  if (packet.created < drain && host.created >= drain && --undrained_ == 0) measurement_.fall_silent();
  return cycle;
}

void CycleGenerator::packet_arrived(const Packet& packet, int64_t cycle) {
  const std::array<uint64_t, 4> facts = {static_cast<uint64_t>(packet.source),
                                         static_cast<uint64_t>(packet.destination), packet.sequence, packet.flits};
  const uint64_t hash = observe::hash_values(facts);
  observe::EndpointDigest& digest = digests_[packet.destination];
  digest.add_arrival(clock_->edge(cycle), hash);
  digest.add_message(hash);
  if (!sampled_) measurement_.reach(cycle);
  if (measurement_.packet_arrived(packet.destination, packet.created, cycle, packet.measured))
    measurement_.add_way(cycle - packet.injected, packet.hops);
}

int64_t CycleGenerator::resume_source(const Packet& packet, int64_t cycle) {
  if (ready_.empty()) return Traffic::kNever;
  // The sender learns of it in the next cycle, so that nothing depends on the order within a cycle.
  const int64_t ready = cycle + 1 + think_cycles_;
  if (ready >= end_) return Traffic::kNever;
  Host& source = hosts_[packet.source];
  if (source.created != Traffic::kNever) {
    ready_[packet.source].push_back(ready);
    return Traffic::kNever;
  }
  source.created = ready;
  return ready;
}

void CycleGenerator::check(int64_t cycle, const router::input_queued::Network& network) {
  for (size_t host = 0; host < hosts_.size(); ++host)
    flits_received_[host] = network.flits_received(static_cast<int32_t>(host));
  const router::input_queued::Network::InFlight in_flight = network.in_flight(cycle);
  measurement_.check({flits_received_, in_flight.flits, static_cast<double>(in_flight.age)});
  if (measurement_.drain() != cycle) return;
  undrained_ = std::count_if(hosts_.begin(), hosts_.end(), [&](const Host& host) { return host.created < cycle; });
  if (undrained_ == 0) measurement_.fall_silent();
}

}  // namespace fabrictwin::traffic
