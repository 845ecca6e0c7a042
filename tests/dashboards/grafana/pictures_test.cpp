// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The script that draws the dashboards, with real runs and a real Prometheus.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "tests/dashboards/grafana/dashboards.h"
#include "tests/dashboards/report/xml_check.h"
#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

/// The program is built beside the tests.
std::string pictures_program() {
  return (std::filesystem::path(cli_binary()).parent_path().parent_path() / "tests" / "dashboard_pictures").string();
}

size_t times_in(const std::string& text, const std::string& part) {
  size_t times = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

TEST(DashboardPictures, AreDrawnFromRealAnswers) {
  const TestFolder folder;
  const CliResult drawn =
      run_process({"scripts/dashboard-pictures", "--out", folder.file("out")},
                  {"FABRICTWIN_BINARY=" + cli_binary(), "DASHBOARD_PICTURES=" + pictures_program()});
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  // What is measured for other workloads only: latency of packets, accepted load and fairness; latency of messages.
  const std::map<std::string, size_t> without_data{{"live.json", 3}, {"compare.json", 1}, {"congestion.json", 2}};
  for (const auto& [name, dashboard] : all_dashboards()) {
    const std::string picture =
        read_file(folder.file(fmt::format("out/dashboard-{}.svg", name.substr(0, name.rfind('.')))));
    EXPECT_EQ(test::xml_fault(picture), "") << name;
    EXPECT_LT(picture.size(), 200'000u) << name;
    EXPECT_EQ(times_in(picture, "<rect class=\"panel\""), panels_of(dashboard).size()) << name;
    const auto empty = without_data.find(name);
    EXPECT_EQ(times_in(picture, ">no data<"), empty == without_data.end() ? 0 : empty->second) << name;
  }
}

TEST(DashboardPictures, MistakesOfTheCommandLineAreTold) {
  EXPECT_EQ(run_process({"scripts/dashboard-pictures", "--unknown"}).exit_code, 2);
  EXPECT_EQ(run_process({"scripts/dashboard-pictures", "--out"}).exit_code, 2);
}

TEST(DashboardPictures, TheProgramNamesWhatItLacks) {
  const TestFolder folder;
  const std::string program = pictures_program();
  const std::string views = folder.write("views.json", "{}");
  const std::string dashboards = "dashboards/grafana/dashboards";
  EXPECT_EQ(run_process({program}).exit_code, 2);
  EXPECT_EQ(run_process({program, dashboards, "http://127.0.0.1:9", folder.file(""), folder.file("none")}).exit_code,
            2);
  EXPECT_EQ(run_process({program, folder.file("none"), "http://127.0.0.1:9", folder.file(""), views}).exit_code, 2);
  const CliResult unseen = run_process({program, dashboards, "http://127.0.0.1:9", folder.file(""), views});
  EXPECT_EQ(unseen.exit_code, 1);
  EXPECT_NE(unseen.err.find("live.json: there is no view of it"), std::string::npos) << unseen.err;
  folder.write("views.json", R"({"live": {"start": 1, "end": 2, "step": 1}})");
  const CliResult unanswered = run_process({program, dashboards, "http://127.0.0.1:9", folder.file(""), views});
  EXPECT_EQ(unanswered.exit_code, 1);
  EXPECT_NE(unanswered.err.find("panel \"What runs\""), std::string::npos) << unanswered.err;
}

}  // namespace
}  // namespace fabrictwin
