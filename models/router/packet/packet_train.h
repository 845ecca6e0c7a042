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
/// departure of the first byte.
///
/// From a link on that not all of them take, since routing has several paths for them, they overtake each other, and
/// arrival() is a time before which they cannot all have come: they take the last link one after the other, and each
/// has to go all the way. Value type.
class PacketTrain {
 public:
  struct Link {
    int64_t latency = 0;
    int64_t pipeline = 0;    ///< What the router before it takes; 0 if there is none.
    int64_t turnaround = 0;  ///< From a packet's end on it until the next one of its buffer before it can leave.
    bool stored = false;     ///< The router before it forwards a packet when all of it has arrived.
    bool scattered = false;  ///< Other packets may take other links from here on.
    int64_t apart = 0;       ///< If they are: so long a packet keeps others from leaving the router before it,
    int64_t apart_last = 0;  ///< and so long the last one does.
  };

  explicit PacketTrain(const fabric::TransportEdge::Train& train) : train_(train) {}

  /// The packets take one more link. `duration` says for how many femtoseconds so many bytes occupy it.
  template <typename Duration>
  void take(const Link& link, const Duration& duration) {
    const Occupancy all = occupancy(duration, train_.bytes);
    const Occupancy last = occupancy(duration, train_.last);
    first_begin_ += delay(all_, all, link);
    last_begin_ += delay(last_, last, link);
    scattered_ = scattered_ || link.scattered;
    if (!scattered_) {
      const int64_t period = all.whole + link.turnaround;
      longest_ = std::max(longest_, period);
      if (train_.packets > 0)
        last_begin_ = std::max(last_begin_, first_begin_ + times(train_.packets - 1, longest_) + period);
    } else if (link.apart > 0) {
      longest_ = std::max(longest_, link.apart + link.turnaround);
      behind_begin_ = std::max(last_begin_, first_begin_ + times(train_.packets, longest_));
      apart_last_ = link.apart_last + link.turnaround;
    } else {
      behind_begin_ += delay(last_, last, link);
    }
    all_ = all;
    last_ = last;
    latency_ = link.latency;
    taken_ = true;
  }

  /// Makes this the sooner one of two ways to the same last link.
  void join(const PacketTrain& other) {
    first_begin_ = std::min(first_begin_, other.first_begin_);
    last_begin_ = std::min(last_begin_, other.last_begin_);
    longest_ = std::min(longest_, other.longest_);
    behind_begin_ = std::min(behind_begin_, other.behind_begin_);
    apart_last_ = std::min(apart_last_, other.apart_last_);
  }

  /// When the last byte of the last packet is at the end of the last link.
  int64_t arrival() const {
    const int64_t last = last_begin_ + last_.whole;
    if (!scattered_ || train_.packets == 0) return last + latency_;
    const int64_t full = first_begin_ + times(train_.packets - 1, std::max(longest_, all_.whole)) + all_.whole;
    // The last link takes one after the other, whichever is first; and so does the router in which they part, where the
    // last packet is behind all others, or in front of one of them.
    const int64_t by_link = std::min(first_begin_, last_begin_) + times(train_.packets, all_.whole) + last_.whole;
    const int64_t by_router = std::min(behind_begin_ + last_.whole, full + apart_last_);
    return std::max({last, full, by_link, by_router}) + latency_;
  }

  /// When the last byte of any packet is there.
  int64_t first_arrival() const {
    const int64_t last = last_begin_ + last_.whole;
    return (train_.packets > 0 ? std::min(first_begin_ + all_.whole, last) : last) + latency_;
  }

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
    return period > 0 && count > kLater / period ? kLater : count * period;
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
  bool scattered_ = false;
  int64_t latency_ = 0;      ///< That of the last link taken.
  int64_t longest_ = 0;      ///< From one packet to the next.
  int64_t first_begin_ = 0;  ///< When the first packet begins to leave by the link.
  int64_t last_begin_ = 0;
  int64_t behind_begin_ = 0;  ///< As last_begin_, if the last one left the router in which they part behind all others.
  int64_t apart_last_ = 0;    ///< For how long it keeps others from leaving that.
  Occupancy all_;
  Occupancy last_;
};

}  // namespace fabrictwin::router::packet
