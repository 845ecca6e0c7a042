// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/memory_need.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "tests/experiments.h"
#include "tests/test_folder.h"

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
      StartsWith("e:1:1: error: a run of 8388608 nodes takes about 93.0 GiB of memory, more than 70.3 GiB, and this "
                 "machine has 24.0; make it smaller, or run it where there is more\n"));
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

TEST(MemoryNeed, IsExpectedWithinAFactorOfTwoOfWhatWasMeasured) {
  // As above.
  const std::pair<experiment::Experiment, double> systems[] = {
      {experiment_of("torus { dims: 64 dims: 64 dims: 64 }"), 2.87},
      {experiment_of("torus { dims: 32 dims: 32 dims: 32 hosts_per_router: 8 }"), 1.08},
      {experiment_of("torus { dims: 32 dims: 32 dims: 32 }", "router { model: EXANET }"), 1.57},
      {experiment_of("tofu { x: 24 y: 23 z: 24 }"), 2.5}};
  for (const auto& [experiment, measured] : systems) {
    const double expected = cli::support::expected_memory(experiment) / kGiB;
    EXPECT_LT(expected, 2 * measured);
    EXPECT_GT(expected, measured / 2);
    EXPECT_GE(expected * kGiB, cli::support::least_memory(experiment, cli::support::MemoryUse::kRun));
  }
}

TEST(MemoryNeed, TheMessageForNoMemoryHasWhatWasExpected) {
  const experiment::Experiment experiment = experiment_of("tofu { x: 14 y: 14 z: 14 }");
  EXPECT_TRUE(cli::support::check_memory(experiment, cli::support::MemoryUse::kRun, {kGiB, "this machine has"}).ok());
  EXPECT_THAT(cli::support::memory_used_up(), StartsWith("memory is used up: a run of this size takes about 0.36 GiB"));
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

TEST(MemoryNeed, TheLimitIsThatOfTheOwnControlGroupAndItsParents) {
  struct Case {
    const char* groups;
    std::vector<std::pair<const char*, const char*>> limits;
    double bytes;
  };
  const std::vector<Case> cases = {
      {"0::/a.slice/b.scope\n",
       {{"memory.max", "6000"}, {"a.slice/memory.max", "5000"}, {"a.slice/b.scope/memory.max", "4000"}},
       4000},
      {"0::/a.slice/b.scope\n", {{"a.slice/memory.max", "3000"}, {"a.slice/b.scope/memory.max", "max"}}, 3000},
      // Groups of others, and what a container says that sees its own group as the root.
      {"0::/a.slice\n", {{"memory.max", "6000"}, {"b.slice/memory.max", "1000"}}, 6000},
      {"0::/elsewhere/c\n", {{"memory.max", "2000"}}, 2000},
      {"", {{"memory.max", "2500"}}, 2500},
      {"5:cpu,memory:/job/step\n0::/\n",
       {{"memory/job/memory.limit_in_bytes", "7000"}, {"memory/job/step/memory.limit_in_bytes", "9223372036854771712"}},
       7000},
      {"5:cpu:/job\n", {{"memory/memory.limit_in_bytes", "8000"}, {"memory/job/memory.limit_in_bytes", "7000"}}, 8000},
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    const TestFolder root;
    root.write("proc/self/cgroup", cases[i].groups);
    for (const auto& [file, text] : cases[i].limits) root.write(std::string("sys/fs/cgroup/") + file, text);
    const cli::support::MemoryLimit limit = cli::support::memory_limit(root.path().string());
    EXPECT_EQ(limit.bytes, cases[i].bytes) << i;
    EXPECT_EQ(limit.whose, "its control group has") << i;
  }
}

}  // namespace
}  // namespace fabrictwin
