// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/options/wave.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "cosim/base/text.h"

namespace fabrictwin {
namespace {

TEST(WaveOptionTest, ReadsElementFileAndWindow) {
  const absl::StatusOr<run::WaveRequest> wave = cli::options::parse_wave("router[1]=out/r1.fst@10us:20.5us");
  ASSERT_TRUE(wave.ok()) << wave.status();
  EXPECT_EQ(wave->select, "router[1]");
  EXPECT_EQ(wave->file, (std::filesystem::current_path() / "out/r1.fst").string());
  EXPECT_EQ(wave->from, Time::from_us(10));
  EXPECT_EQ(wave->to, Time::from_ns(20500));
}

TEST(WaveOptionTest, TheWindowIsTheWholeRunByDefault) {
  const absl::StatusOr<run::WaveRequest> wave = cli::options::parse_wave("router[*]=/tmp/r.fst");
  ASSERT_TRUE(wave.ok()) << wave.status();
  EXPECT_EQ(wave->from, Time::zero());
  EXPECT_TRUE(wave->to.is_never());
}

TEST(WaveOptionTest, PlacesMistakesInTheArgument) {
  struct Case {
    const char* argument;
    const char* error;
  };
  const Case cases[] = {
      {"router[1]",
       "--wave:1:10: error: there is no \"=\"; write SELECT=FILE.fst[@FROM:TO], as in "
       "'router[1]=r1.fst@10us:20us'\nrouter[1]\n         ^"},
      {"r=a.vcd",
       "--wave:1:3: error: the waveform file must end in .fst; write SELECT=FILE.fst[@FROM:TO], as in "
       "'router[1]=r1.fst@10us:20us'\nr=a.vcd\n  ^"},
      {"r=.fst",
       "--wave:1:3: error: the waveform file must end in .fst; write SELECT=FILE.fst[@FROM:TO], as in "
       "'router[1]=r1.fst@10us:20us'\nr=.fst\n  ^"},
      {"r=a.fst@1us",
       "--wave:1:9: error: the window has no \":\"; write SELECT=FILE.fst[@FROM:TO], as in "
       "'router[1]=r1.fst@10us:20us'\nr=a.fst@1us\n        ^"},
      {"r=a.fst@1us:1us",
       "--wave:1:13: error: the window ends at 1 us, not after its start at 1 us; write the earlier time "
       "first\nr=a.fst@1us:1us\n            ^"},
      {"r=a.fst@1us:2",
       "--wave:1:13: error: \"2\" is not a time: it has no unit; write a number and one of fs, ps, ns, us, ms, s, as "
       "in \"120ns\"\nr=a.fst@1us:2\n            ^"},
  };
  for (const Case& c : cases) {
    const absl::StatusOr<run::WaveRequest> wave = cli::options::parse_wave(c.argument);
    ASSERT_FALSE(wave.ok()) << c.argument;
    EXPECT_EQ(message_of(wave.status()), c.error);
  }
}

}  // namespace
}  // namespace fabrictwin
