// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/slurm/queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "cosim/base/text.h"
#include "cosim/cli/slurm/program.h"
#include "tests/cosim/cli/slurm/fake_slurm.h"

namespace fabrictwin {
namespace {

using cli::slurm::Queue;
using cli::slurm::QueuedTask;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class SlurmQueue : public ::testing::Test {
 protected:
  cli::slurm::Submission submission(std::vector<size_t> points) const {
    return {std::move(points), "/shared/a study", 0, {}, {}};
  }

  const TestFolder folder_;
  FakeSlurm slurm_{folder_};
  const Queue queue_{"fabrictwin-abc", 2500};
};

TEST(SlurmProgram, GivesBothOutputsAndTheExitCode) {
  const auto result = cli::slurm::run_program({"sh", "-c", "echo out; echo err >&2; exit 3"});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->out, "out\n");
  EXPECT_EQ(result->err, "err\n");
  EXPECT_EQ(result->exit_code, 3);
  EXPECT_EQ(cli::slurm::run_program({"sh", "-c", "kill -9 $$"})->exit_code, 137);
}

TEST(SlurmProgram, NoShellReadsTheWords) {
  EXPECT_EQ(cli::slurm::run_program({"printf", "%s", "$(id) 'a' *"})->out, "$(id) 'a' *");
}

// More than a pipe holds, in both outputs.
TEST(SlurmProgram, LongOutputsAreWhole) {
  const auto result = cli::slurm::run_program({"sh", "-c", "seq 1 50000 >&2; seq 1 50000"});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->out.size(), 288894u);
  EXPECT_EQ(result->err, result->out);
}

TEST(SlurmProgram, OneThatIsNotThereIsNotFound) {
  EXPECT_TRUE(absl::IsNotFound(cli::slurm::run_program({"fabrictwin-no-such-program"}).status()));
}

TEST(SlurmProgram, OneThatDoesNotEndIsKilled) {
  const absl::Status late = cli::slurm::run_program({"sleep", "1000"}, {{}, std::chrono::milliseconds(20)}).status();
  EXPECT_TRUE(absl::IsUnavailable(late)) << late;
  EXPECT_EQ(message_of(late), "sleep did not end within 0.02 s and was killed");
  // What it has started has its outputs, too.
  EXPECT_FALSE(cli::slurm::run_program({"sh", "-c", "sleep 1000; true"}, {{}, std::chrono::milliseconds(20)}).ok());
  EXPECT_FALSE(
      cli::slurm::run_program({"sh", "-c", "exec sleep 1000 >&- 2>&-"}, {{}, std::chrono::milliseconds(20)}).ok());
}

// What it has started in its process group, too, which here holds a pipe open.
TEST(SlurmProgram, WhatItHasStartedIsKilledWithIt) {
  std::array<int, 2> held{};
  ASSERT_EQ(pipe(held.data()), 0);
  EXPECT_FALSE(
      cli::slurm::run_program({"sh", "-c", "sleep 1000 & echo; wait"}, {{}, std::chrono::milliseconds(200)}).ok());
  close(held[1]);
  char byte = 0;
  EXPECT_EQ(read(held[0], &byte, 1), 0) << "at its end, which is when nobody can write any more";
  close(held[0]);
}

TEST(SlurmProgram, AStopEndsIt) {
  std::stop_source stop;
  std::jthread user([&stop] { stop.request_stop(); });
  EXPECT_TRUE(absl::IsCancelled(cli::slurm::run_program({"sleep", "1000"}, {}, stop.get_token()).status()));
}

// Whoever starts this program may ignore SIGCHLD; then there is no exit code, and 0 would be an empty queue.
TEST(SlurmProgram, WithoutAnExitCodeThereIsNoResult) {
  const auto before = signal(SIGCHLD, SIG_IGN);
  const absl::Status unknown = cli::slurm::run_program({"false"}).status();
  signal(SIGCHLD, before);
  EXPECT_TRUE(absl::IsUnavailable(unknown)) << unknown;
  EXPECT_THAT(std::string(message_of(unknown)), HasSubstr("does not ignore SIGCHLD"));
}

TEST(SlurmProgram, VariablesCanBeLeftOut) {
  setenv("FABRICTWIN_TEST_A", "a", 1);
  setenv("FABRICTWIN_TEST_B", "b", 1);
  const auto result = cli::slurm::run_program({"sh", "-c", "echo $FABRICTWIN_TEST_A$FABRICTWIN_TEST_B"},
                                              {{"FABRICTWIN_TEST_A="}, std::chrono::minutes(1)});
  unsetenv("FABRICTWIN_TEST_A");
  unsetenv("FABRICTWIN_TEST_B");
  EXPECT_EQ(result->out, "b\n");
}

TEST(SlurmArray, NumbersAreJoinedToRanges) {
  EXPECT_EQ(cli::slurm::array_ranges({0}), "0");
  EXPECT_EQ(cli::slurm::array_ranges({0, 1, 2, 3, 5, 7, 8}), "0-3,5,7-8");
}

