// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/cycle_generator.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fabrictwin::traffic {

using router::input_queued::Packet;
using router::input_queued::Traffic;

CycleGenerator::CycleGenerator(const TrafficSpec& spec, std::span<const DestinationPattern> patterns,
                               Measurement& measurement, uint64_t seed, int32_t hosts)
    : measurement_(measurement), sequence_(static_cast<size_t>(hosts)), sampled_(spec.sampled) {
  if (!sampled_) end_ = measurement.next_check();
  for (size_t i = 0; i < patterns.size(); ++i) add_class(spec.all_classes()[i], patterns[i], seed, hosts);
  flits_received_.resize(static_cast<size_t>(hosts));
}

void CycleGenerator::add_class(const ClassSpec& spec, const DestinationPattern& pattern, uint64_t seed, int32_t hosts) {
  const TimeBase& base = measurement_.base();
  const uint64_t number = classes_.size();
  Class& made = classes_.emplace_back();
  made.pattern = &pattern;
  made.closed = spec.process == v1::CLOSED_LOOP;
  made.think_cycles = base.tick_at_or_after(spec.think_time);
  made.end = spec.stop.is_never() ? end_ : std::min(end_, base.tick_at_or_after(spec.stop));
  made.flits = static_cast<uint16_t>(measurement_.packet_words(number));
  made.first = sources_.size();
  if (!made.closed) made.gaps = PacketGaps(spec, made.flits);
  if (made.closed) ready_.resize(made.first + static_cast<size_t>(hosts));
  const int64_t start = base.tick_at_or_after(spec.start);
  for (int32_t host = 0; host < hosts; ++host) {
    const uint64_t element = class_element(static_cast<uint64_t>(host), number);
    sources_.push_back({RandomStream(seed, element, RandomPurpose::kTrafficGap),
                        RandomStream(seed, element, RandomPurpose::kTrafficDestination),
                        RandomStream(seed, element, RandomPurpose::kTieBreak)});
    Source& source = sources_.back();
    if (!pattern.sends(host)) {
      source.created = Traffic::kNever;
    } else if (made.closed) {
      source.created = start;
      for (int32_t slot = 1; slot < spec.window; ++slot) ready_[sources_.size() - 1].push_back(start);
    } else {
      source.created = start + made.gaps.first(source.gaps);
      if (source.created >= made.end) source.created = Traffic::kNever;
    }
  }
}

void CycleGenerator::bind(std::span<observe::EndpointDigest> digests, const Clock& clock) {
  digests_ = digests;
  clock_ = &clock;
}

void CycleGenerator::keep_hosts(std::vector<bool> here) {
  here_ = std::move(here);
  for (const Class& of_class : classes_) {
    for (size_t host = 0; host < here_.size(); ++host) {
      if (!here_[host]) sources_[of_class.first + host].created = Traffic::kNever;
    }
  }
}

int32_t CycleGenerator::min_packet_flits() const {
  return std::ranges::min_element(classes_, {}, &Class::flits)->flits;
}

int64_t CycleGenerator::next_packet_of(int32_t host, int32_t queue, int64_t cycle, Packet& packet) {
  const Class& of_class = classes_[static_cast<size_t>(queue)];
  const size_t index = of_class.first + static_cast<size_t>(host);
  Source& source = sources_[index];
  if (source.created > cycle) return source.created;
  packet.created = source.created;
  packet.source = host;
  packet.destination = of_class.pattern->next(host, source.destinations, source.packets++);
  packet.flits = of_class.flits;
  packet.sequence = sequence_[static_cast<size_t>(host)]++;
  packet.random = static_cast<uint32_t>(source.ties.next());
  packet.measured = measurement_.packet_left(packet.created, static_cast<size_t>(queue), is_here(packet.destination));
  if (!sampled_) measurement_.reach(cycle);
  if (!of_class.closed) {
    source.created += 1 + of_class.gaps.next(source.gaps);
    if (source.created >= of_class.end) source.created = Traffic::kNever;
  } else if (ready_[index].empty()) {
    source.created = Traffic::kNever;
  } else {
    source.created = ready_[index].front();
    ready_[index].pop_front();
  }
  const int64_t drain = measurement_.drain();
  if (packet.created < drain && source.created >= drain && --undrained_ == 0) measurement_.fall_silent();
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
  if (measurement_.packet_arrived(packet.destination, packet.created, cycle, packet.measured, packet.source_queue,
                                  is_here(packet.source)))
    measurement_.add_path(cycle - packet.injected, packet.hops);
}

int64_t CycleGenerator::resume_source(const Packet& packet, int64_t cycle) {
  const Class& of_class = classes_[packet.source_queue];
  if (!of_class.closed) return Traffic::kNever;
  // The sender learns of it in the next cycle, so that nothing depends on the order within a cycle.
  const int64_t ready = cycle + 1 + of_class.think_cycles;
  if (ready >= of_class.end) return Traffic::kNever;
  const size_t index = of_class.first + static_cast<size_t>(packet.source);
  if (sources_[index].created != Traffic::kNever) {
    ready_[index].push_back(ready);
    return Traffic::kNever;
  }
  sources_[index].created = ready;
  return ready;
}

void CycleGenerator::check(int64_t cycle, const router::input_queued::Network& network) {
  for (size_t host = 0; host < flits_received_.size(); ++host)
    flits_received_[host] = network.flits_received(static_cast<int32_t>(host));
  const router::input_queued::Network::InFlight in_flight = network.in_flight(cycle);
  measurement_.check({flits_received_, in_flight.flits, static_cast<double>(in_flight.age)});
  if (measurement_.drain() != cycle) return;
  undrained_ = std::ranges::count_if(sources_, [&](const Source& source) { return source.created < cycle; });
  if (undrained_ == 0) measurement_.fall_silent();
}

}  // namespace fabrictwin::traffic
