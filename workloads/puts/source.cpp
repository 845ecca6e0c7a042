// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/puts/source.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fmt/format.h"
#include "models/nic/message_body.h"

namespace fabrictwin::puts {
namespace {

nic::Envelope envelope_of(const State& state, uint64_t number) {
  const uint64_t stream = state.stream_of(number);
  nic::Envelope envelope;
  envelope.payload_key = nic::payload_key(static_cast<uint64_t>(state.spec.source),
                                          static_cast<uint64_t>(state.spec.destinations[stream]), number);
  envelope.bytes = static_cast<uint64_t>(state.spec.sizes[state.size_of(number)].count);
  envelope.user[0] = number;
  return envelope;
}

}  // namespace

Source::Source(int32_t node, std::shared_ptr<State> state, observe::EndpointDigest* digest)
    : HostProcess(node), state_(std::move(state)), digest_(digest) {}

void Source::begin() { start_size(); }

void Source::start_size() {
  given_.assign(state_->streams(), 0);
  over_.assign(state_->streams(), 0);
  streams_done_ = 0;
  // Streams start in rounds, so that none has an advantage over the others.
  for (int32_t i = 0; i < std::min(state_->spec.window, state_->spec.count); ++i) {
    for (uint64_t stream = 0; stream < state_->streams(); ++stream) give(stream);
  }
}

void Source::give(uint64_t stream) {
  const uint64_t number = state_->number(size_, stream, given_[stream]++);
  nic::OutgoingMessage message;
  message.destination = state_->spec.destinations[stream];
  message.envelope = envelope_of(*state_, number);
  message.cookie = number + 1;
  message.operation = gets() ? nic::NicOperation::kGet : nic::NicOperation::kPut;
  message.port = static_cast<uint8_t>(stream % nic::OutgoingMessage::kAnyPort);
  state_->start(number, now());
  send(message);
}

void Source::got(uint64_t number) {
  const nic::Envelope envelope = envelope_of(*state_, number);
  const std::array<uint64_t, 3> facts = {static_cast<uint64_t>(node()), number, nic::hash_of_body(envelope)};
  digest_->add_message(observe::hash_values(facts));
  state_->arrive(number, now());
  const uint64_t stream = state_->stream_of(number);
  if (++over_[stream] == state_->spec.count) ++streams_done_;
}

void Source::decide() {
  std::sort(left_.begin(), left_.end());
  for (const uint64_t number : left_) {
    if (gets()) got(number);
    const uint64_t stream = state_->stream_of(number);
    if (given_[stream] < state_->spec.count) give(stream);
  }
  left_.clear();
  if (finished() || streams_done_ < state_->streams()) return;
  if (++size_ < state_->spec.sizes.size()) return start_size();
  state_->finished = true;
  state_->end = now();
}

std::string Source::waits_for() const {
  if (finished()) return {};
  return fmt::format("host {} waits for {} {} of {} to {} hosts", node(), state_->starts.size(),
                     gets() ? "Gets" : "Puts", to_string(state_->spec.sizes[size_]), state_->streams());
}

}  // namespace fabrictwin::puts
