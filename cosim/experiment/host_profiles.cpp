// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/host_profiles.h"

#include <algorithm>
#include <array>

namespace fabrictwin::experiment {
namespace {

constexpr Bandwidth bytes_per_second(int64_t bytes) { return Bandwidth{bytes * 8}; }

constexpr std::array<MpiOverheads, 4> kProfiles = {{
    {.name = "none", .send = Time::from_ns(400), .receive = Time::from_ns(400)},
    // Measured on an AMD EPYC with MPICH through shared memory.
    {.name = "x86",
     .send = Time::from_ns(150),
     .receive = Time::from_ns(40),
     .match = Time::from_ps(1500),
     .copy_rate = bytes_per_second(5'600'000'000),
     .loopback_latency = Time::from_ns(331)},
    // Calibrated: a message between neighbours takes 1293 ns, 470 ns of it in the network; 1170 ns within an MPSoC.
    // Copies through memory run at half of the rate at which a core moves data. What a collective costs beside its
    // messages is what an Allreduce of four ranks takes longer than those: seven calls of the library, alike.
    {.name = "a53-exanest",
     .send = Time::from_ns(400),
     .receive = Time::from_ns(400),
     .match = Time::from_ns(23),
     .copy_rate = bytes_per_second(6'000'000'000),
     .loopback_latency = Time::from_ns(347),
     .loopback_rate = bytes_per_second(1'950'000'000),
     .request = Time::from_ns(390),
     .reduce = Time::from_ns(390),
     .buffer = Time::from_ns(390),
     .local_rate = bytes_per_second(6'000'000'000)},
    // Assumed: twice the times of x86; copies at half of a rank's share of the memory bandwidth.
    {.name = "a64fx-tofud",
     .send = Time::from_ns(300),
     .receive = Time::from_ns(80),
     .match = Time::from_ns(3),
     .copy_rate = bytes_per_second(8'500'000'000),
     .loopback_latency = Time::from_ns(662)},
}};

}  // namespace

std::span<const MpiOverheads> mpi_overheads() { return kProfiles; }

const MpiOverheads* find_mpi_overheads(std::string_view name) {
  const auto found = std::find_if(kProfiles.begin(), kProfiles.end(),
                                  [&](const MpiOverheads& profile) { return profile.name == name; });
  return found == kProfiles.end() ? nullptr : &*found;
}

}  // namespace fabrictwin::experiment
