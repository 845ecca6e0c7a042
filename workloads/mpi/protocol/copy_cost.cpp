// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/protocol/copy_cost.h"

#include <algorithm>

#include "workloads/mpi/protocol/core_memory.h"

namespace fabrictwin::mpi::protocol {

CopyCost CopyCost::of_rate(Bandwidth rate) {
  CopyCost cost;
  cost.bits_per_second_ = rate.bits_per_second;
  return cost;
}

CopyCost CopyCost::of_host(const experiment::HostSpec& host, int32_t cores) {
  CopyCost cost = of_rate(host.copy_rate);
  const std::optional<memory::HostMemory::Config> memory = core_memory(host);
  if (cost.bits_per_second_ == 0 || !memory.has_value()) return cost;
  const memory::HostMemory::Config::Rate share = memory->share(cores);
  if (share.numerator < static_cast<__int128>(cost.bits_per_second_) * 2 * share.denominator) {
    cost.bits_per_second_ = share.numerator;
    cost.divisor_ = 2 * share.denominator;
  }
  return cost;
}

Time CopyCost::of(uint64_t bytes) const {
  if (bits_per_second_ == 0 || bytes == 0) return Time::zero();
  const __int128 scaled = static_cast<__int128>(bytes) * 8 * 1'000'000'000'000'000 * divisor_;
  const __int128 fs = (scaled + bits_per_second_ - 1) / bits_per_second_;
  return fs < Time::never().fs() ? Time::from_fs(static_cast<int64_t>(fs)) : Time::never();
}

double compute_slowdown(const experiment::HostSpec& host, int32_t cores) {
  const std::optional<memory::HostMemory::Config> memory = core_memory(host);
  if (!memory.has_value() || host.memory->compute_traffic.bits_per_second == 0) return 1;
  const memory::HostMemory::Config::Rate share = memory->share(cores);
  const double rate = static_cast<double>(share.numerator) / static_cast<double>(share.denominator);
  return std::max(1.0, static_cast<double>(host.memory->compute_traffic.bits_per_second) / rate);
}

}  // namespace fabrictwin::mpi::protocol
