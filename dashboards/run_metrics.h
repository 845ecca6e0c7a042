// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A run's counters as Prometheus metric families.
#pragma once

#include <prometheus/metric_family.h>

#include <span>
#include <string>
#include <vector>

#include "cosim/run/counters.h"
#include "cosim/run/experiment.h"
#include "cosim/run/plan.h"
#include "cosim/run/run.h"

namespace fabrictwin {

/// Turns samples of one run into metric families, one for each metric of the catalogue. Immutable after construction,
/// so thread-safe.
class RunMetrics {
 public:
  /// Keeps the names of links, so that a scrape does not make them anew.
  RunMetrics(const Experiment& experiment, const Plan& plan, std::string version);

  /// `links` is by channel; fewer than the plan has (a run that has not been wired yet) gives metrics of those only.
  std::vector<prometheus::MetricFamily> collect(const RunSample& sample, std::span<const LinkCounters> links) const;

 private:
  void add_measures(const v1::Report& measures, std::vector<prometheus::MetricFamily>& families) const;
  void add_links(std::span<const LinkCounters> links, std::vector<prometheus::MetricFamily>& families) const;

  std::vector<std::string> run_labels_;  ///< In the order of the labels of kRunInfo.
  std::vector<std::string> link_names_;  ///< By channel.
  double cycle_seconds_;
};

}  // namespace fabrictwin
