// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The packetizer: sends short messages and waits for their answers.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "models/nic/exanet/context.h"

namespace fabrictwin::nic::exanet {

/// The channels of docs/models/exanet-ni.md. Copies are needed although networks here lose nothing: a mailbox in RTL
/// drops messages while it clears its tables after reset. Not thread-safe.
class Packetizer {
 public:
  explicit Packetizer(Context& context) : context_(context) {}

  /// Rings the doorbell. False if the channel is ongoing or does not exist, or the message is too long.
  bool send(int32_t channel, Node node, int32_t interface, std::span<const std::byte> payload);
  /// An ack or a nack has arrived.
  void answered(const ShortPacket& answer);

  /// How the message on this channel ended; nothing while it is in progress. For timing.accesses(), where the processor
  /// polls.
  std::optional<MessageState> state(int32_t channel) const { return channels_[static_cast<size_t>(channel)].ended; }

  /// When a copy may be due.
  Time next_deadline();
  /// Sends the copies that are due.
  void expire();

  uint64_t copies() const { return copies_; }    ///< Copies sent after the first transmission.
  uint64_t ignored() const { return ignored_; }  ///< Answers that no message waits for.

 private:
  struct Channel {
    bool ongoing = false;
    std::optional<MessageState> ended;
    uint32_t sequence = 0;
    int32_t copies = 0;
    Words packet;
  };
  struct Deadline {
    Time time;
    int32_t channel;
    uint32_t sequence;
  };
  void transmit(int32_t channel);
  void end(int32_t channel, MessageState state, int64_t cycles);

  Context& context_;
  std::array<Channel, kNiChannels> channels_;
  std::deque<Deadline> deadlines_;  ///< In time order, as all timeouts are equal.
  uint64_t copies_ = 0, ignored_ = 0;
};

}  // namespace fabrictwin::nic::exanet
