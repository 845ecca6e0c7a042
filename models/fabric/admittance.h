// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The queues in which messages wait in a host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cosim/base/fifo.h"

namespace fabrictwin::fabric {

/// Messages that wait for a port of a host, in one queue or several, so that one that may not leave holds up only those
/// of its own queue: "admittance queues". The queues are served in the order of the ages of their first messages: as
/// long as all of those may leave, messages leave in the order in which they came. Not thread-safe.
class Admittance {
 public:
  /// A message comes, to the queue with this number.
  void push(int32_t number, uint32_t message);
  bool empty() const { return queues_.empty(); }
  /// Queues with messages, the one with the oldest first message first.
  size_t queues() const { return queues_.size(); }
  uint32_t front(size_t queue) const { return queues_[queue].messages.front().id; }
  /// The first message of a queue has left.
  void pop(size_t queue);

 private:
  struct Waiting {
    uint32_t id = 0;
    uint64_t order = 0;  ///< Its number among the messages of the port.
  };
  struct Queue {
    int32_t number = 0;
    Fifo<Waiting> messages;
  };

  std::vector<Queue> queues_;
  uint64_t messages_ = 0;  ///< That have come.
};

}  // namespace fabrictwin::fabric
