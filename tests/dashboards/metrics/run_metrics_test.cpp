// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/metrics/run_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dashboards/metrics/process_metrics.h"
#include "tests/dashboards/metrics/small_run.h"

namespace fabrictwin {
namespace {

using Labels = std::map<std::string, std::string>;
using Families = std::vector<prometheus::MetricFamily>;

const prometheus::MetricFamily* find(const Families& families, std::string_view metric) {
  for (const auto& family : families) {
    if (family.name == metric) return &family;
  }
  return nullptr;
}

/// The value of one series, or -1.
double value_of(const Families& families, std::string_view metric, const Labels& labels) {
  const prometheus::MetricFamily* family = find(families, metric);
  if (family == nullptr) return -1;
  for (const auto& series : family->metric) {
    Labels own;
    for (const auto& label : series.label) own[label.name] = label.value;
    if (own == labels)
      return family->type == prometheus::MetricType::Counter ? series.counter.value : series.gauge.value;
  }
  return -1;
}

// Those of models that are not in this program are in the catalogue of none.
TEST(RunMetrics, ThereIsAFamilyForEachMetricOfTheCatalogueInItsOrder) {
  const SmallRun run;
  const Families families = run.families();
  ASSERT_EQ(families.size(), metric::catalogue().size());
  for (size_t i = 0; i < families.size(); ++i) {
    const metric::Metric& metric = *metric::catalogue()[i];
    EXPECT_EQ(families[i].name, metric.name());
    EXPECT_EQ(families[i].help, metric.help());
    for (const auto& series : families[i].metric)
      EXPECT_EQ(series.label.size(), metric.labels().size()) << metric.name();
  }
}

TEST(RunMetrics, StandInTheOrderOfTheirOrderAndGiveAllOfARun) {
  const SmallRun run;
  std::vector<std::string> shown;
  for (const auto& family : run.families()) {
    if (!family.metric.empty()) shown.push_back(family.name);
  }
  EXPECT_THAT(shown, testing::ElementsAre(
                         "fabrictwin_run_info", "fabrictwin_simulated_seconds_total", "fabrictwin_wall_seconds_total",
                         "fabrictwin_run_state", "fabrictwin_progress_ratio", "fabrictwin_remaining_seconds",
                         "fabrictwin_packets_delivered_total", "fabrictwin_link_class_links",
                         "fabrictwin_link_class_bytes_total", "fabrictwin_link_class_busiest_bytes",
                         "fabrictwin_link_class_busiest_use_seconds_total", "fabrictwin_link_class_packets_total",
                         "fabrictwin_link_class_credit_stall_seconds_total", "fabrictwin_link_bytes_total",
                         "fabrictwin_link_packets_total", "fabrictwin_link_credit_stall_seconds_total",
                         "fabrictwin_link_stall_to_flit_ratio", "fabrictwin_partition_kind_partitions",
                         "fabrictwin_partition_kind_events_total", "fabrictwin_partition_kind_busy_seconds_total",
                         "fabrictwin_partition_kind_wait_seconds_total", "fabrictwin_partition_info",
                         "fabrictwin_partition_events_total", "fabrictwin_partition_rounds_total",
                         "fabrictwin_partition_busy_seconds_total", "fabrictwin_partition_wait_seconds_total",
                         "fabrictwin_partition_simulated_seconds", "fabrictwin_partition_lookahead_seconds",
                         "fabrictwin_partition_waits_for", "fabrictwin_partition_records_received_total",
                         "fabrictwin_partition_records_sent_total", "fabrictwin_transport_records_total",
                         "fabrictwin_transport_messages_total", "fabrictwin_transport_bytes_total",
                         "fabrictwin_test_fill_flits", "fabrictwin_test_wait_seconds"));
}

TEST(RunMetrics, CountsLinksInBytesPacketsAndSeconds) {
  SmallRun run;
  run.links[0].words.set(36);
  run.links[0].packets.set(2);
  // 156.25 MHz: 6.4 ns a cycle.
  run.links[0].credit_stall_cycles.set(1000);
  const Families families = run.families();
  const Labels link{{"link", "host[0].tile->router[0].tile"}};
  const Labels back{{"link", "router[0].tile->host[0].tile"}};
  EXPECT_EQ(value_of(families, "fabrictwin_link_bytes_total", link), 36 * 16);
  EXPECT_EQ(value_of(families, "fabrictwin_link_packets_total", link), 2);
  EXPECT_DOUBLE_EQ(value_of(families, "fabrictwin_link_credit_stall_seconds_total", link), 6.4e-6);
  EXPECT_DOUBLE_EQ(value_of(families, "fabrictwin_link_stall_to_flit_ratio", link), 1000.0 / 36);
  EXPECT_EQ(value_of(families, "fabrictwin_link_stall_to_flit_ratio", back), 0) << "nothing sent";
  EXPECT_EQ(value_of(families, "fabrictwin_link_bytes_total", back), 0);
}

TEST(RunMetrics, TellsHowFarTheRunIs) {
  SmallRun run;
  EXPECT_EQ(value_of(run.families(), "fabrictwin_run_state", {}), 0);
  EXPECT_EQ(value_of(run.families(), "fabrictwin_progress_ratio", {}), 0.25);
  EXPECT_EQ(value_of(run.families(), "fabrictwin_remaining_seconds", {}), 6) << "2 s for a quarter";
  run.sample.state = run::RunState::kEndedEarly;
  EXPECT_EQ(value_of(run.families(), "fabrictwin_run_state", {}), 2);
  EXPECT_TRUE(find(run.families(), "fabrictwin_remaining_seconds")->metric.empty());
  run.sample.done = -1;
  EXPECT_TRUE(find(run.families(), "fabrictwin_progress_ratio")->metric.empty()) << "not known";
}

TEST(RunMetrics, AddsUpLinksByClass) {
  SmallRun run;
  run.links[0].words.set(36);
  run.links[1].packets.set(5);
  run.links[1].credit_stall_cycles.set(1000);
  const Families families = run.families();
  EXPECT_EQ(value_of(families, "fabrictwin_link_class_links", {{"class", "injection"}}), 1);
  EXPECT_EQ(value_of(families, "fabrictwin_link_class_bytes_total", {{"class", "injection"}}), 36 * 16);
  EXPECT_EQ(value_of(families, "fabrictwin_link_class_busiest_bytes", {{"class", "injection"}}), 36 * 16);
  // 128 bits at 20 Gbit/s: 6.4 ns a word.
  EXPECT_DOUBLE_EQ(value_of(families, "fabrictwin_link_class_busiest_use_seconds_total", {{"class", "injection"}}),
                   36 * 6.4e-9);
  EXPECT_EQ(value_of(families, "fabrictwin_link_class_packets_total", {{"class", "ejection"}}), 5);
  EXPECT_DOUBLE_EQ(value_of(families, "fabrictwin_link_class_credit_stall_seconds_total", {{"class", "ejection"}}),
                   6.4e-6);
  EXPECT_EQ(value_of(families, "fabrictwin_packets_delivered_total", {}), 5);
  EXPECT_EQ(find(families, "fabrictwin_link_class_links")->metric.size(), 2u) << "there is no network link";
}

TEST(RunMetrics, TellsWhoWaitsForWhomAndHowFarPartitionsHaveCome) {
  SmallRun run;
  Families families = run.families();
  EXPECT_DOUBLE_EQ(value_of(families, "fabrictwin_partition_simulated_seconds", {{"partition", "models"}}), 2e-6);
  EXPECT_DOUBLE_EQ(value_of(families, "fabrictwin_partition_simulated_seconds", {{"partition", "router[0]"}}), 1.5e-6);
  EXPECT_DOUBLE_EQ(value_of(families, "fabrictwin_partition_lookahead_seconds", {{"partition", "models"}}), 50e-9);
  const Labels models{{"partition", "models"}, {"peer", "router[0]"}};
  const Labels router{{"partition", "router[0]"}, {"peer", "models"}};
  EXPECT_EQ(value_of(families, "fabrictwin_partition_waits_for", models), 1);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_waits_for", router), 0)
      << "a neighbour for which it does not wait";
  run.sample.look.partitions[0].waits_for = engine::Lookahead::kNobody;
  families = run.families();
  EXPECT_EQ(value_of(families, "fabrictwin_partition_waits_for", models), 0);
  EXPECT_EQ(find(families, "fabrictwin_partition_waits_for")->metric.size(), 2u);
  run.sample.look.partitions.clear();
  EXPECT_TRUE(find(run.families(), "fabrictwin_partition_simulated_seconds")->metric.empty()) << "it has not begun";
}

/// A ring of so many routers with a host each.
system::Plan ring(int32_t routers) {
  system::Plan plan;
  for (int32_t i = 0; i < routers; ++i)
    plan.graph.elements.push_back({"host[" + std::to_string(i) + "]", system::ElementKind::kHost, 0, {}, {"tile"}});
  for (int32_t i = 0; i < routers; ++i) {
    plan.graph.elements.push_back(
        {"router[" + std::to_string(i) + "]", system::ElementKind::kRouter, 0, {}, {"tile", "x+", "x-"}});
    plan.graph.links.push_back({{{i, 0}, {routers + i, 0}}});
    plan.graph.links.push_back({{{routers + i, 1}, {routers + (i + 1) % routers, 2}}});
  }
  plan.graph.build_index();
  return plan;
}

TEST(RunMetrics, OnALargeMachineOnlyBusyLinksHaveSeries) {
  const system::Plan plan = ring(4096);
  std::vector<link::LinkCounters> links(static_cast<size_t>(plan.graph.channel_count()));
  run::metrics::RunMetrics metrics({}, plan, {});
  const auto scrape = [&] {
    dashboards::metrics::PrometheusSink sink;
    metrics.measure({}, links, sink);
    return std::move(sink).families();
  };
  links[7000].words.set(5);
  Families families = scrape();
  ASSERT_EQ(find(families, "fabrictwin_link_bytes_total")->metric.size(), 1u);
  const std::string first = find(families, "fabrictwin_link_bytes_total")->metric[0].label[0].value;
  for (size_t i = 0; i < links.size(); ++i) links[i].words.set(100 + i % 1000);
  families = scrape();
  EXPECT_LE(find(families, "fabrictwin_link_bytes_total")->metric.size(), 65u);
  // A series goes on though others have become busier.
  EXPECT_EQ(value_of(families, "fabrictwin_link_bytes_total", {{"link", first}}), 100 * 16);
  // Others take turns: there is an end to it.
  for (size_t round = 0; round < 20; ++round) {
    for (size_t i = 0; i < links.size(); ++i) links[i].words.add(i % 20 == round ? 1'000'000 : 1);
    families = scrape();
  }
  size_t series = 0;
  for (const prometheus::MetricFamily& family : families) series += family.metric.size();
  EXPECT_LE(series, 2000u);
  EXPECT_EQ(find(families, "fabrictwin_link_bytes_total")->metric.size(), 256u);
  EXPECT_EQ(value_of(families, "fabrictwin_link_class_links", {{"class", "network"}}), 8192);
}

TEST(RunMetrics, AllLinksOrNoneOnRequest) {
  const system::Plan plan = ring(300);
  const std::vector<link::LinkCounters> links(static_cast<size_t>(plan.graph.channel_count()));
  for (const bool all : {true, false}) {
    run::metrics::RunMetrics metrics({}, plan, {}, {.busiest = 0, .all_up_to = all ? size_t{1} << 30 : 0});
    dashboards::metrics::PrometheusSink sink;
    metrics.measure({}, links, sink);
    const Families families = std::move(sink).families();
    EXPECT_EQ(find(families, "fabrictwin_link_bytes_total")->metric.size(), all ? links.size() : 0);
  }
}

/// A torus of so many RTL routers to a side, each a partition of its own, with their hosts in one of models. The look
/// and the reports of a sample are those of all of them.
struct ManyPartitions {
  explicit ManyPartitions(int32_t side) {
    const int32_t routers = side * side * side;
    plan = ring(routers);
    plan.partitions.push_back({"models", v1::MODEL, 0, {}});
    for (int32_t i = 0; i < routers; ++i) {
      plan.partitions[0].elements.push_back(i);
      plan.partitions.push_back({"router[" + std::to_string(i) + "]", v1::RTL, 0, {routers + i}});
    }
    // Rings along the other two dimensions.
    for (const int32_t step : {side, side * side})
      for (int32_t i = 0; i < routers; ++i)
        plan.graph.links.push_back({{{routers + i, 1}, {routers + (i + step) % routers, 2}}});
    plan.graph.build_index();
    plan.partition_of.assign(plan.graph.elements.size(), 0);
    for (int32_t i = 0; i < routers; ++i) plan.partition_of[static_cast<size_t>(routers + i)] = i + 1;
    for (int32_t channel = 0; channel < plan.graph.channel_count(); ++channel) plan.cut_channels.push_back(channel);
    links = std::vector<link::LinkCounters>(static_cast<size_t>(plan.graph.channel_count()));
    sample.look.partitions.resize(plan.partitions.size());
    for (const system::PartitionPlan& each : plan.partitions) {
      v1::PartitionReport& report = sample.partitions.emplace_back();
      report.set_name(each.name);
      report.set_kind(each.implementation == v1::RTL ? "RTL" : "MODEL");
      report.set_rounds(1);
      report.set_busy_seconds(1);
    }
  }

