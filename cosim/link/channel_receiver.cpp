// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/link/channel_receiver.h"

#include <utility>

#include "cosim/link/channel_sender.h"
#include "fmt/format.h"

namespace fabrictwin::link {
namespace {

bool fits(const Word& word, int32_t bits) {
  return bits == kWordBits || (word.hi == 0 && (bits == 64 || word.lo >> bits == 0));
}

}  // namespace

ChannelReceiver::ChannelReceiver(ChannelSpec spec, RingMemory* ring) : spec_(std::move(spec)), ring_(ring) {}

absl::Status ChannelReceiver::poll() {
  if (!failure_.ok()) return failure_;
  while (const Record* slot = ring_.front()) {
    Record record = *slot;
    ring_.pop();
    record.stamp &= ~Record::kOwnershipBit;
    if (absl::Status status = check(record); !status.ok()) return failure_ = status;
    last_ = record.time();
    if (last_ > horizon_) horizon_ = last_;
    if (record.kind == RecordKind::kPromise) continue;
    if (record.kind == RecordKind::kEnd) {
      ended_ = true;
      horizon_ = Time::never();
      continue;
    }
    ++received_;
    faults_ == nullptr ? add_pending(record) : take_with_faults(record);
  }
  return absl::OkStatus();
}

// Credits of lost words, and what a fault delays, come before or after what is there.
void ChannelReceiver::add_pending(const Record& record) {
  pending_.push_back(record);
  for (size_t i = pending_.size() - 1; i > 0 && pending_[i - 1].time() > pending_[i].time(); --i)
    std::swap(pending_[i - 1], pending_[i]);
}

void ChannelReceiver::add_credit(Time arrival, uint8_t vc, uint8_t count) {
  Record record;
  record.channel = spec_.id;
  record.kind = RecordKind::kCredit;
  record.vc = vc;
  record.count = count;
  record.set_time(arrival);
  add_pending(record);
}

void ChannelReceiver::take_with_faults(const Record& record) {
  if (record.kind == RecordKind::kCredit) {
    const Time sent = faults_->credit(record.time() - spec_.latency, record.vc);
    if (sent.is_never()) return;
    Record credit = record;
    credit.set_time(sent + spec_.latency);
    return add_pending(credit);
  }
  if (record.kind != RecordKind::kBurst) return add_pending(record);
  const int64_t slot = first_slot(record);
  for (int i = 0; i < record.count; ++i) {
    Record one = record;
    one.count = 1;
    one.flags = 0;
    if (i == 0) one.flags |= record.flags & kStartOfPacket;
    if (i == record.count - 1) one.flags |= record.flags & kEndOfPacket;
    const auto passed = faults_->pass({slot + i, record.words[static_cast<size_t>(i)], record.vc, one.flags});
    if (!passed.has_value()) continue;
    one.words = {passed->word};
    one.set_time(spec_.word_clock.edge(passed->slot + 1) + spec_.latency);
    add_pending(one);
  }
  for (WordFaults::Returned returned; faults_->take_returned(returned);)
    back_->give_back(returned.arrival - back_->spec().latency, returned.vc, returned.count);
}

int64_t ChannelReceiver::first_slot(const Record& burst) const {
  return spec_.word_clock.edge_at_or_after(burst.time() - spec_.latency) - 1;
}

absl::Status ChannelReceiver::check(const Record& record) const {
  const auto broken = [&](const std::string& what) {
    return absl::DataLossError(fmt::format("{} at {}: protocol error: {}", spec_.name, to_string(record.time()), what));
  };
  if (ended_) return broken("a record after the end of the channel");
  if (record.channel != spec_.id) return broken(fmt::format("the record belongs to channel {}", record.channel));
  if (record.time() < last_)
    return broken(fmt::format("time goes backwards, the record before was at {}", to_string(last_)));
  if (record.kind != RecordKind::kPromise && record.time() < horizon_) {
    return broken(fmt::format("the record comes too late, nothing was to come before {}", to_string(horizon_)));
  }
  const bool packets = spec_.type.content != LinkType::Content::kWords;
  const bool of_packets = record.kind >= RecordKind::kPacket && record.kind <= RecordKind::kHot;
  const bool of_words = record.kind == RecordKind::kBurst || record.kind == RecordKind::kCredit;
  if (packets ? of_words : of_packets) {
    return broken(fmt::format("a record of kind {} on a link that carries {}", static_cast<int>(record.kind),
                              packets ? "packets" : "words"));
  }
  if ((of_packets || of_words) && record.vc >= spec_.type.vcs)
    return broken(fmt::format("a record for VC {}, but there are {}", record.vc, spec_.type.vcs));
  switch (record.kind) {
    case RecordKind::kPromise:
    case RecordKind::kHost:
    case RecordKind::kEnd:
    case RecordKind::kPacket:
    case RecordKind::kMessage:
    case RecordKind::kFlits:
    case RecordKind::kPath:
    case RecordKind::kPause:
    case RecordKind::kSetAside:
    case RecordKind::kHot:
      return absl::OkStatus();
    case RecordKind::kReturned:
      if (record.words[0].lo == 0) return broken("credit of no bytes");
      return absl::OkStatus();
    case RecordKind::kCredit:
      if (record.count == 0) return broken("credit of no words");
      return absl::OkStatus();
    case RecordKind::kBurst: {
      if (record.count == 0 || record.count > kRecordWords)
        return broken(fmt::format("burst of {} words", record.count));
      for (int i = 0; i < record.count; ++i) {
        if (!fits(record.words[i], spec_.type.word_bits))
          return broken(fmt::format("a word of more than {} bits", spec_.type.word_bits));
      }
      const int64_t slot = first_slot(record);
      if (record.time() < spec_.latency || slot < 0 ||
          spec_.word_clock.edge(slot + 1) + spec_.latency != record.time()) {
        return broken("burst off the link's word clock");
      }
      return absl::OkStatus();
    }
    case RecordKind::kInvalid:
      break;
  }
  return broken(fmt::format("unknown record kind {}", static_cast<int>(record.kind)));
}

}  // namespace fabrictwin::link
