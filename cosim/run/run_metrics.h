// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run counts of itself, its links, partitions and transports, as metrics.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cosim/experiment/experiment.h"
#include "cosim/link/counters.h"
#include "cosim/metric/sink.h"
#include "cosim/run/run.h"
#include "cosim/system/plan.h"

namespace fabrictwin::run {

/// Gives all metrics of one run to a sink. Thread-safe, since it is immutable after construction.
class RunMetrics {
 public:
  /// Stores the names of links, so that a scrape need not make them again.
  RunMetrics(const experiment::Experiment& experiment, const system::Plan& plan, std::string version);

  /// `links` is by channel; fewer than the plan has (a run that has not been wired yet) gives metrics of those only.
  void measure(const RunSample& sample, std::span<const link::LinkCounters> links, metric::Sink& sink) const;

 private:
  void measure_links(std::span<const link::LinkCounters> links, metric::Sink& sink) const;

  std::string version_;
  std::string topology_;
  std::string seed_;
  std::string experiment_;
  std::vector<std::string> link_names_;  ///< The name of each channel.
  double cycle_seconds_;
};

}  // namespace fabrictwin::run
