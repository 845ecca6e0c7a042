// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// fabrictwin reproduce: published figures beside those that come out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

nlohmann::json figures_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "reproduce");
  arguments.emplace_back("--json");
  const CliResult result = run_cli(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.exit_code == 0 ? nlohmann::json::parse(result.out)["figures"] : nlohmann::json::array();
}

/// What every figure has, and how far it is off by its own reckoning.
void check_form(const nlohmann::json& figures) {
  std::set<std::string> ids;
  for (const auto& figure : figures) {
    EXPECT_EQ(figure.size(), 6u) << figure;
    EXPECT_TRUE(ids.insert(figure["id"].get<std::string>()).second) << figure;
    EXPECT_FALSE(figure["unit"].get<std::string>().empty());
    ASSERT_TRUE(figure["predicted"].is_number()) << figure;
    EXPECT_NEAR(figure["error"].get<double>(), figure["predicted"].get<double>() / figure["paper"].get<double>() - 1,
                1e-12);
  }
}

/// The largest error, without sign, of the figures that are calibrated or are not.
double worst(const nlohmann::json& figures, bool calibrated) {
  double error = 0;
  for (const auto& figure : figures) {
    if (figure["calibrated"] == calibrated) error = std::max(error, std::abs(figure["error"].get<double>()));
  }
  return error;
}

TEST(Reproduce, ExanestMeetsItsCalibrationAndPredictsTheRest) {
  const nlohmann::json figures = figures_of({"exanest"});
  check_form(figures);
  EXPECT_GE(figures.size(), 20u);
  // Whole cycles, and bandwidth in steps of a cycle a cell.
  EXPECT_LT(worst(figures, true), 0.02);
  for (const auto& figure : figures) {
    if (figure["id"] == "exanest.latency_32B_qfdb") {
      // Published is that it is less than 1.320.
      EXPECT_LT(std::abs(figure["error"].get<double>()), 0.005);
    }
    if (figure["id"] == "exanest.latency_4MB_qfdb") {
      EXPECT_LT(std::abs(figure["error"].get<double>()), 0.05);
    }
    // The queue for memory, and nothing that was fitted to them.
    if (figure["id"] == "exanest.hpcg_weak_2" || figure["id"] == "exanest.hpcg_strong_2") {
      EXPECT_LT(std::abs(figure["error"].get<double>()), 0.06) << figure;
    }
    // The order of copies, passages and transfers; round trips alone have been calibrated.
    if (figure["id"] == "exanest.ip_udp") {
      EXPECT_LT(std::abs(figure["error"].get<double>()), 0.1) << figure;
    }
    // What its memory loses.
    if (figure["id"] == "exanest.gemm_fpga") {
      EXPECT_LT(std::abs(figure["error"].get<double>()), 0.02) << figure;
    }
    // The paper found its own model mostly within 15 % of what it observed; so are steps that are longer than a
    // barrier.
    const std::string id = figure["id"];
    if (id.starts_with("exanest.bcast_512_") && id != "exanest.bcast_512_1B") {
      EXPECT_LT(std::abs(figure["error"].get<double>()), 0.15) << id;
    }
  }
}

// Blocks of 256 bytes go one after the other, so software catches up at some 4 KiB.
TEST(Reproduce, AllreduceIsFasterByAcceleratorsUpTo2KiB) {
  const nlohmann::json figures = figures_of({"allreduce"});
  check_form(figures);
  ASSERT_EQ(figures.size(), 28u);
  double before = 0;
  for (const auto& figure : figures) {
    const std::string id = figure["id"];
    const double predicted = figure["predicted"];
    if (id.ends_with("_4B")) before = 0;
    EXPECT_GT(predicted, before) << id;
    before = predicted;
    if (!id.ends_with("_4KiB")) EXPECT_LT(figure["error"].get<double>(), 0) << id;
  }
}

