// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages whose packets cross from one partition to another.
#pragma once

#include <cstdint>
#include <optional>

#include "models/nic/message.h"

namespace fabrictwin::fabric {

/// What packets tell of their message in another partition than that of its source. A packet has no payload; with this,
/// the message can be delivered.
struct ForeignMessage {
  nic::Envelope envelope;
  uint32_t sequence = 0;  ///< Its number in its flow, if `ordered`.
  bool ordered = true;    ///< Delivered after the earlier messages of its flow.
};

/// Who knows the messages of the packets in a partition, by numbers that only mean something there.
class ForeignMessages {
 public:
  virtual ~ForeignMessages() = default;
  /// A packet with `payload` bytes of message `message` leaves for another partition.
  virtual ForeignMessage leave(uint32_t message, uint32_t payload) = 0;
  /// A packet comes from another partition. Returns the number of its message here; nothing if a packet comes back that
  /// has not left.
  virtual std::optional<uint32_t> enter(int32_t source, int32_t destination, const ForeignMessage& message) = 0;
};

}  // namespace fabrictwin::fabric
