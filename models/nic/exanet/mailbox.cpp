// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/mailbox.h"

#include "models/nic/exanet/processor.h"

namespace fabrictwin::nic::exanet {

void Mailbox::arrived(const ShortPacket& message) {
  Seen& seen = seen_[uint64_t{message.source} << 8 | message.channel];
  if (seen.verdict != Verdict::kNone && seen.sequence == message.sequence) {
    if (!seen.written) {
      ++dropped_;
      return;
    }
    ++duplicates_;
  } else {
    if (config_.in_memory && writing_ == kMostWrites) {
      ++dropped_;
      return;
    }
    seen = {message.sequence, decide(message)};
    ++(seen.verdict == Verdict::kAccepted ? accepted_ : refused_);
    if (seen.verdict == Verdict::kAccepted && config_.in_memory) {
      seen.written = false;
      return enter_memory(message);
    }
    if (seen.verdict == Verdict::kAccepted) enter(message);
  }
  answer(message, seen.verdict, context_.timing.answer);
}

void Mailbox::answer(const ShortPacket& message, Verdict verdict, int32_t cycles) {
  ShortPacket answer;
  answer.kind = verdict == Verdict::kAccepted ? OwnKind::kAck : OwnKind::kNack;
  answer.source = context_.node;
  answer.source_rank = message.rank;
  answer.destination = message.source;
  answer.rank = message.source_rank;
  answer.pdid = message.pdid;
  answer.va = static_cast<uint64_t>(verdict);
  answer.sequence = message.sequence;
  answer.channel = message.channel;
  context_.after(cycles,
                 [this, packet = answer.encode(context_.numbering)] { context_.transmit(Stream::kAnswers, packet); });
}

Verdict Mailbox::decide(const ShortPacket& message) {
  const auto interface = static_cast<size_t>(message.interface());
  if ((config_.enabled >> interface & 1) == 0) return Verdict::kDisabled;
  if (message.pdid != context_.pdid) return Verdict::kPdid;
  if (used_[interface] >= config_.depth) return Verdict::kFull;
  return Verdict::kAccepted;
}

void Mailbox::enter(const ShortPacket& packet) {
  ++used_[static_cast<size_t>(packet.interface())];
  const Message message{packet.source, packet.interface(), packet.channel, packet.sequence, packet.bytes, packet.data};
  context_.at(context_.after_cycles(context_.timing.mailbox) + context_.timing.host_latency, [this, message] {
    if (processor_ != nullptr) {
      return processor_->message_in_ring(
          message, [this, interface = static_cast<size_t>(message.interface)] { --used_[interface]; });
    }
    waiting_.push_back(message);
    if (!busy_) take();
  });
}

// First the message, then its description with the lap, for which the processor looks. The answer follows both.
void Mailbox::enter_memory(const ShortPacket& packet) {
  ++used_[static_cast<size_t>(packet.interface())];
  ++writing_;
  const Message message{packet.source, packet.interface(), packet.channel, packet.sequence, packet.bytes, packet.data};
  context_.after(context_.timing.ring_write, [this, packet, message] {
    const int32_t words = (message.bytes + link::kWordBytes - 1) / link::kWordBytes;
    if (words > 0)
      memory_.write_pinned(
          words, [] {}, [] {});
    memory_.write_pinned(
        1, [this, message] { in_memory(message); },
        [this, packet] {
          --writing_;
          Seen& seen = seen_[uint64_t{packet.source} << 8 | packet.channel];
          // A sender that has given up may have sent another message meanwhile.
          if (seen.sequence == packet.sequence) seen.written = true;
          answer(packet, Verdict::kAccepted, context_.timing.ring_answer);
        });
  });
}

void Mailbox::in_memory(const Message& message) {
  if (processor_ != nullptr) {
    return processor_->message_in_memory(
        message, [this, interface = static_cast<size_t>(message.interface)] { --used_[interface]; });
  }
  waiting_.push_back(message);
  if (!busy_) take();
}

// The processor takes one message after the other; the ring is updated through the host port.
void Mailbox::take() {
  busy_ = true;
  context_.at(context_.now() + context_.timing.take_time, [this] {
    const Message message = waiting_.front();
    waiting_.pop_front();
    context_.at(context_.now() + context_.timing.host_latency,
                [this, interface = static_cast<size_t>(message.interface)] { --used_[interface]; });
    context_.client->message_arrived(message);
    busy_ = false;
    if (!waiting_.empty()) take();
  });
}

}  // namespace fabrictwin::nic::exanet
