// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/caller/local_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

namespace fabrictwin::bridges::caller {
namespace {

/// Nobody waits for so long.
constexpr std::chrono::milliseconds kPatience{3600'000};

class LocalProcessTest : public ::testing::Test {
 protected:
  void SetUp() override {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    ASSERT_EQ(sigaction(SIGUSR1, &action, nullptr), 0);
  }
  void TearDown() override { signal(SIGUSR1, SIG_DFL); }

  static std::unique_ptr<LocalProcess> start(const std::string& script) {
    auto process = LocalProcess::start("worker:unix", "/bin/sh", {"-c", script, "sh"});
    EXPECT_TRUE(process.ok()) << process.status();
    return process.ok() ? *std::move(process) : nullptr;
  }

  /// Sends its parent more signals than can all come while that is not waiting.
  static constexpr const char* kSignals =
      "i=0; while [ $i -lt 1000 ]; do kill -USR1 $PPID; i=$((i + 1)); done; echo ready >&3";
};

TEST_F(LocalProcessTest, SignalsDoNotEndTheWait) {
  const auto process = start(kSignals);
  ASSERT_NE(process, nullptr);
  const absl::StatusOr<std::string> ready = process->wait_ready(kPatience);
  ASSERT_TRUE(ready.ok()) << ready.status();
  EXPECT_EQ(*ready, "ready");
}

TEST_F(LocalProcessTest, SignalsDoNotEndTheWaitForItsEnd) {
  const auto process = start(kSignals);
  ASSERT_NE(process, nullptr);
  EXPECT_TRUE(process->wait_end(kPatience));
  EXPECT_EQ(process->ending(), "status 0");
}

TEST_F(LocalProcessTest, SaysThatThereAreNoMoreDescriptors) {
  const auto process = start("exec sleep 3600");
  ASSERT_NE(process, nullptr);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const absl::Status status = process->wait_ready(kPatience).status();
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(status.message().find("worker:unix: cannot wait for it: no event for a stop: Too many open files"),
            std::string::npos)
      << status;
}

TEST_F(LocalProcessTest, AStopEndsTheWait) {
  const auto process = start("exec sleep 3600");
  ASSERT_NE(process, nullptr);
  std::stop_source source;
  const std::jthread stopper([&source] { source.request_stop(); });
  const absl::Status status = process->wait_ready(kPatience, source.get_token()).status();
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  EXPECT_EQ(status.message(), "interrupted");
}

TEST_F(LocalProcessTest, AProcessThatSaysNothingIsNotReadyInTime) {
  const auto process = start("exec sleep 3600");
  ASSERT_NE(process, nullptr);
  EXPECT_TRUE(absl::IsDeadlineExceeded(process->wait_ready(std::chrono::milliseconds(1)).status()));
  EXPECT_FALSE(process->wait_end(std::chrono::milliseconds(1)));
}

}  // namespace
}  // namespace fabrictwin::bridges::caller
