// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What senders and the computer of a card have measured together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/link/counters.h"
#include "models/nanet/spec.h"

namespace fabrictwin::nanet {

/// Least, greatest and mean of times.
struct Latencies {
  uint64_t count = 0;
  Time least = Time::never();
  Time most;
  Time sum;
  void add(Time time) {
    ++count;
    least = std::min(least, time);
    most = std::max(most, time);
    sum += time;
  }
};

/// Shared by the parts of one partition.
struct Results {
  struct Stream {
    /// When the first word of each generated datagram was sent, or the driver began with it, by its number.
    std::vector<Time> sent;
    uint64_t bytes_sent = 0;
    uint64_t datagrams = 0, bytes = 0, buffers = 0, timed_out = 0, damaged = 0;
    Time first_event, last_event;
    uint64_t bytes_after_first = 0;
    uint64_t arrivals = 0;  ///< Buffers, or datagrams that were sent.
    Latencies event, data;

    /// Datagrams have arrived, in a buffer or alone.
    void arrive(Time time, uint64_t count, uint64_t size) {
      datagrams += count;
      bytes += size;
      if (arrivals++ == 0) {
        first_event = time;
      } else {
        bytes_after_first += size;
      }
      last_event = time;
    }
  };
  struct Port {
    uint64_t frames_sent = 0, frames_received = 0;
    /// What leaves the sender from then on comes to a port that is set up; never: it is not yet.
    Time ready = Time::never();
    std::vector<std::pair<std::string, uint64_t>> counters;  ///< What the card counts and is not zero.
  };

  std::vector<Stream> streams;
  std::vector<Port> ports;
  uint64_t tlb_misses = 0, interrupts = 0;
  int32_t sending = 0;  ///< Senders, and the computer among them, that have not sent everything.
  Time last_sent;       ///< When the last word of all senders left.
  Time last_received;   ///< When the last datagram of the computer came to a line's end.
  uint64_t frames_to_send = 0;
  link::Counter frames;  ///< That were sent.
  bool finished = false;
  Time finish;
};

}  // namespace fabrictwin::nanet
