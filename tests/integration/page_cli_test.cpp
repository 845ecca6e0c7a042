// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Pages for a browser: what they hold, and that reports are the same without.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/dashboards/html/page_data.h"
#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PageCli : public ::testing::Test {
 protected:
  std::string read(const std::string& name) const { return read_file(temporary_.file(name)); }

  const TestFolder temporary_;
  const std::string file_ = temporary_.write(
      "small.textproto",
      "topology { torus { dims: 2 dims: 2 } }\nworkload { traffic { load: 0.3 duration: \"2us\" } }\nseed: 3\n");
};

TEST_F(PageCli, APageForABrowserShowsTheRun) {
  const std::string page = temporary_.file("page.html");
  const CliResult plain = run_cli({"run", file_, "--quiet", "--json"});
  const CliResult result = run_cli({"run", file_, "--quiet", "--json", "--html", page});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report.at("timing_digest"), nlohmann::json::parse(plain.out).at("timing_digest"));
  EXPECT_FALSE(report.contains("link_series")) << "what only the page shows is not in the report";
  const nlohmann::json data = page_data(read("page.html"));
  ASSERT_TRUE(data.is_object());
  EXPECT_EQ(data["title"], file_);
  EXPECT_EQ(page_section(data, "Network")["edges"].size(), report.at("links").size());
  EXPECT_THAT(page_section(data, "Summary")["facts"].dump(), HasSubstr(report.at("timing_digest").get<std::string>()));

  ASSERT_EQ(run_cli({"run", file_, "--quiet", "--sweep", "load=0.1,0.2", "--html", page}).exit_code, 0);
  const nlohmann::json sweep = page_data(read("page.html"));
  EXPECT_THAT(page_section(sweep, "Summary")["facts"].dump(), HasSubstr("--sweep load=0.1,0.2"));
  EXPECT_THAT(sweep.dump(), HasSubstr("\"curves\""));
  ASSERT_EQ(run_cli({"run", file_, "--quiet", "--sweep", "load=0.1,0.2", "--sweep", "workload.traffic.payload=64B,128B",
                     "--html", page})
                .exit_code,
            0);
  EXPECT_THAT(page_section(page_data(read("page.html")), "Results")["svg"].dump(), HasSubstr("</svg>"));
}

TEST_F(PageCli, APageOfTrafficShowsTheDistributionOfLatencies) {
  const auto report_with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"run", file_, "--quiet", "--json"});
    const CliResult result = run_cli(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  };
  const nlohmann::json plain = report_with({});
  const nlohmann::json paged = report_with({"--html", temporary_.file("page.html")});
  const nlohmann::json asked =
      report_with({"--set", "statistics.latency_histogram=true", "--html", temporary_.file("asked.html")});
  const auto whole = [](const nlohmann::json& report) {
    return !report.at("traffic").at("latency_seconds").at("histogram").empty() ||
           !report.at("traffic").at("latency_cycles").at("histogram").empty();
  };
  EXPECT_TRUE(whole(asked));
  EXPECT_FALSE(whole(paged)) << "what only the page shows is not in the report";
  EXPECT_EQ(paged.at("traffic"), plain.at("traffic"));
  EXPECT_EQ(paged.at("timing_digest"), plain.at("timing_digest"));
  const nlohmann::json data = page_data(read("page.html"));
  const nlohmann::json chart = page_section(data, "Latency of packets");
  ASSERT_FALSE(chart.is_null());
  EXPECT_EQ(chart["x"].size(), asked["traffic"]["latency_seconds"]["histogram"].size());
  EXPECT_EQ(chart["curves"][0]["y"].back(), 100.0);
  EXPECT_EQ(page_section(data, "Latency of packets, percentiles")["rows"].size(), 7u);
  EXPECT_EQ(page_section(page_data(read("asked.html")), "Latency of packets"), chart);
}

