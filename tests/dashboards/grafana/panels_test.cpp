// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Every query of every dashboard on a real Prometheus that has scraped three runs at once: a mixed one of MPI, one of
// traffic and one with congestion management; and that has taken in a history.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/dashboards/grafana/dashboards.h"
#include "tests/dashboards/grafana/panel_query.h"
#include "tests/dashboards/metrics/http_get.h"
#include "tests/integration/background_process.h"
#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using test::fill_variables;
using test::url_encoded;

/// A port that is free now.
uint16_t free_port() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  EXPECT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  close(listener);
  return ntohs(address.sin_port);
}

/// Whether any value of any series is a number: what is not ("NaN", "+Inf") is a gap in a panel.
bool has_number(const nlohmann::json& result) {
  for (const nlohmann::json& series : result)
    for (const nlohmann::json& value : series.at("values"))
      if (std::isfinite(std::strtod(value.at(1).get<std::string>().c_str(), nullptr))) return true;
  return false;
}

class GrafanaPanels : public testing::Test {
 protected:
  /// Starts a run that serves its metrics until the test ends.
  void start_run(const std::string& experiment, const std::vector<std::string>& more) {
    std::vector<std::string> words{cli_binary(),       "run",  experiment, "--metrics", "127.0.0.1:0",
                                   "--metrics-linger", "3600s"};
    words.insert(words.end(), more.begin(), more.end());
    runs_.push_back(std::make_unique<BackgroundProcess>(words, folder_.file(fmt::format("run{}.log", runs_.size()))));
    ASSERT_TRUE(eventually([&] { return port_in(runs_.back()->log()) != 0; })) << runs_.back()->log();
    targets_ += fmt::format("{}\"127.0.0.1:{}\"", targets_.empty() ? "" : ", ", port_in(runs_.back()->log()));
    // Prometheus watches this file; it takes a new one that appears whole.
    folder_.write("new_targets.json", fmt::format("[{{\"targets\": [{}]}}]", targets_));
    std::filesystem::rename(folder_.file("new_targets.json"), folder_.file("targets.json"));
  }

  // A scrape that takes longer than the interval is lost, the last one of a run, too: the program runs without others.
  void start_prometheus() {
    port_ = free_port();
    const std::string rules = std::filesystem::absolute("dashboards/prometheus/rules.yml").string();
    const std::string config = folder_.write(
        "prometheus.yml",
        fmt::format(
            "global: {{scrape_interval: 500ms, evaluation_interval: 1s}}\nrule_files: ['{}']\n"
            "scrape_configs: [{{job_name: fabrictwin, file_sd_configs: [{{files: ['{}'], refresh_interval: 1s}}]}}]\n",
            rules, folder_.file("targets.json")));
    prometheus_ = std::make_unique<BackgroundProcess>(
        std::vector<std::string>{"prometheus", "--config.file=" + config, "--storage.tsdb.path=" + folder_.file("data"),
                                 fmt::format("--web.listen-address=127.0.0.1:{}", port_)},
        folder_.file("prometheus.log"));
  }

  nlohmann::json asked(const std::string& path) const {
    return nlohmann::json::parse(http_get(port_, path), nullptr, false);
  }

  /// The series that a query gives since the test began, however long that is ago. Steps are shorter than the interval
  /// of scrapes: a run that is over with its first scrape has samples for one interval only.
  nlohmann::json result_of(const std::string& query) const {
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    const nlohmann::json answer = asked(
        fmt::format("/api/v1/query_range?query={}&start={}&end={}&step=0.25", url_encoded(query), begun_, now + 1));
    EXPECT_TRUE(answer.is_object() && answer.value("status", "") == "success") << query << "\n" << answer;
    return answer.is_object() && answer.contains("data") ? answer.at("data").at("result") : nlohmann::json::array();
  }

