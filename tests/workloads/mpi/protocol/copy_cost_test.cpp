// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/protocol/copy_cost.h"

#include <gtest/gtest.h>

namespace fabrictwin {
namespace {

experiment::HostSpec host_of(int64_t copy, int64_t bandwidth, int32_t cores = 0, int64_t load = 0) {
  experiment::HostSpec host;
  host.copy_rate = Bandwidth{copy};
  if (bandwidth == 0) return host;
  host.memory.emplace();
  host.memory->bandwidth = Bandwidth{bandwidth};
  host.memory->load_cores = cores;
  host.memory->load_rate = Bandwidth{load};
  return host;
}

TEST(CopyCost, CopiesTakeNoTimeUnlessAsked) {
  EXPECT_EQ(mpi::protocol::CopyCost().of(1 << 20), Time::zero());
  EXPECT_EQ(mpi::protocol::CopyCost::of_host(host_of(0, 8'000'000'000)).of(1 << 20), Time::zero());
}

TEST(CopyCost, IsTheSlowerOfCoreAndMemory) {
  // 1 GB/s: a nanosecond a byte.
  EXPECT_EQ(mpi::protocol::CopyCost::of_host(host_of(8'000'000'000, 0)).of(1000), Time::from_ns(1000));
  EXPECT_EQ(mpi::protocol::CopyCost::of_host(host_of(8'000'000'000, 16'000'000'000)).of(1000), Time::from_ns(1000));
  // A copy reads and writes, so half of the channel is what counts.
  EXPECT_EQ(mpi::protocol::CopyCost::of_host(host_of(8'000'000'000, 8'000'000'000)).of(1000), Time::from_ns(2000));
  EXPECT_EQ(mpi::protocol::CopyCost::of_host(host_of(8'000'000'000, 8'000'000'000, 3, 8'000'000'000)).of(1000),
            Time::from_ns(8000));
  // Rounded up.
  EXPECT_EQ(mpi::protocol::CopyCost::of_host(host_of(3'000'000'000, 0)).of(1), Time::from_fs(2'666'667));
}

// The memory of an RDMA adapter is its bus.
TEST(CopyCost, NoCoreUsesTheBusOfAnAdapter) {
  experiment::HostSpec host = host_of(8'000'000'000, 8'000'000'000, 3, 4'000'000'000);
  host.memory->compute_traffic = Bandwidth{8'000'000'000};
  EXPECT_GT(mpi::protocol::CopyCost::of_host(host).of(1000), Time::from_ns(1000));
  EXPECT_GT(mpi::protocol::compute_slowdown(host), 1);
  host.memory_is_bus = true;
  EXPECT_EQ(mpi::protocol::CopyCost::of_host(host).of(1000), Time::from_ns(1000));
  EXPECT_EQ(mpi::protocol::compute_slowdown(host), 1);
}

TEST(CopyCost, ComputationIsStretchedByWhatMemoryDoesNotGive) {
  experiment::HostSpec host = host_of(0, 8'000'000'000, 3, 4'000'000'000);
  EXPECT_DOUBLE_EQ(mpi::protocol::compute_slowdown(host), 1);
  host.memory->compute_traffic = Bandwidth{2'000'000'000};
  EXPECT_DOUBLE_EQ(mpi::protocol::compute_slowdown(host), 1);
  host.memory->compute_traffic = Bandwidth{4'000'000'000};
  EXPECT_DOUBLE_EQ(mpi::protocol::compute_slowdown(host), 2);
  host.memory->load_cores = 1;
  EXPECT_DOUBLE_EQ(mpi::protocol::compute_slowdown(host), 1);
}

}  // namespace
}  // namespace fabrictwin
