// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands of many runs, workers and boards serve their metrics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "tests/dashboards/metrics/http_get.h"
#include "tests/dashboards/metrics/kept_requests.h"
#include "tests/integration/background_process.h"
#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class MetricsCliTest : public ::testing::Test {
 protected:
  static std::vector<std::string> serving(std::vector<std::string> words) {
    words.insert(words.begin(), cli_binary());
    words.insert(words.end(), {"--metrics", "127.0.0.1:0", "--metrics-linger", "600s"});
    return words;
  }

  /// Starts a command that serves its metrics until they are seen, and waits until the log says where.
  std::unique_ptr<BackgroundProcess> start(std::vector<std::string> words, const std::string& name = "command") const {
    auto process = std::make_unique<BackgroundProcess>(serving(std::move(words)), folder_.file(name + ".log"));
    EXPECT_TRUE(eventually([&] { return port_in(process->log()) != 0; })) << process->log();
    return process;
  }

  /// Where a worker or the agent of a board says that it listens.
  static std::string address_in(const BackgroundProcess& process) {
    std::smatch address;
    std::string log;
    EXPECT_TRUE(eventually([&] {
      log = process.log();
      return std::regex_search(log, address, std::regex("listening at (127[0-9.:]+)\n"));
    })) << log;
    return address[1].str();
  }

  /// The last page of a study.
  static std::string final_page(const BackgroundProcess& process) {
    std::string page;
    EXPECT_TRUE(eventually([&] {
      page = http_get(port_in(process.log()), "/metrics");
      return page.find("\nfabrictwin_exit_status ") != std::string::npos;
    })) << process.log()
        << page;
    return page;
  }

  /// Checks a command that does so many runs.
  void expect_study(const std::vector<std::string>& words, const std::string& command, int runs, bool known = true) {
    SCOPED_TRACE(command);
    const auto process = start(words);
    const std::string page = final_page(*process);
    EXPECT_THAT(page, HasSubstr("\nfabrictwin_study_state 1\n"));
    EXPECT_THAT(page, HasSubstr("\nfabrictwin_exit_status 0\n"));
    EXPECT_THAT(page, HasSubstr("fabrictwin_study_info{"));
    EXPECT_THAT(page, HasSubstr("command=\"" + command + "\""));
    const std::string number = runs > 0 ? std::to_string(runs) : "[1-9][0-9]*";
    if (known) {
      EXPECT_THAT(page, ContainsRegex("\nfabrictwin_study_runs " + number + "\n"));
    }
    EXPECT_THAT(page, ContainsRegex("\nfabrictwin_study_runs_ended_total " + number + "\n"));
    EXPECT_THAT(page, HasSubstr("\nfabrictwin_study_runs_failed_total 0\n"));
    EXPECT_THAT(page, HasSubstr("\nfabrictwin_study_runs_active 0\n"));
    for (const char* family : {"fabrictwin_run_info{", "fabrictwin_run_state 1", "fabrictwin_link_class_bytes_total{",
                               "fabrictwin_partition_busy_seconds_total{", "process_cpu_seconds_total "})
      EXPECT_THAT(page, HasSubstr("\n" + std::string(family))) << "of the last run, and of the process";
    EXPECT_EQ(process->wait(), 0) << read_file(folder_.file("command.log"));
  }

  const TestFolder folder_;
  const std::string file_ = folder_.write("small.textproto",
                                          "topology { torus { dims: 2 dims: 2 } }\n"
                                          "workload { traffic { load: 0.3 payload: \"64B\" duration: \"2us\" } }\n");
};

TEST_F(MetricsCliTest, CommandsOfManyRunsTellOfTheStudyAndOfARun) {
  expect_study({"run", file_, "--sweep", "load=0.1:0.3:0.1", "--jobs", "1"}, "run --sweep", 3);
  expect_study({"run", file_, "--sweep", "load=0.1,0.2", "--jobs", "2", "--set", "router.model=PACKET"}, "run --sweep",
               2);
  expect_study({"run", file_, "--saturation", "--precision", "0.2", "--set", "router.model=INPUT_QUEUED", "--set",
                "workload.traffic.sample_cycles=500", "--set", "workload.traffic.duration="},
               "run --saturation", 0, false);
  expect_study({"compare", "workloads/experiments/congestion/incast8.textproto", "--schemes", "none,dcqcn"}, "compare",
               2);
  expect_study({"osu", "latency", file_, "--sizes", "8", "--iterations", "2"}, "osu", 1);
  expect_study({"reproduce", "tofu"}, "reproduce", 0);
  expect_study({"validate", file_, "--runs", "2"}, "validate", 4);
}

