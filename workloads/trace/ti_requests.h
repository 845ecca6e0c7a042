// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How a time-independent trace names requests: a wait is for the oldest one with its source, destination and tag.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <map>

#include "absl/status/status.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// The outstanding requests of one rank. Not thread-safe.
class TiRequests {
 public:
  explicit TiRequests(uint32_t rank) : rank_(static_cast<int32_t>(rank)) {}

  /// After each event but waits for one request.
  void see(const TraceEvent& event);
  /// A wait as a line has it: one for a message to oneself is for a send or for a receive.
  void read(TraceEvent& wait);
  /// Makes a wait one that a line can say. Unimplemented if it is not for the oldest request of its name,
  /// InvalidArgument if there is no such request.
  absl::Status write(TraceEvent& wait);

 private:
  struct Name {
    int32_t source = 0;
    int32_t destination = 0;
    int32_t tag = 0;
    auto operator<=>(const Name&) const = default;
  };
  struct Request {
    uint64_t ordinal = 0;
    bool send = false;
  };

  Name name_of(bool send, int32_t peer, int32_t tag) const {
    return send ? Name{rank_, peer, tag} : Name{peer, rank_, tag};
  }
  void take_oldest(std::map<Name, std::deque<Request>>::iterator place);

  int32_t rank_;
  uint64_t started_ = 0;
  std::map<Name, std::deque<Request>> open_;
  std::map<uint64_t, Name> by_ordinal_;
};

}  // namespace fabrictwin
