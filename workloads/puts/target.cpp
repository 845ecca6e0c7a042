// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/puts/target.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::puts {

Target::Target(int32_t node, std::shared_ptr<State> state, observe::EndpointDigest* digest)
    : HostProcess(node), state_(std::move(state)), digest_(digest) {}

void Target::on_message(const nic::IncomingMessage& message) {
  const uint64_t number = message.envelope.user[0];
  const auto source = static_cast<uint64_t>(message.source);
  const auto self = static_cast<uint64_t>(node());
  if (!message.intact || message.envelope.payload_key != nic::payload_key(source, self, number)) {
    if (failure_.empty()) failure_ = fmt::format("host {}: Put {} from host {} has a wrong byte", self, number, source);
    return;
  }
  const std::array<uint64_t, 3> facts = {self, number, message.body_hash};
  digest_->add_message(observe::hash_values(facts));
  arrived_.push_back(number);
}

void Target::decide() {
  std::sort(arrived_.begin(), arrived_.end());
  for (const uint64_t number : arrived_) {
    state_->arrive(number, now());
    const uint64_t stream = state_->stream_of(number);
    if (++come_[stream] < state_->spec.count) continue;
    come_[stream] = 0;
    nic::OutgoingMessage done;
    done.destination = state_->spec.source;
    done.envelope.user[0] = stream;
    send(done);
  }
  arrived_.clear();
}

}  // namespace fabrictwin::puts
