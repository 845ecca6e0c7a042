// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/memory/host_memory.h"

#include <algorithm>

namespace fabrictwin::memory {
namespace {

constexpr __int128 kFsPerSecond = 1'000'000'000'000'000;

}  // namespace

HostMemory::Config::Rate HostMemory::Config::share(int32_t streams) const {
  const int64_t total = bandwidth.bits_per_second;
  const int64_t equal = int64_t{streams} + load_cores;
  Rate rate{total, equal};
  if (static_cast<__int128>(load_rate.bits_per_second) * equal < total)
    rate = {total - load_cores * load_rate.bits_per_second, streams};
  if (latency > Time::zero()) {
    const __int128 cap = static_cast<__int128>(outstanding) * burst_bytes * 8 * kFsPerSecond / latency.fs();
    if (cap * rate.denominator < rate.numerator) rate = {std::max<int64_t>(1, static_cast<int64_t>(cap)), 1};
  }
  return rate;
}

HostMemory::Config HostMemory::Config::from(const experiment::HostMemorySpec& spec) {
  return {.bandwidth = spec.bandwidth,
          .latency = spec.latency,
          .outstanding = spec.outstanding,
          .burst_bytes = spec.burst.count,
          .load_cores = spec.load_cores,
          .load_rate = spec.load_rate};
}

HostMemory::HostMemory(const Config& config, int32_t streams)
    : config_(config), streams_(static_cast<size_t>(streams)) {}

HostMemory::Service HostMemory::service_at(Time time) const {
  return anchor_service_ +
         (static_cast<Service>((time - anchor_).fs()) * rate_.numerator << 16) / (rate_.denominator * kFsPerSecond);
}

// Rounded up, so that service_at() of the result is not below `service`.
Time HostMemory::time_of(Service service) const {
  const Service numerator = (service - anchor_service_) * rate_.denominator * kFsPerSecond;
  const Service denominator = static_cast<Service>(rate_.numerator) << 16;
  return anchor_ + Time::from_fs(static_cast<int64_t>((numerator + denominator - 1) / denominator));
}

int32_t HostMemory::first_to_finish() const {
  int32_t first = -1;
  for (size_t i = 0; i < streams_.size(); ++i) {
    if (streams_[i].requests.empty()) continue;
    if (first < 0 || streams_[i].finish < streams_[static_cast<size_t>(first)].finish) first = static_cast<int32_t>(i);
  }
  return first;
}

void HostMemory::set_active(Time now, int32_t streams) {
  // Nothing refers to values from before an idle time, so they restart from zero.
  anchor_service_ = active_ == 0 ? 0 : service_at(now);
  anchor_ = now;
  active_ = streams;
  if (active_ > 0) rate_ = config_.share(active_);
}

void HostMemory::settle(Time now) {
  while (active_ > 0) {
    const int32_t first = first_to_finish();
    Stream& stream = streams_[static_cast<size_t>(first)];
    const Time time = time_of(stream.finish);
    if (time > now) return;
    done_.push_back({time + config_.latency, first, stream.requests.front().cookie});
    bytes_served_ += stream.requests.front().bytes;
    stream.requests.pop_front();
    // The next request begins within a femtosecond, so that no bandwidth is lost.
    if (!stream.requests.empty())
      stream.finish += service_of(stream.requests.front().bytes);
    else
      set_active(time, active_ - 1);
  }
}

void HostMemory::request(Time now, int32_t number, uint64_t bytes, uint64_t cookie) {
  settle(now);
  Stream& stream = streams_[static_cast<size_t>(number)];
  const bool idle = stream.requests.empty();
  stream.requests.push_back({bytes, cookie});
  if (!idle) return;
  set_active(now, active_ + 1);
  stream.finish = anchor_service_ + service_of(bytes);
}

Time HostMemory::next_event() const {
  if (!done_.empty()) return done_.front().time;
  if (active_ == 0) return Time::never();
  return time_of(streams_[static_cast<size_t>(first_to_finish())].finish) + config_.latency;
}

bool HostMemory::take_done(Time now, Done& done) {
  settle(now);
  if (done_.empty() || done_.front().time > now) return false;
  done = done_.front();
  done_.pop_front();
  return true;
}

}  // namespace fabrictwin::memory
