// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/compute_channel.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "workloads/mpi/protocol/core_memory.h"
#include "workloads/skeleton/host_profile.h"

namespace fabrictwin::mpi {
namespace {

constexpr int kFraction = 16;
constexpr __int128 kBitFsPerByteSecond = static_cast<__int128>(8) * 1'000'000'000'000'000;
/// No phase and no channel exceeds this, so that products stay below 2^127.
constexpr int64_t kMaxDemand = 100'000'000'000'000;

/// Sums above 2^kMuch are scaled without rounding.
constexpr int kMuch = 600;
/// Approximate size of numerators and denominators of speeds.
constexpr int64_t kFine = int64_t{1} << 46;

__int128 round_up(__int128 numerator, __int128 denominator) { return (numerator + denominator - 1) / denominator; }

/// The number `value` times two to the power of `exponent`.
struct Scaled {
  double value = 0;
  int exponent = 0;
};

/// The normalising constant of a closed network: one server with exponential service of a mean of one, and customers
/// that each spend the share busy[j] of their time there if they are alone. It is the sum of k! P(k) over k, where P(k)
/// is the probability that k independent customers are there. `terms` holds these terms.
/// the probability that k independent customers are there. `terms` is for these.
Scaled normalising_constant(const std::vector<double>& busy, std::vector<double>& terms) {
  terms.assign(1, 1);
  Scaled sum;
  for (const double share : busy) {
    terms.push_back(0);
    double most = 0;
    for (size_t k = terms.size() - 1; k > 0; --k) {
      terms[k] = terms[k] * (1 - share) + terms[k - 1] * share * static_cast<double>(k);
      most = std::max(most, terms[k]);
    }
    terms[0] *= 1 - share;
    if (most < std::ldexp(1, kMuch)) continue;
    for (double& term : terms) term = std::ldexp(term, -kMuch);
    sum.exponent += kMuch;
  }
  for (const double term : terms) sum.value += term;
  return sum;
}

double ratio(const Scaled& a, const Scaled& b) { return std::ldexp(a.value / b.value, a.exponent - b.exponent); }

}  // namespace

std::optional<ComputeChannel::Config> ComputeChannel::config_of(const experiment::HostSpec& host) {
  if (const std::optional<memory::HostMemory::Config> memory = protocol::core_memory(host); memory.has_value()) {
    memory::HostMemory::Config alone = *memory;
    alone.load_cores = 0;
    const memory::HostMemory::Config::Rate limit = alone.share(1);
    return Config{memory->bandwidth, Bandwidth{limit.numerator / limit.denominator}, memory->load_cores,
                  memory->load_rate};
  }
  const absl::StatusOr<skeleton::HostProfile> profile = skeleton::find_host_profile(host.profile);
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

int64_t ComputeChannel::rate_alone(int32_t slot) const {
  const int64_t demand = std::min(phase(slot).demand, config_.bandwidth.bits_per_second);
  const int64_t limit = config_.core_limit.bits_per_second;
  return limit > 0 ? std::min(demand, limit) : demand;
}

// The speed of a customer is the constant without it over that with all: docs/models/host-memory.md.
void ComputeChannel::share() {
  const int64_t bandwidth = config_.bandwidth.bits_per_second;
  const auto busy = [&](int64_t rate) {
    return static_cast<double>(std::min(rate, bandwidth)) / static_cast<double>(bandwidth);
  };
  const auto gather = [&](int32_t left_out) {
    busy_.assign(static_cast<size_t>(config_.load_cores), busy(config_.load_rate.bits_per_second));
    for (const int32_t slot : active_) {
      if (slot != left_out) busy_.push_back(busy(rate_alone(slot)));
    }
  };
  gather(-1);
  const bool alone = busy_.size() == 1;
  const Scaled all = normalising_constant(busy_, terms_);
  // Ranks of a program mostly do the same few things at a time, so speeds are cached.
  std::map<int64_t, double> speeds;
  for (const int32_t slot : active_) {
    const int64_t rate = rate_alone(slot);
    const auto [known, fresh] = speeds.try_emplace(rate, 1);
    if (fresh && !alone) {
      gather(slot);
      known->second = std::min(1.0, ratio(normalising_constant(busy_, terms_), all));
    }
    Phase& each = phase(slot);
    const int64_t finer = std::max<int64_t>(1, kFine / each.demand);
    const auto part = static_cast<int64_t>(static_cast<double>(rate) * known->second * static_cast<double>(finer));
    each.numerator = std::max<int64_t>(1, alone ? rate * finer : part);
    each.denominator = each.demand * finer;
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

}  // namespace fabrictwin::mpi
