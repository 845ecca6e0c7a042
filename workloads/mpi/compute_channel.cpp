// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/compute_channel.h"

#include <algorithm>

#include "workloads/mpi/core_memory.h"
#include "workloads/skeleton/host_profile.h"

namespace fabrictwin {
namespace {

constexpr int kFraction = 16;
constexpr __int128 kBitFsPerByteSecond = static_cast<__int128>(8) * 1'000'000'000'000'000;
/// No phase demands more, and no channel has more. Products stay below 2^127 with it.
constexpr int64_t kMaxDemand = 100'000'000'000'000;

__int128 round_up(__int128 numerator, __int128 denominator) { return (numerator + denominator - 1) / denominator; }

}  // namespace

std::optional<ComputeChannel::Config> ComputeChannel::config_of(const HostSpec& host) {
  if (const std::optional<HostMemory::Config> memory = core_memory(host); memory.has_value()) {
    HostMemory::Config alone = *memory;
    alone.load_cores = 0;
    const HostMemory::Config::Rate limit = alone.share(1);
    return Config{memory->bandwidth, Bandwidth{limit.numerator / limit.denominator}, memory->load_cores,
                  memory->load_rate};
  }
  const absl::StatusOr<HostProfile> profile = find_host_profile(host.profile);
  if (!profile.ok() || profile->channel.bits_per_second == 0) return std::nullopt;
  return Config{.bandwidth = profile->channel};
}

void ComputeChannel::start(Time now, int32_t slot, Time alone, uint64_t bytes) {
  advance(now);
  Phase& begun = phase(slot);
  const __int128 demand = round_up(static_cast<__int128>(bytes) * kBitFsPerByteSecond, alone.fs());
  begun.demand = demand < kMaxDemand ? static_cast<int64_t>(demand) : kMaxDemand;
  begun.left = static_cast<Work>(alone.fs()) << kFraction;
  active_.insert(std::upper_bound(active_.begin(), active_.end(), slot), slot);
  share();
}

void ComputeChannel::advance(Time now) {
  const __int128 passed = static_cast<__int128>((now - anchor_).fs()) << kFraction;
  anchor_ = now;
  for (const int32_t slot : active_) {
    Phase& each = phase(slot);
    each.left = std::max<Work>(0, each.left - passed * each.numerator / each.denominator);
  }
}

// Who demands least is served first: he gets his demand, or the same as all others that are left.
void ComputeChannel::share() {
  order_ = active_;
  const auto wanted = [&](int32_t slot) {
    const int64_t demand = phase(slot).demand;
    const int64_t limit = config_.core_limit.bits_per_second;
    return limit > 0 ? std::min(demand, limit) : demand;
  };
  std::sort(order_.begin(), order_.end(),
            [&](int32_t a, int32_t b) { return wanted(a) != wanted(b) ? wanted(a) < wanted(b) : a < b; });
  int64_t left = config_.bandwidth.bits_per_second;
  int64_t sharers = static_cast<int64_t>(order_.size()) + config_.load_cores;
  int64_t load = config_.load_cores;
  const auto met = [&](int64_t demand) { return static_cast<__int128>(demand) * sharers <= left; };
  for (const int32_t slot : order_) {
    if (load > 0 && config_.load_rate.bits_per_second <= wanted(slot) && met(config_.load_rate.bits_per_second)) {
      left -= load * config_.load_rate.bits_per_second;
      sharers -= load;
      load = 0;
    }
    Phase& each = phase(slot);
    if (met(wanted(slot))) {
      left -= wanted(slot);
      --sharers;
      each.numerator = wanted(slot);
      each.denominator = each.demand;
    } else {
      each.numerator = left;
      each.denominator = sharers * each.demand;
    }
  }
}

Time ComputeChannel::end_of(const Phase& phase) const {
  const __int128 rate = static_cast<__int128>(phase.numerator) << kFraction;
  const __int128 fs = phase.left / rate * phase.denominator + round_up(phase.left % rate * phase.denominator, rate);
  return fs < (Time::never() - anchor_).fs() ? anchor_ + Time::from_fs(static_cast<int64_t>(fs)) : Time::never();
}

Time ComputeChannel::next_end() const {
  Time next = Time::never();
  for (const int32_t slot : active_) next = std::min(next, end_of(phase(slot)));
  return next;
}

bool ComputeChannel::take_ended(Time now, int32_t& slot) {
  const auto over =
      std::find_if(active_.begin(), active_.end(), [&](int32_t each) { return end_of(phase(each)) <= now; });
  if (over == active_.end()) return false;
  slot = *over;
  advance(now);
  active_.erase(over);
  share();
  return true;
}

}  // namespace fabrictwin
