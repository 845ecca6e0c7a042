// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/slurm/launcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "cosim/base/text.h"
#include "tests/cosim/cli/slurm/fake_slurm.h"
#include "tests/cosim/cli/slurm/studies.h"

namespace fabrictwin {
namespace {

using cli::slurm::Launcher;
using cli::slurm::LauncherOptions;
using cli::slurm::StudyFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// What happens between two looks of the launcher.
using Steps = std::vector<std::function<void()>>;

class SlurmLauncher : public ::testing::Test {
 protected:
  void open(size_t points) {
    folder_.reset();
    auto opened = StudyFolder::open(temporary_.file("study"), make_study(points), "/bin/program");
    ASSERT_TRUE(opened.ok()) << opened.status();
    folder_ = *std::move(opened);
  }

  /// Launches the study of the folder; after the last step the user interrupts.
  absl::Status launch(const Steps& steps, LauncherOptions options = {}) {
    outcomes_.clear();
    steps_taken_ = 0;
    std::stop_source stop;
    Launcher launcher(
        *folder_, std::move(options),
        [&](const std::stop_token&) {
          if (steps_taken_ == steps.size()) {
            stop.request_stop();
          } else {
            steps[steps_taken_++]();
          }
        },
        [&](size_t point, study::point::Outcome outcome) {
          EXPECT_TRUE(outcomes_.emplace(point, std::move(outcome)).second) << point;
        });
    return launcher.run(stop.get_token());
  }

  /// What squeue says of a task.
  std::string line(size_t point, const std::string& state, int64_t job = 1, const std::string& reason = "None") const {
    return folder_->job_name() + "-" + std::to_string(point / cli::slurm::kBlock) + " " + std::to_string(job) + " " +
           std::to_string(point % cli::slurm::kBlock) + " " + state + " " + reason + "\n";
  }
  void finish(size_t point) const {
    ASSERT_TRUE(cli::slurm::write_result(folder_->path(), folder_->study().identity, point,
                                         make_outcome(static_cast<int64_t>(point)))
                    .ok());
  }
  std::string error_of(size_t point) const { return std::string(message_of(outcomes_.at(point).status)); }

  const TestFolder temporary_;
  FakeSlurm slurm_{temporary_};
  std::unique_ptr<StudyFolder> folder_;
  std::map<size_t, study::point::Outcome> outcomes_;
  size_t steps_taken_ = 0;
};

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
  const auto nothing = [] {};
  ASSERT_TRUE(launch({nothing, nothing, nothing, nothing, nothing, nothing}).ok());
  EXPECT_THAT(slurm_.calls(), SizeIs(3));
  EXPECT_TRUE(absl::IsUnavailable(outcomes_.at(1).status));
  EXPECT_THAT(error_of(1), AllOf(HasSubstr("without a result 3 times, the last one as 3_1"),
                                 HasSubstr("its log is " + folder_->path() + "/logs/3_1.log")));
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
  ASSERT_TRUE(cli::slurm::write_result(folder_->path(), folder_->study().identity, 0, failed).ok());
  ASSERT_TRUE(launch({}).ok());
  EXPECT_EQ(outcomes_.at(0).status, failed.status);
  EXPECT_THAT(slurm_.calls(), IsEmpty());
}

TEST_F(SlurmLauncher, ALimitOfTasksHoldsForAllJobs) {
  open(3);
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
