// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The metrics of a real run: they agree with its report and change nothing in it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/run/run.h"
#include "dashboards/metrics/metrics_server.h"
#include "models/network/topology.h"
#include "models/partition/factory.h"
#include "rtl/partition.h"
#include "tests/dashboards/metrics/held_partition.h"
#include "tests/dashboards/metrics/http_get.h"
#include "tests/dashboards/metrics/promtool.h"
#include "tests/experiments.h"
#include "workloads/workload_factory.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kExperiment = R"(
topology { torus { dims: 2 dims: 2 } }
use { select: "router[1]" implementation: RTL }
workload { traffic { pattern: UNIFORM load: 0.5 payload: "256B" duration: "5us" } }
seed: 3
)";

constexpr const char* kInputQueued = R"(
topology { torus { dims: 4 dims: 4 } }
router { model: INPUT_QUEUED }
workload { traffic { pattern: UNIFORM load: 0.3 payload: "256B" } }
statistics { occupancy_interval: "100ns" }
)";

constexpr const char* kPacket = R"(
topology { torus { dims: 2 dims: 2 } }
router { model: PACKET }
workload { traffic { pattern: UNIFORM load: 0.3 payload: "256B" duration: "50us" } }
statistics { occupancy_interval: "100ns" }
)";

constexpr const char* kMessages = R"(
topology { torus { dims: 2 dims: 2 dims: 2 } }
workload { mpi_trace { path: "workloads/experiments/data/minife-8.fttrace" compute_scale: 0 } }
statistics { latency_histogram: true }
)";

constexpr const char* kPacketMessages = R"(
topology { torus { dims: 2 dims: 2 dims: 2 } }
router { model: PACKET }
workload { mpi_trace { path: "workloads/experiments/data/minife-8.fttrace" compute_scale: 0 } }
statistics { latency_histogram: true }
)";

constexpr const char* kFlows = R"(
topology { torus { dims: 2 dims: 2 dims: 2 } }
workload { jobs {
  job { incast { sources: 3 bytes: "10kB" } placement { hosts: "0,1,2,4" } }
  job { incast { sources: 1 bytes: "70kB" } placement { hosts: "5,6" } }
} }
)";

std::unique_ptr<run::Run> make_run(int threads, const char* text = kExperiment, Hold* hold = nullptr) {
  absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(text, "live.textproto");
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  if (!experiment.ok()) return nullptr;
  run::Registry registry;
  registry.tenants = workloads::tenants();
  registry.topology = network::build_topology;
  registry.model = [hold](const run::PartitionContext& context) -> absl::StatusOr<std::unique_ptr<engine::Partition>> {
    absl::StatusOr<std::unique_ptr<engine::Partition>> models =
        partition::create_model_partition(context, workloads::make_workload);
    if (!models.ok() || hold == nullptr) return models;
    // Beyond the latency of all links, so that other partitions have begun too.
    return std::make_unique<HeldPartition>(*std::move(models), Time::from_us(1), *hold);
  };
  registry.rtl = rtl::make_rtl_partition;
  run::RunOptions options;
  options.threads = threads;
  absl::StatusOr<std::unique_ptr<run::Run>> run =
      run::Run::create(*std::move(experiment), std::move(registry), {}, std::move(options));
  EXPECT_TRUE(run.ok()) << run.status();
  return run.ok() ? *std::move(run) : nullptr;
}

