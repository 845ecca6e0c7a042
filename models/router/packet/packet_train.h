// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How long packets that follow each other take through a network in which nothing else is.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cosim/base/time.h"
#include "cosim/link/record.h"
#include "models/fabric/transport_edge.h"

namespace fabrictwin::router::packet {

/// Packets that a host sends one after the other over one path of an empty network, link by link: rules 1 to 4 of "One
/// hop" in docs/models/packet-network.md, in closed form. All packets but the last have one size, so that link i has
/// the j-th of them j - 1 times the longest occupancy of links 1 to i after the first. Times are femtoseconds from the
/// departure of the first byte. Value type.
class PacketTrain {
 public:
  struct Link {
    int64_t latency = 0;
    int64_t pipeline = 0;    ///< What the router before it takes; 0 if there is none.
    int64_t turnaround = 0;  ///< From a packet's end on it until the next one of its buffer before it can leave.
    bool stored = false;     ///< The router before it forwards a packet when all of it has arrived.
  };

  explicit PacketTrain(const fabric::TransportEdge::Train& train) : train_(train) {}

  /// The packets take one more link. `duration` says for how many femtoseconds so many bytes occupy it.
  template <typename Duration>
  void take(const Link& link, const Duration& duration) {
    const Occupancy all = occupancy(duration, train_.bytes);
    const Occupancy last = occupancy(duration, train_.last);
    first_begin_ += delay(all_, all, link);
    last_begin_ += delay(last_, last, link);
    const int64_t period = all.whole + link.turnaround;
    longest_ = std::max(longest_, period);
    if (train_.packets > 0)
      last_begin_ = std::max(last_begin_, first_begin_ + times(train_.packets - 1, longest_) + period);
    all_ = all;
    last_ = last;
    latency_ = link.latency;
    taken_ = true;
  }

  /// When the last byte of the last packet is at the end of the last link.
  int64_t arrival() const { return last_begin_ + last_.whole + latency_; }

 private:
  /// For how long a packet, and its first word, occupy a link.
  struct Occupancy {
    int64_t whole = 0;
    int64_t word = 0;
  };

  template <typename Duration>
  static Occupancy occupancy(const Duration& duration, int32_t bytes) {
    return {duration(bytes), duration(std::min(bytes, link::kWordBytes))};
  }

  /// The time of so many periods; beyond simulated time, some time that is later.
  static int64_t times(int64_t count, int64_t period) {
    constexpr int64_t kLater = Time::never().fs() / 2;
    return count > kLater / period ? kLater : count * period;
  }
  /// From the beginning of a packet on one link until it can begin to leave by the next. A faster link must not run out
  /// of data.
  int64_t delay(const Occupancy& before, const Occupancy& next, const Link& link) const {
    if (!taken_) return 0;
    const int64_t come = link.stored ? before.whole : std::max(before.word, before.whole - next.whole + next.word);
    return latency_ + link.pipeline + come;
  }

  fabric::TransportEdge::Train train_;
  bool taken_ = false;
  int64_t latency_ = 0;      ///< That of the last link taken.
  int64_t longest_ = 0;      ///< From one packet to the next.
  int64_t first_begin_ = 0;  ///< When the first packet begins to leave by the link.
  int64_t last_begin_ = 0;
  Occupancy all_;
  Occupancy last_;
};

}  // namespace fabrictwin::router::packet
