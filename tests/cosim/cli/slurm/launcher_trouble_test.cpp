// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the launcher does when Slurm refuses, does not answer, or does not end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
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
using ::testing::SizeIs;

TEST_F(SlurmLauncher, ARefusalAtFirstIsTheUsersToMend) {
  open(2);
  slurm_.refuse("sbatch: error: Batch job submission failed: Invalid partition name specified\n");
  const absl::Status status = launch({[] { ADD_FAILURE() << "there is nothing to wait for"; }});
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(message_of(status)), HasSubstr("Invalid partition name specified"));
}

// Clusters have limits of what one user may have in the queue.
TEST_F(SlurmLauncher, WhatIsRefusedLaterWaits) {
  open(cli::slurm::kBlock + 1);
  for (size_t i = 0; i + 2 < cli::slurm::kBlock; ++i) finish(i);
  const auto accept_one = [&] {
    // Two tasks of the first job go on, and the second job is lost.
    log(2, 1000, "");
    slurm_.set_queue(line(998, "RUNNING") + line(999, "RUNNING"));
  };
  ASSERT_TRUE(launch({accept_one, [&] { slurm_.refuse("sbatch: error: QOSMaxSubmitJobPerUserLimit\n"); },
                      [&] { EXPECT_THAT(slurm_.calls(), SizeIs(3)); },
                      // As many as before: it would be refused again.
                      [&] { EXPECT_THAT(slurm_.calls(), SizeIs(3)); },
                      [&] {
                        finish(998);
                        slurm_.set_queue(line(999, "RUNNING"));
                        slurm_.refuse("");
                      },
                      [&] {
                        EXPECT_THAT(slurm_.calls(), SizeIs(4));
                        finish(999);
                        finish(1000);
                      }})
                  .ok());
  EXPECT_THAT(outcomes_, SizeIs(1001));
}

TEST_F(SlurmLauncher, WhatIsRefusedWithoutEndFails) {
  open(1);
  log(1, 0, "");
  ASSERT_TRUE(launch({[&] { slurm_.refuse("sbatch: error: the account has expired\n"); }, [] {}, [] {}, [] {}}).ok());
  EXPECT_THAT(error_of(0), HasSubstr("the account has expired"));
}

TEST_F(SlurmLauncher, AQueueThatDoesNotAnswerSaysNothingOfTasks) {
  open(1);
  const auto nothing = [] {};
  ASSERT_TRUE(launch({[&] { slurm_.break_queue("Unable to contact slurm controller"); }, nothing, nothing, nothing,
                      [&] { finish(0); }})
                  .ok());
  EXPECT_EQ(steps_taken_, 5u);
  EXPECT_THAT(slurm_.calls(), SizeIs(1));
  EXPECT_TRUE(outcomes_.at(0).status.ok());
}

// Whatever is in the queue could be submitted twice.
TEST_F(SlurmLauncher, NothingIsSubmittedIfTheQueueDoesNotAnswerAtFirst) {
  open(1);
  slurm_.break_queue("Unable to contact slurm controller");
  EXPECT_TRUE(absl::IsUnavailable(launch({})));
  EXPECT_THAT(slurm_.calls(), IsEmpty());
}

// A cluster has limits of what may be in a job and in the queue.
TEST_F(SlurmLauncher, WhatIsTooMuchAtOnceIsSubmittedInParts) {
  open(8);
  slurm_.set_most(3);
  ASSERT_TRUE(launch({[&] { slurm_.set_queue(line(0, "RUNNING") + line(1, "RUNNING")); },
                      [&] {
                        for (size_t i = 0; i < 8; ++i) finish(i);
                      }})
                  .ok());
  EXPECT_THAT(slurm_.calls(),
              ElementsAre(HasSubstr(" --array=0-7 "), HasSubstr(" --array=0-3 "), HasSubstr(" --array=0-1 "),
                          HasSubstr(" --array=2-3 "), HasSubstr(" --array=4-5 "), HasSubstr(" --array=6-7 ")));
  EXPECT_THAT(outcomes_, SizeIs(8));
}

// Whatever sbatch says of it.
TEST_F(SlurmLauncher, AJobThatIsThereInSpiteOfAnErrorIsFollowed) {
  open(2);
  slurm_.refuse("sbatch: error: Batch job submission failed: Unexpected message received\n");
  slurm_.accept(line(0, "PENDING", 7) + line(1, "RUNNING", 7));
  ASSERT_TRUE(launch({[] {},
                      [&] {
                        finish(0);
                        finish(1);
                      }})
                  .ok());
  EXPECT_THAT(slurm_.calls(), SizeIs(1));
  EXPECT_TRUE(outcomes_.at(0).status.ok());
  EXPECT_TRUE(may_have_tasks_);
}

