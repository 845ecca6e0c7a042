// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The smallest run that has every metric: one host and one router, the router in a worker.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cosim/run/metrics/exit_status.h"
#include "cosim/run/metrics/run_metrics.h"
#include "dashboards/metrics/prometheus_sink.h"

namespace fabrictwin {

struct SmallRun {
  SmallRun() {
    experiment.file = "small.textproto";
    experiment.seed = 7;
    plan.graph.topology = "torus 1x1x1";
    plan.graph.elements = {{"host[0]", system::ElementKind::kHost, 0, {0, 0, 0}, {"tile"}},
                           {"router[0]", system::ElementKind::kRouter, 0, {0, 0, 0}, {"tile"}}};
    plan.graph.links = {{{{0, 0}, {1, 0}}, Bandwidth{20'000'000'000}, Time::from_ns(50)}};
    plan.graph.build_index();
    plan.places.resize(2);
    plan.partitions = {{"models", v1::MODEL, 0, {0}}, {"router[0]", v1::RTL, 1, {1}}};
    plan.partition_of = {0, 1};
    plan.cut_channels = {0, 1};
    sample.look.partitions.resize(2);
    sample.look.partitions[0].now = Time::from_ns(2000);
    sample.look.partitions[0].waits_for = 1;
    sample.look.partitions[1].now = Time::from_ns(1500);

    v1::PartitionReport partition;
    partition.set_name("router[0]");
    partition.set_kind("RTL");
    partition.set_place("worker:unix");
    partition.set_events(42);
    partition.set_busy_seconds(0.5);
    partition.set_wait_seconds(0.25);
    partition.set_rounds(12);
    partition.set_records_in(10);
    partition.set_records_out(11);
    sample.partitions = {partition};
    sample.transports = {{"unix", 21, 3, 1344}};
    observe::MetricReporter models(sample.measures, true);
    models.add(kWait, {.count = 8, .sum = 2, .quantiles = metric::Distribution::kShares}, {"host[0]"});
    models.add(kFill, 12.5);
    sample.simulated = Time::from_ns(1500);
    sample.wall_seconds = 2.0;
    sample.done = 0.25;
  }

  /// What a scrape shows.
  std::vector<prometheus::MetricFamily> families() const {
    dashboards::metrics::PrometheusSink sink;
    run::metrics::RunMetrics(experiment, plan, {"run1", "1.2.3", "abc", "node1"}).measure(sample, links, sink);
    if (exit_status.has_value()) run::metrics::measure_exit_status(*exit_status, sink);
    return std::move(sink).families();
  }

  /// What its models measure. Nobody measures kNothing.
  inline static const metric::Summary kWait{
      {.name = "fabrictwin_test_wait_seconds", .unit = "seconds", .help = "How long hosts wait", .labels = {"host"}}};
  inline static const metric::Gauge kFill{{.name = "fabrictwin_test_fill_flits", .help = "Flits in buffers"}};
  inline static const metric::Gauge kNothing{{.name = "fabrictwin_test_nothing", .help = "Nothing"}};

  experiment::Experiment experiment;
  system::Plan plan;
  run::RunSample sample;
  std::optional<int> exit_status;  ///< The exit code of its command, once it has ended.
  std::vector<link::LinkCounters> links = std::vector<link::LinkCounters>(2);
};

}  // namespace fabrictwin
