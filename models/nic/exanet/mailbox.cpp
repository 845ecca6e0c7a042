// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/mailbox.h"

#include "models/nic/exanet/processor.h"

namespace fabrictwin::nic::exanet {

Mailbox::Mailbox(Context& context, Memory& memory, const Config& config)
    : context_(context), memory_(memory), config_(config) {
  if (!config.interrupt.has_value()) return;
  interrupts_.emplace(*config.interrupt, config.enabled);
  unseen_.resize(kNiInterfaces);
}

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
  if (interrupts_) return context_.after(context_.timing.mailbox, [this, message] { told(message); });
  context_.at(context_.after_cycles(context_.timing.mailbox) + context_.timing.host_latency,
              [this, message] { found(message); });
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
        1,
        [this, message] {
          if (!interrupts_) found(message);
        },
        [this, packet, message] {
          --writing_;
          Seen& seen = seen_[uint64_t{packet.source} << 8 | packet.channel];
          // A sender that has given up may have sent another message meanwhile.
          if (seen.sequence == packet.sequence) seen.written = true;
          answer(packet, Verdict::kAccepted, context_.timing.ring_answer);
          // As of rings in block RAM, a cycle before the first word of the answer.
          if (interrupts_) context_.after(context_.timing.ring_answer - 1, [this, message] { told(message); });
        });
  });
}

void Mailbox::told(const Message& message) {
  unseen_[static_cast<size_t>(message.interface)].push_back(message);
  interrupts_->event(context_.edge(), message.interface);
  expect_interrupt();
}

// Whoever changes the time of the interrupt calls this again, so one that was expected for another time is none.
void Mailbox::expect_interrupt() {
  const std::optional<int64_t> raised = interrupts_->raised();
  if (!raised.has_value() || asked_) return;
  // It leaves at the edge after that.
  context_.at(context_.timing.clock.edge(*raised + 1), [this] { send_interrupt(); });
}

void Mailbox::send_interrupt() {
  const std::optional<int64_t> raised = interrupts_->raised();
  if (asked_ || !raised.has_value() || *raised >= context_.edge()) return;
  asked_ = true;
  ++interrupts_sent_;
  context_.at(context_.now() + context_.timing.host_latency + config_.interrupt->latency, [this] {
    if (processor_ != nullptr) return processor_->interrupted(*this);
    const Clock& clock = context_.timing.clock;
    context_.at(clock.edge(clock.edge_at_or_after(context_.now() + context_.timing.host_latency)), [this] { serve(); });
  });
}

void Mailbox::clear(uint64_t bits) {
  // One that was raised before this edge has left.
  send_interrupt();
  interrupts_->clear(context_.edge(), bits);
  asked_ = false;
  expect_interrupt();
}

std::vector<Message> Mailbox::look(int32_t interface) {
  std::deque<Message>& unseen = unseen_[static_cast<size_t>(interface)];
  const std::vector<Message> entries(unseen.begin(), unseen.end());
  unseen.clear();
  return entries;
}

// Entries that come after the processor has cleared what is pending interrupt again.
void Mailbox::serve() {
  const uint64_t bits = pending();
  clear(bits);
  for (int32_t interface = 0; interface < kNiInterfaces; ++interface) {
    if ((bits >> interface & 1) == 0) continue;
    for (const Message& message : look(interface))
      context_.at(context_.now() + context_.timing.host_latency, [this, message] { found(message); });
  }
}

void Mailbox::found(const Message& message) {
  if (processor_ != nullptr) {
    const auto taken = [this, interface = static_cast<size_t>(message.interface)] { --used_[interface]; };
    return config_.in_memory ? processor_->message_in_memory(message, taken)
                             : processor_->message_in_ring(message, taken);
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
