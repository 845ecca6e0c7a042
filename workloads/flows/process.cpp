// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/flows/process.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::flows {

Process::Process(int32_t node, State& state, std::vector<uint32_t> flows, uint64_t expected,
                 observe::EndpointDigest* digest)
    : HostProcess(node), state_(state), own_(std::move(flows)), expected_(expected), digest_(digest) {}

void Process::begin() {
  if (!own_.empty()) wake_at(state_.flows[own_[0]].start);
}

void Process::start_flow(uint32_t number) {
  const Flow& flow = state_.flows[number];
  nic::OutgoingMessage message;
  message.destination = flow.destination;
  message.envelope.payload_key =
      nic::payload_key(static_cast<uint64_t>(node()), static_cast<uint64_t>(flow.destination), number);
  // The envelope is part of the flow.
  message.envelope.bytes = std::max<uint64_t>(flow.bytes, sizeof(nic::Envelope)) - sizeof(nic::Envelope);
  message.envelope.user[1] = number;
  message.cookie = number + 1;
  message.flow = true;
  message.stop = flow.stop;
  if (flow.bytes == 0) message.envelope.bytes = nic::OutgoingMessage::kEndless;
  send(message);
}

void Process::on_sent(uint64_t cookie) {
  if (!state_.transport) ending_.push_back({static_cast<size_t>(cookie - 1), Time::zero()});
}

void Process::on_acknowledged(uint64_t cookie, Time alone) {
  ending_.push_back({static_cast<size_t>(cookie - 1), alone});
}

void Process::take(const nic::IncomingMessage& message) {
  const auto source = static_cast<uint64_t>(message.source);
  const auto self = static_cast<uint64_t>(node());
  const uint64_t number = message.envelope.user[1];
  if (!message.intact || message.envelope.payload_key != nic::payload_key(source, self, number)) {
    if (failure_.empty())
      failure_ = fmt::format("host {}: flow {} from host {} has a wrong byte", self, number, source);
    return;
  }
  const std::array<uint64_t, 5> facts = {source, self, number, message.envelope.bytes, message.body_hash};
  digest_->add_message(observe::hash_values(facts));
  state_.outcomes[number].arrived = now();
  // Without a transport, nobody else counts.
  if (!state_.transport) state_.bytes[number] = state_.flows[number].bytes;
  // What has a stop may come to its end before, and is not waited for.
  if (state_.flows[number].stop.is_never()) ++received_;
  finish_time_ = now();
}

void Process::decide() {
  for (const nic::IncomingMessage& message : arrivals_) take(message);
  arrivals_.clear();
  for (const Ended& flow : ending_) {
    Outcome& outcome = state_.outcomes[flow.flow];
    if (state_.transport) outcome.acknowledged = now();
    outcome.alone = flow.alone;
    ++ended_;
    finish_time_ = now();
    state_.finished.fetch_add(1, std::memory_order_relaxed);
  }
  ending_.clear();
  for (; started_ < own_.size() && state_.flows[own_[started_]].start <= now(); ++started_) start_flow(own_[started_]);
  if (started_ < own_.size()) wake_at(state_.flows[own_[started_]].start);
}

std::string Process::waits_for() const {
  if (finished()) return {};
  return fmt::format("host {} has {} of its {} flows to end, and waits for {} of others", node(), own_.size() - ended_,
                     own_.size(), expected_ - received_);
}

}  // namespace fabrictwin::flows
