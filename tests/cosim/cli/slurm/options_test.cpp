// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>

#include "cosim/base/text.h"
#include "cosim/cli/slurm/launcher_options.h"
#include "cosim/cli/slurm/task_command.h"
#include "tests/cosim/cli/slurm/fake_slurm.h"

namespace fabrictwin {
namespace {

using cli::options::LauncherArguments;
using cli::slurm::check_launcher;
using ::testing::HasSubstr;

class SlurmOptions : public ::testing::Test {
 protected:
  static std::string error_of(const LauncherArguments& arguments, int jobs = 0) {
    const absl::Status status = check_launcher(arguments, jobs);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    return std::string(message_of(status));
  }
  static LauncherArguments with_option(const std::string& option) {
    LauncherArguments arguments;
    arguments.launcher = "slurm";
    arguments.options = {"--partition=x", option};
    return arguments;
  }

  const TestFolder folder_;
  const FakeSlurm slurm_{folder_};
};

TEST_F(SlurmOptions, AreAccepted) {
  EXPECT_TRUE(check_launcher({}, 4).ok());
  for (const char* option : {"-pdebug", "--time=1:00:00", "--exclusive", "--array-of-nothing"})
    EXPECT_TRUE(check_launcher(with_option(option), 0).ok()) << option;
}

TEST_F(SlurmOptions, AnUnknownLauncherIsRefused) {
  LauncherArguments arguments;
  arguments.launcher = "slrum";
  EXPECT_EQ(error_of(arguments),
            "--launcher slrum: there is no such launcher (did you mean \"slurm\"?); write local or slurm");
}

TEST_F(SlurmOptions, NeedTheirLauncher) {
  LauncherArguments arguments;
  arguments.retries = 0;
  EXPECT_THAT(error_of(arguments), HasSubstr("--slurm-retries is for tasks of Slurm; add --launcher slurm"));
  EXPECT_TRUE(cli::slurm::check_no_launcher({}).ok());
  EXPECT_FALSE(cli::slurm::check_no_launcher(arguments).ok());
}

TEST_F(SlurmOptions, JobsAreForThisMachine) {
  EXPECT_THAT(error_of(with_option("--exclusive"), 2), HasSubstr("--slurm-tasks says how many"));
}

TEST_F(SlurmOptions, OfSbatchAreOneWord) {
  for (const char* option : {"", "-", "--", "x", "partition=x"})
    EXPECT_THAT(error_of(with_option(option)), HasSubstr("no option of sbatch")) << option;
  for (const char* option : {"--array=1-2", "-a1", "--job-name=x", "--output=y", "-o", "--wrap=ls", "-W", "--chdir=/"})
    EXPECT_THAT(error_of(with_option(option)), HasSubstr("sets this option itself")) << option;
}

// sbatch takes the beginnings of names, and letters behind letters.
TEST_F(SlurmOptions, OfSbatchHaveSeveralSpellings) {
  for (const char* option : {"--arr=1-2", "--outp=y", "--job=x", "-HW", "-HD/"})
    EXPECT_THAT(error_of(with_option(option)), HasSubstr("sets this option itself")) << option;
  for (const char* option : {"-Hpdebug", "-pWide", "--wait-all-nodes=1", "--cluster-constraint=x"})
    EXPECT_TRUE(check_launcher(with_option(option), 0).ok()) << option;
}

TEST_F(SlurmOptions, OfOtherClustersAreRefused) {
  for (const char* option : {"-Mblue", "--clusters=blue", "--clusters"})
    EXPECT_THAT(error_of(with_option(option)), HasSubstr("the queue of one cluster")) << option;
  for (const char* name : {"SBATCH_CLUSTERS", "SLURM_CLUSTERS"}) {
    setenv(name, "blue", 1);
    EXPECT_THAT(error_of(with_option("--exclusive")), HasSubstr(std::string(name) + "=blue in the environment"));
    unsetenv(name);
  }
}

TEST_F(SlurmOptions, JobsOfALimitFollowEachOther) {
  for (const char* option : {"-d1", "--dependency=after:1", "--depend=after:1"}) {
    LauncherArguments arguments = with_option(option);
    EXPECT_TRUE(check_launcher(arguments, 0).ok()) << option;
    arguments.tasks = 2;
    EXPECT_THAT(error_of(arguments), HasSubstr("--slurm-tasks sets this option itself")) << option;
  }
}

TEST_F(SlurmOptions, ATestSubmitsNothing) { EXPECT_THAT(error_of(with_option("--test-only")), HasSubstr("--dry-run")); }

TEST_F(SlurmOptions, ThreadsAreCoresUnlessTheUserSaysOtherwise) {
  using ::testing::ElementsAre;
  const LauncherArguments arguments = with_option("-c8");
  EXPECT_THAT(cli::slurm::sbatch_options(arguments, 0), ElementsAre("--partition=x", "-c8"));
  EXPECT_THAT(cli::slurm::sbatch_options(arguments, 4), ElementsAre("--cpus-per-task=4", "--partition=x", "-c8"));
}

TEST_F(SlurmOptions, TheIntervalIsATime) {
  LauncherArguments arguments = with_option("--exclusive");
  for (const char* interval : {"0s", "1", "often"}) {
    arguments.interval = interval;
    EXPECT_THAT(error_of(arguments), HasSubstr("--slurm-interval")) << interval;
  }
  arguments.interval = "1.5s";
  EXPECT_EQ(cli::slurm::interval_of(arguments).value().count(), 1500);
}

TEST_F(SlurmOptions, SlurmHasToBeThere) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder_.file("no such folder").c_str(), 1);
  const absl::Status status = check_launcher(with_option("--exclusive"), 0);
  EXPECT_TRUE(check_launcher(with_option("--exclusive"), 0, true).ok()) << "a dry run does not need it";
  setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(message_of(status)), HasSubstr("there is no sbatch in PATH"));
}

TEST(SlurmTaskThreads, AreNoMoreThanItsCores) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(cli::slurm::threads_of_task(0), 1);
  setenv("SLURM_CPUS_PER_TASK", "2", 1);
  EXPECT_EQ(cli::slurm::threads_of_task(0), std::min(2, CPU_COUNT(&before)));
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(cli::slurm::threads_of_task(0), 1);
  EXPECT_EQ(cli::slurm::threads_of_task(3), 1);
  sched_setaffinity(0, sizeof before, &before);
  unsetenv("SLURM_CPUS_PER_TASK");
}

}  // namespace
}  // namespace fabrictwin
