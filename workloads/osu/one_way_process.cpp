// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/osu/one_way_process.h"

#include <array>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::osu {

OneWayProcess::OneWayProcess(int32_t node, std::shared_ptr<OneWayState> state, observe::EndpointDigest* digest)
    : HostProcess(node), state_(std::move(state)), digest_(digest) {}

void OneWayProcess::begin() {
  if (sends()) decide();
}

// The message carries its send time and its number in its flow.
void OneWayProcess::post(uint64_t bytes) {
  nic::OutgoingMessage message;
  message.destination = peer();
  message.envelope.payload_key = nic::payload_key(static_cast<uint64_t>(node()), static_cast<uint64_t>(peer()), sent_);
  message.envelope.bytes = bytes;
  message.envelope.user[0] = sent_++;
  message.envelope.user[1] = static_cast<uint64_t>(now().fs());
  bytes_sent_ += bytes;
  send(message);
}

bool OneWayProcess::take(const nic::IncomingMessage& message) {
  const auto source = static_cast<uint64_t>(message.source);
  const auto self = static_cast<uint64_t>(node());
  if (message.source != peer() || message.envelope.user[0] != handled_) {
    failure_ = fmt::format("host {}: message {} from host {} came where message {} from host {} was expected", self,
                           message.envelope.user[0], source, handled_, peer());
    return false;
  }
  if (!message.intact || message.envelope.payload_key != nic::payload_key(source, self, handled_)) {
    failure_ = fmt::format("host {}: message {} from host {} has a wrong byte", self, handled_, source);
    return false;
  }
  const std::array<uint64_t, 5> facts = {source, self, handled_, message.envelope.bytes, message.body_hash};
  digest_->add_message(observe::hash_values(facts));
  return true;
}

void OneWayProcess::measure(Time latency) {
  const uint64_t repetition = handled_ % state_->repetitions();
  if (repetition >= static_cast<uint64_t>(state_->spec.warmup)) sum_ += latency;
  if (repetition + 1 < state_->repetitions()) return;
  state_->elapsed.push_back(sum_);
  sum_ = Time::zero();
}

void OneWayProcess::decide() {
  for (const nic::IncomingMessage& message : arrivals_) {
    if (!failure_.empty() || finished() || !take(message)) break;
    if (!sends()) {
      measure(now() - Time::from_fs(static_cast<int64_t>(message.envelope.user[1])));
      state_->messages.add(1);
      post(0);
    }
    ++handled_;
    finish_time_ = now();
  }
  arrivals_.clear();
  if (!failure_.empty() || !sends() || finished() || sent_ > handled_) return;
  post(static_cast<uint64_t>(state_->sizes[handled_ / state_->repetitions()].count));
}

std::string OneWayProcess::waits_for() const {
  if (finished() || !failure_.empty()) return {};
  return fmt::format("host {} waits for {} {} of {} from host {}", node(),
                     sends() ? "the answer to message" : "message", handled_, state_->total(), peer());
}

}  // namespace fabrictwin::osu
