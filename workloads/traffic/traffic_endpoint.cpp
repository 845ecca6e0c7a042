// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/traffic_endpoint.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::traffic {

TrafficEndpoint::TrafficEndpoint(int32_t node, std::shared_ptr<TrafficState> state, observe::EndpointDigest* digest)
    : HostProcess(node),
      state_(std::move(state)),
      digest_(digest),
      gaps_(state_->seed, static_cast<uint64_t>(node), RandomPurpose::kTrafficGap),
      destinations_(state_->seed, static_cast<uint64_t>(node), RandomPurpose::kTrafficDestination) {
  state_->endpoints[node] = this;
  generating_ = state_->pattern.sends(node);
  if (generating_) ++state_->generating;
}

Time TrafficEndpoint::finish_time() const { return std::max(state_->spec.duration, last_arrival_); }

std::string TrafficEndpoint::waits_for() const {
  if (generating_ || finished()) return {};
  return fmt::format("host {} waits for packets: {} of all hosts are in flight", node(), state_->in_flight);
}

void TrafficEndpoint::begin() {
  if (!generating_) return;
  if (!state_->closed) return schedule(state_->gaps.first(gaps_));
  places_ = state_->spec.window;
  for (int32_t place = 0; place < state_->spec.window; ++place) ready_.push_back(0);
  wake_at(state_->word_clock.edge(0));
}

// The next packet is at a later slot than now, so that it does not matter which host decides first.
void TrafficEndpoint::packet_returned(Time time) {
  const int64_t slot = state_->word_clock.edge_at_or_after(time + state_->spec.think_time + Time::from_fs(1));
  if (slot < state_->slots) {
    ready_.push_back(slot);
    wake_at(state_->word_clock.edge(ready_.front()));
  } else if (--places_ == 0) {
    stop_generating();
  }
}

void TrafficEndpoint::stop_generating() {
  generating_ = false;
  --state_->generating;
}

// Sums over all hosts must not depend on the order in which hosts decide at one time, so only integers, sums of exact
// values and maxima are shared.
void TrafficEndpoint::decide() {
  take_arrivals();
  generate();
}

void TrafficEndpoint::take_arrivals() {
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
    reach();
    const Time latency = now() - generated;
    --state_->in_flight;
    ++state_->received;
    if (now() < state_->spec.duration) {
      ++state_->received_in_time;
      ++state_->received_by[self];
    }
    state_->latencies.add(latency.fs());
    if (state_->closed) state_->endpoints[source]->packet_returned(now());
  }
  arrivals_.clear();
}

void TrafficEndpoint::generate() {
  if (state_->closed) {
    while (!ready_.empty() && state_->word_clock.edge(ready_.front()) <= now()) {
      send_packet();
      ready_.pop_front();
    }
    if (!ready_.empty()) wake_at(state_->word_clock.edge(ready_.front()));
    return;
  }
  while (generating_ && state_->word_clock.edge(next_slot_) <= now()) {
    send_packet();
    schedule(state_->gaps.next(gaps_));
  }
}

void TrafficEndpoint::send_packet() {
  const int32_t destination = state_->pattern.next(node(), destinations_, packets_);
  nic::OutgoingMessage message;
  message.destination = destination;
  message.envelope.payload_key =
      nic::payload_key(static_cast<uint64_t>(node()), static_cast<uint64_t>(destination), packets_);
  message.envelope.bytes = static_cast<uint64_t>(state_->spec.payload.count) - sizeof(nic::Envelope);
  message.envelope.user[0] = static_cast<uint64_t>(now().fs());
  message.envelope.user[1] = packets_++;
  ++state_->in_flight;
  ++state_->sent;
  reach();
  send(message);
}

// Within a window of a packet network, hosts are not processed in time order.
void TrafficEndpoint::reach() {
  state_->reached.set(std::max(state_->reached.get(), static_cast<uint64_t>(now().fs())));
}

void TrafficEndpoint::schedule(int64_t gap) {
  next_slot_ += 1 + gap;
  if (next_slot_ < state_->slots) {
    wake_at(state_->word_clock.edge(next_slot_));
  } else {
    stop_generating();
  }
}

}  // namespace fabrictwin::traffic
