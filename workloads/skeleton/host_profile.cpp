// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/host_profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cosim/base/text.h"
#include "fmt/format.h"

namespace fabrictwin::skeleton {
namespace {

constexpr double kFsPerSecond = 1e15;
// More bytes than can be moved in simulated time.
constexpr double kMaxBytes = 1e18;

constexpr std::array<HostProfile, 4> kProfiles = {{
    {.name = "none"},
    // Calibrated on rank 0 of the recorded hpcg-8: its 16^3 box stays in the cache.
    {.name = "x86", .flops_per_second = 5e9, .bytes_per_second = 27e9},
    // Four Cortex-A53 at 1.5 GHz, each of which does one double-precision fused multiply-add every second cycle, or
    // every eighth if it waits for the one before, and moves 3.9 GB/s by itself, on 64-bit DDR4-2400 at two thirds of
    // its peak.
    {.name = "a53-exanest",
     .flops_per_second = 1.5e9,
     .sum_flops_per_second = 0.375e9,
     .bytes_per_second = 3.9e9,
     .channel = {8 * 12'800'000'000}},
    // A 48th of 1024 GB/s at four fifths of the peak; a tenth of 70.4 Gflop/s for short loops without tuning.
    {.name = "a64fx-tofud", .flops_per_second = 7e9, .bytes_per_second = 17e9},
}};

}  // namespace

Time HostProfile::time(double flops, double bytes) const {
  if (flops_per_second <= 0) return Time::zero();
  const double seconds = std::max(flops / flops_per_second, bytes / bytes_per_second);
  const double fs = seconds * kFsPerSecond;
  if (fs >= static_cast<double>(Time::never().fs())) return Time::from_ns(Time::never().fs() / 1'000'000);
  // Whole nanoseconds, as in recordings; this keeps files small.
  return Time::from_ns(static_cast<int64_t>(std::round(fs / 1e6)));
}

Computation HostProfile::compute(double flops, double bytes) const {
  const Time alone = time(flops, bytes);
  return {alone, alone > Time::zero() ? static_cast<uint64_t>(std::llround(std::min(bytes, kMaxBytes))) : 0};
}

Computation HostProfile::compute_sums(double flops, double bytes) const {
  const double slower = sum_flops_per_second > 0 ? flops_per_second / sum_flops_per_second : 1;
  return compute(flops * slower, bytes);
}

absl::StatusOr<HostProfile> find_host_profile(std::string_view name) {
  for (const HostProfile& profile : kProfiles) {
    if (profile.name == name) return profile;
  }
  return absl::InvalidArgumentError(
      fmt::format("host profile '{}' is not known; there are {}", name, host_profile_names()));
}

std::string host_profile_names() {
  std::vector<std::string_view> names;
  for (const HostProfile& profile : kProfiles) names.push_back(profile.name);
  return comma_list(names);
}

}  // namespace fabrictwin::skeleton
