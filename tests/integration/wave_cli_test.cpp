// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Waveforms of runs from the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

class WaveCli : public ::testing::Test {
 protected:
  const TestFolder folder_;
  const std::string file_ = folder_.write(
      "small.textproto",
      "topology { torus { dims: 2 dims: 2 } }\nworkload { traffic { load: 0.3 duration: \"2us\" } }\nseed: 3\n");
};

TEST_F(WaveCli, WhatCannotBeWrittenFailsTheRunAndKeepsItsReport) {
  // A limit of the size of files stands for a full disk: writes fail, first those at the end of the waveform, then,
  // with less, those of the writer's own temporary files, too. Each unit is 512 bytes.
  for (const std::string limit : {"16", "1"}) {
    const std::string wave = folder_.file("r1.fst");
    for (const std::string place : {"inproc", "worker:unix"}) {
      const CliResult result =
          run_process({"/bin/sh", "-c", "trap '' XFSZ; ulimit -f " + limit + "; exec \"$@\"", "sh", cli_binary(), "run",
                       file_, "--quiet", "--json", "--use", "router[1]=RTL@" + place, "--wave", "router[1]=" + wave});
      EXPECT_EQ(result.exit_code, 1) << limit << " " << place << "\n" << result.err;
      EXPECT_THAT(result.err, HasSubstr((place == "inproc" ? "" : "): ") +
                                        ("cannot write all of the waveform file " + wave + ": ")));
      const nlohmann::json report = nlohmann::json::parse(result.out);
      EXPECT_FALSE(report.value("complete", false));
      EXPECT_THAT(report["reason"].get<std::string>(), HasSubstr(wave));
      EXPECT_GT(report["packets_delivered"].get<int64_t>(), 0);
      EXPECT_FALSE(report["timing_digest"].get<std::string>().empty());
    }
  }
}

TEST_F(WaveCli, AWindowThatWouldBeginAfterTheEndIsWarnedOf) {
  for (const std::string window : {"", "@1us:2us", "@100s:101s"}) {
    const CliResult result = run_cli({"run", file_, "--quiet", "--json", "--use", "router[1]=RTL", "--wave",
                                      "router[1]=" + folder_.file("late.fst") + window});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const nlohmann::json report = nlohmann::json::parse(result.out);
    const std::string warnings = report.value("warnings", nlohmann::json::array()).dump();
    const bool late =
        warnings.find("the waveform of router[1] begins at 100 s, and the run ended at ") != std::string::npos;
    EXPECT_EQ(late, window == "@100s:101s") << window << warnings;
  }
}

}  // namespace
}  // namespace fabrictwin
