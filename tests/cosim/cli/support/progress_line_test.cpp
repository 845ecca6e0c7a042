// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/progress_line.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>

namespace fabrictwin {
namespace {

run::RunProgress progress(Time simulated, double done, std::string waited_for) {
  run::RunProgress result;
  result.simulated = simulated;
  result.done = done;
  result.waited_for = std::move(waited_for);
  return result;
}

TEST(ProgressLineTest, ShowsTimeRateAndWhoIsWaitedFor) {
  EXPECT_EQ(cli::support::format_progress(progress(Time::from_us(1234), -1, "router[1]"), 10),
            "1.234 ms simulated | 123.4 us/s | waits for router[1]");
}

TEST(ProgressLineTest, ShowsTheEndIfItIsKnown) {
  EXPECT_EQ(cli::support::format_progress(progress(Time::from_us(1000), 0.25, ""), 65),
            "1 ms simulated | 15.38 us/s | 25 % | ETA 3:15");
  EXPECT_EQ(cli::support::format_progress(progress(Time::from_us(1000), 0.01, ""), 60),
            "1 ms simulated | 16.67 us/s | 1 % | ETA 1:39:00");
  EXPECT_EQ(cli::support::format_progress(progress(Time::from_us(1000), 1, ""), 1), "1 ms simulated | 1 ms/s | 100 %");
}

TEST(ProgressLineTest, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(cli::support::format_progress(progress(Time::zero(), -1, ""), 0), "0 s simulated");
  EXPECT_EQ(cli::support::format_progress(progress(Time::zero(), 0, "models"), 3),
            "0 s simulated | 0 % | waits for models");
  EXPECT_EQ(cli::support::format_progress(progress(Time::never(), -1, ""), 3), "0 s simulated");
}

TEST(ProgressLineTest, TellsWhomARunWaitsForMost) {
  cli::support::WaitTally waits;
  EXPECT_EQ(waits.most(), "");
  for (const char* name : {"models", "router[2] (worker:unix)", "", "", "", "router[2] (worker:unix)"}) waits.add(name);
  EXPECT_EQ(waits.most(), "router[2] (worker:unix)") << "whoever it waits for just now, and if often for nobody";
  waits.add("models");
  EXPECT_EQ(waits.most(), "models") << "of two that it waits for equally often, the last";
  for (size_t i = 0; i < cli::support::WaitTally::kSamples; ++i) waits.add(i % 2 == 0 ? "router[6] (soft)" : "");
  EXPECT_EQ(waits.most(), "router[6] (soft)") << "what was long ago no longer counts";
}

TEST(ProgressLineTest, AShortRunPrintsNothingWhenPiped) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  ASSERT_NE(file, nullptr);
  {
    const cli::support::ProgressLine line([] { return run::RunProgress(); }, file.get(), false);
  }
  EXPECT_EQ(std::ftell(file.get()), 0);
}

TEST(ProgressLineTest, OnATerminalTheLineIsWipedAtTheEnd) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  ASSERT_NE(file, nullptr);
  {
    const cli::support::ProgressLine line([] { return run::RunProgress(); }, file.get(), true);
  }
  std::rewind(file.get());
  char text[256] = {};
  const size_t size = std::fread(text, 1, sizeof(text), file.get());
  EXPECT_TRUE(std::string(text, size).ends_with("\r\033[K"));
}

TEST(ProgressLineTest, AStreamThatTakesNothingEndsNoRun) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> full(std::fopen("/dev/full", "w"), &std::fclose);
  ASSERT_NE(full, nullptr);
  // As stderr is, which fails at once and not only when it is flushed.
  std::setvbuf(full.get(), nullptr, _IONBF, 0);
  {
    const cli::support::ProgressLine line([] { return run::RunProgress(); }, full.get(), true);
  }
  EXPECT_NE(std::ferror(full.get()), 0);
}

}  // namespace
}  // namespace fabrictwin