TEST_F(MetricsCliTest, TopFollowsAStudyToItsEnd) {
  const auto process = start({"run", file_, "--sweep", "load=0.1:0.3:0.1"});
  const CliResult top = run_cli({"top", "127.0.0.1:" + std::to_string(port_in(process->log())), "--interval", "20ms"});
  EXPECT_EQ(top.exit_code, 0) << top.err;
  EXPECT_THAT(top.out, HasSubstr("study       run --sweep: 3 of 3 runs ended\n            complete  [####"));
  EXPECT_THAT(top.out, HasSubstr("topology    torus 2x2\n"));
  EXPECT_EQ(process->wait(), 0);
}

TEST_F(MetricsCliTest, AnInterruptedStudyDoesNotWaitForAScrape) {
  const CliResult result = run_cli({"run", file_, "--sweep", "load=0.1,0.2", "--set", "workload.traffic.duration=1000s",
                                    "--metrics", "127.0.0.1:0", "--metrics-linger", "3600s"},
                                   {}, "serving metrics");
  EXPECT_EQ(result.exit_code, 130) << result.err;
}

// Whether all of them could be written is a part of it.
TEST_F(MetricsCliTest, ARunTellsItsExitCodeWhenItsResultsAreWritten) {
  const auto process = start({"run", file_, "--out", folder_.file("out"), "--metrics-file", folder_.file("run.om")});
  const std::string page = final_page(*process);
  EXPECT_THAT(page, HasSubstr("\nfabrictwin_exit_status 0\n"));
  EXPECT_THAT(page, HasSubstr("\nfabrictwin_run_state 1\n"));
  EXPECT_TRUE(nlohmann::json::accept(read_file(folder_.file("out") + "/report.json")));
  EXPECT_THAT(read_file(folder_.file("run.om")), ContainsRegex("\nfabrictwin_exit_status[{].*[}] 0 "));
  EXPECT_EQ(process->wait(), 0) << process->log();
}

TEST_F(MetricsCliTest, AWorkerTellsOfItsPartitions) {
  const auto worker = start({"worker", "--listen", "127.0.0.1:0", "--once"});
  const std::string address = address_in(*worker);
  const uint16_t port = port_in(worker->log());
  const std::string before = http_get(port, "/metrics");
  EXPECT_THAT(before, HasSubstr("fabrictwin_service_info{service=\"worker\",run=\"\"} 1\n"));
  EXPECT_THAT(before, Not(HasSubstr("\nfabrictwin_exit_status "))) << "it goes on";
  const CliResult run = run_cli({"run", file_, "--quiet", "--use", "router[1]=RTL@" + address});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  // This is the scrape for which it waits.
  const std::string page = http_get(port, "/metrics");
  EXPECT_THAT(page, HasSubstr("\nfabrictwin_service_runs_total 1\n"));
  EXPECT_THAT(page, ContainsRegex("fabrictwin_partition_info.partition=\"router.1.\",kind=\"RTL\",place=\"127"));
  EXPECT_THAT(page, ContainsRegex("fabrictwin_partition_events_total.partition=\"router.1.\". [1-9]"));
  EXPECT_THAT(page, ContainsRegex("fabrictwin_partition_records_received_total.partition=\"router.1.\". [1-9]"));
  EXPECT_THAT(page, ContainsRegex("fabrictwin_partition_busy_seconds_total.partition=\"router.1.\". [0-9.e-]*[1-9]"));
  EXPECT_THAT(page, HasSubstr("\nprocess_resident_memory_bytes "));
}

