// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/metrics/study_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fabrictwin::run::metrics {
namespace {

const metric::Gauge kStudyInfo{{.name = "fabrictwin_study_info",
                                .help = "Always 1; its labels say which command does many runs",
                                .labels = {"study", "command", "commit", "version", "place"},
                                .order = 10,
                                .in_report = false}};
const metric::Gauge kStudyState{
    {.name = "fabrictwin_study_state",
     .help = "What has become of a study: 0 it goes on, 1 all its runs have ended, 2 it has ended early",
     .order = 20,
     .in_report = false}};
const metric::Gauge kStudyRuns{{.name = "fabrictwin_study_runs",
                                .help = "Runs of a study without those of baselines, where their number is known",
                                .order = 30,
                                .in_report = false}};
const metric::Counter kStudyRunsEnded{{.name = "fabrictwin_study_runs_ended_total",
                                       .help = "Runs of a study that have ended, those that failed included",
                                       .order = 40,
                                       .in_report = false}};
const metric::Counter kStudyRunsFailed{{.name = "fabrictwin_study_runs_failed_total",
                                        .help = "Runs of a study that have failed",
                                        .order = 50,
                                        .in_report = false}};
const metric::Gauge kStudyRunsActive{{.name = "fabrictwin_study_runs_active",
                                      .help = "Runs of a study that go on, those of baselines included",
                                      .order = 60,
                                      .in_report = false}};

}  // namespace

StudyMetrics::StudyMetrics(std::string command, RunIdentity identity, SeriesSelection series)
    : command_(std::move(command)), identity_(std::move(identity)), series_(series) {}

void StudyMetrics::expect(size_t runs) {
  const std::lock_guard lock(mutex_);
  expected_ = runs;
}

void StudyMetrics::run_ended(const absl::Status& status) {
  if (absl::IsCancelled(status)) return;
  const std::lock_guard lock(mutex_);
  ++ended_;
  if (!status.ok()) ++failed_;
}

void StudyMetrics::finish(bool complete) {
  const std::lock_guard lock(mutex_);
  state_ = complete ? State::kComplete : State::kEndedEarly;
}

void StudyMetrics::begin(const Run& run) {
  const std::lock_guard lock(mutex_);
  watched_.push_back({&run, ++begun_, nullptr});
}

void StudyMetrics::end(const Run& run) {
  const std::lock_guard lock(mutex_);
  const auto ended =
      std::find_if(watched_.begin(), watched_.end(), [&](const Watched& watched) { return watched.run == &run; });
  if (ended == watched_.end()) return;
  // Short runs would not be seen if their values went with them.
  if (watched_.size() == 1) {
    last_.Clear();
    observe::MetricReporter reporter(last_, true);
    measure_run(*ended, reporter);
  }
  watched_.erase(ended);
}

void StudyMetrics::measure_run(Watched& watched, metric::Sink& sink) const {
  if (watched.metrics == nullptr) {
    RunIdentity identity = identity_;
    identity.run += fmt::format("-{}", watched.number);
    watched.metrics =
        std::make_unique<RunMetrics>(watched.run->experiment(), watched.run->plan(), std::move(identity), series_);
  }
  // The sample is taken first, because that also fetches the link counters of other processes.
  const RunSample sample = watched.run->sample();
  watched.metrics->measure(sample, watched.run->link_counters(), sink);
}

void StudyMetrics::measure(metric::Sink& sink) {
  const std::lock_guard lock(mutex_);
  sink.add(kStudyInfo, 1, {identity_.run, command_, identity_.commit, identity_.version, identity_.host});
  sink.add(kStudyState, static_cast<double>(state_));
  if (expected_.has_value()) sink.add(kStudyRuns, static_cast<double>(*expected_));
  sink.add(kStudyRunsEnded, static_cast<double>(ended_));
  sink.add(kStudyRunsFailed, static_cast<double>(failed_));
  sink.add(kStudyRunsActive, static_cast<double>(watched_.size()));
  if (!watched_.empty()) {
    measure_run(watched_.back(), sink);
  } else {
    observe::send_metrics(last_, "", sink);
  }
}

}  // namespace fabrictwin::run::metrics
