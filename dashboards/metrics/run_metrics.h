// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A run's counters as Prometheus metric families.
#pragma once

#include <prometheus/metric_family.h>

#include <span>
#include <string>
#include <vector>

#include "cosim/experiment/experiment.h"
#include "cosim/link/counters.h"
#include "cosim/run/run.h"
#include "cosim/system/plan.h"

namespace fabrictwin::dashboards::metrics {

/// Converts samples of one run to metric families, one for each metric of the catalogue. Thread-safe, since it is
/// immutable after construction.
class RunMetrics {
 public:
  /// Stores the names of links, so that a scrape need not make them again.
  RunMetrics(const experiment::Experiment& experiment, const system::Plan& plan, std::string version);

  /// `links` is by channel; fewer than the plan has (a run that has not been wired yet) gives metrics of those only.
  std::vector<prometheus::MetricFamily> collect(const run::RunSample& sample,
                                                std::span<const link::LinkCounters> links) const;

 private:
  void add_measures(const v1::Report& measures, std::vector<prometheus::MetricFamily>& families) const;
  void add_links(std::span<const link::LinkCounters> links, std::vector<prometheus::MetricFamily>& families) const;

  std::vector<std::string> run_labels_;  ///< The values in the order of the labels of kRunInfo.
  std::vector<std::string> link_names_;  ///< The name of each channel.
  double cycle_seconds_;
};

}  // namespace fabrictwin::dashboards::metrics
