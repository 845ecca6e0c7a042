// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nanet/port.h"

#include <algorithm>

namespace fabrictwin::nanet {

void Port::send_word(int64_t slot, uint8_t flags, const link::Word& word) {
  if (counters_ != nullptr) {
    counters_->words.add(1);
    if ((flags & link::kEndOfPacket) != 0) counters_->packets.add(1);
  }
  if (sender_ != nullptr) return sender_->send_word(slot, 0, flags, word);
  link::Record record;
  record.kind = link::RecordKind::kBurst;
  record.count = 1;
  record.flags = flags;
  record.words[0] = word;
  record.set_time(arrival(slot));
  peer_->add(record);
}

void Port::send(Time sent, const link::HostMessage& message) {
  link::Record record = message.encode();
  if (sender_ != nullptr) return sender_->send_record(sent, record);
  record.set_time(sent + latency_);
  peer_->add(record);
}

// Messages that leave later may have been given before; those of one time keep the order in which they were given.
void Port::add(const link::Record& record) {
  const auto later = std::find_if(arrivals_.rbegin(), arrivals_.rend(),
                                  [&](const link::Record& other) { return other.time() <= record.time(); });
  arrivals_.insert(later.base(), record);
}

const link::Record* Port::front() const {
  if (receiver_ != nullptr) return receiver_->front();
  return arrivals_.empty() ? nullptr : &arrivals_.front();
}

void Port::pop() {
  if (receiver_ != nullptr) return receiver_->pop();
  arrivals_.pop_front();
}

}  // namespace fabrictwin::nanet
