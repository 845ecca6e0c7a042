// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/ni/ni_reference.h"

#include <algorithm>
#include <utility>

namespace fabrictwin::test {

void NiReference::rung(int c, int to_interface, int rank, const std::vector<uint8_t>& data) {
  Channel& channel = channels_[static_cast<size_t>(c)];
  const Sender& sender = senders_[at(c / 4)];
  channel.used = true;
  ++channel.sequence;
  channel.copies = 0;
  channel.state = kOngoing;
  channel.ack = channel.nack = false;
  channel.packet = {};
  channel.packet.kind = kKindMessage;
  channel.packet.source = NiNetwork::node(device_);
  channel.packet.source_rank = sender.rank;
  channel.packet.destination = NiNetwork::node(1 - device_);
  channel.packet.rank = rank;
  channel.packet.pdid = static_cast<uint32_t>(sender.pdid);
  channel.packet.va = mailbox_va(to_interface);
  channel.packet.sequence = channel.sequence;
  channel.packet.channel = c;
  channel.packet.data = data;
}

void NiReference::state_read(int c, uint64_t value, int retry_limit) {
  Channel& channel = channels_[static_cast<size_t>(c)];
  const int state = static_cast<int>(value & 7);
  ASSERT_EQ(value >> 16 & 0xffffff, channel.sequence) << "channel " << c;
  ASSERT_EQ(value >> 8 & 0x7f, channel.packet.data.size());
  ASSERT_TRUE(channel.state == kOngoing || state == channel.state) << "a final state changed";
  channel.state = state;
  ASSERT_TRUE(state != kAcked || channel.ack) << "acked without an ack, channel " << c;
  ASSERT_TRUE(state != kNacked || channel.nack) << "nacked without a nack, channel " << c;
  ASSERT_TRUE(state != kTimedOut || channel.copies == retry_limit + 1) << "channel " << c;
  ASSERT_LE(channel.copies, retry_limit + 1);
  ASSERT_NE(state, kIdle);
}

void NiReference::sent(const NiPacket& packet) {
  if (packet.kind == kKindAck || packet.kind == kKindNack) {
    answered(packet);
    return;
  }
  ASSERT_EQ(packet.kind, kKindMessage);
  ++sent_;
  ASSERT_EQ(packet.vc, 0);
  Channel& channel = channels_[static_cast<size_t>(packet.channel)];
  // A last copy may still be leaving when the answer to an earlier one frees the channel.
  if (packet.sequence + 1 == channel.sequence) return;
  ++channel.copies;
  ASSERT_EQ(packet, channel.packet) << "channel " << packet.channel;
}

void NiReference::delivered(const NiPacket& packet) {
  if (packet.kind == kKindMessage) {
    waiting_.push_back({packet, boxes_[at(static_cast<int>(packet.va >> 12))].head_written});
    return;
  }
  ++good_answers_;
  Channel& channel = channels_[static_cast<size_t>(packet.channel)];
  if (packet.sequence != channel.sequence || channel.ack || channel.nack || channel.state != kOngoing) ++late_answers_;
  if (packet.sequence != channel.sequence) return;
  if (packet.kind == kKindAck) channel.ack = true;
  if (packet.kind == kKindNack) channel.nack = true;
}

// Answers leave in the order of the messages, but those of entries in the host's memory, which have an order of their
// own and are later. One that is passed over found no slot in the queue of answers, or its first copy had no answer
// yet.
NiReference::Waiting NiReference::take_waiting(const NiPacket& answer) {
  const auto first = std::find_if(waiting_.begin(), waiting_.end(),
                                  [&](const Waiting& message) { return message.packet.tag() == answer.tag(); });
  const Waiting message = *first;
  const Verdict& known = verdicts_[static_cast<size_t>(message.packet.channel)];
  const bool written = static_cast<int>(answer.va) == kVerdictAccepted && in_memory(message.packet) &&
                       (known.verdict == kVerdictNone || known.sequence != message.packet.sequence);
  std::deque<Waiting> left;
  for (auto it = waiting_.begin(); it != first; ++it) {
    if (!written && in_memory(it->packet)) {
      left.push_back(*it);
    } else {
      ++skipped_;
    }
  }
  left.insert(left.end(), first + 1, waiting_.end());
  waiting_ = std::move(left);
  return message;
}

void NiReference::answered(const NiPacket& answer) {
  ASSERT_EQ(answer.vc, 1);
  const auto answers = [&](const Waiting& message) { return message.packet.tag() == answer.tag(); };
  ASSERT_TRUE(std::any_of(waiting_.begin(), waiting_.end(), answers)) << "an answer to nothing";
  const Waiting message = take_waiting(answer);
  const NiPacket& packet = message.packet;
  Box& box = boxes_[at(static_cast<int>(packet.va >> 12))];
  Verdict& known = verdicts_[static_cast<size_t>(packet.channel)];
  const int verdict = static_cast<int>(answer.va);
  NiPacket want;
  want.kind = verdict == kVerdictAccepted ? kKindAck : kKindNack;
  want.vc = 1;
  want.source = packet.destination;
  want.source_rank = packet.rank;
  want.destination = packet.source;
  want.rank = packet.source_rank;
  want.pdid = packet.pdid;
  want.va = static_cast<uint64_t>(verdict);
  want.sequence = packet.sequence;
  want.channel = packet.channel;
  ASSERT_EQ(answer, want);
  if (known.verdict != kVerdictNone && known.sequence == packet.sequence) {
    ++duplicates_;
    ASSERT_EQ(verdict, known.verdict) << "two answers that contradict each other";
    return;
  }
  known = {packet.sequence, verdict};
  if (!box.enabled) {
    ASSERT_EQ(verdict, kVerdictDisabled);
  } else if (static_cast<uint32_t>(box.pdid) != packet.pdid) {
    ASSERT_EQ(verdict, kVerdictPdid);
  } else if (verdict == kVerdictFull) {
    ++full_nacks_;
    // Entries whose answers wait for the memory are in the ring.
    const auto in_flight = std::count_if(waiting_.begin(), waiting_.end(), [&](const Waiting& other) {
      return box.in_memory && other.packet.va == packet.va;
    });
    ASSERT_GE(box.tail + in_flight - message.head_low, box.depth) << "full, it says";
  } else {
    ASSERT_EQ(verdict, kVerdictAccepted);
    ASSERT_LT(box.tail - box.head_issued, box.depth) << "no room for this one";
    ++box.tail;
    if (box.tail % box.depth == 0) ++wraps_;
    ++accepted_;
    if (box.in_memory) ++memory_entries_;
    box.accepted.push_back({packet.data, packet.source_rank, packet.source, packet.channel, packet.sequence});
  }
}

void NiReference::finish(NiNetwork& network, const NiReference& other) {
  for (size_t i = 0; i < boxes_.size(); ++i) {
    const Box& box = boxes_[i];
    ASSERT_EQ(box.accepted.size(), box.read.size()) << "interface " << i;
    for (size_t k = 0; k < box.read.size(); ++k)
      ASSERT_EQ(box.read[k], box.accepted[k]) << "interface " << i << " " << k;
  }
  // What a sender believes is what happened at the receiver.
  for (int c = 0; c < 256; ++c) {
    const Channel& sender = other.channels_[static_cast<size_t>(c)];
    const Verdict& known = verdicts_[static_cast<size_t>(c)];
    if (sender.state != kAcked && sender.state != kNacked) continue;
    ASSERT_EQ(known.sequence, sender.sequence);
    ASSERT_EQ(known.verdict == kVerdictAccepted, sender.state == kAcked) << "channel " << c;
  }
  skipped_ += static_cast<int64_t>(waiting_.size());
  const auto count = [&](int number) { return static_cast<int64_t>(network.counter(device_, number)); };
  EXPECT_EQ(count(kCountSent), sent_);
  EXPECT_EQ(count(kCountAccepted), accepted_);
  EXPECT_EQ(count(kCountDuplicate), duplicates_);
  EXPECT_EQ(count(kCountNackFull), full_nacks_);
  EXPECT_EQ(count(kCountNoAnswerRoom), skipped_);
  EXPECT_EQ(count(kCountClearing), 0);
  EXPECT_EQ(count(kCountNackMemory), 0);
  EXPECT_EQ(count(kCountAcked) + count(kCountNacked) + count(kCountIgnored), good_answers_);
}

}  // namespace fabrictwin::test
