// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/host_generator.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::traffic {

namespace {

// A packet tells its class in the upper bits of its sequence number.
constexpr int kClassShift = 48;
constexpr uint64_t kNumberMask = (uint64_t{1} << kClassShift) - 1;

}  // namespace

HostTraffic::HostTraffic(const TrafficSpec& spec, std::span<const DestinationPattern> patterns,
                         Measurement& measurement, const Clock& words, uint64_t seed, const TrafficHosts& hosts)
    : measurement_(measurement),
      words_(words),
      seed_(seed),
      places_(hosts),
      sampled_(spec.sampled),
      duration_(spec.duration),
      hosts_(static_cast<size_t>(hosts.count())) {
  const int64_t end = sampled_ ? std::numeric_limits<int64_t>::max() : words.edge_at_or_after(duration_);
  for (size_t i = 0; i < patterns.size(); ++i) {
    Class& of_class = classes_.emplace_back();
    of_class.spec = spec.all_classes()[i];
    of_class.pattern = &patterns[i];
    of_class.closed = of_class.spec.process == v1::CLOSED_LOOP;
    if (!of_class.closed) of_class.gaps = PacketGaps(of_class.spec, measurement.packet_words(i));
    of_class.first = words.edge_at_or_after(of_class.spec.start);
    of_class.end = of_class.spec.stop.is_never() ? end : std::min(end, words.edge_at_or_after(of_class.spec.stop));
  }
}

std::unique_ptr<HostGenerator> HostTraffic::make_host(int32_t node, observe::EndpointDigest* digest) {
  if (keeper_ < 0 && sampled_) keeper_ = node;
  auto host = std::make_unique<HostGenerator>(node, *this, digest);
  hosts_[static_cast<size_t>(places_.number(node))] = host.get();
  return host;
}

void HostTraffic::advance(Time now) {
  while (!stopped_ && measurement_.next_check() <= now.fs()) {
    const int64_t time = measurement_.next_check();
    const auto age = static_cast<unsigned __int128>(in_flight_) * static_cast<uint64_t>(time) - generated_;
    measurement_.check({{}, in_flight_, static_cast<double>(age)});
    if (!sampled_) continue;
    // Packets leave when they are generated.
    if (measurement_.drain() == time) measurement_.fall_silent();
    if (!measurement_.over()) continue;
    stopped_ = true;
    stop_ = Time::from_fs(time);
  }
}

bool HostTraffic::finished() const { return (sampled_ ? stopped_ : generating_ == 0) && in_flight_ == 0; }

void HostTraffic::sent(int32_t destination, Time now, size_t of_class) {
  const bool stays = is_here(destination);
  if (stays) {
    ++in_flight_;
    generated_ += static_cast<uint64_t>(now.fs());
  }
  measurement_.packet_left(now.fs(), of_class, stays);
  measurement_.reach(now.fs());
}

void HostTraffic::received(int32_t source, int32_t host, Time generated, Time now, size_t of_class) {
  const bool stayed = is_here(source);
  if (stayed) {
    --in_flight_;
    generated_ -= static_cast<uint64_t>(generated.fs());
  }
  measurement_.reach(now.fs());
  measurement_.packet_arrived(host, generated.fs(), now.fs(), measurement_.measures(generated.fs()), of_class, stayed);
}

HostGenerator::HostGenerator(int32_t node, HostTraffic& traffic, observe::EndpointDigest* digest)
    : HostProcess(node), traffic_(traffic), number_(traffic.places_.number(node)), digest_(digest) {
  for (size_t i = 0; i < traffic.classes_.size(); ++i) {
    const uint64_t element = class_element(static_cast<uint64_t>(number_), i);
    Source& source = sources_.emplace_back(
        Source{.gaps = RandomStream(traffic.seed_, element, RandomPurpose::kTrafficGap),
               .destinations = RandomStream(traffic.seed_, element, RandomPurpose::kTrafficDestination)});
    source.generating = traffic.classes_[i].pattern->sends(number_);
    if (source.generating) ++traffic.generating_;
  }
}

Time HostGenerator::finish_time() const {
  if (traffic_.places_.background()) return last_arrival_;
  return std::max(traffic_.sampled_ ? traffic_.stop_ : traffic_.duration_, last_arrival_);
}

bool HostGenerator::generating() const { return std::ranges::any_of(sources_, &Source::generating); }

std::string HostGenerator::waits_for() const {
  if ((generating() && !traffic_.stopped_) || finished()) return {};
  return fmt::format("host {} waits for packets: {} of all hosts are in flight", node(), traffic_.in_flight_);
}