// The answer of Slurm came too late.
TEST_F(SlurmLauncher, AJobThatComesLateIsFollowed) {
  open(1);
  slurm_.refuse("sbatch: error: Batch job submission failed: Socket timed out on send/recv operation\n");
  ASSERT_TRUE(launch({[&] { slurm_.set_queue(line(0, "PENDING", 7)); }, [&] { finish(0); }}).ok());
  EXPECT_THAT(slurm_.calls(), SizeIs(1));
}

// An outage is no fault of the tasks.
TEST_F(SlurmLauncher, ASlurmThatIsAwayRefusesNothing) {
  open(1);
  log(1, 0, "");
  LauncherOptions none;
  none.retries = 1;
  const auto nothing = [] {};
  ASSERT_TRUE(
      launch({[&] { slurm_.set_queue(line(0, "FAILED")); },
              [&] { slurm_.refuse("sbatch: error: Unable to contact slurm controller (connect failure)\n"); }, nothing,
              nothing, nothing, [&] { slurm_.break_queue("Unable to contact slurm controller"); }, nothing, nothing,
              [&] {
                slurm_.refuse("");
                slurm_.break_queue("");
              },
              [&] {
                EXPECT_THAT(outcomes_, IsEmpty());
                finish(0);
              }},
             none)
          .ok());
  EXPECT_TRUE(outcomes_.at(0).status.ok());
}

TEST_F(SlurmLauncher, ARefusalLeavesNoTasks) {
  open(1);
  slurm_.refuse("sbatch: error: invalid partition specified: x\n");
  EXPECT_FALSE(launch({}).ok());
  EXPECT_FALSE(may_have_tasks_);
  // Nobody knows whether there is one.
  slurm_.refuse("sbatch: error: Socket timed out on send/recv operation\n");
  testing::internal::CaptureStdout();
  EXPECT_TRUE(launch({}).ok());
  EXPECT_TRUE(may_have_tasks_);
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("squeue --name=" + folder_->job_name() + "-0"));
}

TEST_F(SlurmLauncher, EachOutageIsTold) {
  open(1);
  const auto away = [&] { slurm_.break_queue("Unable to contact slurm controller"); };
  const auto there = [&] { slurm_.break_queue(""); };
  slurm_.accept(line(0, "RUNNING"));
  testing::internal::CaptureStdout();
  ASSERT_TRUE(launch({away, away, there, away, there}).ok());
  const std::string text = testing::internal::GetCapturedStdout();
  const auto times = [&text](std::string_view words) {
    size_t found = 0;
    for (size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(times("asking again until Slurm answers"), 2u) << text;
  EXPECT_EQ(times("Slurm answers again"), 2u) << text;
}

TEST_F(SlurmLauncher, TasksThatAreHeldAreTold) {
  open(2);
  testing::internal::CaptureStdout();
  const auto hold = [&] { slurm_.set_queue(line(0, "SPECIAL_EXIT") + line(1, "REQUEUE_HOLD")); };
  ASSERT_TRUE(launch({hold}).ok());
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              AllOf(HasSubstr("as 1_0 (SPECIAL_EXIT); scontrol release"), HasSubstr("as 1_1 (REQUEUE_HOLD)")));
}

// What the user wants of Slurm for other things is none of the launcher's.
TEST_F(SlurmLauncher, VariablesOfTheUserChangeNothing) {
  open(1);
  for (const char* name : {"SQUEUE_STATES", "SBATCH_WAIT", "SBATCH_OUTPUT", "SBATCH_ERROR"}) setenv(name, "x", 1);
  slurm_.accept(line(0, "RUNNING"));
  const auto nothing = [] {};
  const absl::Status status = launch({nothing, nothing, nothing, nothing, [&] { finish(0); }});
  for (const char* name : {"SQUEUE_STATES", "SBATCH_WAIT", "SBATCH_OUTPUT", "SBATCH_ERROR"}) unsetenv(name);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(slurm_.calls(), SizeIs(1));
}

TEST_F(SlurmLauncher, AnInterruptDoesNotWaitForSlurm) {
  open(2);
  testing::internal::CaptureStdout();
  std::jthread user;
  ASSERT_TRUE(launch({[&] {
                        finish(0);
                        slurm_.set_queue(line(1, "RUNNING"));
                      },
                      [&] {
                        slurm_.hang();
                        user = std::jthread([&] {
                          while (!slurm_.hangs()) std::this_thread::yield();
                          stop_.request_stop();
                        });
                      }})
                  .ok());
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("scancel 1"));
  EXPECT_THAT(outcomes_, SizeIs(1));
}

}  // namespace
}  // namespace fabrictwin
