// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/shell/port.h"

#include "fmt/format.h"

namespace fabrictwin::bridges::board::shell {
namespace {

/// Entries that have been taken and are kept before the rest is moved.
constexpr size_t kKept = 64;

}  // namespace

void Port::Arrivals::pop(size_t count) {
  head_ += count;
  if (empty()) {
    entries_.clear();
    head_ = 0;
  } else if (head_ > kKept && head_ * 2 > entries_.size()) {
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<ptrdiff_t>(head_));
    head_ = 0;
  }
}

absl::Status Port::receive(Time until) {
  link::ChannelReceiver& receiver = *config_.receiver;
  const link::ChannelSpec& spec = receiver.spec();
  for (const link::Record* record = receiver.front(); record != nullptr && record->time() < until;
       record = receiver.front()) {
    if (record->kind == link::RecordKind::kBurst) {
      const int64_t slot = receiver.first_slot(*record);
      for (int i = 0; i < record->count; ++i) {
        uint8_t flags = 0;
        if (i == 0) flags |= record->flags & link::kStartOfPacket;
        if (i == record->count - 1) flags |= record->flags & link::kEndOfPacket;
        if (contract_.has_value()) {
          const std::string wrong =
              contract_->word_comes(record->vc, (flags & link::kStartOfPacket) != 0, (flags & link::kEndOfPacket) != 0);
          if (!wrong.empty()) return broken(record->time(), spec, wrong);
        }
        words_.push({word_sampler_.sample(spec.word_clock.edge(slot + i + 1) + spec.latency),
                     record->words[static_cast<size_t>(i)], record->vc, 0, flags});
      }
    } else if (record->kind == link::RecordKind::kCredit) {
      if (contract_.has_value()) {
        const std::string wrong = contract_->credits_come(record->vc, record->count);
        if (!wrong.empty()) return broken(record->time(), spec, wrong);
      }
      credits_.push({credit_sampler_.sample(record->time()), {}, record->vc, record->count, record->flags});
    } else {
      return absl::DataLossError(
          fmt::format("at {}: {} carries a record of kind {}, but a router takes only words and "
                      "credits",
                      to_string(record->time()), spec.name, static_cast<int>(record->kind)));
    }
    receiver.pop();
  }
  return absl::OkStatus();
}

Slot Port::take_credits(int64_t end) {
  Slot slot;
  slot.kind = Kind::kCredits;
  slot.edge = credits_.front().edge;
  slot.flags = credits_.front().flags;
  int64_t last = slot.edge;
  while (slot.count < kCreditEntries && !credits_.empty()) {
    const Arrival& next = credits_.front();
    if (next.flags != slot.flags || next.edge >= end || next.edge - last > max_credit_delta(vc_bits_)) break;
    slot.add_credit({static_cast<uint8_t>(next.edge - last), next.vc, next.count}, vc_bits_);
    last = next.edge;
    credits_.pop(1);
  }
  return slot;
}

Slot Port::take_words(int64_t end) {
  Slot slot;
  slot.kind = Kind::kWords;
  slot.edge = words_.front().edge;
  slot.vc = words_.front().vc;
  slot.flags = words_.front().flags;
  slot.count = 1;
  slot.set_word(0, words_.front().word);
  while (slot.count < link::kRecordWords && words_.size() > slot.count && (slot.flags & link::kEndOfPacket) == 0) {
    const Arrival& next = words_.front(slot.count);
    const int64_t delta = next.edge - words_.front(slot.count - size_t{1}).edge;
    if (next.vc != slot.vc || (next.flags & link::kStartOfPacket) != 0 || next.edge >= end || delta > kMaxDelta) break;
    slot.delta[slot.count - size_t{1}] = static_cast<uint8_t>(delta);
    slot.set_word(slot.count, next.word);
    slot.flags |= next.flags;
    ++slot.count;
  }
  words_.pop(slot.count);
  return slot;
}

absl::Status Port::send(const Slot& slot) { return slot.kind == Kind::kWords ? send_words(slot) : send_credits(slot); }

absl::Status Port::broken(Time at, const link::ChannelSpec& link, const std::string& what) const {
  return absl::DataLossError(fmt::format("at {}: {}: {}", to_string(at), link.name, what));
}

absl::Status Port::send_credits(const Slot& slot) {
  int64_t edge = slot.edge;
  for (int i = 0; i < slot.count; ++i) {
    const CreditEntry entry = slot.credit(i, vc_bits_);
    edge += entry.delta;
    if (contract_.has_value()) {
      // Credits for nothing are not taken, as rtl/transactor/external does not take them.
      if (entry.count == 0) continue;
      const std::string wrong = contract_->credits_leave(entry.vc, entry.count);
      if (!wrong.empty()) return broken(clock_.edge(edge), config_.sender->spec(), wrong);
    }
    config_.sender->send_credit(clock_.edge(edge), entry.vc, entry.count, slot.flags);
  }
  return absl::OkStatus();
}

absl::Status Port::send_words(const Slot& slot) {
  int64_t edge = slot.edge;
  for (int i = 0; i < slot.count; ++i) {
    if (i > 0) edge += slot.delta[static_cast<size_t>(i - 1)];
    if (!serializer_.ready(edge)) {
      return absl::DataLossError(fmt::format("at {}: the board sends a word on {} before that link is ready",
                                             to_string(clock_.edge(edge)), config_.sender->spec().name));
    }
    uint8_t flags = 0;
    if (i == 0) flags |= slot.flags & link::kStartOfPacket;
    if (i == slot.count - 1) flags |= slot.flags & link::kEndOfPacket;
    if (contract_.has_value()) {
      const std::string wrong =
          contract_->word_leaves(slot.vc, (flags & link::kStartOfPacket) != 0, (flags & link::kEndOfPacket) != 0);
      if (!wrong.empty()) return broken(clock_.edge(edge), config_.sender->spec(), wrong);
    }
    config_.sender->send_word(serializer_.accept(edge), slot.vc, flags, slot.word(i));
    if (config_.counters != nullptr) {
      config_.counters->words.add(1);
      if ((flags & link::kEndOfPacket) != 0) config_.counters->packets.add(1);
    }
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::bridges::board::shell
