// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The requests of a rank: sends, receives and collectives that have been started.
#pragma once

#include <cstdint>

#include "models/packet/pool.h"
#include "workloads/mpi/match_queues.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// A send, a receive or a collective under way.
struct MpiRequest {
  enum class State : uint8_t { kFree, kStarted, kMatched, kDone };
  enum class Kind : uint8_t { kSend, kReceive, kCollective };
  MatchKey key;           ///< `source` is the other end: the destination for a send.
  uint64_t bytes = 0;     ///< Of a receive: the most that it takes; once it is matched, what it gets.
  uint64_t number = 0;    ///< Among the rank's requests that an event of their own waits for.
  uint64_t event = 0;     ///< That started it.
  uint32_t sequence = 0;  ///< Of its message, as in MpiHeader; of a receive once it is matched, or in the background.
  uint32_t looked = 0;    ///< Of a receive: queue entries that were looked at when its message came.
  uint32_t next = 0;      ///< In a queue of requests.
  v1::TraceAction action = v1::INIT;
  State state = State::kFree;
  Kind kind = Kind::kSend;
  bool rendezvous = false;
  bool unacknowledged = false;  ///< Of a send whose receive must still say that it has the message.
  bool leaving = false;         ///< Of a send whose last word has not left.
  bool background = false;      ///< Belongs to a collective that does not block.
  bool copied = false;          ///< Of a receive whose bytes came eagerly.
};
static_assert(sizeof(MpiRequest) == 64);

/// Requests under small numbers that are used again. Not thread-safe.
class RequestTable {
 public:
  /// The number of no request.
  static constexpr uint32_t kNone = Pool<MpiRequest>::kNone;

  /// Some of the requests, each in one queue at most, in the order in which they were added.
  struct Queue {
    uint32_t first = kNone;
    uint32_t last = kNone;
  };

  /// References last until the next make().
  MpiRequest& operator[](uint32_t id) { return requests_[id]; }
  const MpiRequest& operator[](uint32_t id) const { return requests_[id]; }

  uint32_t make(MpiRequest request) {
    request.state = MpiRequest::State::kStarted;
    const uint32_t id = requests_.make();
    requests_[id] = request;
    return id;
  }
  void complete(uint32_t id) { requests_[id].state = MpiRequest::State::kDone; }
  /// It must not be in a queue.
  void release(uint32_t id) {
    requests_[id].state = MpiRequest::State::kFree;
    requests_.drop(id);
  }

  void append(Queue& queue, uint32_t id) {
    requests_[id].next = kNone;
    (queue.last == kNone ? queue.first : requests_[queue.last].next) = id;
    queue.last = id;
  }
  /// Removes the first request that fits and gives its number; kNone if there is none.
  template <typename Fits>
  uint32_t take(Queue& queue, const Fits& fits) {
    uint32_t before = kNone;
    uint32_t id = queue.first;
    for (; id != kNone && !fits(requests_[id]); id = requests_[id].next) before = id;
    if (id == kNone) return kNone;
    (before == kNone ? queue.first : requests_[before].next) = requests_[id].next;
    if (queue.last == id) queue.last = before;
    return id;
  }

 private:
  Pool<MpiRequest> requests_;
};

}  // namespace fabrictwin
