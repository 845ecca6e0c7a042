// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Sweeps and comparisons as jobs of a cluster of Slurm, whose daemons run on this machine.
#include "tests/integration/slurm_cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/background_process.h"
#include "tests/integration/cli_process.h"
#include "tests/integration/digests.h"
#include "tests/integration/mpi_launchers.h"
#include "tests/integration/study_results.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

using Words = std::vector<std::string>;

/// The process of a task, or 0 if it does not run now.
pid_t task_process(const std::string& study, const std::string& point) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string words = read_file(entry.path().string() + "/cmdline");
    // slurm-task, the folder, the point.
    const std::string end = std::string("slurm-task") + '\0' + study + '\0' + point + '\0';
    if (words.ends_with(end)) return std::stoi(entry.path().filename().string());
  }
  return 0;
}

class RealSlurm : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(cluster_.trouble(), ""); }

  Words by_slurm(Words words, const Words& more = {}) const {
    for (const std::string& word : Words{"--launcher", "slurm", "--slurm-interval", "500ms", "--slurm-dir", study_})
      words.push_back(word);
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// With the program before its arguments.
  static Words program(Words arguments) {
    arguments.insert(arguments.begin(), cli_binary());
    return arguments;
  }
  /// A sweep whose points are measured in so many samples, which take as long as a test wants.
  Words sweep_of(const std::string& samples) const {
    return {"run",
            file_,
            "--json",
            "--sweep",
            "seed=1,2",
            "--set",
            "workload.traffic.max_samples=" + samples,
            "--set",
            "workload.traffic.confidence_target=0.0000001"};
  }

  const TestFolder folder_;
  const SlurmCluster cluster_{folder_};
  const std::string study_ = folder_.file("study");
  const std::string file_ =
      folder_.write("small.textproto",
                    "topology { torus { dims: 4 dims: 4 link_latency_cycles: 1 tile_latency_cycles: 1 } }\n"
                    "router { model: INPUT_QUEUED }\n"
                    "workload { traffic { load: 0.3 sample_cycles: 500 } }\n"
                    "seed: 3\n");
};

TEST_F(RealSlurm, ResultsAreThoseOfThisMachine) {
  const Words words{"run", file_, "--sweep", "load=0.1:0.6:0.1", "--json"};
  const CliResult slurm = run_cli(by_slurm(words, {"--slurm-tasks", "1", "--slurm-option=--time=5"}));
  EXPECT_EQ(slurm.exit_code, 0) << slurm.err;
  EXPECT_EQ(results_in(slurm.out), results_in(run_cli(words).out));
  EXPECT_EQ(results_in(slurm.out).at("points").size(), 6u);
}

TEST_F(RealSlurm, SoAreThoseOfComparisons) {
  const Words words{"compare", "workloads/experiments/congestion/incast8.textproto", "--schemes", "none,dcqcn"};
  const CliResult slurm = run_cli(by_slurm(words));
  EXPECT_EQ(slurm.exit_code, 0) << slurm.err;
  EXPECT_EQ(slurm.out, run_cli(words).out);
}

// A run by MPI may be started by srun instead of mpirun.
TEST_F(RealSlurm, StartsTheRanksOfARun) {
  if (mpi_launchers().empty()) GTEST_SKIP() << "the program was built without MPI";
  const Words run = {"run",    "workloads/experiments/all-model.textproto",
                     "--json", "--quiet",
                     "--set",  "router.model=PACKET",
                     "--set",  "workload.skeleton.ranks=8",
                     "--set",  "workload.skeleton.minife.global=8x8x8",
                     "--set",  "workload.skeleton.minife.iterations=2"};
  const CliResult alone = run_cli(run);
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  Words ranks = {"srun", "--mpi=pmix", "--ntasks=2", "--overcommit", cli_binary()};
  ranks.insert(ranks.end(), run.begin(), run.end());
  ranks.insert(ranks.end(), {"--split", "2"});
  const CliResult result = run_process(ranks, mpi_environment());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(digests_in(result.out), digests_in(alone.out)) << result.err;
}

TEST_F(RealSlurm, ItsRefusalIsTold) {
  const CliResult refused = run_cli(by_slurm({"run", file_, "--sweep", "seed=1,2"}, {"--slurm-option=--partition=x"}));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("sbatch refuses the job: invalid partition specified: x"));
  EXPECT_FALSE(std::filesystem::exists(study_));
}

// Killed while it runs, it is run again.
TEST_F(RealSlurm, AKilledTaskIsRunAgain) {
  const Words words = sweep_of("2000");
  const CliResult local = run_cli(words);
  ASSERT_EQ(local.exit_code, 0) << local.err;
  BackgroundProcess launcher(program(by_slurm(words)), folder_.file("launcher.log"), folder_.file("launcher.out"));
  pid_t task = 0;
  ASSERT_TRUE(eventually([&] { return (task = task_process(study_, "1")) != 0; })) << launcher.log();
  kill(task, SIGKILL);
  EXPECT_EQ(launcher.wait(), 0) << launcher.log();
  EXPECT_THAT(launcher.log(), AllOf(HasSubstr("seed=2: its task 1_1 has ended without a result (FAILED) and is "
                                              "submitted again, 1 of 2 times"),
                                    HasSubstr("job 3 of Slurm has 1 task;")));
  EXPECT_EQ(results_in(read_file(folder_.file("launcher.out"))), results_in(local.out));
}

// The launcher ends in the middle, and another one follows the same tasks.
TEST_F(RealSlurm, AnotherLauncherGoesOn) {
  const Words words = sweep_of("1000000");
  const CliResult first = run_cli(by_slurm(words), {}, "job 1 of Slurm has 2 tasks");
  ASSERT_EQ(first.exit_code, 130) << first.err;
  EXPECT_THAT(first.err, HasSubstr("scancel 1"));
  BackgroundProcess second(program(by_slurm(words, {"--slurm-retries", "0"})), folder_.file("launcher.log"),
                           folder_.file("launcher.out"));
  ASSERT_TRUE(eventually([&] {
    return second.log().find("following 2 tasks in the queue of Slurm: job 1") != std::string::npos;
  })) << second.log();
  // One that Slurm runs again by itself is not lost; one that somebody cancels is not run again.
  ASSERT_TRUE(eventually([&] { return task_process(study_, "0") != 0; }));
  EXPECT_EQ(run_process({"scontrol", "requeue", "1_0"}).exit_code, 0);
  ASSERT_TRUE(eventually([&] {
    const std::string tasks = run_process({"squeue", "--noheader", "--array", "--format=%K %T"}).out;
    return tasks.find("0 PENDING") != std::string::npos;
  }));
  EXPECT_EQ(run_process({"scancel", "1"}).exit_code, 0);
  EXPECT_EQ(second.wait(), 1) << second.log();
  EXPECT_THAT(second.log(), AllOf(HasSubstr("its task was cancelled; its log is " + study_ + "/logs/1_"),
                                  Not(HasSubstr("submitted again"))));
}

}  // namespace
}  // namespace fabrictwin
