// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The smallest run that has every metric: one host and one router, the router in a worker.
#pragma once

#include <string>
#include <vector>

#include "dashboards/metrics/run_metrics.h"

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

    v1::PartitionReport partition;
    partition.set_name("router[0]");
    partition.set_kind("RTL");
    partition.set_place("worker:unix");
    partition.set_events(42);
    partition.set_busy_seconds(0.5);
    partition.set_wait_seconds(0.25);
    partition.set_records_in(10);
    partition.set_records_out(11);
    sample.partitions = {partition};
    sample.transports = {{"unix", 21, 3, 1344}};
    v1::TrafficReport& traffic = *sample.measures.mutable_traffic();
    traffic.set_accepted_load(0.5);
    traffic.set_accepted_load_min_node(0.25);
    traffic.set_jain_index(0.9);
    set_latencies(*traffic.mutable_latency_seconds());
    set_latencies(*sample.measures.mutable_message_latency_seconds());
    v1::OccupancyReport& occupancy = *sample.measures.mutable_occupancy();
    occupancy.set_capacity_flits(640);
    v1::OccupancyInterval& now = *occupancy.add_intervals();
    now.set_mean_flits(12.5);
    now.set_max_flits(90);
    sample.simulated = Time::from_ns(1500);
    sample.wall_seconds = 2.0;
  }

  static void set_latencies(v1::LatencySeconds& latencies) {
    latencies.set_count(8);
    latencies.set_mean(0.25);
    latencies.set_p50(0.5);
    latencies.set_p90(0.9);
    latencies.set_p99(0.99);
    latencies.set_p99_9(0.999);
    latencies.set_p99_99(0.9999);
  }

  dashboards::metrics::RunMetrics metrics() const { return dashboards::metrics::RunMetrics(experiment, plan, "1.2.3"); }

  experiment::Experiment experiment;
  system::Plan plan;
  run::RunSample sample;
  std::vector<link::LinkCounters> links = std::vector<link::LinkCounters>(2);
};

}  // namespace fabrictwin