void HostGenerator::begin() {
  if (node() == traffic_.keeper_) wake_at(Time::from_fs(traffic_.measurement_.next_check()));
  for (size_t i = 0; i < sources_.size(); ++i) {
    Source& source = sources_[i];
    const HostTraffic::Class& of_class = traffic_.classes_[i];
    if (!source.generating) continue;
    if (!of_class.closed) {
      schedule(i, of_class.first + of_class.gaps.first(source.gaps));
      continue;
    }
    source.window = of_class.spec.window;
    for (int32_t entry = 0; entry < of_class.spec.window; ++entry) source.ready.push_back(of_class.first);
  }
  wake_for_packet();
}

// The next packet is at a later slot than now, so that it does not matter which host decides first.
void HostGenerator::packet_returned(Time time, size_t of_class) {
  if (traffic_.stopped_) return;
  Source& source = sources_[of_class];
  const Time ready = time + traffic_.classes_[of_class].spec.think_time + Time::from_fs(1);
  const int64_t slot = traffic_.words_.edge_at_or_after(ready);
  if (slot < traffic_.classes_[of_class].end) {
    source.ready.push_back(slot);
    wake_for_packet();
  } else if (--source.window == 0) {
    stop_generating(source);
  }
}

void HostGenerator::stop_generating(Source& source) {
  source.generating = false;
  if (--traffic_.generating_ == 0) traffic_.measurement_.fall_silent();
}

// Sums over all hosts must not depend on the order in which hosts decide at one time, so only integers, sums of exact
// values and maxima are shared.
void HostGenerator::decide() {
  traffic_.advance(now());
  take_arrivals();
  if (traffic_.stopped_) return;
  for (size_t i = 0; i < sources_.size(); ++i) generate(i);
  wake_for_packet();
  if (node() != traffic_.keeper_) return;
  // Only the earliest request counts, and it may just have been met.
  wake_at(Time::from_fs(traffic_.measurement_.next_check()));
  wake_for_packet();
}

void HostGenerator::take_arrivals() {
  for (const nic::IncomingMessage& message : arrivals_) {
    const int32_t from = traffic_.places_.number(message.source);
    const auto source = static_cast<uint64_t>(from);
    const auto self = static_cast<uint64_t>(number_);
    const uint64_t sequence = message.envelope.user[1];
    const uint64_t of_class = sequence >> kClassShift;
    const Time generated = Time::from_fs(static_cast<int64_t>(message.envelope.user[0]));
    if (!message.intact || message.envelope.payload_key != nic::payload_key(source, self, sequence)) {
      if (failure_.empty())
        failure_ = fmt::format("host {}: packet {} from host {} has a wrong byte", node(), sequence & kNumberMask,
                               message.source);
      continue;
    }
    const std::array<uint64_t, 5> facts = {source, self, sequence, message.envelope.bytes, message.body_hash};
    digest_->add_message(observe::hash_values(facts));
    last_arrival_ = now();
    traffic_.received(from, number_, generated, now(), of_class);
    if (traffic_.classes_[of_class].closed) traffic_.hosts_[source]->packet_returned(now(), of_class);
  }
  arrivals_.clear();
}

void HostGenerator::generate(size_t index) {
  Source& source = sources_[index];
  const HostTraffic::Class& of_class = traffic_.classes_[index];
  const auto due = [&](int64_t slot) { return traffic_.words_.edge(slot) <= now(); };
  while (of_class.closed && !source.ready.empty() && due(source.ready.front())) {
    send_packet(index);
    source.ready.pop_front();
  }
  while (!of_class.closed && source.generating && due(source.next_slot)) {
    send_packet(index);
    schedule(index, source.next_slot + 1 + of_class.gaps.next(source.gaps));
  }
}

void HostGenerator::send_packet(size_t index) {
  Source& source = sources_[index];
  const HostTraffic::Class& of_class = traffic_.classes_[index];
  const int32_t destination = of_class.pattern->next(number_, source.destinations, source.packets);
  const uint64_t sequence = static_cast<uint64_t>(index) << kClassShift | source.packets++;
  nic::OutgoingMessage message;
  message.destination = traffic_.places_.host(destination);
  message.envelope.payload_key =
      nic::payload_key(static_cast<uint64_t>(number_), static_cast<uint64_t>(destination), sequence);
  message.envelope.bytes = static_cast<uint64_t>(of_class.spec.payload.count) - sizeof(nic::Envelope);
  message.envelope.user[0] = static_cast<uint64_t>(now().fs());
  message.envelope.user[1] = sequence;
  traffic_.sent(destination, now(), index);
  send(message);
}

void HostGenerator::schedule(size_t index, int64_t slot) {
  sources_[index].next_slot = slot;
  if (slot >= traffic_.classes_[index].end) stop_generating(sources_[index]);
}

void HostGenerator::wake_for_packet() {
  for (size_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    if (traffic_.classes_[i].closed) {
      if (!source.ready.empty()) wake_at(traffic_.words_.edge(source.ready.front()));
    } else if (source.generating) {
      wake_at(traffic_.words_.edge(source.next_slot));
    }
  }
}

}  // namespace fabrictwin::traffic