TEST_F(SlurmQueue, SubmitsAnArray) {
  cli::slurm::Submission with = submission({0, 1, 3});
  with.at_a_time = 2;
  with.after = {4, 9};
  with.options = {"--partition=x", "-n1"};
  EXPECT_EQ(queue_.submit(with).value(), 1);
  EXPECT_EQ(queue_.submit(submission({2000, 2001})).value(), 2);
  EXPECT_THAT(
      slurm_.calls(),
      ElementsAre(
          "--partition=x -n1 --parsable --job-name=fabrictwin-abc-0 --array=0-1,3%2 --chdir=/shared/a "
          "study --output=logs/%A_%a.log --error=logs/%A_%a.log --dependency=afterany:4:9 /shared/a study/task.sh 0",
          "--parsable --job-name=fabrictwin-abc-2 --array=0-1 --chdir=/shared/a study "
          "--output=logs/%A_%a.log --error=logs/%A_%a.log /shared/a study/task.sh 2000"));
}

TEST_F(SlurmQueue, SaysWhyAJobIsRefused) {
  slurm_.refuse("sbatch: error: invalid partition specified: x\nsbatch: error: Batch job submission failed\n");
  const absl::Status refused = queue_.submit(submission({0})).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
  EXPECT_EQ(message_of(refused),
            "--launcher slurm: sbatch refuses the job: invalid partition specified: x; Batch job submission failed; "
            "--slurm-option changes what is asked of it");
}

TEST_F(SlurmQueue, TroubleIsNoRefusal) {
  for (const char* words : {"Batch job submission failed: Socket timed out on send/recv operation",
                            "Batch job submission failed: Unable to contact slurm controller (connect failure)",
                            "Batch job submission failed: Resource temporarily unavailable"}) {
    slurm_.refuse(std::string("sbatch: error: ") + words + "\n");
    const absl::Status status = queue_.submit(submission({0})).status();
    EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  }
}

// Federations of clusters have names for them.
TEST_F(SlurmQueue, TheNameOfAClusterIsNoPartOfTheNumber) {
  setenv("CLUSTER", ";blue", 1);
  EXPECT_EQ(queue_.submit(submission({0})).value(), 1);
  unsetenv("CLUSTER");
}

TEST_F(SlurmQueue, KnowsItsTasks) {
  slurm_.set_queue(
      "fabrictwin-abc-0 12 3 PENDING Nodes required for job are DOWN\n"
      "fabrictwin-abc-2 13 499 RUNNING None\n"
      "fabrictwin-abc-2 13 500 RUNNING None\n"
      "fabrictwin-abcd-0 14 1 RUNNING None\n"
      "fabrictwin-abc-0 12 [4-5] PENDING None\n"
      "fabrictwin-abc-0 12\n");
  const absl::StatusOr<std::vector<QueuedTask>> tasks = queue_.tasks();
  ASSERT_TRUE(tasks.ok()) << tasks.status();
  // The others are of other studies, or of no point of this one.
  ASSERT_EQ(tasks->size(), 2u);
  EXPECT_EQ((*tasks)[0].job, 12);
  EXPECT_EQ((*tasks)[0].point, 3u);
  EXPECT_EQ((*tasks)[0].state, "PENDING");
  EXPECT_EQ((*tasks)[0].reason, "Nodes required for job are DOWN");
  EXPECT_EQ((*tasks)[1].point, 2499u);
}

TEST_F(SlurmQueue, ShowsWhatTheUserLeavesOut) {
  slurm_.set_queue("fabrictwin-abc-0 12 3 PENDING None\n");
  setenv("SQUEUE_STATES", "RUNNING", 1);
  const absl::StatusOr<std::vector<QueuedTask>> tasks = queue_.tasks();
  unsetenv("SQUEUE_STATES");
  ASSERT_TRUE(tasks.ok()) << tasks.status();
  EXPECT_EQ(tasks->size(), 1u);
}

TEST_F(SlurmQueue, SaysThatSlurmDoesNotAnswer) {
  slurm_.break_queue("slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n");
  const absl::Status status = queue_.tasks().status();
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_THAT(std::string(message_of(status)), HasSubstr("Unable to contact slurm controller"));
}

TEST(SlurmTask, OnlyWhatSlurmHasGivenUpHasEnded) {
  for (const char* state : {"CANCELLED", "COMPLETED", "FAILED", "NODE_FAIL", "TIMEOUT", "OUT_OF_MEMORY", "PREEMPTED"})
    EXPECT_TRUE((QueuedTask{1, 0, state, ""}.ended())) << state;
  for (const char* state : {"PENDING", "RUNNING", "COMPLETING", "SUSPENDED", "REQUEUED", "REQUEUE_HOLD", "CONFIGURING"})
    EXPECT_FALSE((QueuedTask{1, 0, state, ""}.ended())) << state;
}

}  // namespace
}  // namespace fabrictwin
