// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/flows/process.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cosim/base/random.h"
#include "cosim/base/text.h"
#include "fmt/format.h"

namespace fabrictwin::flows {
namespace {

/// From one look of a process in the background to the next.
constexpr Time kLookInterval = Time::from_us(1000);

/// The number of a flow among the messages of its source; each repetition has another one.
uint64_t sequence_of(uint64_t number, uint64_t shift) { return shift == 0 ? number : number ^ mix64(shift); }

}  // namespace

Process::Process(int32_t node, State& state, std::vector<uint32_t> flows, uint64_t expected,
                 observe::EndpointDigest* digest, bool background)
    : HostProcess(node),
      state_(state),
      own_(std::move(flows)),
      expected_(expected),
      digest_(digest),
      background_(background) {}

void Process::begin() {
  if (own_.empty()) return;
  if (background_ && state_.look) next_look_ = kLookInterval;
  wake_at(std::min(start_of(0), next_look_));
}

void Process::start_flow(uint32_t number) {
  const Flow& flow = state_.flows[number];
  nic::OutgoingMessage message;
  message.destination = flow.destination;
  message.envelope.payload_key =
      nic::payload_key(static_cast<uint64_t>(node()), static_cast<uint64_t>(flow.destination),
                       sequence_of(number, static_cast<uint64_t>(shift_.fs())));
  // The envelope is part of the flow.
  message.envelope.bytes = std::max<uint64_t>(flow.bytes, sizeof(nic::Envelope)) - sizeof(nic::Envelope);
  message.envelope.user[0] = static_cast<uint64_t>(shift_.fs());
  message.envelope.user[1] = number;
  message.cookie = number + 1;
  message.flow = true;
  message.repeats = background_;
  message.stop = flow.stop.is_never() ? flow.stop : flow.stop + shift_;
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
  const uint64_t sequence = sequence_of(number, message.envelope.user[0]);
  if (!message.intact || message.envelope.payload_key != nic::payload_key(source, self, sequence)) {
    if (failure_.empty())
      failure_ = fmt::format("host {}: flow {} from host {} has a wrong byte", self, number, source);
    return;
  }
  const std::array<uint64_t, 5> facts = {source, self, sequence, message.envelope.bytes, message.body_hash};
  digest_->add_message(observe::hash_values(facts));
  state_.outcomes[number].arrived = now();
  state_.outcomes[number].arrived_shift = Time::from_fs(static_cast<int64_t>(message.envelope.user[0]));
  const uint64_t bytes = state_.flows[number].bytes;
  if (!state_.counted) {
    state_.bytes[number] += bytes;
  } else if (bytes > 0 && bytes < sizeof(nic::Envelope)) {
    // Its envelope is longer.
    state_.bytes[number] -= sizeof(nic::Envelope) - bytes;
  }
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
    outcome.shift = shift_;
    ++ended_;
    finish_time_ = now();
    if (rounds_ == 0) state_.finished.fetch_add(1, std::memory_order_relaxed);
  }
  ending_.clear();
  if (background_ && !own_.empty() && ended_ == own_.size()) {
    ++rounds_;
    shift_ = now();
    started_ = 0;
    ended_ = 0;
  }
  for (; started_ < own_.size() && start_of(started_) <= now(); ++started_) start_flow(own_[started_]);
  if (next_look_ <= now()) look();
  const Time start = started_ < own_.size() ? start_of(started_) : Time::never();
  if (const Time next = std::min(start, next_look_); !next.is_never()) wake_at(next);
}

void Process::look() {
  next_look_ = now() + kLookInterval;
  if (const absl::Status status = state_.look(now()); !status.ok() && failure_.empty()) failure_ = message_of(status);
}

std::string Process::waits_for() const {
  if (finished()) return {};
  return fmt::format("host {} has {} of its {} flows to end, and waits for {} of others", node(), own_.size() - ended_,
                     own_.size(), expected_ - received_);
}

}  // namespace fabrictwin::flows
