// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The law for MPI jobs with several ranks on a host: the places of routers do not show.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/integration/digests.h"

namespace fabrictwin {
namespace {

const std::string kExperiments = "workloads/experiments/";

/// HPCG's communication of eight ranks on four routers.
std::vector<std::string> hpcg(const std::vector<std::string>& sets) {
  std::vector<std::string> arguments{kExperiments + "skeleton-hpcg.textproto",
                                     "--set",
                                     "topology.torus.dims=2x2",
                                     "--set",
                                     "router.model=EXANET",
                                     "--set",
                                     "workload.skeleton.ranks=8"};
  for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
  return arguments;
}

/// The beginning of it, with two ranks on each host.
std::vector<std::string> hpcg_start() {
  return hpcg({"workload.skeleton.hpcg.local=8x8x8", "workload.placement.ranks_per_host=2", "host.profile=none",
               "stop.after_simulated=100us"});
}

TEST(JobsLaw, PlacesOfRoutersDoNotShow) {
  const auto experiment = hpcg_start();
  const Digests reference = digests_of(experiment, {});
  ASSERT_GT(reference.packets, 100u);
  EXPECT_EQ(digests_of(experiment, {"router[1]=MODEL@worker:unix"}), reference);
  EXPECT_EQ(digests_of(experiment, {"router[0..1]=MODEL@worker:shm", "router[3]=RTL"}), reference);
  EXPECT_EQ(digests_of(experiment, {}, {"--threads", "2"}), reference);
  const std::vector<std::string> boards = {kExperiments + "exanest-ranks.textproto", "--set",
                                           "stop.after_simulated=20us"};
  EXPECT_EQ(digests_of(boards, {"qfdb[1].router=RTL@worker:shm"}), digests_of(boards, {"qfdb[1].router=RTL"}));
}

TEST(JobsLaw, AShellDoesNotShow) {
  EXPECT_EQ(digests_of(hpcg_start(), {"router[2]=BOARD@shell"}), digests_of(hpcg_start(), {}));
}

// Four ranks on each of two hosts share its memory: the same wherever routers are.
TEST(JobsLaw, SharedMemoryIsTheSameInAllPlaces) {
  const auto experiment = hpcg({"workload.placement.ranks_per_host=4"});
  const Digests reference = digests_of(experiment, {});
  ASSERT_GT(reference.packets, 100u);
  EXPECT_EQ(digests_of(experiment, {"router[1]=MODEL@worker:unix"}), reference);
  EXPECT_EQ(digests_of(experiment, {}, {"--threads", "2"}), reference);
}

// Network interfaces of descriptors are models beside their hosts; what they send goes through any router.
TEST(JobsLaw, NetworkInterfacesOfDescriptorsAreTheSameInAllPlaces) {
  const std::vector<std::string> rdma =
      hpcg({"workload.skeleton.hpcg.local=8x8x8", "workload.placement.ranks_per_host=2", "host.profile=none",
            "host.nic=RDMA", "stop.after_simulated=150us"});
  const Digests reference = digests_of(rdma, {});
  ASSERT_GT(reference.packets, 100u);
  EXPECT_EQ(digests_of(rdma, {"router[0..1]=RTL@worker:shm", "router[3]=RTL"}), reference);
  EXPECT_EQ(digests_of(rdma, {"router[2]=BOARD@soft", "router[1]=MODEL@worker:unix"}), reference);
  EXPECT_EQ(digests_of(rdma, {}, {"--threads", "2"}), reference);

  const std::string tofu = ::testing::TempDir() + "jobs_law_tofu.textproto";
  std::ofstream(tofu) << "topology { tofu { x: 1 y: 1 z: 1 tnis: 4 } }\nhost { nic: TOFU memory { bandwidth: \"6GB/s\" "
                         "latency: \"60ns\" } }\nworkload { puts { destinations: [1, 2, 5] operation: GET sizes: "
                         "[\"8B\", \"3000B\", \"50kB\"] count: 2 } }\n";
  const Digests gets = digests_of({tofu}, {});
  ASSERT_GT(gets.packets, 100u);
  EXPECT_EQ(digests_of({tofu}, {"router[0]=RTL", "router[5]=BOARD@soft", "router[1]=RTL@worker:unix"}), gets);
  EXPECT_EQ(digests_of({tofu}, {}, {"--threads", "2"}), gets);
  std::filesystem::remove(tofu);
}

}  // namespace
}  // namespace fabrictwin
