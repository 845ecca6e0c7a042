// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/occupancy_series.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace fabrictwin::observe {
namespace {

/// More samples than a run can have, as time has 63 bits.
constexpr uint64_t kMaxStride = uint64_t{1} << 56;

const metric::Gauge kBufferMean{{.name = "fabrictwin_router_buffer_mean_flits",
                                 .help = "Flits (words) in the input buffers of a router now, mean over the routers",
                                 .order = 400,
                                 .in_report = false}};
const metric::Gauge kBufferMost{{.name = "fabrictwin_router_buffer_max_flits",
                                 .help = "Flits (words) in the input buffers of the router that holds most now",
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
  if (keeps_recent_) return keep(fill, samples);
  merge(fill, samples);
}

void OccupancySeries::keep(const BufferFill& fill, uint64_t samples) {
  const unsigned __int128 flits = static_cast<unsigned __int128>(fill.flits) * samples;
  if (!recent_.empty()) {
    Interval& last = recent_.back();
    if (last.flits == static_cast<unsigned __int128>(fill.flits) * last.samples && last.most == fill.most) {
      last.samples += samples;
      last.flits += flits;
      return;
    }
  }
  recent_.push_back({samples, flits, fill.most});
  if (recent_.size() <= kMostRecent) return;
  const Interval& oldest = recent_.front();
  merge({static_cast<uint64_t>(oldest.flits / oldest.samples), oldest.most}, oldest.samples);
  recent_.pop_front();
}

void OccupancySeries::merge(const BufferFill& fill, uint64_t samples) {
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

// --- Several partitions ---

OccupancySeries::Interval OccupancySeries::interval_of(const v1::OccupancySamples& samples) {
  return {samples.samples(), static_cast<unsigned __int128>(samples.flits_high()) << 64 | samples.flits(),
          samples.most()};
}

void OccupancySeries::set(const Interval& interval, v1::OccupancySamples& samples) {
  samples.set_samples(interval.samples);
  samples.set_flits(static_cast<uint64_t>(interval.flits));
  samples.set_flits_high(static_cast<uint64_t>(interval.flits >> 64));
  samples.set_most(interval.most);
}

void OccupancySeries::report_part(const BufferFill& rest, v1::OccupancyPart& part) const {
  part.set_interval_fs(interval_.fs());
  part.set_routers(routers_);
  part.set_capacity_flits(capacity_);
  part.set_stride(stride_);
  for (const Interval& interval : intervals_) set(interval, *part.add_older());
  for (const Interval& interval : recent_) set(interval, *part.add_recent());
  set({1, rest.flits, rest.most}, *part.mutable_rest());
}

// The first `samples` of a part.
absl::StatusOr<OccupancySeries> OccupancySeries::series_of(const v1::OccupancyPart& part, uint64_t samples) {
  OccupancySeries series(Time::from_fs(part.interval_fs()), part.routers(), part.capacity_flits());
  series.stride_ = part.stride();
  uint64_t merged = 0;
  for (const v1::OccupancySamples& older : part.older()) {
    series.intervals_.push_back(interval_of(older));
    if (older.samples() == 0 || older.samples() > part.stride())
      return absl::DataLossError("a part of the occupancy of buffers has intervals of other lengths than it says");
    merged += older.samples();
  }
  if (merged > samples) {
    return absl::DataLossError(
        "the occupancy of buffers changed too often after the end of the run to be cut there; write a longer "
        "occupancy_interval");
  }
  uint64_t left = samples - merged;
  for (const v1::OccupancySamples& recent : part.recent()) {
    if (recent.samples() == 0) return absl::DataLossError("a part of the occupancy of buffers has samples of no time");
    const uint64_t taken = std::min(left, recent.samples());
    const Interval interval = interval_of(recent);
    series.merge({static_cast<uint64_t>(interval.flits / interval.samples), interval.most}, taken);
    left -= taken;
  }
  series.merge({part.rest().flits(), part.rest().most()}, left);
  return series;
}

absl::Status OccupancySeries::report_parts(std::span<const v1::OccupancyPart* const> parts, Time end,
                                           v1::OccupancyReport& report) {
  std::optional<OccupancySeries> sum;
  for (const v1::OccupancyPart* const part : parts) {
    if (part->interval_fs() <= 0 || part->stride() == 0 || part->stride() > kMaxStride ||
        part->older_size() > static_cast<int>(kMaxIntervals))
      return absl::DataLossError("a part of the occupancy of buffers has intervals that cannot be");
    const auto samples = static_cast<uint64_t>(end.fs() / part->interval_fs());
    absl::StatusOr<OccupancySeries> series = series_of(*part, samples);
    if (!series.ok()) return series.status();
    if (!sum.has_value()) {
      sum = *std::move(series);
      continue;
    }
    if (series->interval_ != sum->interval_ || series->stride_ != sum->stride_ ||
        series->intervals_.size() != sum->intervals_.size() || series->routers_ != sum->routers_)
      return absl::DataLossError("parts of the occupancy of buffers are of different systems");
    sum->capacity_ = std::max(sum->capacity_, series->capacity_);
    for (size_t i = 0; i < sum->intervals_.size(); ++i) {
      sum->intervals_[i].flits += series->intervals_[i].flits;
      sum->intervals_[i].most = std::max(sum->intervals_[i].most, series->intervals_[i].most);
    }
  }
  if (sum.has_value()) sum->report(report);
  return absl::OkStatus();
}

}  // namespace fabrictwin::observe
