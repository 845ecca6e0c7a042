// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The requests of a rank: sends, receives and collectives that have been started.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/mpi/match_queues.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// A send, a receive or a collective under way.
struct MpiRequest {
  enum class State : uint8_t { kFree, kStarted, kMatched, kDone };
  enum class Kind : uint8_t { kSend, kReceive, kCollective };
  State state = State::kFree;
  Kind kind = Kind::kSend;
  bool rendezvous = false;
  bool unacknowledged = false;  ///< Of a send whose receive must still say that it has the message.
  bool leaving = false;         ///< Of a send whose last word has not left.
  bool background = false;      ///< Belongs to a collective that does not block.
  MatchKey key;                 ///< `source` is the other end: the destination for a send.
  uint32_t sequence = 0;        ///< In the background: its place among the messages of the collective with its peer.
  uint32_t looked = 0;          ///< Of a receive: queue entries that were looked at when its message came.
  uint64_t bytes = 0;           ///< Of a receive: the most that it takes.
  uint64_t copied = 0;          ///< Of a receive: bytes that came eagerly.
  uint64_t number = 0;          ///< Among the rank's requests that an event of their own waits for.
  uint64_t event = 0;
  v1::TraceAction action = v1::INIT;
};

/// Requests under small numbers that are used again. Not thread-safe.
class RequestTable {
 public:
  /// References last until the next make().
  MpiRequest& operator[](uint32_t id) { return requests_[id]; }
  const MpiRequest& operator[](uint32_t id) const { return requests_[id]; }

  uint32_t make(const MpiRequest& request) {
    uint32_t id = static_cast<uint32_t>(requests_.size());
    if (free_.empty()) {
      requests_.push_back(request);
    } else {
      id = free_.back();
      free_.pop_back();
      requests_[id] = request;
    }
    requests_[id].state = MpiRequest::State::kStarted;
    return id;
  }
  void complete(uint32_t id) { requests_[id].state = MpiRequest::State::kDone; }
  void release(uint32_t id) {
    requests_[id].state = MpiRequest::State::kFree;
    free_.push_back(id);
  }
  size_t size() const { return requests_.size(); }

 private:
  std::vector<MpiRequest> requests_;
  std::vector<uint32_t> free_;
};

}  // namespace fabrictwin
