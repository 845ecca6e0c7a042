// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/ip/host_profile.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace fabrictwin::ip {
namespace {

constexpr std::array<HostProfile, 4> kProfiles = {{
    {.name = "none"},
    // Assumed: a microsecond for a system call with its part of the stack, three for the scheduler. Copies as measured.
    {.name = "x86",
     .passage = Time::from_ns(1000),
     .copy_rate = {int64_t{8} * 5'600'000'000},
     .wake_up = Time::from_ns(3000)},
    // Calibrated: a round trip takes 72 us with polling, 90 us without. Copies through memory run at half of the rate
    // at which a core moves data.
    {.name = "a53-exanest",
     .passage = Time::from_ns(6300),
     .copy_rate = {int64_t{8} * 1'950'000'000},
     .wake_up = Time::from_ns(9000)},
    // Assumed: twice the times of x86.
    {.name = "a64fx-tofud",
     .passage = Time::from_ns(2000),
     .copy_rate = {int64_t{8} * 8'500'000'000},
     .wake_up = Time::from_ns(6000)},
}};

}  // namespace

const HostProfile& find_host_profile(std::string_view name) {
  const auto* const found = std::ranges::find(kProfiles, name, &HostProfile::name);
  return found == kProfiles.end() ? kProfiles.front() : *found;
}

}  // namespace fabrictwin::ip
