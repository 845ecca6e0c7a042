// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// MPI's matching of receives and messages.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "workloads/trace/format/event.h"

namespace fabrictwin::mpi::protocol {

/// The fields in which a message and a receive must agree.
struct MatchKey {
  int32_t source = 0;  ///< A receive may have kAnySource.
  uint32_t tag = 0;    ///< A receive outside of collectives may have kAny.
  bool collective = false;
  uint32_t communicator = 0;

  static constexpr uint32_t kAny = static_cast<uint32_t>(trace::format::kAnyTag);

  /// `this` is a receive's key, `message` a message's.
  bool accepts(const MatchKey& message) const {
    return collective == message.collective && communicator == message.communicator &&
           (tag == message.tag || (tag == kAny && !collective)) &&
           (source == trace::format::kAnySource || source == message.source);
  }
};

/// The two queues of a rank: posted receives and unexpected messages. Each message goes to the oldest receive that
/// accepts it; each receive takes the oldest message that it accepts. Both are searched from the oldest entry on, as in
/// MPICH, and return how many entries were searched. Not thread-safe.
class MatchQueues {
 public:
  /// A message that has arrived, or has been announced.
  struct Message {
    MatchKey key;
    uint32_t sequence = 0;
    uint64_t bytes = 0;
    bool announced = false;    ///< Only announced: its body must be requested.
    bool synchronous = false;  ///< Complete, but its sender waits for the receive.
    bool background = false;   ///< Belongs to a nonblocking collective.
    uint32_t looked = 0;       ///< Receives that were searched when it arrived.
  };

  /// A message has arrived. Returns the receive that takes it; if there is none, the message is queued. Sets
  /// `message.looked`.
  std::optional<uint32_t> arrive(Message& message);
  /// Posts a receive under the number `request`. Returns the message that it takes; if there is none, the receive is
  /// queued. `looked` is the number of messages searched.
  std::optional<Message> post(const MatchKey& key, uint32_t request, uint32_t& looked);
  /// The message that a receive would take, without removing it.
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

}  // namespace fabrictwin::mpi::protocol
