// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/job_layout.h"

namespace fabrictwin::mpi {

int32_t JobLayout::add_job(std::span<const int32_t> host_of) {
  const int32_t job = jobs();
  std::vector<HostSlot>& slots = slots_.emplace_back();
  slots.reserve(host_of.size());
  for (const int32_t host : host_of) {
    std::vector<Seat>& seats = seats_[static_cast<size_t>(host)];
    const auto slot = static_cast<int32_t>(seats.size());
    seats.push_back({job, static_cast<int32_t>(slots.size())});
    slots.push_back({host, slot});
    ++ranks_[static_cast<size_t>(host)];
  }
  return job;
}

}  // namespace fabrictwin::mpi