  Families scrape(run::metrics::RunMetrics& metrics) {
    dashboards::metrics::PrometheusSink sink;
    metrics.measure(sample, links, sink);
    return std::move(sink).families();
  }

  system::Plan plan;
  std::vector<link::LinkCounters> links;
  run::RunSample sample;
};

size_t series_of(const Families& families) {
  size_t series = 0;
  for (const prometheus::MetricFamily& family : families) series += family.metric.size();
  return series;
}

TEST(RunMetrics, OfManyPartitionsOnlyTheBusiestHaveSeries) {
  ManyPartitions run(8);
  run::metrics::RunMetrics metrics({}, run.plan, {});
  // Router 99 is the busiest, and waits for router 98, which does nothing.
  run.sample.partitions[100].set_busy_seconds(50);
  run.sample.partitions[99].set_busy_seconds(0);
  run.sample.look.partitions[100].waits_for = 99;
  Families families = run.scrape(metrics);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_busy_seconds_total", {{"partition", "router[99]"}}), 50);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_busy_seconds_total", {{"partition", "router[98]"}}), 0);
  const Labels pair{{"partition", "router[99]"}, {"peer", "router[98]"}};
  EXPECT_EQ(value_of(families, "fabrictwin_partition_waits_for", pair), 1);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_kind_partitions", {{"kind", "RTL"}}), 512);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_kind_busy_seconds_total", {{"kind", "RTL"}}), 560);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_kind_busy_seconds_total", {{"kind", "MODEL"}}), 1);
  // Others take turns, in simulating, waiting and sending; what had series goes on, and there is an end to it.
  for (size_t round = 0; round < 20; ++round) {
    for (size_t p = 0; p < run.sample.partitions.size(); ++p) {
      run.sample.partitions[p].set_busy_seconds(p % 20 == round ? 1000.0 * static_cast<double>(round + 1) : 0);
      run.sample.look.partitions[p].waits_for = static_cast<int32_t>(p == 0 ? round + 1 : 0);
    }
    for (size_t i = 0; i < run.links.size(); ++i) run.links[i].words.add(i % 20 == round ? 1'000'000 : 1);
    for (size_t i = 0; i < run.links.size(); ++i) run.links[i].credit_stall_cycles.add(i % 19 == round ? 1'000'000 : 1);
    families = run.scrape(metrics);
  }
  EXPECT_EQ(value_of(families, "fabrictwin_partition_waits_for", pair), 0);
  EXPECT_EQ(find(families, "fabrictwin_partition_info")->metric.size(), 48u);
  EXPECT_GE(find(families, "fabrictwin_link_bytes_total")->metric.size(), 200u);
  EXPECT_LE(series_of(families), 2000u);
}

