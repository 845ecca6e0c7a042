// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/ni_mailbox.h"

#include "models/ni_processor.h"

namespace fabrictwin {

void NiMailbox::arrived(const ShortPacket& message) {
  Seen& seen = seen_[uint64_t{message.source} << 8 | message.channel];
  if (seen.verdict != NiVerdict::kNone && seen.sequence == message.sequence) {
    ++duplicates_;
  } else {
    seen = {message.sequence, decide(message)};
    if (seen.verdict == NiVerdict::kAccepted) enter(message);
    ++(seen.verdict == NiVerdict::kAccepted ? accepted_ : refused_);
  }
  ShortPacket answer;
  answer.kind = seen.verdict == NiVerdict::kAccepted ? NiOwnKind::kAck : NiOwnKind::kNack;
  answer.source = context_.node;
  answer.source_rank = message.rank;
  answer.destination = message.source;
  answer.rank = message.source_rank;
  answer.pdid = message.pdid;
  answer.va = static_cast<uint64_t>(seen.verdict);
  answer.sequence = message.sequence;
  answer.channel = message.channel;
  context_.after(context_.timing.answer,
                 [this, packet = answer.encode(context_.numbering)] { context_.transmit(NiStream::kAnswers, packet); });
}

NiVerdict NiMailbox::decide(const ShortPacket& message) {
  const auto interface = static_cast<size_t>(message.interface());
  if ((config_.enabled >> interface & 1) == 0) return NiVerdict::kDisabled;
  if (message.pdid != context_.pdid) return NiVerdict::kPdid;
  if (used_[interface] >= config_.depth) return NiVerdict::kFull;
  return NiVerdict::kAccepted;
}

void NiMailbox::enter(const ShortPacket& packet) {
  ++used_[static_cast<size_t>(packet.interface())];
  const NiMessage message{packet.source,   packet.interface(), packet.channel,
                          packet.sequence, packet.bytes,       packet.data};
  context_.at(context_.after_cycles(context_.timing.mailbox) + context_.timing.host_latency, [this, message] {
    if (processor_ != nullptr) {
      return processor_->message_in_ring(
          message, [this, interface = static_cast<size_t>(message.interface)] { --used_[interface]; });
    }
    waiting_.push_back(message);
    if (!busy_) take();
  });
}

// The processor takes one after the other; the ring hears of it by the host port.
void NiMailbox::take() {
  busy_ = true;
  context_.at(context_.now() + context_.timing.take_time, [this] {
    const NiMessage message = waiting_.front();
    waiting_.pop_front();
    context_.at(context_.now() + context_.timing.host_latency,
                [this, interface = static_cast<size_t>(message.interface)] { --used_[interface]; });
    context_.client->message_arrived(message);
    busy_ = false;
    if (!waiting_.empty()) take();
  });
}

}  // namespace fabrictwin
