// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/probe/process.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::probe {

Process::Process(int32_t node, std::shared_ptr<State> state, observe::EndpointDigest* digest)
    : HostProcess(node), state_(std::move(state)), digest_(digest) {
  for (size_t i = 0; i < state_->probes.size(); ++i) {
    if (state_->probes[i].source == node) own_.push_back(i);
  }
}

std::string Process::waits_for() const {
  if (finished()) return {};
  return fmt::format("host {} waits for probes: {} of {} have arrived", node(), state_->arrived.get(),
                     state_->probes.size());
}

void Process::begin() { decide(); }

void Process::decide() {
  if (arrived_ > 0) {
    state_->last_arrival = std::max(state_->last_arrival, now());
    state_->arrived.add(std::exchange(arrived_, 0));
  }
  while (next_ < own_.size() && state_->probes[own_[next_]].start <= now()) {
    const size_t number = own_[next_++];
    const Probe& probe = state_->probes[number];
    nic::OutgoingMessage message;
    message.destination = probe.destination;
    message.envelope.payload_key =
        nic::payload_key(static_cast<uint64_t>(node()), static_cast<uint64_t>(probe.destination), number);
    message.envelope.bytes = probe.bytes;
    message.envelope.user[0] = number;
    send(message);
  }
  if (next_ < own_.size()) wake_at(state_->probes[own_[next_]].start);
}

void Process::on_message(const nic::IncomingMessage& message) {
  const uint64_t number = message.envelope.user[0];
  const auto source = static_cast<uint64_t>(message.source);
  const auto self = static_cast<uint64_t>(node());
  if (!message.intact || message.envelope.payload_key != nic::payload_key(source, self, number)) {
    if (failure_.empty())
      failure_ = fmt::format("host {}: probe {} from host {} has a wrong byte", self, number, source);
    return;
  }
  const std::array<uint64_t, 4> facts = {source, self, number, message.body_hash};
  digest_->add_message(observe::hash_values(facts));
  ++arrived_;
}

}  // namespace fabrictwin::probe
