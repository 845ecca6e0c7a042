// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What commands that do many runs count of them, as metrics, with those of the run that goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cosim/metric/sink.h"
#include "cosim/observe/metric_report.h"
#include "cosim/run/metrics/run_metrics.h"
#include "cosim/run/run.h"

namespace fabrictwin::run::metrics {

/// The metrics of a study. Thread-safe.
class StudyMetrics {
 public:
  /// `command` is what users know the study by, as "run --sweep". Runs of the study get `identity` with their number.
  StudyMetrics(std::string command, RunIdentity identity, SeriesSelection series);

  /// How many runs there will be, where that is known. Baselines do not count.
  void expect(size_t runs);
  /// Counts a run that has ended with this status. One that was cancelled does not count.
  void run_ended(const absl::Status& status);
  /// No run follows. `complete` is false if the study was interrupted or has failed as a whole.
  void finish(bool complete);

  /// Gives the metrics of the study to `sink`, and all those of the run that began last of those that go on; if none
  /// does, the final ones of the run that ended last. May wait as Run::sample() does, and lets runs that begin or
  /// end wait meanwhile.
  void measure(metric::Sink& sink);

 private:
  friend class WatchedRun;
  enum class State : uint8_t { kRunning, kComplete, kEndedEarly };
  struct Watched {
    const Run* run = nullptr;
    uint64_t number = 0;
    std::unique_ptr<RunMetrics> metrics;  ///< Made when they are asked for first.
  };

  void begin(const Run& run);
  void end(const Run& run);
  /// The lock must be held.
  void measure_run(Watched& watched, metric::Sink& sink) const;

  const std::string command_;
  const RunIdentity identity_;
  const SeriesSelection series_;
  std::mutex mutex_;  ///< Guards all members below.
  State state_ = State::kRunning;
  std::optional<size_t> expected_;
  uint64_t ended_ = 0;
  uint64_t failed_ = 0;
  uint64_t begun_ = 0;
  std::vector<Watched> watched_;  ///< Runs that go on, in the order in which they began.
  observe::MetricReports last_;   ///< What the run that ended last has measured.
};

/// Shows a run in the metrics of a study while this exists; without a study it does nothing. The run must outlive it,
/// and it must be destroyed when the run has ended.
class WatchedRun {
 public:
  WatchedRun(StudyMetrics* study, const Run& run) : study_(study), run_(run) {
    if (study_ != nullptr) study_->begin(run_);
  }
  ~WatchedRun() {
    if (study_ != nullptr) study_->end(run_);
  }
  WatchedRun(const WatchedRun&) = delete;
  WatchedRun& operator=(const WatchedRun&) = delete;

 private:
  StudyMetrics* study_;
  const Run& run_;
};

}  // namespace fabrictwin::run::metrics