TEST_F(PageCli, APageOfAnMpiRunShowsItsRanks) {
  const std::vector<std::string> words = {
      "run", "workloads/experiments/all-model.textproto", "--quiet", "--json", "--set", "stop.after_simulated=3ms"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return nlohmann::json::parse(run_cli(more).out);
  };
  const nlohmann::json plain = with({});
  const nlohmann::json paged = with({"--html", temporary_.file("page.html")});
  const nlohmann::json asked =
      with({"--set", "statistics.message_matrix=true", "--set", "statistics.rank_timeline=true", "--set",
            "statistics.link_interval=100ns", "--set", "statistics.latency_histogram=true"});
  for (const char* field : {"message_matrix", "rank_timeline", "link_series", "message_latency_seconds"}) {
    EXPECT_FALSE(plain.contains(field));
    EXPECT_FALSE(paged.contains(field)) << "what only the page shows is not in the report";
    EXPECT_TRUE(asked.contains(field));
  }
  for (const nlohmann::json& other : {paged, asked}) {
    EXPECT_EQ(plain.at("timing_digest"), other.at("timing_digest"));
    EXPECT_EQ(plain.at("payload_digest"), other.at("payload_digest"));
  }
  const nlohmann::json data = page_data(read("page.html"));
  EXPECT_EQ(page_section(data, "What ranks did")["rows"].size(), 8u);
  const nlohmann::json latency = page_section(data, "Latency of messages");
  ASSERT_FALSE(latency.is_null());
  EXPECT_EQ(latency["x"].size(), asked["message_latency_seconds"]["histogram"].size());
  EXPECT_EQ(latency["curves"][0]["y"].back(), 100.0);
  EXPECT_EQ(page_section(data, "Messages between ranks")["values"][0].size(), 64u);
  EXPECT_GT(page_section(data, "Network")["frames"].size(), 20u);
}

// Where queues are counted in any case, they and the goodput are shown over time.
TEST_F(PageCli, APageOfCongestionShowsQueuesOverTime) {
  const std::string file = temporary_.write(
      "incast.textproto",
      "topology { spine_leaf { spines: 1 leaves: 2 hosts_per_leaf: 2 } }\nrouter { model: PACKET }\npfc {}\n"
      "congestion { dcqcn { kmin: \"4KB\" kmax: \"40KB\" pmax: 1 } }\n"
      "workload { incast { sources: 3 bytes: \"200KB\" } }\n");
  const auto report_with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"run", file, "--quiet", "--json"});
    const CliResult result = run_cli(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    nlohmann::json report = nlohmann::json::parse(result.out);
    report.erase("provenance");
    report.erase("wall_seconds");
    report.erase("partitions");
    return report;
  };
  const std::string out = temporary_.file("out");
  const nlohmann::json plain = report_with({});
  EXPECT_EQ(report_with({"--html", temporary_.file("page.html"), "--out", out}), plain);
  EXPECT_FALSE(std::filesystem::exists(out + "/series.csv")) << "what only the page shows is not in the report";
  const nlohmann::json asked = report_with({"--set", "statistics.series_interval=10us"});
  EXPECT_EQ(asked.at("timing_digest"), plain.at("timing_digest"));
  const nlohmann::json data = page_data(read("page.html"));
  for (const char* title : {"Longest queue over time", "Goodput over time", "Rate that flows may send at"}) {
    const nlohmann::json chart = page_section(data, title);
    ASSERT_FALSE(chart.is_null()) << title;
    EXPECT_EQ(chart["x"].size(), asked.at("series").at("points").size()) << title;
  }
}

TEST_F(PageCli, APageThatCannotBeWrittenIsRefusedBeforeTheRun) {
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--sweep", "load=0.1,0.2"}}) {
    std::vector<std::string> words = {"run", file_, "--quiet", "--html", "/proc/no-such-folder/page.html"};
    words.insert(words.end(), more.begin(), more.end());
    const CliResult result = run_cli(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, HasSubstr("--html: "));
  }
  EXPECT_EQ(run_cli({"run", file_, "--html", ""}).exit_code, 2);
}

TEST_F(PageCli, OutputsThatAreNoFileAreRefusedBeforeTheRun) {
  for (const std::string option : {"--html", "--perfetto", "--metrics-file"}) {
    const CliResult result = run_cli({"run", file_, "--quiet", option, "-"});
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, testing::AllOf(HasSubstr(option + ": "), HasSubstr("name it, as in ")));
  }
}

TEST_F(PageCli, OutputsMayBeInTheFolderOfTheOthers) {
  const std::string out = temporary_.file("made/by-out");
  const CliResult run = run_cli({"run", file_, "--quiet", "--out", out, "--html", out + "/page.html", "--perfetto",
                                 out + "/trace.json", "--metrics-file", out + "/run.om"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  for (const char* const name : {"report.json", "page.html", "trace.json", "run.om"})
    EXPECT_TRUE(std::filesystem::exists(out + "/" + name)) << name;
  const std::string sweep = temporary_.file("sweep");
  EXPECT_EQ(run_cli({"run", file_, "--quiet", "--sweep", "load=0.1,0.2", "--out", sweep, "--html", sweep + "/p.html"})
                .exit_code,
            0);
  EXPECT_TRUE(std::filesystem::exists(sweep + "/p.html"));
}

}  // namespace
}  // namespace fabrictwin