TEST(RunMetrics, AllPartitionsOrNoneOnRequest) {
  ManyPartitions run(4);
  for (const bool all : {true, false}) {
    const size_t up_to = all ? std::numeric_limits<size_t>::max() : 0;
    run::metrics::RunMetrics metrics({}, run.plan, {}, {.busiest_partitions = 0, .all_partitions_up_to = up_to});
    const Families families = run.scrape(metrics);
    EXPECT_EQ(find(families, "fabrictwin_partition_info")->metric.size(), all ? 65u : 0u);
    EXPECT_EQ(find(families, "fabrictwin_partition_simulated_seconds")->metric.size(), all ? 65u : 0u);
    EXPECT_EQ(find(families, "fabrictwin_partition_kind_partitions")->metric.size(), 2u);
    // Each router for six others and its host, and the models for all routers.
    EXPECT_EQ(find(families, "fabrictwin_partition_waits_for")->metric.size(), all ? 64u * 7 + 64 : 0u);
  }
}

TEST(ProcessMetrics, TellsCpuMemoryAndStart) {
  const Families families = dashboards::metrics::process_metrics();
  ASSERT_EQ(families.size(), 3u);
  EXPECT_EQ(families[0].name, "process_cpu_seconds_total");
  EXPECT_GT(families[1].metric.at(0).gauge.value, 1e6);
  // After 2020.
  EXPECT_GT(families[2].metric.at(0).gauge.value, 1.58e9);
}

