// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/link/channel_sender.h"

#include <algorithm>
#include <utility>

#include "cosim/link/channel_receiver.h"

namespace fabrictwin::link {

ChannelSender::ChannelSender(ChannelSpec spec, RingMemory* ring) : spec_(std::move(spec)), ring_(ring) {}

void ChannelSender::send_word(int64_t slot, uint8_t vc, uint8_t flags, const Word& word) {
  if (faults_ != nullptr) return send_with_faults({slot, word, vc, flags});
  put_word(slot, {word, vc, flags, true});
}

void ChannelSender::send_with_faults(const WordFaults::Sent& sent) {
  if (const auto passed = faults_->pass(sent); passed.has_value()) {
    if (passed->slot == sent.slot) {
      put_word(sent.slot, {passed->word, passed->vc, passed->flags, true});
    } else {
      delayed_.push_back(*passed);
    }
  }
  for (WordFaults::Returned returned; faults_->take_returned(returned);)
    back_->add_credit(returned.arrival, returned.vc, returned.count);
}

void ChannelSender::put_word(int64_t slot, const PendingWord& pending) {
  if (words_.empty()) first_slot_ = slot;
  while (slot < first_slot_) {
    words_.emplace_front();
    --first_slot_;
  }
  const auto index = static_cast<size_t>(slot - first_slot_);
  if (index >= words_.size()) words_.resize(index + 1);
  words_[index] = pending;
}

void ChannelSender::send_credit(Time sent, uint8_t vc, uint8_t count, uint8_t health) {
  if (faults_ != nullptr) sent = faults_->credit(sent, vc);
  if (!sent.is_never()) add_credit(sent, vc, count, health);
}

void ChannelSender::add_credit(Time sent, uint8_t vc, uint8_t count, uint8_t health) {
  PendingCredit& credit = credits_.append();
  credit.sent = sent;
  credit.vc = vc;
  credit.count = count;
  credit.health = health;
  // Credits come nearly in order, so sorting from the back seldom moves anything.
  const auto later = [](const PendingCredit& a, const PendingCredit& b) {
    return a.sent > b.sent || (a.sent == b.sent && a.vc > b.vc);
  };
  for (size_t i = credits_.size() - 1; i > 0 && later(credits_[i - 1], credits_[i]); --i) {
    std::swap(credits_[i - 1], credits_[i]);
  }
}

void ChannelSender::send_record(Time sent, const Record& record) {
  PendingRecord& pending = records_.append();
  pending.sent = sent;
  pending.record = record;
  for (size_t i = records_.size() - 1; i > 0 && records_[i - 1].sent > records_[i].sent; --i) {
    std::swap(records_[i - 1], records_[i]);
  }
}

int64_t ChannelSender::flush(Time until) {
  const uint64_t before = sent_;
  drain();
  emit_until(until);
  promise(until + spec_.latency);
  return static_cast<int64_t>(sent_ - before);
}

// An item that leaves (a credit when it is sent, a word when its last bit is) before `until` is final: whatever is
// decided from `until` on leaves later. So this is the order of stamps on the whole channel, whenever flushes occur.
void ChannelSender::emit_until(Time until) {
  for (; !delayed_.empty() && spec_.word_clock.edge(delayed_.front().slot + 1) < until; delayed_.pop_front()) {
    const WordFaults::Sent& word = delayed_.front();
    put_word(word.slot, {word.word, word.vc, word.flags, true});
  }
  while (true) {
    while (!words_.empty() && !words_.front().valid) {
      words_.pop_front();
      ++first_slot_;
    }
    const Time word_leaves = words_.empty() ? Time::never() : spec_.word_clock.edge(first_slot_ + 1);
    const Time credit_leaves = credits_.empty() ? Time::never() : credits_.front().sent;
    const Time record_leaves = records_.empty() ? Time::never() : records_.front().sent;
    if (std::min({word_leaves, credit_leaves, record_leaves}) >= until) break;
    if (record_leaves <= word_leaves && record_leaves < credit_leaves) {
      emit_record(records_.front());
      records_.pop_front();
    } else if (credit_leaves <= word_leaves) {
      emit_credit(credits_.front());
      credits_.pop_front();
    } else {
      emit_word(first_slot_, words_.front());
      words_.pop_front();
      ++first_slot_;
    }
  }
  close_burst();
}

void ChannelSender::emit_word(int64_t slot, const PendingWord& pending) {
  const bool continues = burst_.count > 0 && slot == burst_next_slot_ && pending.vc == burst_.vc &&
                         burst_.count < kRecordWords && (burst_.flags & kEndOfPacket) == 0 &&
                         (pending.flags & kStartOfPacket) == 0;
  if (!continues) {
    close_burst();
    burst_.channel = spec_.id;
    burst_.kind = RecordKind::kBurst;
    burst_.vc = pending.vc;
    burst_.set_time(spec_.word_clock.edge(slot + 1) + spec_.latency);
  }
  burst_.words[burst_.count++] = pending.word;
  burst_.flags |= pending.flags;
  burst_next_slot_ = slot + 1;
}

void ChannelSender::close_burst() {
  if (burst_.count > 0) emit(burst_);
  burst_ = Record{};
}

void ChannelSender::emit_credit(const PendingCredit& credit) {
  close_burst();
  Record record;
  record.channel = spec_.id;
  record.kind = RecordKind::kCredit;
  record.vc = credit.vc;
  record.count = credit.count;
  record.flags = credit.health;
  record.set_time(credit.sent + spec_.latency);
  emit(record);
}

void ChannelSender::emit_record(const PendingRecord& pending) {
  close_burst();
  Record record = pending.record;
  record.channel = spec_.id;
  record.set_time(pending.sent + spec_.latency);
  emit(record);
}

void ChannelSender::emit(const Record& record) {
  ++sent_;
  promised_ = record.time();
  if (!held_.empty() || !ring_.try_push(record)) held_.push_back(record);
}

// A promise is worth a slot only if the stamps so far do not imply it; and if the ring is full, the receiver has enough
// records to work on.
void ChannelSender::promise(Time time) {
  if (!spec_.promises || time <= promised_ || !held_.empty()) return;
  Record record;
  record.channel = spec_.id;
  record.kind = RecordKind::kPromise;
  record.set_time(time);
  if (ring_.try_push(record)) promised_ = time;
}

// The front of words_ is always a word: emit_until() drops the gaps before it.
Time ChannelSender::next_departure() const {
  const Time word_leaves = words_.empty() ? Time::never() : spec_.word_clock.edge(first_slot_ + 1);
  const Time delayed_leaves = delayed_.empty() ? Time::never() : spec_.word_clock.edge(delayed_.front().slot + 1);
  const Time credit_leaves = credits_.empty() ? Time::never() : credits_.front().sent;
  const Time record_leaves = records_.empty() ? Time::never() : records_.front().sent;
  return std::min({word_leaves, delayed_leaves, credit_leaves, record_leaves});
}

bool ChannelSender::drain() {
  while (!held_.empty() && ring_.try_push(held_.front())) held_.pop_front();
  return held_.empty();
}

void ChannelSender::finish(Time at) {
  Record record;
  record.channel = spec_.id;
  record.kind = RecordKind::kEnd;
  record.set_time(std::max(at, promised_));
  if (!held_.empty() || !ring_.try_push(record)) held_.push_back(record);
}

}  // namespace fabrictwin::link
