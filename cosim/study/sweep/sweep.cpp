// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "cosim/experiment/file.h"
#include "cosim/experiment/source_text.h"
#include "cosim/study/job_pool.h"
#include "workloads/traffic/spec.h"

namespace fabrictwin::study::sweep {
namespace {

constexpr std::string_view kLoad = "workload.traffic.load";

/// Checks that a search is possible: it needs traffic that has a load and is measured in the steady state.
absl::Status check_searchable(const experiment::Experiment& experiment) {
  const auto wrong = [](const experiment::SourceLocation& location, std::string_view message) {
    return absl::InvalidArgumentError(experiment::format_diagnostic(location, message));
  };
  const auto* traffic = experiment.workload_as<traffic::TrafficSpec>();
  if (traffic == nullptr) {
    return wrong(experiment.workload_location,
                 "--saturation varies the load of traffic, and this is another workload; write traffic { load: 1 }");
  }
  if (!traffic->classes.empty()) {
    return wrong(
        experiment.workload_location,
        "--saturation varies the load of all traffic, and here each class has its own; sweep that of one class "
        "(--sweep workload.traffic.class[0].load=0.1:1:0.1)");
  }
  if (traffic->process == v1::CLOSED_LOOP) {
    return wrong(experiment.workload_location,
                 "--saturation varies the load, and process: CLOSED_LOOP has none; sweep its window instead (--sweep "
                 "window=1,2,4,8), or write BERNOULLI or BURSTY");
  }
  if (!traffic->sampled) {
    return wrong(experiment.workload_location,
                 "--saturation needs traffic that is measured in samples, and this is for a fixed time; write "
                 "sample_cycles: 5000 and no duration (--set workload.traffic.sample_cycles=5000 --set "
                 "workload.traffic.duration=), or sweep the load (--sweep load=0.1:1:0.1)");
  }
  return absl::OkStatus();
}

/// The source location of the time after which runs are stopped: in a sweep, a --set or the file.
experiment::SourceLocation stop_location(const Request& request, const std::vector<Axis>& axes) {
  static constexpr std::string_view kStop = "stop.after_simulated";
  for (const Axis& axis : axes) {
    if (axis.path == kStop) return experiment::SourceText("--sweep", axis.argument).location(0);
  }
  for (const std::string& set : request.overrides.sets) {
    if (set.starts_with(kStop)) return experiment::SourceText("--set", set).location(kStop.size() + 1);
  }
  const absl::StatusOr<experiment::ExperimentFile> file = experiment::ExperimentFile::read(request.file);
  return file.ok() ? file->location(kStop)
                   : experiment::SourceText(experiment::experiment_name(request.file), "").location(0);
}

/// Refuses what is possible only in a single run.
absl::Status check_repeatable(const experiment::Experiment& experiment) {
  if (!experiment.statistics.packet_trace.has_value()) return absl::OkStatus();
  return absl::InvalidArgumentError(experiment::format_diagnostic(
      experiment.packet_trace_location,
      "packet_trace is for a single run, and --sweep and --saturation make many; leave it out"));
}

/// The index of the first --set of `path`, a field that the sweep varies; overrides.sets.size() if there is none.
size_t find_set(const experiment::Overrides& overrides, std::string_view path) {
  const auto sets_path = [&](const std::string& set) { return std::string_view(set).substr(0, set.find('=')) == path; };
  return static_cast<size_t>(std::ranges::find_if(overrides.sets, sets_path) - overrides.sets.begin());
}

absl::Status useless_set(const std::string& set, std::string_view option) {
  return absl::InvalidArgumentError(experiment::format_diagnostic(
      experiment::SourceText("--set", set).location(0),
      fmt::format("{} gives this field its values, so this one would not be used; leave one of them out", option)));
}

}  // namespace

absl::StatusOr<Sweep> Sweep::create(const Request& request, Parts parts) {
  Sweep sweep(std::move(parts), request.jobs);
  absl::Status status = sweep.load(request);
  if (status.ok()) status = sweep.check_points();
  if (!status.ok()) return status;
  return sweep;
}

absl::Status Sweep::load(const Request& request) {
  absl::StatusOr<std::vector<Axis>> axes = parse_axes(request.sweeps);
  if (!axes.ok()) return axes.status();
  result_.axes = *std::move(axes);
  result_.experiment = experiment::experiment_name(request.file);
  result_.precision = request.precision;
  for (const Axis& axis : result_.axes) {
    if (request.precision.has_value() && axis.path == kLoad) {
      return absl::InvalidArgumentError(experiment::format_diagnostic(
          experiment::SourceText("--sweep", axis.argument).location(0),
          "--saturation varies the load itself; sweep another field, or leave --saturation out"));
    }
  }
  for (const Axis& axis : result_.axes) {
    const size_t set = find_set(request.overrides, axis.path);
    if (set < request.overrides.sets.size()) return useless_set(request.overrides.sets[set], "--sweep");
    if (axis.path == "seed" && request.overrides.seed.has_value()) {
      return absl::InvalidArgumentError(
          experiment::format_diagnostic(experiment::SourceText("--sweep", axis.argument).location(0),
                                        "--seed says what --sweep gives other values; leave one out"));
    }
  }
  for (Settings& point : all_settings(result_.axes)) {
    experiment::Overrides overrides = request.overrides;
    overrides.settings = point;
    absl::StatusOr<experiment::Experiment> experiment =
        experiment::load_experiment(request.file, parts_.tenants, overrides);
    if (!experiment.ok()) return experiment.status();
    if (absl::Status status = check_repeatable(*experiment); !status.ok()) return status;
    if (request.precision.has_value()) {
      if (absl::Status status = check_searchable(*experiment); !status.ok()) return status;
      if (!experiment->stop_after.is_never()) {
        return absl::InvalidArgumentError(experiment::format_diagnostic(
            stop_location(request, result_.axes),
            "--saturation needs runs that measure the steady state to their end, and after_simulated "
            "may stop them before; leave it out (of samples, max_samples are the most)"));
      }
    }
    const experiment::RouterCapabilities& router = experiment->capabilities.of(experiment->router.model);
    if (request.jobs > 1 && router.content == link::LinkType::Content::kWords) {
      return absl::InvalidArgumentError(fmt::format(
          "--jobs {}: a process has one SystemC kernel, so that only runs with routers of the models INPUT_QUEUED and "
          "PACKET go on side by side, which do without; leave --jobs out",
          request.jobs));
    }
    experiments_.push_back(*std::move(experiment));
    result_.points.emplace_back();
    result_.points.back().settings = std::move(point);
  }
  return check_set_of_load(request);
}

// Refuses a --set of the load, which a search replaces, unless the file has no load: traffic needs one to be valid.
absl::Status Sweep::check_set_of_load(const Request& request) const {
  if (!request.precision.has_value()) return absl::OkStatus();
  experiment::Overrides without = request.overrides;
  const size_t set = find_set(without, kLoad);
  if (set == without.sets.size()) return absl::OkStatus();
  without.sets.erase(without.sets.begin() + static_cast<ptrdiff_t>(set));
  without.settings = result_.points[0].settings;
  const absl::StatusOr<experiment::Experiment> rest =
      experiment::load_experiment(request.file, parts_.tenants, without);
  // Without this --set there would be no traffic, so it is of use.
  if (!rest.ok() || rest->workload_as<traffic::TrafficSpec>() == nullptr) return absl::OkStatus();
  return useless_set(request.overrides.sets[set], "--saturation");
}

// Points that differ only in load or seed are checked once, because large networks take long.
absl::Status Sweep::check_points() const {
  std::set<std::vector<std::string>> checked;
  for (size_t i = 0; i < experiments_.size(); ++i) {
    std::vector<std::string> values;
    for (const experiment::FieldSetting& setting : result_.points[i].settings) {
      if (setting.path != kLoad && setting.path != "seed") values.push_back(setting.value);
    }
    if (!checked.insert(std::move(values)).second) continue;
    if (absl::Status status = parts_.check(experiments_[i]); !status.ok()) return status;
  }
  return absl::OkStatus();
}

point::Outcome Sweep::run_point(size_t index, const std::stop_token& stop) const {
  return point::run_point(experiments_[index], result_.precision,
                          [&](const experiment::Experiment& changed) -> absl::StatusOr<v1::Report> {
                            absl::StatusOr<v1::Report> report = parts_.run(changed, stop);
                            if (!report.ok()) return report.status();
                            return without_lists(*std::move(report));
                          });
}

void Sweep::take(size_t index, point::Outcome outcome) {
  Result::Point& point = result_.points[index];
  // A search that was interrupted shows the probes that it made.
  point.saturation = std::move(outcome.saturation);
  if (absl::IsCancelled(outcome.status)) return;
  point.status = std::move(outcome.status);
  point.report = std::move(outcome.report);
  point.done = true;
}

void Sweep::run(const std::stop_token& stop, const std::function<void(size_t)>& ended) {
  do_jobs(experiments_.size(), jobs_, stop, [&](size_t index) {
    take(index, run_point(index, stop));
    if (result_.points[index].done) ended(index);
  });
}

}  // namespace fabrictwin::study::sweep
