// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Matches messages and receives by MPI's rules, without any notion of time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::check {

/// One end of a message: a send or a receive.
struct MessageEnd {
  int32_t rank = 0;           ///< The rank that calls.
  int32_t peer = 0;           ///< The other rank, or kAnySource.
  int32_t tag = 0;            ///< A receive may have kAnyTag.
  uint32_t communicator = 0;  ///< Number of the communicator.
  uint64_t bytes = 0;
  uint64_t event = 0;    ///< Number of the call in its rank.
  uint32_t request = 0;  ///< For the caller's use.
  uint64_t order = 0;    ///< Order of arrival at the board.
};

/// The unmatched messages and receives at one rank. Not thread-safe.
class MatchBoard {
 public:
  /// Adds a message to this rank. Returns the oldest receive that takes it, or keeps the message.
  std::optional<MessageEnd> arrive(MessageEnd message);
  /// Adds a receive of this rank. Returns the oldest message that it takes, or keeps the receive.
  std::optional<MessageEnd> post(MessageEnd receive);
  /// Whether there is a message that the receive would take.
  bool has(const MessageEnd& receive) { return find_message(receive) != messages_.end(); }

  /// The unmatched messages in order of communicator, source and tag.
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

}  // namespace fabrictwin::trace::check