TEST(LiveMetrics, AgreeWithTheReport) {
  const auto run = make_run(1);
  ASSERT_NE(run, nullptr);
  const auto server =
      dashboards::metrics::MetricsServer::create("127.0.0.1:0", *run, {"run1", "1.2.3", "abc", "node1"}, {});
  ASSERT_TRUE(server.ok()) << server.status();
  const uint16_t port = (*server)->address().port;

  const std::string before = http_get(port, "/metrics");
  EXPECT_THAT(before, HasSubstr("fabrictwin_run_info{"));
  EXPECT_THAT(before, HasSubstr("experiment=\"live.textproto\""));
  EXPECT_THAT(before, Not(HasSubstr("fabrictwin_partition_events_total{")));

  const absl::Status status = run->execute({});
  ASSERT_TRUE(status.ok()) << status;
  const std::string after = http_get(port, "/metrics");
  uint64_t packets = 0;
  for (const v1::LinkReport& link : run->report().links()) {
    EXPECT_THAT(after,
                HasSubstr(fmt::format("fabrictwin_link_bytes_total{{link=\"{}\"}} {}\n", link.name(), link.bytes())));
    EXPECT_THAT(after, HasSubstr(fmt::format("fabrictwin_link_packets_total{{link=\"{}\"}} {}\n", link.name(),
                                             link.packets())));
    packets += link.packets();
  }
  EXPECT_GT(packets, 0u);
  ASSERT_EQ(run->report().partitions_size(), 2);
  for (const v1::PartitionReport& partition : run->report().partitions()) {
    EXPECT_GT(partition.events(), 0u) << partition.name();
    EXPECT_THAT(after, HasSubstr(fmt::format("fabrictwin_partition_events_total{{partition=\"{}\"}} {}\n",
                                             partition.name(), partition.events())));
    EXPECT_THAT(after, HasSubstr(fmt::format("fabrictwin_partition_records_sent_total{{partition=\"{}\"}} {}\n",
                                             partition.name(), partition.records_out())));
  }
}

/// The value of a series on a page, NaN if it is not there.
double value_on(const std::string& page, const std::string& series) {
  const size_t at = page.find("\n" + series + " ");
  return at == std::string::npos ? std::nan("") : std::stod(page.substr(at + series.size() + 2));
}

/// What the page of a run that is over says.
std::string page_of(const run::Run& run) {
  const auto server =
      dashboards::metrics::MetricsServer::create("127.0.0.1:0", run, {"run1", "1.2.3", "abc", "node1"}, {});
  EXPECT_TRUE(server.ok()) << server.status();
  return server.ok() ? http_get((*server)->address().port, "/metrics") : std::string();
}

template <typename Latencies>
void expect_summary(const std::string& page, const std::string& name, const Latencies& latencies, uint64_t count,
                    double unit) {
  EXPECT_EQ(value_on(page, name + "_count"), static_cast<double>(count));
  const auto near = [&](const std::string& series, double value) {
    EXPECT_NEAR(value_on(page, name + series), value * unit, 1e-6 * value * unit) << series;
  };
  near("_sum", latencies.mean() * static_cast<double>(count));
  near("{quantile=\"0.5\"}", latencies.p50());
  near("{quantile=\"0.9\"}", latencies.p90());
  near("{quantile=\"0.99\"}", latencies.p99());
  near("{quantile=\"0.999\"}", latencies.p99_9());
  near("{quantile=\"0.9999\"}", latencies.p99_99());
}

void expect_loads(const std::string& page, const v1::TrafficReport& traffic) {
  EXPECT_GT(traffic.accepted_load(), 0);
  EXPECT_GT(traffic.accepted_load_min_node(), 0);
  EXPECT_LE(traffic.accepted_load_min_node(), traffic.accepted_load());
  EXPECT_NEAR(value_on(page, "fabrictwin_accepted_load_ratio"), traffic.accepted_load(), 1e-6);
  EXPECT_NEAR(value_on(page, "fabrictwin_accepted_load_min_node_ratio"), traffic.accepted_load_min_node(), 1e-6);
  EXPECT_NEAR(value_on(page, "fabrictwin_jain_index"), traffic.jain_index(), 1e-6);
}

