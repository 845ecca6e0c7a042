// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The members of a communicator and the collectives that not all of them have called.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::check {

/// A communicator as all of its members together see it. Not thread-safe.
struct MatchGroup {
  /// A call of a collective, blocking or not, that has not ended: a rank and its request.
  using Waiting = std::pair<uint32_t, uint32_t>;

  struct Collective {
    format::Event event;  ///< The event as the first rank calls it.
    uint32_t first_rank = 0;
    uint64_t first_event = 0;
    uint32_t arrived = 0;
    bool root_arrived = false;
    bool differs = false;
    uint64_t sent = 0;  ///< Sum of hashes over what each pair exchanges.
    uint64_t received = 0;
    std::vector<Waiting> waiting;
    std::vector<bool> called;  ///< By member.
  };

  uint32_t number = 0;            ///< Number of the communicator.
  std::vector<uint64_t> members;  ///< If empty, all ranks are members, and member i is rank i.
  uint32_t size = 0;
  std::vector<bool> made;  ///< By member.
  uint32_t maker = 0;      ///< The rank that made it first.
  uint64_t maker_event = 0;
  std::deque<Collective> collectives;  ///< Those that not all members have called.
  uint64_t first_collective = 0;       ///< The number of collectives[0].

  uint32_t member(uint32_t index) const { return members.empty() ? index : static_cast<uint32_t>(members[index]); }
  /// Whether all of its members have made it.
  bool complete() const { return std::find(made.begin(), made.end(), false) == made.end(); }
  /// The index of a member; `size` if `rank` is none. Not for the world.
  size_t index_of(uint64_t rank) const {
    return static_cast<size_t>(std::find(members.begin(), members.end(), rank) - members.begin());
  }
  /// Text for users: "collective 3", "collective 3 of communicator 2".
  std::string text(uint64_t collective) const {
    const std::string text = "collective " + std::to_string(collective);
    return number == 0 ? text : text + " of communicator " + std::to_string(number);
  }
};

}  // namespace fabrictwin::trace::check