TEST(Reproduce, TofuMeetsItsCalibrationAndPredictsThroughput) {
  const nlohmann::json figures = figures_of({"tofu", "tofu2", "tofud"});
  check_form(figures);
  ASSERT_EQ(figures.size(), 14u);
  EXPECT_LT(worst(figures, true), 0.01);
  EXPECT_LT(worst(figures, false), 0.03);
}

// Where the paper gives a bound, the figure is on its right side.
TEST(Reproduce, NanetMeetsItsCalibrationAndKeepsToPublishedBounds) {
  const nlohmann::json figures = figures_of({"nanet"});
  check_form(figures);
  ASSERT_EQ(figures.size(), 9u);
  EXPECT_LT(worst(figures, true), 0.02);
  for (const auto& figure : figures) {
    const std::string id = figure["id"];
    const double error = figure["error"];
    if (id.starts_with("nanet.latency_")) EXPECT_LT(error, 0) << figure;
    if (id == "nanet.payload_256B") EXPECT_GT(error, 0) << figure;
    if (id == "nanet.line_1KB") EXPECT_LT(std::abs(error), 0.01) << figure;
  }
}

/// How far a figure of congestion management may be from what it stands beside.
double bound_of(const std::string& id) {
  // The flow over three links falls by details of a scheme.
  if (id.find("parking_long_dctcp") != std::string::npos) return 0.03;
  if (id.find("parking_long") != std::string::npos) return 0.2;
  if (id.find("websearch") != std::string::npos) return 0.25;
  if (id.find("_queue") != std::string::npos) return 0.3;
  // Gaps between packets.
  if (id.find("form.switch") != std::string::npos || id.find("hotspot") != std::string::npos) return 0.1;
  // What the scheme does not see, docs/models/gpcnet.md. Where it does nothing, factors are up to 7.
  if (id.find("gpcnet") != std::string::npos) return 3;
  return id.find("parking") != std::string::npos ? 0.1 : 0.03;
}

TEST(Reproduce, CongestionMeetsOtherSimulatorsAndClosedForms) {
  const nlohmann::json figures = figures_of({"congestion"});
  check_form(figures);
  EXPECT_GE(figures.size(), 50u);
  for (const char* source : {"congestion.ns3.", "congestion.booksim.", "congestion.form.", "congestion.gpcnet."}) {
    EXPECT_TRUE(std::any_of(figures.begin(), figures.end(), [&](const nlohmann::json& figure) {
      return figure["id"].get<std::string>().starts_with(source);
    })) << source;
  }
  for (const auto& figure : figures) {
    EXPECT_FALSE(figure["calibrated"].get<bool>()) << figure;
    EXPECT_LT(std::abs(figure["error"].get<double>()), bound_of(figure["id"])) << figure;
  }
}

TEST(Reproduce, TablesSayWhatIsCalibrated) {
  const CliResult text = run_cli({"reproduce", "tofud"});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("tofud.put_8B"));
  EXPECT_THAT(text.out, HasSubstr("calibrated\n"));
  EXPECT_THAT(text.err, HasSubstr("info: tofud"));
  const CliResult quiet = run_cli({"reproduce", "tofud", "--quiet"});
  EXPECT_EQ(quiet.out, text.out);
  EXPECT_EQ(quiet.err, "");
  const CliResult markdown = run_cli({"reproduce", "tofud", "--markdown"});
  ASSERT_EQ(markdown.exit_code, 0) << markdown.err;
  EXPECT_THAT(markdown.out, HasSubstr("| `tofud.put_8B` | one-way latency of an 8-byte Put | us | 0.49 |"));
}

/// The words of a line, quotes taken off.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;) {
    if (word.size() > 1 && word.front() == '\'') word = word.substr(1, word.size() - 2);
    words.push_back(word);
  }
  return words;
}

