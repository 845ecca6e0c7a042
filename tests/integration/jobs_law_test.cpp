// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The law for MPI jobs with several ranks on a host: the places of routers do not show.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/integration/digests.h"

namespace fabrictwin {
namespace {

const std::string kExperiments = "workloads/experiments/";

TEST(JobsLaw, PlacesOfRoutersDoNotShow) {
  const std::vector<std::string> experiment = {kExperiments + "skeleton-hpcg.textproto",
                                               "--set",
                                               "topology.torus.dims=2x2",
                                               "--set",
                                               "router.model=EXANET",
                                               "--set",
                                               "workload.skeleton.ranks=8",
                                               "--set",
                                               "workload.skeleton.hpcg.local=8x8x8",
                                               "--set",
                                               "workload.placement.ranks_per_host=2",
                                               "--set",
                                               "host.profile=none",
                                               "--set",
                                               "stop.after_simulated=100us"};
  const Digests reference = digests_of(experiment, {});
  ASSERT_GT(reference.packets, 100u);
  EXPECT_EQ(digests_of(experiment, {"router[1]=MODEL@worker:unix"}), reference);
  EXPECT_EQ(digests_of(experiment, {"router[0..1]=MODEL@worker:shm", "router[3]=RTL"}), reference);
  EXPECT_EQ(digests_of(experiment, {}, {"--threads", "2"}), reference);
  const std::vector<std::string> boards = {kExperiments + "exanest-ranks.textproto", "--set",
                                           "stop.after_simulated=20us"};
  EXPECT_EQ(digests_of(boards, {"qfdb[1].router=RTL@worker:shm"}), digests_of(boards, {"qfdb[1].router=RTL"}));
}

// Four ranks on each of two hosts share its memory: the same wherever routers are.
TEST(JobsLaw, SharedMemoryIsTheSameInAllPlaces) {
  const std::vector<std::string> experiment = {kExperiments + "skeleton-hpcg.textproto",
                                               "--set",
                                               "topology.torus.dims=2x2",
                                               "--set",
                                               "router.model=EXANET",
                                               "--set",
                                               "workload.skeleton.ranks=8",
                                               "--set",
                                               "workload.placement.ranks_per_host=4"};
  const Digests reference = digests_of(experiment, {});
  ASSERT_GT(reference.packets, 100u);
  EXPECT_EQ(digests_of(experiment, {"router[1]=MODEL@worker:unix"}), reference);
  EXPECT_EQ(digests_of(experiment, {}, {"--threads", "2"}), reference);
}

}  // namespace
}  // namespace fabrictwin