TEST_F(MetricsCliTest, ABoardAndItsAgentTellOfTheBoard) {
  const std::string window = folder_.file("board.window");
  const auto board = start({"board", "--soft", "--window", window}, "board");
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(window); })) << board->log();
  const auto agent = start({"board", "--window", window, "--listen", "127.0.0.1:0", "--once"}, "agent");
  const std::string address = address_in(*agent);
  const CliResult run = run_cli({"run", file_, "--quiet", "--use", "router[1]=BOARD@" + address});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (const auto& [process, service] : {std::pair(board.get(), "soft board"), std::pair(agent.get(), "board agent")}) {
    const std::string page = http_get(port_in(process->log()), "/metrics");
    EXPECT_THAT(page, HasSubstr(std::string("fabrictwin_service_info{service=\"") + service + "\",run=\"\"} 1\n"));
    EXPECT_THAT(page, HasSubstr("\nfabrictwin_service_runs_total 1\n"));
    EXPECT_THAT(page, ContainsRegex("fabrictwin_partition_info.partition=\"router.1.[^\"]*\",kind=\"BOARD\""));
    EXPECT_THAT(page, ContainsRegex("fabrictwin_partition_events_total.partition=\"router.1.[^\"]*\". [1-9]"));
    EXPECT_THAT(page, ContainsRegex("fabrictwin_partition_records_sent_total.partition=\"router.1.[^\"]*\". [1-9]"));
  }
}

TEST_F(MetricsCliTest, AVerilatedShellTellsOfItself) {
  const std::string window = folder_.file("board.window");
  const auto board = start({"board", "--shell", "--window", window}, "board");
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(window); })) << board->log();
  const CliResult selftest = run_cli({"board", "--window", window, "--selftest"});
  ASSERT_EQ(selftest.exit_code, 0) << selftest.out << selftest.err;
  // A test ends before anybody could look, and serves nobody.
  for (const std::string option : {"--metrics", "--listen"}) {
    const CliResult refused = run_cli({"board", "--window", window, "--selftest", option, "127.0.0.1:0"});
    EXPECT_EQ(refused.exit_code, 2) << option;
    EXPECT_THAT(refused.err, HasSubstr("excludes"));
  }
  const std::string page = http_get(port_in(board->log()), "/metrics");
  EXPECT_THAT(page, HasSubstr("fabrictwin_service_info{service=\"Verilated shell\",run=\""));
  EXPECT_THAT(page, HasSubstr("\nfabrictwin_service_runs_total 1\n"));
  EXPECT_THAT(page, HasSubstr("fabrictwin_partition_info{partition=\"shell\",kind=\"BOARD\""));
  EXPECT_THAT(page, ContainsRegex("fabrictwin_partition_events_total.partition=\"shell\". [1-9]"));
  EXPECT_THAT(page, ContainsRegex("fabrictwin_partition_records_received_total.partition=\"shell\". [1-9]"));
  EXPECT_THAT(page, ContainsRegex("fabrictwin_partition_records_sent_total.partition=\"shell\". [1-9]"));
  EXPECT_THAT(page, ContainsRegex("fabrictwin_partition_busy_seconds_total.partition=\"shell\". [0-9.e-]*[1-9]"));
}

