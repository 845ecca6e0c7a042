// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/protocol/rank_activity.h"

#include <algorithm>

namespace fabrictwin::mpi::protocol {
namespace {

using Times = std::array<Time, trace::format::kActions>;

/// Which state a span of time stands for. Time that a state had and that no span stood for is carried over to later
/// spans in which it occurs, so that shares of time stay about right however short the states are.
class Sharing {
 public:
  v1::TraceAction share(const Times& times, Time span) {
    size_t most = 0;
    for (size_t state = 0; state < times.size(); ++state) {
      owed_[state] += times[state].fs();
      const bool occurs = times[state] > Time::zero();
      if (occurs && (times[most] == Time::zero() || owed_[state] > owed_[most])) most = state;
    }
    owed_[most] -= span.fs();
    return static_cast<v1::TraceAction>(most);
  }

 private:
  std::array<int64_t, trace::format::kActions> owed_{};
};

}  // namespace

RankActivity::RankActivity(const Options& options) : options_(options), cells_(static_cast<size_t>(options.cells)) {}

void RankActivity::enter(Time now, v1::TraceAction state) {
  if (state == last_.state) return;
  times_[static_cast<size_t>(last_.state)] += now - last_.begin;
  last_ = {now, state};
  if (options_.most_segments == 0) return;
  // States that took no time are not seen.
  if (!segments_.empty() && segments_.back().begin == now) segments_.pop_back();
  if (!segments_.empty() && segments_.back().state == state) return;
  if (segments_.size() >= options_.most_segments) condense(now);
  segments_.push_back(last_);
}

// Divides the time until now into half as many spans as there may be segments.
void RankActivity::condense(Time now) {
  condensed_ = true;
  const auto spans = static_cast<int64_t>(options_.most_segments / 2);
  const Time width = Time::from_fs((now.fs() + spans - 1) / spans);
  std::vector<Segment> made;
  Sharing sharing;
  size_t at = 0;
  for (Time begin; begin < now; begin += width) {
    const Time end = std::min(begin + width, now);
    Times times{};
    for (; at < segments_.size() && segments_[at].begin < end; ++at) {
      const Time until = at + 1 < segments_.size() ? segments_[at + 1].begin : now;
      times[static_cast<size_t>(segments_[at].state)] += std::min(until, end) - std::max(segments_[at].begin, begin);
      // A segment that goes on is part of the next span, too.
      if (until > end) break;
    }
    const v1::TraceAction state = sharing.share(times, end - begin);
    if (made.empty() || made.back().state != state) made.push_back({begin, state});
  }
  segments_ = std::move(made);
}

Times RankActivity::times(Time end) const {
  Times times = times_;
  if (end > last_.begin) times[static_cast<size_t>(last_.state)] += end - last_.begin;
  return times;
}

}  // namespace fabrictwin::mpi::protocol
