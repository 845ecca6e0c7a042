// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages between ranks of one host.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/base/time.h"
#include "models/message.h"
#include "workloads/mpi/copy_cost.h"

namespace fabrictwin {

/// The memory through which ranks of a host send each other messages: the core of the sender copies one message after
/// the other, and `latency` later the receiver has it. Messages of a sender come in the order in which they were sent.
/// Not thread-safe.
class Loopback {
 public:
  /// What happens to a rank.
  struct Event {
    Time time;
    uint64_t number = 0;   ///< Of two at one time, the lower one comes first.
    int32_t slot = 0;      ///< The rank.
    bool arrives = false;  ///< A message has come; else the one with this cookie has left.
    uint64_t cookie = 0;
    IncomingMessage message;
  };

  Loopback(Time latency, CopyCost copy, int32_t slots)
      : latency_(latency), copy_(copy), free_at_(static_cast<size_t>(slots)) {}

  /// The rank in slot `from` sends `message` to the one in slot `to`; times of calls never decrease. A cookie of 0 is
  /// not told of. False if it would come later than simulated time can be.
  [[nodiscard]] bool send(Time now, int32_t from, int32_t to, const IncomingMessage& message, uint64_t cookie);
  /// When the next event is due; never() if there is none.
  Time next() const { return events_.empty() ? Time::never() : events_.front().time; }
  /// Takes the next event if it is due at `now`.
  bool take(Time now, Event& event);

 private:
  void push(const Event& event);

  Time latency_;
  CopyCost copy_;
  std::vector<Time> free_at_;  ///< By slot: when its core has copied all.
  std::vector<Event> events_;  ///< A heap, the first one in front.
  uint64_t number_ = 0;
};

}  // namespace fabrictwin
