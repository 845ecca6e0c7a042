// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The requests of a rank: sends, receives and collectives that have been started.
#pragma once

#include <cstdint>

#include "models/kernel/pool.h"
#include "workloads/mpi/protocol/match_queues.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::mpi::protocol {

/// A send, a receive or a collective in progress.
struct MpiRequest {
  enum class State : uint8_t { kFree, kStarted, kMatched, kDone };
  enum class Kind : uint8_t { kSend, kReceive, kCollective, kReduction };
  MatchKey key;           ///< `source` is the other end: the destination for a send.
  uint64_t bytes = 0;     ///< For a receive, the most that it accepts; once matched, the message's size.
  uint64_t number = 0;    ///< Number among the rank's outstanding requests.
  uint64_t event = 0;     ///< The event that started it.
  uint32_t sequence = 0;  ///< As in MpiHeader; a receive has one once matched, or in the background.
  uint32_t looked = 0;    ///< Queue entries that were searched when a receive's message arrived.
  uint32_t next = 0;      ///< The next request in a queue.
  v1::TraceAction action = v1::INIT;
  State state = State::kFree;
  Kind kind = Kind::kSend;
  bool rendezvous = false;
  bool unacknowledged = false;  ///< A send whose receive has not been acknowledged yet.
  bool leaving = false;         ///< A send whose last word has not left.
  bool background = false;      ///< Belongs to a nonblocking collective.
  bool copied = false;          ///< A receive whose bytes arrived eagerly.
};
static_assert(sizeof(MpiRequest) == 64);

/// Requests under small numbers that are reused. Not thread-safe.
class RequestTable {
 public:
  /// Stands for no request.
  static constexpr uint32_t kNone = kernel::Pool<MpiRequest>::kNone;

  /// A queue of requests in the order in which they were added; a request is in one queue at most.
  struct Queue {
    uint32_t first = kNone;
    uint32_t last = kNone;
  };

  /// References are valid until the next make().
  MpiRequest& operator[](uint32_t id) { return requests_[id]; }
  const MpiRequest& operator[](uint32_t id) const { return requests_[id]; }

  uint32_t make(MpiRequest request) {
    request.state = MpiRequest::State::kStarted;
    const uint32_t id = requests_.make();
    requests_[id] = request;
    return id;
  }
  void complete(uint32_t id) { requests_[id].state = MpiRequest::State::kDone; }
  /// Frees a request, which must not be in a queue.
  void release(uint32_t id) {
    requests_[id].state = MpiRequest::State::kFree;
    requests_.drop(id);
  }

  void append(Queue& queue, uint32_t id) {
    requests_[id].next = kNone;
    (queue.last == kNone ? queue.first : requests_[queue.last].next) = id;
    queue.last = id;
  }
  /// Removes the first request that fits and returns its number; kNone if there is none.
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
  kernel::Pool<MpiRequest> requests_;
};

}  // namespace fabrictwin::mpi::protocol