// At the end both tell of the same; each model as far as it measures.
TEST(LiveMetrics, TellWhatTheReportTellsOfTraffic) {
  for (const char* text : {kExperiment, kInputQueued, kPacket}) {
    const auto run = make_run(1, text);
    ASSERT_NE(run, nullptr);
    ASSERT_TRUE(run->execute({}).ok());
    const v1::TrafficReport& traffic = run->report().traffic();
    const std::string page = page_of(*run);
    expect_loads(page, traffic);
    if (text == kInputQueued) {
      const double cycle = run->plan().graph.router_clock.period().seconds();
      expect_summary(page, "fabrictwin_packet_latency_seconds", traffic.latency_cycles(), traffic.measured_packets(),
                     cycle);
    } else {
      expect_summary(page, "fabrictwin_packet_latency_seconds", traffic.latency_seconds(), traffic.packets_received(),
                     1);
    }
    EXPECT_THAT(promtool_complaints(page), testing::IsEmpty());
    EXPECT_FALSE(std::isnan(value_on(page, "fabrictwin_router_buffer_max_flits")));
    if (text != kExperiment) {
      EXPECT_EQ(value_on(page, "fabrictwin_router_buffer_capacity_flits"),
                static_cast<double>(run->report().occupancy().capacity_flits()));
    }
  }
}

TEST(LiveMetrics, TellWhatTheReportTellsOfMessages) {
  for (const char* text : {kMessages, kPacketMessages}) {
    const auto run = make_run(1, text);
    ASSERT_NE(run, nullptr);
    ASSERT_TRUE(run->execute({}).ok());
    const v1::LatencySeconds& latency = run->report().message_latency_seconds();
    const std::string page = page_of(*run);
    EXPECT_GT(latency.count(), 0u);
    expect_summary(page, "fabrictwin_message_latency_seconds", latency, latency.count(), 1);
    EXPECT_TRUE(std::isnan(value_on(page, "fabrictwin_accepted_load_ratio")));
  }
}

TEST(LiveMetrics, TellWhatTheReportTellsOfRanks) {
  for (const char* text : {kMessages, kPacketMessages}) {
    const auto run = make_run(1, text);
    ASSERT_NE(run, nullptr);
    ASSERT_TRUE(run->execute({}).ok());
    double communication = 0;
    uint64_t messages = 0;
    for (const v1::Rank& rank : run->report().ranks()) {
      communication += rank.communication_seconds();
      messages += rank.messages_sent();
    }
    const std::string page = page_of(*run);
    const auto value = [&](const std::string& name) {
      return value_on(page, "fabrictwin_mpi_" + name + "{mpi_job=\"mpi_trace\"}");
    };
    EXPECT_EQ(value("ranks"), 8);
    EXPECT_EQ(value("messages_total"), static_cast<double>(messages));
    EXPECT_NEAR(value("communication_seconds_total"), communication, 1e-6 * communication);
    // The rest is software of MPI.
    EXPECT_GT(value("wait_seconds_total"), 0);
    EXPECT_LT(value("wait_seconds_total"), 0.95 * communication);
  }
}

/// Routers of words, packets and flits side by side, each with their hosts.
constexpr const char* kDepths = R"(
use { select: "router[0,3,6]" implementation: MODEL depth: PACKET }
use { select: "router[5]" implementation: MODEL depth: INPUT_QUEUED }
)";

void expect_no_series_twice(const std::string& page) {
  std::set<std::string> all;
  for (const std::string_view line : split(page, "\n")) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::string series(line.substr(0, line.rfind(' ')));
    EXPECT_TRUE(all.insert(series).second) << series << " is there twice";
  }
}