TEST_F(MetricsCliTest, FinalMetricsArePushed) {
  const KeptRequests gateway;
  const std::string url = "http://127.0.0.1:" + std::to_string(gateway.port());
  const auto pushed = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--metrics-push", url});
    const size_t before = gateway.all().size();
    const CliResult result = run_cli(all);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("metrics pushed to " + url + "/metrics/job/fabrictwin/instance/"));
    EXPECT_EQ(gateway.all().size(), before + 1) << words[0];
    return gateway.all().back();
  };
  const KeptRequests::Request run = pushed({"run", file_});
  EXPECT_THAT(run.line, ContainsRegex("^PUT /metrics/job/fabrictwin/instance/[0-9]+T[0-9]+Z-[0-9]+-[0-9a-f]{6} HTTP"));
  EXPECT_THAT(run.body, HasSubstr("\nfabrictwin_run_state 1\n"));
  EXPECT_THAT(run.body, HasSubstr("\nfabrictwin_exit_status 0\n"));
  EXPECT_THAT(run.body, ContainsRegex("\nfabrictwin_packets_delivered_total [1-9]"));
  EXPECT_THAT(run.body, HasSubstr("\nprocess_cpu_seconds_total "));
  const size_t id = run.line.rfind('/', run.line.find(" HTTP")) + 1;
  EXPECT_THAT(run.body, HasSubstr("run=\"" + run.line.substr(id, run.line.find(" HTTP") - id) + "\""));
  const KeptRequests::Request sweep = pushed({"run", file_, "--sweep", "load=0.1,0.2", "--metrics", "127.0.0.1:0"});
  EXPECT_THAT(sweep.body, HasSubstr("\nfabrictwin_study_runs_ended_total 2\n"));
  EXPECT_THAT(sweep.body, HasSubstr("\nfabrictwin_study_state 1\n"));
  EXPECT_THAT(pushed({"osu", "latency", file_, "--sizes", "8"}).body, HasSubstr("command=\"osu\""));
}

TEST_F(MetricsCliTest, AtTheEndAllPartitionsAreThere) {
  const KeptRequests gateway;
  const auto worker = start({"worker", "--listen", "127.0.0.1:0"});
  const std::string address = address_in(*worker);
  for (const std::string stop : {"at_workload_end=true", "after_simulated=800ns"}) {
    const CliResult result = run_cli({"run", file_, "--quiet", "--use", "router[1]=RTL@" + address, "--metrics-push",
                                      "http://127.0.0.1:" + std::to_string(gateway.port()), "--set", "stop." + stop});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const std::string page = gateway.all().back().body;
    std::smatch end;
    ASSERT_TRUE(std::regex_search(page, end, std::regex("\nfabrictwin_simulated_seconds_total (.*)\n")));
    const std::regex partition("fabrictwin_partition_simulated_seconds\\{.*\\} (.*)\n");
    std::vector<std::string> ends;
    for (auto each = std::sregex_iterator(page.begin(), page.end(), partition); each != std::sregex_iterator(); ++each)
      ends.push_back((*each)[1]);
    EXPECT_THAT(ends, testing::AllOf(testing::SizeIs(2), testing::Each(end[1].str())));
  }
}

TEST_F(MetricsCliTest, AnInterruptedRunIsPushed) {
  const KeptRequests gateway;
  const CliResult result = run_cli({"run", file_, "--set", "workload.traffic.duration=1000s", "--metrics-push",
                                    "127.0.0.1:" + std::to_string(gateway.port())},
                                   {}, "simulated");
  EXPECT_EQ(result.exit_code, 130) << result.err;
  ASSERT_EQ(gateway.all().size(), 1u);
  EXPECT_THAT(gateway.all()[0].body, HasSubstr("\nfabrictwin_run_state 2\n"));
  EXPECT_THAT(gateway.all()[0].body, HasSubstr("\nfabrictwin_exit_status 130\n"));
}

TEST_F(MetricsCliTest, HowCommandsFailIsPushed) {
  const KeptRequests gateway;
  const auto pushed = [&](std::vector<std::string> words, int code) {
    words.insert(words.end(), {"--quiet", "--metrics-push", "127.0.0.1:" + std::to_string(gateway.port())});
    const size_t before = gateway.all().size();
    const CliResult result = run_cli(words);
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_EQ(gateway.all().size(), before + 1) << words[0];
    return gateway.all().empty() ? std::string() : gateway.all().back().body;
  };
  // A worker that nobody runs: the run ends before it has begun.
  const std::string nobody = "unix:" + folder_.file("nobody");
  const std::string failed = pushed({"run", file_, "--use", "router[1]=RTL@" + nobody}, 1);
  EXPECT_THAT(failed, HasSubstr("\nfabrictwin_exit_status 1\n"));
  EXPECT_THAT(failed, HasSubstr("\nfabrictwin_run_state 2\n"));
  const std::string study =
      pushed({"run", file_, "--use", "router[1]=MODEL", "--sweep", "use[0].place=inproc," + nobody, "--jobs", "1"}, 1);
  EXPECT_THAT(study, HasSubstr("\nfabrictwin_exit_status 1\n"));
  EXPECT_THAT(study, HasSubstr("\nfabrictwin_study_state 1\n")) << "all its runs have ended";
  EXPECT_THAT(study, HasSubstr("\nfabrictwin_study_runs_failed_total 1\n"));
  // It ended as it was asked to, and before its workload.
  const std::string stopped = pushed({"run", file_, "--set", "stop.after_simulated=1us"}, 0);
  EXPECT_THAT(stopped, HasSubstr("\nfabrictwin_exit_status 0\n"));
  EXPECT_THAT(stopped, HasSubstr("\nfabrictwin_run_state 2\n"));
}

