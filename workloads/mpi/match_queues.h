// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// MPI's matching: which receive takes which message.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// What a message and a receive must have in common.
struct MatchKey {
  int32_t source = 0;  ///< Of a receive: may be kAnySource.
  uint32_t tag = 0;    ///< Of a receive that is of no collective: may be kAny.
  bool collective = false;
  uint32_t communicator = 0;

  static constexpr uint32_t kAny = static_cast<uint32_t>(kAnyTag);

  /// `this` is a receive's key, `message` a message's.
  bool accepts(const MatchKey& message) const {
    return collective == message.collective && communicator == message.communicator &&
           (tag == message.tag || (tag == kAny && !collective)) && (source == kAnySource || source == message.source);
  }
};

/// The two queues of a rank: receives that wait for a message, and messages that wait for a receive. Each message goes
/// to the oldest receive that accepts it, each receive takes the oldest message that it accepts. Both are searched from
/// the oldest entry on, as MPICH does, and say how many entries that took. Not thread-safe.
class MatchQueues {
 public:
  /// A message that is here, whole or announced.
  struct Message {
    MatchKey key;
    uint32_t sequence = 0;
    uint64_t bytes = 0;
    bool announced = false;    ///< Only announced: its body must be asked for.
    bool synchronous = false;  ///< Whole; its sender waits for the receive.
    bool background = false;   ///< Of a collective that does not block.
    uint32_t looked = 0;       ///< Receives that were looked at when it came.
  };

  /// A message has come. Gives the receive that takes it; if there is none, the message waits. Sets `message.looked`.
  std::optional<uint32_t> arrive(Message& message);
  /// A receive is posted under the number `request`. Gives the message that it takes; if there is none, the receive
  /// waits. `looked`: messages that were looked at.
  std::optional<Message> post(const MatchKey& key, uint32_t request, uint32_t& looked);
  /// The message that a receive would take, and leaves it there.
  const Message* find(const MatchKey& key, uint32_t& looked) const;

  size_t waiting_messages() const { return messages_.size(); }
  size_t waiting_receives() const { return receives_.size(); }

 private:
  struct Receive {
    MatchKey key;
    uint32_t request;
  };
  std::deque<Receive> receives_;
  std::deque<Message> messages_;
};

}  // namespace fabrictwin
