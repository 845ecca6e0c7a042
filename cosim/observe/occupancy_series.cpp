// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/occupancy_series.h"

#include <algorithm>
#include <limits>

namespace fabrictwin::observe {
namespace {

const metric::Gauge kBufferMean{{.name = "fabrictwin_router_buffer_mean_flits",
                                 .help = "Flits (words) in the input buffers of a router now, mean over the routers",
                                 .order = 400,
                                 .in_report = false}};
const metric::Gauge kBufferMost{{.name = "fabrictwin_router_buffer_max_flits",
                                 .help = "The same of the router that holds most",
                                 .order = 410,
                                 .in_report = false}};
const metric::Gauge kBufferCapacity{{.name = "fabrictwin_router_buffer_capacity_flits",
                                     .help = "Flits that fit into the input buffers of a router with the most ports",
                                     .order = 420,
                                     .in_report = false}};

}  // namespace

OccupancySeries::OccupancySeries(Time interval, int32_t routers, int64_t capacity)
    : interval_(interval),
      routers_(routers),
      capacity_(capacity),
      next_(interval == Time::zero() || routers == 0 ? Time::never() : interval) {}

void OccupancySeries::add(const BufferFill& fill, Time until) {
  if (next_ > until || next_.is_never()) return;
  auto samples = static_cast<uint64_t>((until.fs() - next_.fs()) / interval_.fs()) + 1;
  const int64_t last = next_.fs() + static_cast<int64_t>(samples - 1) * interval_.fs();
  const bool more = last <= std::numeric_limits<int64_t>::max() - interval_.fs();
  next_ = more ? Time::from_fs(last + interval_.fs()) : Time::never();
  while (samples > 0) {
    if (intervals_.empty() || intervals_.back().samples == stride_) {
      if (intervals_.size() == kMaxIntervals) halve();
      intervals_.emplace_back();
    }
    Interval& interval = intervals_.back();
    const uint64_t taken = std::min(samples, stride_ - interval.samples);
    interval.samples += taken;
    interval.flits += static_cast<unsigned __int128>(fill.flits) * taken;
    interval.most = std::max(interval.most, fill.most);
    samples -= taken;
  }
}

void OccupancySeries::halve() {
  for (size_t i = 0; i < intervals_.size() / 2; ++i) {
    const Interval& first = intervals_[2 * i];
    const Interval& second = intervals_[2 * i + 1];
    intervals_[i] = {first.samples + second.samples, first.flits + second.flits, std::max(first.most, second.most)};
  }
  intervals_.resize(intervals_.size() / 2);
  stride_ *= 2;
}

void OccupancySeries::measure(const BufferFill& fill, metric::Sink& sink) const {
  if (routers_ == 0) return;
  sink.add(kBufferMean, static_cast<double>(fill.flits) / routers_);
  sink.add(kBufferMost, static_cast<double>(fill.most));
  sink.add(kBufferCapacity, static_cast<double>(capacity_));
}

void OccupancySeries::report(v1::OccupancyReport& report) const {
  // This divides instead of multiplying by 1e-15, which is not exact, so that 1e-6 remains 1e-6.
  const auto seconds = [&](uint64_t intervals) {
    return static_cast<double>(intervals) * static_cast<double>(interval_.fs()) / 1e15;
  };
  report.set_interval_seconds(seconds(1));
  report.set_routers(routers_);
  report.set_capacity_flits(capacity_);
  uint64_t samples = 0;
  for (const Interval& from : intervals_) {
    v1::OccupancyInterval& line = *report.add_intervals();
    line.set_begin_seconds(seconds(samples));
    samples += from.samples;
    line.set_end_seconds(seconds(samples));
    line.set_samples(from.samples);
    line.set_mean_flits(static_cast<double>(from.flits) / static_cast<double>(from.samples) / routers_);
    line.set_max_flits(from.most);
  }
}

}  // namespace fabrictwin::observe
