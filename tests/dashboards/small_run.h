// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The smallest run that has every metric: one host and one router, the router in a worker.
#pragma once

#include <string>
#include <vector>

#include "dashboards/run_metrics.h"

namespace fabrictwin {

struct SmallRun {
  SmallRun() {
    experiment.file = "small.textproto";
    experiment.seed = 7;
    plan.graph.topology = "torus 1x1x1";
    plan.graph.elements = {{"host[0]", ElementKind::kHost, 0, {0, 0, 0}, {"tile"}},
                           {"router[0]", ElementKind::kRouter, 0, {0, 0, 0}, {"tile"}}};
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
    sample.simulated = Time::from_ns(1500);
    sample.wall_seconds = 2.0;
  }

  RunMetrics metrics() const { return RunMetrics(experiment, plan, "1.2.3"); }

  Experiment experiment;
  Plan plan;
  RunSample sample;
  std::vector<LinkCounters> links = std::vector<LinkCounters>(2);
};

}  // namespace fabrictwin
