// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/packetizer.h"

#include <algorithm>

namespace fabrictwin::nic::exanet {

bool Packetizer::send(int32_t channel, Node node, int32_t interface, std::span<const std::byte> payload) {
  if (channel < 0 || channel >= kNiChannels || channels_[static_cast<size_t>(channel)].ongoing ||
      payload.size() > static_cast<size_t>(kNiMessageBytes)) {
    return false;
  }
  Channel& state = channels_[static_cast<size_t>(channel)];
  state.ongoing = true;
  state.ended.reset();
  state.sequence = (state.sequence + 1) & 0xffffff;
  state.copies = 0;
  ShortPacket packet;
  packet.source = context_.node;
  packet.destination = node;
  packet.pdid = context_.pdid;
  packet.va = static_cast<uint64_t>(interface) << 12;
  packet.sequence = state.sequence;
  packet.channel = static_cast<uint8_t>(channel);
  packet.bytes = static_cast<uint8_t>(payload.size());
  std::copy(payload.begin(), payload.end(), packet.data.begin());
  state.packet = packet.encode(context_.numbering);
  context_.after(context_.timing.doorbell, [this, channel] { transmit(channel); });
  return true;
}

void Packetizer::transmit(int32_t channel) {
  const Channel& state = channels_[static_cast<size_t>(channel)];
  context_.transmit(Stream::kMessages, state.packet);
  deadlines_.push_back({context_.after_cycles(context_.timing.message_timeout), channel, state.sequence});
}

void Packetizer::answered(const ShortPacket& answer) {
  const Channel& state = channels_[answer.channel];
  if (!state.ongoing || state.sequence != answer.sequence) {
    ++ignored_;
    return;
  }
  end(answer.channel, answer.kind == OwnKind::kAck ? MessageState::kAcked : MessageState::kNacked,
      context_.timing.answered);
}

// The channel is free when its host is told, or when its host can read the state.
void Packetizer::end(int32_t channel, MessageState state, int64_t cycles) {
  const uint32_t sequence = channels_[static_cast<size_t>(channel)].sequence;
  const bool asked = context_.timing.accesses();
  const Time told = asked ? Time::zero() : context_.timing.host_latency;
  context_.at(context_.after_cycles(cycles) + told, [this, channel, sequence, state, asked] {
    Channel& sender = channels_[static_cast<size_t>(channel)];
    if (!sender.ongoing || sender.sequence != sequence) return;  // A duplicate answer is ignored.
    sender.ongoing = false;
    sender.ended = state;
    if (!asked) context_.client->message_done(channel, state);
  });
}

Time Packetizer::next_deadline() {
  while (!deadlines_.empty()) {
    const Deadline& front = deadlines_.front();
    const Channel& state = channels_[static_cast<size_t>(front.channel)];
    if (state.ongoing && state.sequence == front.sequence) return front.time;
    deadlines_.pop_front();
  }
  return Time::never();
}

void Packetizer::expire() {
  while (next_deadline() <= context_.now()) {
    const int32_t channel = deadlines_.front().channel;
    deadlines_.pop_front();
    Channel& state = channels_[static_cast<size_t>(channel)];
    if (state.copies == context_.timing.message_copies) {
      end(channel, MessageState::kTimedOut, 0);
      continue;
    }
    ++state.copies;
    ++copies_;
    transmit(channel);
  }
}

}  // namespace fabrictwin::nic::exanet