  /// A query of a dashboard as Grafana sends it for all values of its variables.
  static std::string filled(const std::string& dashboard, const std::string& query) {
    // Only the metric of the live dashboard is a choice of one.
    const bool of_history = dashboard == "history.json";
    return fill_variables(query, {{"__rate_interval", "2s"},
                                  {"__interval", "2s"},
                                  {"instance", ".*"},
                                  {"name", ".*"},
                                  {"metric", of_history ? ".*" : "fabrictwin_wall_seconds_total"}});
  }

  const std::time_t begun_ = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const TestFolder folder_;
  std::vector<std::unique_ptr<BackgroundProcess>> runs_;
  std::string targets_;
  uint16_t port_ = 0;
  std::unique_ptr<BackgroundProcess> prometheus_;
};

TEST_F(GrafanaPanels, EveryQueryHasDataOfRunsSideBySide) {
  const std::string database = folder_.file("history.db");
  const std::string incast = "workloads/experiments/congestion/incast8.textproto";
  ASSERT_EQ(run_cli({"run", incast, "--quiet", "--record", "--db", database}).exit_code, 0);
  const std::string metrics = folder_.file("history.om");
  ASSERT_EQ(run_cli({"history", "export", "--openmetrics", "--db", database, "--out", metrics}).exit_code, 0);
  ASSERT_EQ(
      run_process({"promtool", "tsdb", "create-blocks-from", "openmetrics", metrics, folder_.file("data")}).exit_code,
      0);
  start_prometheus();
  // Prometheus takes up to five seconds to scrape a new target, so runs take longer than that: this one by RTL alone.
  const std::string trace = std::filesystem::absolute("workloads/experiments/data/minife-8.fttrace").string();
  start_run(folder_.write("mpi.textproto", fmt::format(R"(
topology {{ torus {{ dims: 2 dims: 2 dims: 2 }} }}
use {{ select: "router[*]" implementation: RTL place: "worker:unix" }}
workload {{ mpi_trace {{ path: "{}" compute_scale: 0 }} }}
statistics {{ latency_histogram: true }}
)",
                                                       trace)),
            {});
  const std::string traffic = folder_.write("traffic.textproto", R"(
topology { torus { dims: 4 dims: 4 } }
use { select: "router[1]" implementation: RTL }
workload { traffic { class { pattern: UNIFORM load: 0.5 payload: "256B" } class { load: 0.1 } duration: "8ms" } }
statistics { occupancy_interval: "100ns" }
)");
  start_run(traffic, {});
  std::string flows = "source,destination,bytes,start,stop\n,,MB,ms,ms\n0,10,1,0,\n8,10,,0,800\n";
  for (int source = 0; source < 8; ++source) flows += fmt::format("{},9,,0,800\n", source);
  start_run("workloads/experiments/congestion/victim.textproto",
            {"--set", "congestion.dcqcn.kmin=100kB", "--set", "pfc.buffer=2MiB", "--set",
             "workload.flows.file=" + folder_.write("long.csv", flows)});
  ASSERT_FALSE(HasFatalFailure());
  // All runs have ended and have been scraped since.
  ASSERT_TRUE(eventually([&] {
    const nlohmann::json answer =
        asked("/api/v1/query?query=" + url_encoded("count(max_over_time(fabrictwin_run_state[10m]) == 1)"));
    return answer.is_object() && answer.contains("data") && !answer["data"]["result"].empty() &&
           answer["data"]["result"][0]["value"][1] == "3";
  })) << prometheus_->log()
      << runs_[0]->log() << runs_[1]->log() << runs_[2]->log();
  for (const auto& [name, dashboard] : all_dashboards()) {
    for (const auto& panel : panels_of(dashboard)) {
      for (const auto& target : panel.at("targets")) {
        const std::string query = filled(name, target.at("expr").get<std::string>());
        EXPECT_TRUE(has_number(result_of(query))) << name << ": " << panel.at("title") << " shows nothing\n"
                                                  << target.at("expr");
      }
    }
  }
  EXPECT_EQ(result_of("fabrictwin_run_info").size(), 3u);
  EXPECT_TRUE(has_number(result_of("instance:fabrictwin_slowdown:rate30s"))) << "a recording rule";
}