// Each depth is a partition, which knows its own hosts.
TEST(LiveMetrics, AddUpWhatRanksOfSeveralDepthsDo) {
  const auto run = make_run(1, (std::string(kMessages) + kDepths).c_str());
  ASSERT_NE(run, nullptr);
  ASSERT_TRUE(run->execute({}).ok());
  ASSERT_EQ(run->plan().partitions.size(), 3u);
  uint64_t messages = 0;
  for (const v1::Rank& rank : run->report().ranks()) messages += rank.messages_sent();
  const std::string page = page_of(*run);
  expect_no_series_twice(page);
  EXPECT_EQ(value_on(page, "fabrictwin_mpi_ranks{mpi_job=\"mpi_trace\"}"), 8);
  EXPECT_EQ(value_on(page, "fabrictwin_mpi_ranks_ended{mpi_job=\"mpi_trace\"}"), 8);
  EXPECT_EQ(value_on(page, "fabrictwin_mpi_messages_total{mpi_job=\"mpi_trace\"}"), static_cast<double>(messages));
  EXPECT_GT(value_on(page, "fabrictwin_message_latency_seconds_count"), 0);
  EXPECT_TRUE(std::isnan(value_on(page, "fabrictwin_router_buffer_mean_flits"))) << "a mean of some routers";
  EXPECT_EQ(value_on(page, "fabrictwin_packets_delivered_total"),
            static_cast<double>(run->report().packets_delivered()));
}

TEST(LiveMetrics, AddUpFlowsOfSeveralDepths) {
  const auto run = make_run(1, (std::string(kFlows) + kDepths).c_str());
  ASSERT_NE(run, nullptr);
  const absl::Status status = run->execute({});
  ASSERT_TRUE(status.ok()) << status;
  ASSERT_EQ(run->plan().partitions.size(), 3u);
  const std::string page = page_of(*run);
  expect_no_series_twice(page);
  EXPECT_EQ(value_on(page, "fabrictwin_flows"), 4);
  EXPECT_EQ(value_on(page, "fabrictwin_flows_complete_total"), 4);
  EXPECT_EQ(value_on(page, "fabrictwin_flow_bytes_total"), 100'000);
  EXPECT_EQ(value_on(page, "fabrictwin_flow_completion_seconds_count{size=\"to 10 kB\"}"), 3);
  EXPECT_EQ(value_on(page, "fabrictwin_flow_completion_seconds_count{size=\"to 100 kB\"}"), 1);
}

/// Runs `text`, scraped all the time. The report; at least one page is from the middle of the run.
v1::Report scraped_report(int threads, const char* text) {
  Hold hold;
  const auto run = make_run(threads, text, &hold);
  if (run == nullptr) return {};
  const auto server =
      dashboards::metrics::MetricsServer::create("127.0.0.1:0", *run, {"run1", "1.2.3", "abc", "node1"}, {});
  EXPECT_TRUE(server.ok()) << server.status();
  if (!server.ok()) return {};
  std::atomic<int> scrapes{0};
  std::jthread prometheus([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const bool live = hold.reached && !hold.released;
      const std::string page = http_get((*server)->address().port, "/metrics");
      if (!page.empty()) ++scrapes;
      if (!live) continue;
      EXPECT_GT(value_on(page, "fabrictwin_simulated_seconds_total"), 0);
      hold.released = true;
    }
  });
  while (scrapes == 0) std::this_thread::yield();
  const absl::Status status = run->execute({});
  prometheus.request_stop();
  prometheus.join();
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_TRUE(hold.released) << "the run was over before anybody could look";
  return run->report();
}

// A process holds one SystemC context at a time, so the runs come one after the other.
TEST(LiveMetrics, ScrapingChangesNoResult) {
  for (const char* text : {kExperiment, kInputQueued, kPacket, kPacketMessages}) {
    SCOPED_TRACE(text);
    v1::Report plain;
    {
      const auto run = make_run(1, text);
      ASSERT_NE(run, nullptr);
      ASSERT_TRUE(run->execute({}).ok());
      plain = run->report();
    }
    const v1::Report scraped = scraped_report(2, text);
    EXPECT_TRUE(scraped.complete());
    EXPECT_EQ(scraped.timing_digest(), plain.timing_digest());
    EXPECT_EQ(scraped.payload_digest(), plain.payload_digest());
    EXPECT_EQ(scraped.packets_delivered(), plain.packets_delivered());
    if (text == kPacketMessages) {
      EXPECT_EQ(scraped.run().threads(), 2);
    }
  }
}

}  // namespace
}  // namespace fabrictwin
