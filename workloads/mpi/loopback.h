// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages between ranks of one host.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/base/time.h"
#include "models/nic/message.h"
#include "workloads/mpi/protocol/copy_cost.h"

namespace fabrictwin::mpi {

/// The memory through which ranks of a host exchange messages: the sender's core copies one message after the other,
/// and the receiver has it `latency` later. Messages of a sender arrive in the order in which they were sent. Not
/// thread-safe.
class Loopback {
 public:
  /// An event of a rank.
  struct Event {
    Time time;
    uint64_t number = 0;   ///< Breaks ties: the lower number comes first.
    int32_t slot = 0;      ///< Slot of the rank.
    bool arrives = false;  ///< True: a message has arrived. False: the message with this cookie has left.
    uint64_t cookie = 0;
    nic::IncomingMessage message;
  };

  Loopback(Time latency, protocol::CopyCost copy, int32_t slots)
      : latency_(latency), copy_(copy), free_at_(static_cast<size_t>(slots)) {}

  /// The rank in slot `from` sends `message` to the one in slot `to`; times of calls never decrease. A cookie of 0 is
  /// not reported. False if the message would arrive beyond the end of simulated time.
  [[nodiscard]] bool send(Time now, int32_t from, int32_t to, const nic::IncomingMessage& message, uint64_t cookie);
  /// When the next event is due; never() if there is none.
  Time next() const { return events_.empty() ? Time::never() : events_.front().time; }
  /// Takes the next event if it is due at `now`.
  bool take(Time now, Event& event);

 private:
  void push(const Event& event);

  Time latency_;
  protocol::CopyCost copy_;
  std::vector<Time> free_at_;  ///< By slot: when the core has finished all its copies.
  std::vector<Event> events_;  ///< A heap with the earliest event in front.
  uint64_t number_ = 0;
};

}  // namespace fabrictwin::mpi
