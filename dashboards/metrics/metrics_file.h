// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The metrics of a run over simulated time, as a file that Prometheus takes in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/experiment/experiment.h"
#include "cosim/metric/sink.h"
#include "cosim/run/metric_sampler.h"
#include "cosim/run/metrics/run_metrics.h"
#include "cosim/run/run.h"
#include "cosim/system/plan.h"

namespace fabrictwin::dashboards::metrics {

/// Samples the metrics of a run and writes them in the OpenMetrics text format with time stamps
/// (https://github.com/OpenObservability/OpenMetrics), for `promtool tsdb create-blocks-from openmetrics`. When there
/// are kMostSamples of them, each second one is left out and the interval doubles, so memory and file stay small.
///
/// Prometheus keeps milliseconds, so time stamps stretch simulated time by a power of ten that puts at least a second
/// between two samples; fabrictwin_time_stretch_ratio has the factor, fabrictwin_simulated_seconds_total the simulated
/// time itself.
class MetricsFile final : public run::MetricSampler, private metric::Sink {
 public:
  static constexpr size_t kMostSamples = 512;
  static constexpr Time kFirstInterval = Time::from_ns(1000);

  /// Links are sampled if all of the system is one partition: nobody can tell what others had sent at a time.
  MetricsFile(const experiment::Experiment& experiment, const system::Plan& plan, run::metrics::RunIdentity identity,
              run::metrics::SeriesSelection series);

  void sample(const engine::Partition& partition, std::span<const link::LinkCounters> links) override;
  /// Adds the final values of a run that has ended, those that belong to wall-clock time included, and the exit code
  /// of its command.
  void finish(const run::Run& run, int exit_status);
  /// The file, whose last sample is at `end`, in seconds since 1970. A Prometheus refuses what it scrapes at times
  /// before those of the file, so none of them may lie in the future.
  std::string text(int64_t end) const;

 private:
  struct Point {
    size_t time;  ///< Index into times_.
    metric::Value value;
  };
  /// The series of a metric by their labels, in the form of the file.
  using Series = std::map<std::string, std::vector<Point>>;

  void take(const metric::Sample& sample) override;
  void halve();
  /// Takes away the points of the last time.
  void drop_last();
  double stretch() const;

  run::metrics::RunMetrics metrics_;
  std::string labels_;  ///< Those that Prometheus gives to series that it scrapes.
  bool whole_;          ///< The partition has all elements.
  Time interval_ = kFirstInterval;
  std::vector<Time> times_;
  std::map<const metric::Metric*, Series> families_;
};

}  // namespace fabrictwin::dashboards::metrics
