// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/memory_need.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cosim/base/text.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr double kGiB = 1 << 30;

experiment::Experiment experiment_of(const std::string& topology,
                                     const std::string& more = "router { model: PACKET }") {
  const absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(
      "topology { " + topology + " }\n" + more + "\nworkload { traffic { load: 0.1 duration: \"1us\" } }\n", "e", {});
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  return experiment.value_or(experiment::Experiment());
}

TEST(MemoryNeed, SystemsThatNoMachineOfThisSizeHoldsAreRefusedAtTheTopology) {
  const experiment::Experiment large = experiment_of("torus { dims: 256 dims: 256 dims: 128 }");
  const absl::Status refused =
      cli::support::check_memory(large, cli::support::MemoryUse::kRun, {24 * kGiB, "this machine has"});
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(
      message_of(refused),
      StartsWith("e:1:1: error: a run of 8388608 nodes takes more than 70.3 GiB of memory, and this machine has "
                 "24.0; make it smaller, or run it where there is more\n"));
  EXPECT_TRUE(cli::support::check_memory(large, cli::support::MemoryUse::kRun, {128 * kGiB, ""}).ok());
  // Its plan can be looked at.
  EXPECT_TRUE(cli::support::check_memory(large, cli::support::MemoryUse::kPlan, {24 * kGiB, ""}).ok());
  EXPECT_THAT(message_of(cli::support::check_memory(large, cli::support::MemoryUse::kPlan,
                                                    {8 * kGiB, "this process may have"})),
              HasSubstr("a system of 8388608 nodes takes more than 16.0 GiB of memory, and this process may have 8.0"));
}

TEST(MemoryNeed, IsLessThanWhatSystemsWereMeasuredToTake) {
  // Peaks of whole processes: 64x64x64 as packet network 2.87 GiB, 32x32x32 with 8 hosts each 1.08 GiB, the same as
  // SystemC models with one host each 1.57 GiB; TofuD of Fugaku 2.5 GiB.
  const auto run = [](const experiment::Experiment& experiment) {
    return cli::support::least_memory(experiment, cli::support::MemoryUse::kRun) / kGiB;
  };
  EXPECT_LT(run(experiment_of("torus { dims: 64 dims: 64 dims: 64 }")), 2.87);
  EXPECT_LT(run(experiment_of("torus { dims: 32 dims: 32 dims: 32 hosts_per_router: 8 }")), 1.08);
  EXPECT_LT(run(experiment_of("torus { dims: 32 dims: 32 dims: 32 }", "router { model: EXANET }")), 1.57);
  EXPECT_LT(run(experiment_of("tofu { x: 24 y: 23 z: 24 }")), 2.5);
}

TEST(MemoryNeed, ElementsElsewhereTakeNoneHere) {
  const std::string torus = "torus { dims: 32 dims: 32 dims: 32 }";
  const experiment::Experiment spread =
      experiment_of(torus, "use { select: \"router[*]\" implementation: MODEL place: \"worker:unix\" }");
  EXPECT_LT(cli::support::least_memory(spread, cli::support::MemoryUse::kRun),
            cli::support::least_memory(experiment_of(torus, ""), cli::support::MemoryUse::kRun));
}

// What rules give to other processes of this machine is shared among them, and not nothing.
TEST(MemoryNeed, ProcessesOfThisMachineShareIt) {
  const std::string torus = "torus { dims: 64 dims: 64 dims: 64 }";
  const auto need = [&](const std::string& more, int32_t split = 1) {
    return cli::support::least_memory(experiment_of(torus, "router { model: PACKET } " + more),
                                      cli::support::MemoryUse::kRun, split);
  };
  const double whole = need("");
  EXPECT_EQ(need("use { select: \"router[0]\" implementation: MODEL }"), whole);
  EXPECT_EQ(need("use { select: \"router[0]\" implementation: MODEL place: \"worker:shm\" }"), whole / 2);
  EXPECT_EQ(need("", 2), whole / 2);
  // Machines elsewhere have memory of their own, but each process has the graph.
  EXPECT_LT(need("use { select: \"router[*]\" implementation: MODEL place: \"10.0.0.2:7000\" }"), whole / 2);
  EXPECT_GT(need("", 1000), whole / 10);
}

TEST(MemoryNeed, ThereIsALimit) {
  const cli::support::MemoryLimit limit = cli::support::memory_limit();
  EXPECT_GT(limit.bytes, 0);
  EXPECT_FALSE(limit.whose.empty());
}

}  // namespace
}  // namespace fabrictwin