TEST(RunMetrics, TellsWhatModelsHaveMeasured) {
  const SmallRun run;
  const Families families = run.families();
  EXPECT_EQ(value_of(families, SmallRun::kFill.name(), {}), 12.5);
  const prometheus::MetricFamily* family = find(families, SmallRun::kWait.name());
  ASSERT_NE(family, nullptr);
  EXPECT_EQ(family->type, prometheus::MetricType::Summary);
  ASSERT_EQ(family->metric.size(), 1u);
  ASSERT_EQ(family->metric[0].label.size(), 1u);
  EXPECT_EQ(family->metric[0].label[0].name, "host");
  EXPECT_EQ(family->metric[0].label[0].value, "host[0]");
  const prometheus::ClientMetric::Summary& summary = family->metric[0].summary;
  EXPECT_EQ(summary.sample_count, 8u);
  EXPECT_EQ(summary.sample_sum, 2.0);
  ASSERT_EQ(summary.quantile.size(), 6u);
  // The values of SmallRun are their shares.
  for (const auto& quantile : summary.quantile) EXPECT_EQ(quantile.value, quantile.quantile);
}

TEST(RunMetrics, TellsWhatAWorkerHasMeasuredWithItsPlace) {
  SmallRun run;
  observe::MetricReports there;
  observe::MetricReporter worker(there, true);
  worker.add(SmallRun::kFill, 3);
  observe::MetricReporter models(run.sample.measures, true);
  observe::send_metrics(there, "worker:shm", models);
  const Families families = run.families();
  EXPECT_EQ(value_of(families, SmallRun::kFill.name(), {}), 12.5);
  EXPECT_EQ(value_of(families, SmallRun::kFill.name(), {{"place", "worker:shm"}}), 3);
}

