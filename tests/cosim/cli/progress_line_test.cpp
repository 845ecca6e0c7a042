// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/progress_line.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>

namespace fabrictwin {
namespace {

RunProgress progress(Time simulated, double done, std::string slowest) {
  RunProgress result;
  result.simulated = simulated;
  result.done = done;
  result.slowest = std::move(slowest);
  return result;
}

TEST(ProgressLineTest, ShowsTimeRateAndTheSlowest) {
  EXPECT_EQ(format_progress(progress(Time::from_us(1234), -1, "router[1]"), 10),
            "1.234 ms simulated | 123.4 us/s | slowest router[1]");
}

TEST(ProgressLineTest, ShowsTheEndIfItIsKnown) {
  EXPECT_EQ(format_progress(progress(Time::from_us(1000), 0.25, ""), 65),
            "1 ms simulated | 15.38 us/s | 25 % | ETA 3:15");
  EXPECT_EQ(format_progress(progress(Time::from_us(1000), 0.01, ""), 60),
            "1 ms simulated | 16.67 us/s | 1 % | ETA 1:39:00");
  EXPECT_EQ(format_progress(progress(Time::from_us(1000), 1, ""), 1), "1 ms simulated | 1 ms/s | 100 %");
}

TEST(ProgressLineTest, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(format_progress(progress(Time::zero(), -1, ""), 0), "0 s simulated");
  EXPECT_EQ(format_progress(progress(Time::zero(), 0, "models"), 3), "0 s simulated | 0 % | slowest models");
  EXPECT_EQ(format_progress(progress(Time::never(), -1, ""), 3), "0 s simulated");
}

TEST(ProgressLineTest, AShortRunPrintsNothingWhenPiped) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  ASSERT_NE(file, nullptr);
  {
    const ProgressLine line([] { return RunProgress(); }, file.get(), false);
  }
  EXPECT_EQ(std::ftell(file.get()), 0);
}

TEST(ProgressLineTest, OnATerminalTheLineIsWipedAtTheEnd) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  ASSERT_NE(file, nullptr);
  {
    const ProgressLine line([] { return RunProgress(); }, file.get(), true);
  }
  std::rewind(file.get());
  char text[256] = {};
  const size_t size = std::fread(text, 1, sizeof(text), file.get());
  EXPECT_TRUE(std::string(text, size).ends_with("\r\033[K"));
}

}  // namespace
}  // namespace fabrictwin
