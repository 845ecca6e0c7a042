// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages and receives that look for each other, by MPI's rules and without any notion of time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// One end of a message: a send or a receive.
struct MessageEnd {
  int32_t rank = 0;           ///< That calls.
  int32_t peer = 0;           ///< The other rank, or kAnySource.
  int32_t tag = 0;            ///< Of a receive: may be kAnyTag.
  uint32_t communicator = 0;  ///< Its number.
  uint64_t bytes = 0;
  uint64_t event = 0;    ///< Number of the call in its rank.
  uint32_t request = 0;  ///< The caller's own.
  uint64_t order = 0;    ///< Of arrival at the board.
};

/// What waits at one rank: messages that nobody has received, receives that nothing has come for. Not thread-safe.
class MatchBoard {
 public:
  /// A message to this rank. Gives the oldest receive that takes it, or keeps it.
  std::optional<MessageEnd> arrive(MessageEnd message);
  /// A receive of this rank. Gives the oldest message that it takes, or keeps it.
  std::optional<MessageEnd> post(MessageEnd receive);
  /// True if a message is here that the receive would take.
  bool has(const MessageEnd& receive) { return find_message(receive) != messages_.end(); }

  /// What is left, in order of communicator, source and tag.
  std::vector<MessageEnd> messages() const;
  std::vector<MessageEnd> receives() const;

 private:
  using Key = std::tuple<uint32_t, int32_t, int32_t>;  ///< Communicator, source and tag.
  using Queues = std::map<Key, std::deque<MessageEnd>>;

  Queues::iterator find_message(const MessageEnd& receive);
  static MessageEnd take(Queues& queues, Queues::iterator found);
  static std::vector<MessageEnd> all(const Queues& queues);

  Queues messages_;
  Queues receives_;
  uint64_t order_ = 0;
};

}  // namespace fabrictwin
