// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The metrics of a real run: they agree with its report and change nothing in it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "cosim/run/run.h"
#include "dashboards/metrics_server.h"
#include "models/model_partition.h"
#include "models/topology/topology.h"
#include "rtl/rtl_partition.h"
#include "tests/dashboards/http_get.h"
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

std::unique_ptr<Run> make_run(int threads) {
  absl::StatusOr<Experiment> experiment = parse_experiment(kExperiment, "live.textproto");
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  if (!experiment.ok()) return nullptr;
  Registry registry;
  registry.topology = build_topology;
  registry.model = [](const PartitionContext& context) { return ModelPartition::create(context, make_workload); };
  registry.rtl = make_rtl_partition;
  RunOptions options;
  options.threads = threads;
  absl::StatusOr<std::unique_ptr<Run>> run =
      Run::create(*std::move(experiment), std::move(registry), {}, std::move(options));
  EXPECT_TRUE(run.ok()) << run.status();
  return run.ok() ? *std::move(run) : nullptr;
}

TEST(LiveMetrics, AgreeWithTheReport) {
  const auto run = make_run(1);
  ASSERT_NE(run, nullptr);
  const auto server = MetricsServer::create("127.0.0.1:0", *run);
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

TEST(LiveMetrics, ScrapingChangesNoResult) {
  // A process holds one SystemC context at a time, so the runs come one after the other.
  v1::Report plain;
  {
    const auto run = make_run(1);
    ASSERT_NE(run, nullptr);
    ASSERT_TRUE(run->execute({}).ok());
    plain = run->report();
  }

  const auto scraped = make_run(2);
  ASSERT_NE(scraped, nullptr);
  const auto server = MetricsServer::create("127.0.0.1:0", *scraped);
  ASSERT_TRUE(server.ok()) << server.status();
  std::atomic<int> scrapes{0};
  std::jthread prometheus([&](std::stop_token stop) {
    while (!stop.stop_requested()) {
      if (!http_get((*server)->address().port, "/metrics").empty()) ++scrapes;
    }
  });
  while (scrapes == 0) std::this_thread::yield();
  const absl::Status status = scraped->execute({});
  prometheus.request_stop();
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(scraped->report().timing_digest(), plain.timing_digest());
  EXPECT_EQ(scraped->report().payload_digest(), plain.payload_digest());
}

}  // namespace
}  // namespace fabrictwin
