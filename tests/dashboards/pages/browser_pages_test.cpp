// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The pages that commands write, in a real browser: no script fails, and every chart and picture is drawn, on a
// telephone and on a screen.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/dashboards/html/browser.h"
#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using Words = std::vector<std::string>;

const std::string kExperiments = "workloads/experiments/";

class BrowserPages : public ::testing::Test {
 protected:
  /// Runs a command, which writes a page.
  std::string page_of(Words command) {
    const std::string file = folder_.file("page.html");
    command.insert(command.end(), {"--html", file});
    const CliResult result = run_cli(command);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return read_file(file);
  }

  /// What a page has at least.
  struct Has {
    int charts = 0;
    int pictures = 0;
    int maps = 0;
    int matrices = 0;
    int timelines = 0;
    int rows = 0;  ///< Of tables.
  };

  static int number(const std::string& made, const std::string& name) {
    return std::atoi(test::attribute(made, name).c_str());
  }

  /// Opens a page. Returns what the browser has made of it.
  std::string expect_drawn(const std::string& html, const Has& has) {
    std::string made;
    for (const int width : {360, 1600}) {
      SCOPED_TRACE(width);
      made = test::document(folder_, html, width);
      EXPECT_EQ(test::attribute(made, "errors"), "absent");
      EXPECT_EQ(test::attribute(made, "console"), "absent");
      EXPECT_EQ(test::attribute(made, "logged"), "absent");
      EXPECT_EQ(test::attribute(made, "probed"), "yes");
      EXPECT_EQ(test::attribute(made, "overflow"), "false");
      EXPECT_EQ(test::attribute(made, "unnamed"), "0");
      EXPECT_GE(number(made, "charts"), has.charts);
      EXPECT_EQ(number(made, "drawn"), number(made, "charts"));
      EXPECT_GE(number(made, "rows"), has.rows);
      for (const auto& [name, least] : {std::pair<std::string, int>{"images", has.pictures},
                                        {"maps", has.maps},
                                        {"matrices", has.matrices},
                                        {"timelines", has.timelines}}) {
        EXPECT_GE(number(made, name), least) << name;
        EXPECT_EQ(number(made, name + "-drawn"), number(made, name)) << name;
      }
    }
    return made;
  }

  const TestFolder folder_;
};

TEST_F(BrowserPages, OfARunWithFlows) {
  expect_drawn(page_of({"run", kExperiments + "congestion/victim.textproto", "--quiet", "--set",
                        "congestion.dcqcn.pmax=0.2", "--set", "statistics.series_interval=100us"}),
               {.charts = 2, .maps = 1});
}

TEST_F(BrowserPages, OfARunWithFaults) {
  const std::string made =
      expect_drawn(page_of({"run", kExperiments + "congestion/link-degrades.textproto", "--quiet"}), {.charts = 2});
  EXPECT_THAT(made, ::testing::HasSubstr("<td>router[0].up0</td>"));
}

TEST_F(BrowserPages, OfARunWithTraffic) {
  expect_drawn(
      page_of({"run", kExperiments + "uniform.textproto", "--quiet", "--set", "workload.traffic.duration=10us"}),
      {.charts = 3, .maps = 1});
}

TEST_F(BrowserPages, OfARunWithRanks) {
  expect_drawn(page_of({"run", kExperiments + "all-model.textproto", "--quiet"}),
               {.charts = 3, .maps = 1, .matrices = 1, .timelines = 1});
}

TEST_F(BrowserPages, OfARunWithSeveralPartitions) {
  expect_drawn(page_of({"run", kExperiments + "uniform.textproto", "--quiet", "--set", "topology.torus.dims=2x2",
                        "--set", "workload.traffic.duration=5us", "--use", "router[1]=RTL"}),
               {.charts = 3, .maps = 1, .timelines = 1});
}

TEST_F(BrowserPages, OfASweepOverASize) {
  expect_drawn(page_of({"run", kExperiments + "uniform.textproto", "--quiet", "--set", "workload.traffic.duration=10us",
                        "--sweep", "workload.traffic.payload=64B,256B"}),
               {.charts = 2});
}

TEST_F(BrowserPages, OfASearch) {
  expect_drawn(page_of({"run", kExperiments + "booksim-torus.textproto", "--quiet", "--saturation", "--set",
                        "topology.torus.dims=4x4", "--set", "workload.traffic.sample_cycles=500"}),
               {.charts = 1});
}

TEST_F(BrowserPages, OfOsu) {
  expect_drawn(
      page_of({"osu", "latency", kExperiments + "uniform.textproto", "--sizes", "0,64,4096", "--iterations", "2"}),
      {.charts = 1});
}

TEST_F(BrowserPages, OfAComparison) {
  expect_drawn(page_of({"compare", kExperiments + "congestion/incast8.textproto", "--schemes", "none,hpcc", "--quiet"}),
               {.pictures = 1});
}

TEST_F(BrowserPages, OfPublishedFigures) {
  const std::string html = page_of({"reproduce", "tofud", "--quiet"});
  EXPECT_NE(html.find("tofud.put_8B"), std::string::npos);
  expect_drawn(html, {.rows = 1});
}

TEST_F(BrowserPages, OfAValidation) {
  const std::string file = folder_.write("small.textproto",
                                         "topology { torus { dims: 2 dims: 2 } }\n"
                                         "workload { traffic { load: 0.3 duration: \"2us\" } }\n");
  expect_drawn(page_of({"validate", file, "--use", "*=MODEL/PACKET", "--tolerance", "100", "--quiet"}), {.charts = 1});
}

TEST_F(BrowserPages, OfTheHistory) {
  const std::string database = folder_.file("history.db");
  for (int result = 0; result < 6; ++result) {
    const std::string lines =
        folder_.write("lines.txt", fmt::format("luts {} - exact\nseconds {} s\n", 1200 + result, 2 + result));
    ASSERT_EQ(run_cli({"history", "add", lines, "--name", "router", "--commit", fmt::format("c{}", result), "--date",
                       fmt::format("2026-03-0{}", 1 + result), "--db", database})
                  .exit_code,
              0);
  }
  const std::string site = folder_.file("site");
  ASSERT_EQ(run_cli({"history", "site", "--out", site, "--db", database}).exit_code, 0);
  expect_drawn(read_file(site + "/index.html"), {});
  const std::string made = expect_drawn(read_file(site + "/series-1.html"), {.charts = 2});
  EXPECT_EQ(test::attribute(made, "values"), "1: c0 2026-03-01; 2: c1 2026-03-02; 3: c2 2026-03-03");
  EXPECT_THAT(test::attribute(made, "tooltip"), ::testing::AnyOf("3: c2 2026-03-03", "4: c3 2026-03-04"));
}

}  // namespace
}  // namespace fabrictwin
