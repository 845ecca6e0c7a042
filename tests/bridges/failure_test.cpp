// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Places that die, fail or were never there: the run ends and says who and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>

#include "tests/bridges/token_run.h"

namespace fabrictwin {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

/// An environment variable for as long as this lives.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~ScopedVariable() { unsetenv(name_); }

 private:
  const char* name_;
};

TokenOutcome run_with(const std::string& use) {
  TokenRunOptions options;
  options.uses = {use};
  return run_tokens(options);
}

class Death : public testing::TestWithParam<std::string> {};

TEST_P(Death, EndsTheRunWithNameSignalAndTime) {
  const ScopedVariable die("FABRICTWIN_TEST_DIE_AT", "3us");
  const TokenOutcome outcome = run_with("router[1]=RTL@" + GetParam());
  EXPECT_FALSE(outcome.status.ok());
  EXPECT_THAT(
      std::string(outcome.status.message()),
      ContainsRegex(GetParam() + " \\(pid [0-9]+\\) ended unexpectedly \\(signal 9\\) at simulated [0-9.]+ [nu]s"));
  EXPECT_FALSE(outcome.report.complete());
  EXPECT_EQ(outcome.report.reason(), outcome.status.message());
  const auto lost = std::ranges::find(outcome.report.partitions(), "router[1]", &v1::PartitionReport::name);
  ASSERT_NE(lost, outcome.report.partitions().end()) << "a report of what is left names what is not";
  EXPECT_TRUE(lost->lost());
  EXPECT_EQ(lost->kind(), "RTL");
  EXPECT_EQ(lost->place(), GetParam());
  EXPECT_EQ(std::ranges::count(outcome.report.partitions(), true, &v1::PartitionReport::lost), 1);
}

INSTANTIATE_TEST_SUITE_P(All, Death, testing::Values("worker:shm", "worker:unix", "worker:tcp"));

TEST(SoftBoardDeath, EndsTheRunWithNameAndTime) {
  const ScopedVariable die("FABRICTWIN_TEST_DIE_AT", "3us");
  const TokenOutcome outcome = run_with("router[1]=BOARD@soft");
  EXPECT_THAT(std::string(outcome.status.message()),
              ContainsRegex("soft: the soft board \\(pid [0-9]+\\) ended unexpectedly at simulated [0-9.]+ [nu]s"));
  EXPECT_FALSE(outcome.report.complete());
}

class Hang : public testing::TestWithParam<std::string> {};

TEST_P(Hang, EndsTheRunWithNameAndTime) {
  const ScopedVariable stop("FABRICTWIN_TEST_STOP_AT", "3us");
  TokenRunOptions options;
  options.uses = {"router[1]=RTL@" + GetParam()};
  options.watchdog = std::chrono::milliseconds(200);
  const TokenOutcome outcome = run_tokens(options);
  EXPECT_EQ(outcome.status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(outcome.status.message()), HasSubstr("nothing moved for 200 ms at "));
  // The worker stops at 3 us; the last time that it told lies less than the latency of its links before.
  EXPECT_THAT(std::string(outcome.status.message()),
              ContainsRegex("\n  router\\[1\\] \\(" + GetParam() + "\\) stands at (2\\.9|3)[0-9]*(\\.[0-9]+)? us"));
  EXPECT_FALSE(outcome.report.complete());
  EXPECT_EQ(outcome.report.reason(), outcome.status.message());
  EXPECT_GT(outcome.report.simulated_fs(), 0);
  EXPECT_EQ(outcome.waited_for, "router[1] (" + GetParam() + ")");
}

INSTANTIATE_TEST_SUITE_P(All, Hang, testing::Values("worker:shm", "worker:unix"));

class Failure : public testing::TestWithParam<std::string> {};

TEST_P(Failure, OfAPartitionTravelsBack) {
  const ScopedVariable fail("FABRICTWIN_TEST_FAIL_AT", "3us");
  const TokenOutcome outcome = run_with("router[1]=" + GetParam());
  EXPECT_EQ(outcome.status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(outcome.status.message()), HasSubstr("router[1] at 3 us: was told to fail"));
}

INSTANTIATE_TEST_SUITE_P(All, Failure, testing::Values("RTL@worker:shm", "RTL@worker:unix", "BOARD@soft"));

TEST(NobodyListens, IsToldWithTheAddress) {
  const TokenOutcome outcome = run_with("router[1]=RTL@unix:/nonexistent/worker.sock");
  EXPECT_EQ(outcome.status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(outcome.status.message()), HasSubstr("unix:/nonexistent/worker.sock: nobody answers: "));
}

// Only processes that the run starts have files.
TEST(LocalFiles, AreOfNoPlaceThatListensAlready) {
  const ScopedVariable temporary("TMPDIR", "/nonexistent/folder");
  EXPECT_THAT(std::string(run_with("router[1]=RTL@unix:/nonexistent/worker.sock").status.message()),
              HasSubstr("nobody answers: "));
  EXPECT_THAT(std::string(run_with("router[1]=RTL@worker:tcp").status.message()), HasSubstr("/nonexistent/folder"));
}

TEST(LocalFiles, AreGoneAfterARun) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "bridges_failure_test";
  std::filesystem::create_directory(folder);
  {
    const ScopedVariable temporary("TMPDIR", folder.c_str());
    EXPECT_TRUE(run_with("router[1]=BOARD@soft").status.ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace fabrictwin
