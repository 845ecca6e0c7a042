// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/host_generator.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::traffic {

HostTraffic::HostTraffic(const TrafficSpec& spec, const DestinationPattern& pattern, Measurement& measurement,
                         const Clock& words, uint64_t seed, int32_t hosts)
    : spec_(spec),
      pattern_(pattern),
      measurement_(measurement),
      words_(words),
      seed_(seed),
      closed_(spec.process == v1::CLOSED_LOOP),
      slots_(spec.sampled ? std::numeric_limits<int64_t>::max() : words.edge_at_or_after(spec.duration)),
      hosts_(static_cast<size_t>(hosts)) {
  if (!closed_) gaps_ = PacketGaps(spec, measurement.packet_words());
}

std::unique_ptr<HostGenerator> HostTraffic::make_host(int32_t node, observe::EndpointDigest* digest) {
  if (keeper_ < 0 && spec_.sampled) keeper_ = node;
  auto host = std::make_unique<HostGenerator>(node, *this, digest);
  hosts_[node] = host.get();
  return host;
}

void HostTraffic::advance(Time now) {
  while (!stopped_ && measurement_.next_check() <= now.fs()) {
    const int64_t time = measurement_.next_check();
    const auto age = static_cast<unsigned __int128>(in_flight_) * static_cast<uint64_t>(time) - generated_;
    measurement_.check({{}, in_flight_, static_cast<double>(age)});
    if (!spec_.sampled) continue;
    // Packets leave when they are generated.
    if (measurement_.drain() == time) measurement_.fall_silent();
    if (!measurement_.over()) continue;
    stopped_ = true;
    stop_ = Time::from_fs(time);
  }
}

bool HostTraffic::finished() const { return (spec_.sampled ? stopped_ : generating_ == 0) && in_flight_ == 0; }

void HostTraffic::sent(Time now) {
  ++in_flight_;
  generated_ += static_cast<uint64_t>(now.fs());
  measurement_.packet_left(now.fs());
  measurement_.reach(now.fs());
}

void HostTraffic::received(int32_t host, Time generated, Time now) {
  --in_flight_;
  generated_ -= static_cast<uint64_t>(generated.fs());
  measurement_.reach(now.fs());
  measurement_.packet_arrived(host, generated.fs(), now.fs(), measurement_.measures(generated.fs()));
}

HostGenerator::HostGenerator(int32_t node, HostTraffic& traffic, observe::EndpointDigest* digest)
    : HostProcess(node),
      traffic_(traffic),
      digest_(digest),
      gaps_(traffic.seed_, static_cast<uint64_t>(node), RandomPurpose::kTrafficGap),
      destinations_(traffic.seed_, static_cast<uint64_t>(node), RandomPurpose::kTrafficDestination) {
  generating_ = traffic.pattern_.sends(node);
  if (generating_) ++traffic.generating_;
}

Time HostGenerator::finish_time() const {
  return std::max(traffic_.spec_.sampled ? traffic_.stop_ : traffic_.spec_.duration, last_arrival_);
}

std::string HostGenerator::waits_for() const {
  if ((generating_ && !traffic_.stopped_) || finished()) return {};
  return fmt::format("host {} waits for packets: {} of all hosts are in flight", node(), traffic_.in_flight_);
}

void HostGenerator::begin() {
  if (node() == traffic_.keeper_) wake_at(Time::from_fs(traffic_.measurement_.next_check()));
  if (!generating_) return;
  if (!traffic_.closed_) return schedule(traffic_.gaps_.first(gaps_));
  places_ = traffic_.spec_.window;
  for (int32_t place = 0; place < traffic_.spec_.window; ++place) ready_.push_back(0);
  wake_for_packet();
}

// The next packet is at a later slot than now, so that it does not matter which host decides first.
void HostGenerator::packet_returned(Time time) {
  if (traffic_.stopped_) return;
  const int64_t slot = traffic_.words_.edge_at_or_after(time + traffic_.spec_.think_time + Time::from_fs(1));
  if (slot < traffic_.slots_) {
    ready_.push_back(slot);
    wake_for_packet();
  } else if (--places_ == 0) {
    stop_generating();
  }
}

void HostGenerator::stop_generating() {
  generating_ = false;
  if (--traffic_.generating_ == 0) traffic_.measurement_.fall_silent();
}

// Sums over all hosts must not depend on the order in which hosts decide at one time, so only integers, sums of exact
// values and maxima are shared.
void HostGenerator::decide() {
  traffic_.advance(now());
  take_arrivals();
  if (traffic_.stopped_) return;
  generate();
  if (node() != traffic_.keeper_) return;
  // Only the earliest request counts, and it may just have been met.
  wake_at(Time::from_fs(traffic_.measurement_.next_check()));
  wake_for_packet();
}

void HostGenerator::take_arrivals() {
  for (const nic::IncomingMessage& message : arrivals_) {
    const uint64_t source = static_cast<uint64_t>(message.source);
    const uint64_t self = static_cast<uint64_t>(node());
    const uint64_t sequence = message.envelope.user[1];
    const Time generated = Time::from_fs(static_cast<int64_t>(message.envelope.user[0]));
    if (!message.intact || message.envelope.payload_key != nic::payload_key(source, self, sequence)) {
      if (failure_.empty())
        failure_ = fmt::format("host {}: packet {} from host {} has a wrong byte", self, sequence, source);
      continue;
    }
    const std::array<uint64_t, 5> facts = {source, self, sequence, message.envelope.bytes, message.body_hash};
    digest_->add_message(observe::hash_values(facts));
    last_arrival_ = now();
    traffic_.received(node(), generated, now());
    if (traffic_.closed_) traffic_.hosts_[source]->packet_returned(now());
  }
  arrivals_.clear();
}

void HostGenerator::generate() {
  if (traffic_.closed_) {
    while (!ready_.empty() && traffic_.words_.edge(ready_.front()) <= now()) {
      send_packet();
      ready_.pop_front();
    }
    return wake_for_packet();
  }
  while (generating_ && traffic_.words_.edge(next_slot_) <= now()) {
    send_packet();
    schedule(traffic_.gaps_.next(gaps_));
  }
}

void HostGenerator::send_packet() {
  const int32_t destination = traffic_.pattern_.next(node(), destinations_, packets_);
  nic::OutgoingMessage message;
  message.destination = destination;
  message.envelope.payload_key =
      nic::payload_key(static_cast<uint64_t>(node()), static_cast<uint64_t>(destination), packets_);
  message.envelope.bytes = static_cast<uint64_t>(traffic_.spec_.payload.count) - sizeof(nic::Envelope);
  message.envelope.user[0] = static_cast<uint64_t>(now().fs());
  message.envelope.user[1] = packets_++;
  traffic_.sent(now());
  send(message);
}

void HostGenerator::schedule(int64_t gap) {
  next_slot_ += 1 + gap;
  if (next_slot_ < traffic_.slots_) {
    wake_for_packet();
  } else {
    stop_generating();
  }
}

void HostGenerator::wake_for_packet() {
  if (traffic_.closed_) {
    if (!ready_.empty()) wake_at(traffic_.words_.edge(ready_.front()));
  } else if (generating_) {
    wake_at(traffic_.words_.edge(next_slot_));
  }
}

}  // namespace fabrictwin::traffic
