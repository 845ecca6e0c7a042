// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/slurm/launcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "cosim/base/text.h"
#include "tests/cosim/cli/slurm/slurm_launcher.h"

namespace fabrictwin {
namespace {

using cli::slurm::LauncherOptions;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST_F(SlurmLauncher, SubmitsAllPointsAndTakesTheirResults) {
  open(3);
  ASSERT_TRUE(launch({[&] { slurm_.set_queue(line(0, "RUNNING") + line(1, "PENDING") + line(2, "PENDING")); },
                      [&] {
                        finish(0);
                        finish(2);
                        slurm_.set_queue(line(0, "COMPLETED") + line(1, "RUNNING") + line(2, "COMPLETED"));
                      },
                      [&] {
                        EXPECT_THAT(outcomes_, SizeIs(2));
                        finish(1);
                        slurm_.set_queue("");
                      }})
                  .ok());
  EXPECT_THAT(slurm_.calls(), ElementsAre(AllOf(HasSubstr("--job-name=" + folder_->job_name() + "-0 --array=0-2 "),
                                                HasSubstr("/study/task.sh 0"), Not(HasSubstr("dependency")))));
  EXPECT_EQ(steps_taken_, 3u);
  ASSERT_THAT(outcomes_, SizeIs(3));
  EXPECT_EQ(outcomes_.at(2).report.SerializeAsString(), make_outcome(2).report.SerializeAsString());
}

TEST_F(SlurmLauncher, AnotherOneGoesOn) {
  open(4);
  ASSERT_TRUE(launch({[&] {
                finish(0);
                // Point 3 was lost while nobody looked.
                slurm_.set_queue(line(0, "COMPLETED") + line(1, "RUNNING") + line(2, "PENDING") + line(3, "FAILED"));
              }}).ok());
  EXPECT_THAT(outcomes_, SizeIs(1));
  // The first one is interrupted here. The second one finds what is there, and what is under way.
  open(4);
  ASSERT_TRUE(launch({[&] {
                        finish(1);
                        slurm_.set_queue(line(2, "RUNNING") + line(3, "RUNNING", 2));
                      },
                      [&] {
                        finish(2);
                        finish(3);
                      }})
                  .ok());
  EXPECT_THAT(slurm_.calls(), ElementsAre(HasSubstr(" --array=0-3 "), HasSubstr(" --array=3 ")));
  EXPECT_THAT(outcomes_, SizeIs(4));
}

TEST_F(SlurmLauncher, WhatIsThereIsNotRunAgain) {
  open(2);
  finish(0);
  finish(1);
  slurm_.break_queue("nobody asks");
  ASSERT_TRUE(launch({}).ok());
  EXPECT_THAT(outcomes_, SizeIs(2));
  EXPECT_THAT(slurm_.calls(), IsEmpty());
}

TEST_F(SlurmLauncher, ALostTaskIsSubmittedAgain) {
  open(2);
  ASSERT_TRUE(launch({[&] { slurm_.set_queue(line(0, "RUNNING") + line(1, "NODE_FAIL")); },
                      // A file system may be slow to show what there is.
                      [&] { EXPECT_THAT(slurm_.calls(), SizeIs(1)); },
                      [&] {
                        EXPECT_THAT(slurm_.calls(), ElementsAre(HasSubstr("0-1"), HasSubstr(" --array=1 ")));
                        finish(0);
                        finish(1);
                      }})
                  .ok());
  EXPECT_TRUE(outcomes_.at(1).status.ok());
}

TEST_F(SlurmLauncher, ATaskThatIsLostTooOftenFails) {
  open(2);
  finish(0);
  for (const int64_t job : {1, 2, 3, 4}) log(job, 1, "began\nbus error  \n\n");
  const auto nothing = [] {};
  ASSERT_TRUE(launch({nothing, nothing, nothing, nothing, nothing, nothing}).ok());
  EXPECT_THAT(slurm_.calls(), SizeIs(3));
  EXPECT_TRUE(absl::IsUnavailable(outcomes_.at(1).status));
  EXPECT_THAT(error_of(1),
              AllOf(HasSubstr("without a result 3 times, the last one as 3_1"),
                    HasSubstr("its log is " + folder_->path() + "/logs/3_1.log, which ends with \"bus error\"")));
  LauncherOptions none;
  none.retries = 0;
  open(2);
  ASSERT_TRUE(launch({nothing, nothing}, none).ok());
  EXPECT_THAT(slurm_.calls(), SizeIs(4));
  EXPECT_THAT(error_of(1), HasSubstr("without a result 1 time,"));
}

TEST_F(SlurmLauncher, AResultThatShowsLateIsNone) {
  open(1);
  ASSERT_TRUE(launch({[&] { slurm_.set_queue(line(0, "COMPLETED")); }, [&] { finish(0); }}).ok());
  EXPECT_THAT(slurm_.calls(), SizeIs(1));
  EXPECT_TRUE(outcomes_.at(0).status.ok());
}

TEST_F(SlurmLauncher, WhatSlurmRunsAgainItselfIsNotLost) {
  open(1);
  ASSERT_TRUE(launch({[&] { slurm_.set_queue(line(0, "NODE_FAIL")); },
                      [&] { slurm_.set_queue(line(0, "PENDING", 1, "BeginTime")); },
                      [&] { slurm_.set_queue(line(0, "NODE_FAIL")); }, [&] { slurm_.set_queue(line(0, "RUNNING")); },
                      [&] { finish(0); }})
                  .ok());
  EXPECT_THAT(slurm_.calls(), SizeIs(1));
}

TEST_F(SlurmLauncher, WhatSomebodyOrALimitHasEndedIsNotRunAgain) {
  open(3);
  log(1, 0, "");
  ASSERT_TRUE(
      launch({[&] { slurm_.set_queue(line(0, "CANCELLED") + line(1, "TIMEOUT") + line(2, "OUT_OF_MEMORY")); }, [] {}})
          .ok());
  EXPECT_THAT(slurm_.calls(), SizeIs(1));
  EXPECT_THAT(error_of(0), HasSubstr("was cancelled; its log is"));
  EXPECT_THAT(error_of(1), HasSubstr("--slurm-option=--time="));
  EXPECT_THAT(error_of(2), HasSubstr("--slurm-option=--mem="));
  // Calling it again is to want it again.
  open(3);
  ASSERT_TRUE(launch({}).ok());
  EXPECT_THAT(slurm_.calls(), SizeIs(2));
}

TEST_F(SlurmLauncher, AFailedExperimentIsNoLostTask) {
  open(1);
  study::point::Outcome failed;
  failed.status = absl::InvalidArgumentError("the experiment has a mistake");
  const auto fail = [&] {
    EXPECT_TRUE(cli::slurm::write_result(folder_->path(), folder_->study().identity, 0, failed).ok());
  };
  ASSERT_TRUE(launch({fail}).ok());
  EXPECT_EQ(outcomes_.at(0).status, failed.status);
  EXPECT_THAT(slurm_.calls(), SizeIs(1));
}

// As by a local run: the reason may be gone.
TEST_F(SlurmLauncher, ALaterCallRunsAgainWhatHasFailed) {
  open(2);
  finish(1);
  study::point::Outcome failed;
  failed.status = absl::UnavailableError("no worker answers");
  ASSERT_TRUE(cli::slurm::write_result(folder_->path(), folder_->study().identity, 0, failed).ok());
  open(2);
  testing::internal::CaptureStdout();
  ASSERT_TRUE(launch({[&] { finish(0); }}).ok());
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("1 of 2 runs have failed before and are run again"));
  EXPECT_THAT(slurm_.calls(), ElementsAre(HasSubstr(" --array=0 ")));
  EXPECT_TRUE(outcomes_.at(0).status.ok());
}

// Slurm forgets what has ended between two looks.
TEST_F(SlurmLauncher, HowATaskHasEndedIsRemembered) {
  open(2);
  log(1, 1, "");
  ASSERT_TRUE(launch({[&] { slurm_.set_queue(line(0, "CANCELLED") + line(1, "RUNNING")); },
                      [&] { slurm_.set_queue(line(1, "TIMEOUT")); }, [&] { slurm_.set_queue(""); }})
                  .ok());
  EXPECT_THAT(slurm_.calls(), SizeIs(1));
  EXPECT_THAT(error_of(0), HasSubstr("was cancelled"));
  EXPECT_THAT(error_of(1), HasSubstr("--slurm-option=--time="));
}

TEST_F(SlurmLauncher, ATaskThatLeavesNothingRunsWhereTheFolderIsNot) {
  open(1);
  ASSERT_TRUE(launch({[&] { slurm_.set_queue(line(0, "FAILED")); }, [] {}}).ok());
  EXPECT_THAT(slurm_.calls(), SizeIs(1));
  EXPECT_THAT(error_of(0), AllOf(HasSubstr("neither a result nor a log in " + folder_->path()),
                                 HasSubstr("name one that all nodes share (--slurm-dir)")));
}

TEST_F(SlurmLauncher, ALimitOfTasksHoldsForAllJobs) {
  open(3);
  log(1, 0, "");
  LauncherOptions options;
  options.at_a_time = 2;
  options.sbatch = {"--partition=x"};
  ASSERT_TRUE(
      launch({[&] { slurm_.set_queue(line(0, "FAILED") + line(1, "RUNNING") + line(2, "RUNNING")); }, [] {}}, options)
          .ok());
  EXPECT_THAT(slurm_.calls(), ElementsAre(AllOf(HasSubstr("--partition=x"), HasSubstr(" --array=0-2%2 ")),
                                          AllOf(HasSubstr(" --array=0%2 "), HasSubstr("--dependency=afterany:1 "))));
}

TEST_F(SlurmLauncher, ManyPointsAreSeveralJobs) {
  open(cli::slurm::kBlock + 2);
  ASSERT_TRUE(launch({[&] {
                slurm_.set_queue(line(5, "RUNNING", 1) + line(1001, "RUNNING", 2));
                finish(1000);
              }}).ok());
  EXPECT_THAT(slurm_.calls(),
              ElementsAre(AllOf(HasSubstr("-0 --array=0-999 "), HasSubstr("/task.sh 0")),
                          AllOf(HasSubstr("-1 --array=0-1 "), HasSubstr("/task.sh 1000"), Not(HasSubstr("depend")))));
  EXPECT_TRUE(outcomes_.contains(1000));
}

TEST_F(SlurmLauncher, HowToReturnIsForAShell) {
  open(1, "it's a study");
  testing::internal::CaptureStdout();
  ASSERT_TRUE(launch({}).ok());
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("/it'\\''s a study' follows them again"));
}

TEST_F(SlurmLauncher, AnInterruptLeavesTasksAlone) {
  open(2);
  testing::internal::CaptureStdout();
  ASSERT_TRUE(launch({[&] {
                finish(0);
                slurm_.set_queue(line(1, "RUNNING"));
              }}).ok());
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              AllOf(HasSubstr("--slurm-dir " + folder_->path()), HasSubstr("scancel 1")));
  EXPECT_THAT(outcomes_, SizeIs(1));
}

}  // namespace
}  // namespace fabrictwin
