// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// When packets leave by links and routers take them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/link/record.h"
#include "models/router/packet/records.h"

namespace fabrictwin::router::packet {

/// When the first bit of a packet leaves by an output, and its last one.
struct Departure {
  int64_t begin = 0;
  int64_t end = 0;
};

/// Time is continuous, and a packet leaves at the rate of its link; or, with a clock, as beside links of words: routers
/// take a head at an edge of the clock, a packet begins to leave with a slot of its link, and its last word not sooner
/// than it comes (docs/models/word-edge.md). Times are femtoseconds. Value type.
class LinkTiming {
 public:
  /// `pipeline` is from a head's being taken until it can leave.
  LinkTiming(const std::optional<Clock>& clock, int64_t pipeline) : clock_(clock), pipeline_(pipeline) {}

  /// Whether links carry words in slots: a packet may begin to leave by a link that is faster than it comes.
  bool by_words() const { return clock_.has_value(); }
  /// When a router takes a head that has arrived.
  int64_t taken(int64_t arrived) const {
    return clock_.has_value() ? clock_->edge(clock_->edge_at_or_after(Time::from_fs(arrived))).fs() : arrived;
  }
  /// When a head that has arrived can leave.
  int64_t ready(int64_t arrived) const { return taken(arrived) + pipeline_; }

  /// A packet whose bits are all there leaves from `now` on. With a clock its size is that of whole words.
  Departure departure(int64_t now, const LinkKind& out, int32_t bytes) const {
    if (clock_.has_value()) [[unlikely]]
      return in_slots(out, slot_at(out, now), bytes);
    return {now, now + out.duration[static_cast<size_t>(bytes)]};
  }
  /// With a clock: a packet leaves from `now` on, and its last word not before `last`.
  Departure departure(int64_t now, const LinkKind& out, int32_t bytes, int64_t last) const {
    Departure departure = in_slots(out, slot_at(out, now), bytes);
    departure.end = std::max(departure.end, in_slots(out, slot_at(out, last), link::kWordBytes).end);
    return departure;
  }
  /// With a clock: when a word that has arrived can be on its next link.
  int64_t passed_on(int64_t arrived) const { return taken(arrived) + clock_->edge(kWordEdges).fs(); }
  /// A packet that comes by `in`, and whose head could leave at `ready`, leaves from `now` on.
  Departure departure(int64_t now, const LinkKind& out, int32_t bytes, const LinkKind& in, int64_t ready) const {
    if (clock_.has_value()) [[unlikely]]
      return departure(now, out, bytes, ready - pipeline_ + in.rest_of(bytes) + clock_->edge(kWordEdges).fs());
    return departure(now, out, bytes);
  }
  /// How long the first word of a packet takes that began to leave then.
  int64_t first_word(int64_t begin, const LinkKind& out, int32_t bytes) const {
    if (clock_.has_value()) [[unlikely]]
      return in_slots(out, slot_at(out, begin), link::kWordBytes).end - begin;
    return out.duration[static_cast<size_t>(std::min(bytes, link::kWordBytes))];
  }

 private:
  /// The first slot of a link that begins at or after a time.
  static int64_t slot_at(const LinkKind& link, int64_t time) {
    return link.slots.edge_at_or_after(Time::from_fs(time));
  }
  static Departure in_slots(const LinkKind& link, int64_t slot, int32_t bytes) {
    return {link.slots.edge(slot).fs(), link.slots.edge(slot + bytes / link::kWordBytes).fs()};
  }
  /// Edges from a word's being taken until it is on its next link.
  static constexpr int64_t kWordEdges = 2;

  std::optional<Clock> clock_;
  int64_t pipeline_;
};

}  // namespace fabrictwin::router::packet
