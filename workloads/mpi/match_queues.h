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
  uint32_t tag = 0;
  bool collective = false;

  /// `this` is a receive's key, `message` a message's.
  bool accepts(const MatchKey& message) const {
    return collective == message.collective && tag == message.tag && (source == kAnySource || source == message.source);
  }
};

/// The two queues of a rank: receives that wait for a message, and messages that wait for a receive. Each message goes
/// to the oldest receive that accepts it, each receive takes the oldest message that it accepts. Not thread-safe.
class MatchQueues {
 public:
  /// A message that is here, whole or announced.
  struct Message {
    MatchKey key;
    uint32_t sequence = 0;
    uint64_t bytes = 0;
    bool announced = false;  ///< Only announced: its body must be asked for.
  };

  /// A message has come. Gives the receive that takes it; if there is none, the message waits.
  std::optional<uint32_t> arrive(const Message& message);
  /// A receive is posted under the number `request`. Gives the message that it takes; if there is none, the receive
  /// waits.
  std::optional<Message> post(const MatchKey& key, uint32_t request);

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
