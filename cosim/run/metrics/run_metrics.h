// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run counts of itself, its links, partitions and transports, as metrics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cosim/experiment/experiment.h"
#include "cosim/link/counters.h"
#include "cosim/metric/sink.h"
#include "cosim/run/metrics/partition_selection.h"
#include "cosim/run/metrics/series_selection.h"
#include "cosim/run/run.h"
#include "cosim/system/plan.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::run::metrics {

/// What tells a run from others that are watched at the same time, or were before.
struct RunIdentity {
  std::string run;      ///< Another one for each run.
  std::string version;  ///< The version of the program,
  std::string commit;   ///< and the commit of its sources; empty if it is not known.
  std::string host;     ///< The machine of this process.
};

/// Gives all metrics of one run to a sink. Not thread-safe.
class RunMetrics {
 public:
  /// Stores the names of links, so that a scrape need not make them again.
  RunMetrics(const experiment::Experiment& experiment, const system::Plan& plan, RunIdentity identity,
             SeriesSelection selection = {});

  /// `links` is by channel; fewer than the plan has (a run that has not been wired yet) gives metrics of those only.
  void measure(const RunSample& sample, std::span<const link::LinkCounters> links, metric::Sink& sink);

 private:
  /// By whose link it is.
  enum LinkClass : uint8_t { kInjection, kEjection, kNetwork, kClasses };

  void measure_progress(const RunSample& sample, metric::Sink& sink) const;
  void measure_look(const RunLook& look, metric::Sink& sink);
  void measure_partitions(const RunSample& sample, metric::Sink& sink);
  void measure_classes(std::span<const link::LinkCounters> links, metric::Sink& sink) const;
  void measure_links(std::span<const link::LinkCounters> links, metric::Sink& sink);
  void select_links(std::span<const link::LinkCounters> links);
  void select_most(std::span<const link::LinkCounters> links, link::Counter link::LinkCounters::*counter);

  RunIdentity identity_;
  SeriesSelection selection_;
  std::vector<LinkClass> classes_;  ///< The class of each channel.
  std::vector<bool> selected_;      ///< By channel.
  size_t selected_count_ = 0;
  std::string topology_;
  std::string seed_;
  std::string experiment_;
  std::vector<std::string> link_names_;       ///< The name of each channel.
  std::vector<double> word_seconds_;          ///< How long a word takes on the wire of each channel.
  std::vector<std::string> partition_names_;  ///< In the order of the plan, as the next one.
  std::vector<Time> lookaheads_;              ///< The least latency of the links that enter a partition.
  PartitionSelection partitions_;
  double cycle_seconds_;
  int32_t word_bytes_;  ///< Bytes of a word of the links.
};

}  // namespace fabrictwin::run::metrics