TEST_F(MetricsCliTest, APushThatFailsIsAWarning) {
  const KeptRequests refusing(500);
  const std::string url = "http://127.0.0.1:" + std::to_string(refusing.port());
  const CliResult refused = run_cli({"run", file_, "--metrics-push", url});
  EXPECT_EQ(refused.exit_code, 0);
  EXPECT_THAT(refused.err, ContainsRegex("warning: --metrics-push: " + url + ".*answers with HTTP status 500"));
  EXPECT_THAT(refused.out, HasSubstr("complete        yes"));
  const CliResult nobody = run_cli({"run", file_, "--quiet", "--metrics-push", "127.0.0.1:1"});
  EXPECT_EQ(nobody.exit_code, 0);
  EXPECT_THAT(nobody.err, HasSubstr("warning: --metrics-push: nobody answers at http://127.0.0.1:1/metrics/job/"));
}

TEST_F(MetricsCliTest, ABadGatewayIsRefusedBeforeTheRun) {
  for (const char* url : {"gateway", "", "ftp://a:1", "http://user:word@a:1"}) {
    const CliResult result = run_cli({"run", file_, "--metrics-push", url});
    EXPECT_EQ(result.exit_code, 2) << url;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("--metrics-push"));
  }
  EXPECT_EQ(run_cli({"run", file_, "--metrics-links", "all"}).exit_code, 2) << "of nothing";
  EXPECT_EQ(run_cli({"run", file_, "--metrics-partitions", "none"}).exit_code, 2) << "of nothing";
  EXPECT_EQ(run_cli({"run", file_, "--metrics-partitions", "some"}).exit_code, 2);
  EXPECT_EQ(run_cli({"run", file_, "--metrics-links", "all", "--metrics-file", folder_.file("m.om")}).exit_code, 0);
}

TEST_F(MetricsCliTest, ABadAddressIsRefusedBeforeAnythingIsDone) {
  const std::string incast = "workloads/experiments/congestion/incast8.textproto";
  for (const std::vector<std::string>& words : {std::vector<std::string>{"run", file_, "--sweep", "load=0.1,0.2"},
                                                {"run", file_, "--saturation"},
                                                {"run", file_},
                                                {"compare", incast, "--schemes", "none"},
                                                {"osu", "latency", file_},
                                                {"reproduce", "tofu"},
                                                {"validate", file_},
                                                {"worker", "--listen", "127.0.0.1:0"},
                                                {"board", "--soft", "--window", folder_.file("w")},
                                                {"board", "--window", folder_.file("w")}}) {
    const auto with = [&](const std::vector<std::string>& more) {
      std::vector<std::string> all = words;
      all.insert(all.end(), more.begin(), more.end());
      return run_cli(all);
    };
    const CliResult address = with({"--metrics", "9464"});
    EXPECT_EQ(address.exit_code, 2) << words[0];
    EXPECT_EQ(address.out, "");
    EXPECT_THAT(address.err, HasSubstr("--metrics: metrics address \"9464\": there is no port")) << words[0];
    EXPECT_EQ(with({"--metrics", "127.0.0.1:0", "--metrics-linger", "long"}).exit_code, 2) << words[0];
    EXPECT_EQ(with({"--metrics-linger", "1s"}).exit_code, 2) << words[0] << ": nothing is served";
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.file("w")));
}

}  // namespace
}  // namespace fabrictwin