TEST(RunMetrics, SaysNothingOfWhatNobodyMeasures) {
  const SmallRun run;
  const Families families = run.families();
  ASSERT_NE(find(families, SmallRun::kNothing.name()), nullptr);
  EXPECT_TRUE(find(families, SmallRun::kNothing.name())->metric.empty());
}

TEST(RunMetrics, SaysWhatRunsWhere) {
  const SmallRun run;
  const Families families = run.families();
  EXPECT_EQ(value_of(families, "fabrictwin_run_info",
                     {{"run", "run1"},
                      {"experiment", "small.textproto"},
                      {"commit", "abc"},
                      {"version", "1.2.3"},
                      {"topology", "torus 1x1x1"},
                      {"seed", "7"},
                      {"place", "node1"}}),
            1);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_info",
                     {{"partition", "router[0]"}, {"kind", "RTL"}, {"place", "worker:unix"}}),
            1);
  const Labels router{{"partition", "router[0]"}};
  EXPECT_EQ(value_of(families, "fabrictwin_partition_events_total", router), 42);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_rounds_total", router), 12);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_busy_seconds_total", router), 0.5);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_wait_seconds_total", router), 0.25);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_records_received_total", router), 10);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_records_sent_total", router), 11);
  const Labels transport{{"transport", "unix"}};
  EXPECT_EQ(value_of(families, "fabrictwin_transport_records_total", transport), 21);
  EXPECT_EQ(value_of(families, "fabrictwin_transport_messages_total", transport), 3);
  EXPECT_EQ(value_of(families, "fabrictwin_transport_bytes_total", transport), 1344);
  EXPECT_DOUBLE_EQ(value_of(families, "fabrictwin_simulated_seconds_total", {}), 1.5e-6);
  EXPECT_EQ(value_of(families, "fabrictwin_wall_seconds_total", {}), 2.0);
}

TEST(RunMetrics, ARunThatIsNotWiredYetHasNoLinksToShow) {
  SmallRun run;
  run.sample = {};
  run.links.clear();
  const Families families = run.families();
  ASSERT_NE(find(families, "fabrictwin_link_bytes_total"), nullptr);
  EXPECT_TRUE(find(families, "fabrictwin_link_bytes_total")->metric.empty());
  EXPECT_EQ(value_of(families, "fabrictwin_simulated_seconds_total", {}), 0);
}

}  // namespace
}  // namespace fabrictwin