TEST(Reproduce, AMachineThatIsNamedTwiceRunsOnce) {
  const CliResult once = run_cli({"reproduce", "--list", "tofud"});
  const CliResult twice = run_cli({"reproduce", "--list", "tofud", "tofud"});
  // A list has no results.
  const std::vector<std::vector<std::string>> others{{"--json"},
                                                     {"--html", "list.html"},
                                                     {"--record"},
                                                     {"--metrics", "127.0.0.1:0"},
                                                     {"--metrics-links", "all"},
                                                     {"--metrics-push", "http://127.0.0.1:9"}};
  for (const std::vector<std::string>& other : others) {
    std::vector<std::string> words{"reproduce", "--list", "tofud"};
    words.insert(words.end(), other.begin(), other.end());
    const CliResult refused = run_cli(words);
    EXPECT_EQ(refused.exit_code, 2) << other[0];
    EXPECT_THAT(refused.err, testing::HasSubstr("excludes")) << other[0];
  }
  ASSERT_EQ(twice.exit_code, 0) << twice.err;
  EXPECT_EQ(twice.out, once.out);
}

/// Looks at what each command of a list would run; returns how many there are.
int dry_runs(const std::vector<std::string>& machines) {
  std::vector<std::string> arguments = {"reproduce", "--list"};
  arguments.insert(arguments.end(), machines.begin(), machines.end());
  const CliResult list = run_cli(arguments);
  EXPECT_EQ(list.exit_code, 0) << list.err;
  std::istringstream lines(list.out);
  int commands = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) continue;
    std::vector<std::string> words = words_of(line);
    EXPECT_GE(words.size(), 3u);
    if (words.size() < 3) continue;
    EXPECT_EQ(words[0] + " " + words[1], "fabrictwin run");
    words.erase(words.begin());
    words.emplace_back("--dry-run");
    const CliResult dry = run_cli(words);
    EXPECT_EQ(dry.exit_code, 0) << line << "\n" << dry.err;
    ++commands;
  }
  return commands;
}

TEST(Reproduce, AnExperimentRunsByItself) { EXPECT_GE(dry_runs({"tofud"}), 1); }

TEST(Reproduce, AListHasTheSeedsOfWhichAFigureIsTheMedian) {
  const CliResult list = run_cli({"reproduce", "--list", "congestion"});
  ASSERT_EQ(list.exit_code, 0) << list.err;
  for (const char* seed : {"0", "4"}) {
    EXPECT_THAT(list.out, HasSubstr(std::string("parking-lot.textproto --set 'congestion.dcqcn.pmax=0.2' --seed ") +
                                    seed + "\n"));
  }
  EXPECT_THAT(list.out, HasSubstr("parking-lot.textproto --set 'congestion.hpcc.stages=5'\n"));
}

TEST(Reproduce, EachExperimentRunsByItself) { EXPECT_GE(dry_runs({"--all"}), 20); }

TEST(Reproduce, ReplacesNoExperiment) {
  const TestFolder folder;
  const std::string text = read_file("workloads/experiments/reproduce/tofu-put.textproto");
  const std::string file = folder.write("tofu-put.textproto", text);
  const CliResult refused =
      run_cli({"reproduce", "tofud", "--experiments", folder.path().string(), "--html", file, "--quiet"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--html " + file + " would replace an experiment; name another file"));
  EXPECT_THAT(refused.out, IsEmpty());
  EXPECT_EQ(read_file(file), text);
}

TEST(Reproduce, WrongInput) {
  const CliResult unknown = run_cli({"reproduce", "exanst"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean \"exanest\"?"));
  EXPECT_THAT(unknown.out, IsEmpty());
  const CliResult nowhere = run_cli({"reproduce", "tofu", "--experiments", "nowhere"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("--experiments: there is no folder nowhere"));
  const std::string empty = ::testing::TempDir() + "reproduce_empty";
  std::filesystem::create_directories(empty);
  const CliResult missing = run_cli({"reproduce", "tofu", "--experiments", empty});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("tofu-put.textproto"));
  EXPECT_THAT(missing.out, IsEmpty());
}

}  // namespace
}  // namespace fabrictwin
