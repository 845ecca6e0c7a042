// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages from and to hosts of other partitions.
#include <algorithm>

#include "models/fabric/hosts.h"
#include "models/nic/plain_packet.h"

namespace fabrictwin::fabric {

bool Hosts::enter(nic::NicPacket& packet, const ForeignMessage& message) {
  const std::optional<uint32_t> entered = enter_message(packet.source, packet.destination, message);
  if (entered.has_value()) packet.message = *entered;
  return entered.has_value();
}

ForeignMessage Hosts::leave(nic::NicPacket& packet) { return leave_message(packet.message, packet.payload_bytes); }

uint64_t Hosts::bytes_of(const Message& message) const { return nic::PlainPacket::bytes_of(message.envelope); }

// Routes may lead a packet through other partitions and back.
std::optional<uint32_t> Hosts::enter_message(int32_t source, int32_t destination, const ForeignMessage& message) {
  if (!is_here(destination)) {
    const uint32_t id = passing_.make();
    passing_[id] = message;
    return id | kPassing;
  }
  const ForeignKey key = key_of(source, destination, message.sequence, message.ordered);
  if (is_here(source)) {
    const auto out = outside_.find(key);
    if (out == outside_.end()) return std::nullopt;
    const uint32_t id = out->second.message;
    if (--out->second.packets == 0) outside_.erase(out);
    return id;
  }
  const auto [known, fresh] = arriving_.try_emplace(key, 0);
  if (fresh) {
    known->second = messages_.make();
    messages_[known->second] = {.envelope = message.envelope,
                                .source = source,
                                .destination = destination,
                                .sequence = message.sequence,
                                .ordered = message.ordered};
  }
  return known->second;
}

ForeignMessage Hosts::leave_message(uint32_t message, uint32_t payload) {
  if ((message & kPassing) != 0) {
    const uint32_t id = message & ~kPassing;
    const ForeignMessage passing = passing_[id];
    passing_.drop(id);
    return passing;
  }
  Message& own = messages_[message];
  const ForeignMessage described{own.envelope, own.sequence, own.ordered};
  if (!is_here(own.destination)) {
    // A message without bytes has a packet, too.
    own.received += std::max<uint32_t>(payload, 1);
    drop_if_gone(message);
  } else if (is_here(own.source)) {
    Outside& outside = outside_[key_of(own)];
    outside.message = message;
    ++outside.packets;
  }
  return described;
}

void Hosts::has_left(uint32_t id) {
  messages_[id].left = true;
  drop_if_gone(id);
}

void Hosts::drop_if_gone(uint32_t id) {
  const Message& message = messages_[id];
  if (message.left && message.received == std::max<uint64_t>(bytes_of(message), 1)) messages_.drop(id);
}

}  // namespace fabrictwin::fabric