// A database that has samples of a later time takes none that are scraped before that.
TEST_F(GrafanaPanels, RunsAreScrapedBesideOneOverSimulatedTime) {
  const std::string metrics = folder_.file("run.om");
  ASSERT_EQ(run_cli({"run", "workloads/experiments/congestion/incast8.textproto", "--quiet", "--metrics-file", metrics})
                .exit_code,
            0);
  ASSERT_EQ(
      run_process({"promtool", "tsdb", "create-blocks-from", "openmetrics", metrics, folder_.file("data")}).exit_code,
      0);
  start_prometheus();
  start_run("workloads/experiments/uniform.textproto", {});
  ASSERT_FALSE(HasFatalFailure());
  for (const char* instances : {"=~", "!~"}) {
    const std::string query = fmt::format("fabrictwin_simulated_seconds_total{{instance{}\"127.*\"}}", instances);
    EXPECT_TRUE(eventually([&] {
      const nlohmann::json answer = asked("/api/v1/query?query=" + url_encoded(query));
      return answer.is_object() && answer.contains("data") && !answer["data"]["result"].empty();
    })) << query
        << prometheus_->log();
  }
}

const std::string kExperiments = "workloads/experiments/";

// Two runs are two groups of a real Pushgateway, which keeps all that each of them has served last, and queries that
// join series find one of each.
TEST(Pushgateway, KeepsTheFinalValuesOfEachRun) {
  const TestFolder folder;
  const uint16_t port = free_port();
  const BackgroundProcess gateway({"prometheus-pushgateway", fmt::format("--web.listen-address=127.0.0.1:{}", port),
                                   "--persistence.file=" + folder.file("kept")},
                                  folder.file("gateway.log"));
  ASSERT_TRUE(eventually([&] { return !http_get(port, "/-/ready").empty(); })) << gateway.log();
  const std::string url = fmt::format("http://127.0.0.1:{}", port);
  // A page with a series that comes twice, as partitions of two depths could give it, is refused.
  for (const std::vector<std::string>& words : {std::vector<std::string>{"uniform.textproto"},
                                                {"uniform.textproto", "--use", "router[1]=MODEL/INPUT_QUEUED"},
                                                {"congestion/incast8.textproto"}}) {
    std::vector<std::string> all{"run", kExperiments + words[0], "--quiet", "--metrics-push", url};
    all.insert(all.end(), words.begin() + 1, words.end());
    const CliResult result = run_cli(all);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
  }
  const nlohmann::json answer = nlohmann::json::parse(http_get(port, "/api/v1/metrics"), nullptr, false);
  ASSERT_TRUE(answer.is_object()) << gateway.log();
  ASSERT_EQ(answer.at("data").size(), 3u);
  std::set<std::string> experiments;
  std::set<std::string> instances;
  for (const nlohmann::json& group : answer.at("data")) {
    EXPECT_EQ(group.at("last_push_successful"), true);
    instances.insert(group.at("labels").at("instance"));
    const nlohmann::json& info = group.at("fabrictwin_run_info").at("metrics");
    ASSERT_EQ(info.size(), 1u);
    experiments.insert(info.at(0).at("labels").at("experiment"));
    EXPECT_EQ(group.at("fabrictwin_run_state").at("metrics").at(0).at("value"), "1");
    EXPECT_EQ(group.at("fabrictwin_exit_status").at("metrics").at(0).at("value"), "0");
    EXPECT_TRUE(group.contains("fabrictwin_simulated_seconds_total"));
  }
  EXPECT_EQ(experiments,
            (std::set<std::string>{kExperiments + "congestion/incast8.textproto", kExperiments + "uniform.textproto"}));
  EXPECT_EQ(instances.size(), 3u);
}

}  // namespace
}  // namespace fabrictwin
