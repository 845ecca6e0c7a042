// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job/kinds.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/job/check.h"
#include "workloads/job/jobs_workload.h"
#include "workloads/job/results_text.h"
#include "workloads/job/spec.h"
#include "workloads/placement/placement.h"
#include "workloads/traffic/job.h"

namespace fabrictwin::job {
namespace {

void set_jobs(JobsSpec spec, experiment::Experiment& experiment) {
  const bool all = !spec.alone.has_value();
  experiment.workload_traits = {
      .ranks = std::ranges::any_of(spec.jobs, [](const JobSpec& job) { return job.kind != nullptr; }),
      .flows = std::ranges::any_of(spec.jobs, [](const JobSpec& job) { return job.flows != nullptr; }),
      .background = all && std::ranges::any_of(spec.jobs, &JobSpec::background)};
  experiment.workload_spec = std::move(spec);
}

std::string placement_text(const placement::PlacementSpec& placement) {
  if (placement.kind == v1::Placement::BLOCK && placement.ranks_per_host == 1) return {};
  return fmt::format(", placed {}, {} on a host", to_lower(v1::Placement::Kind_Name(placement.kind)),
                     placement.ranks_per_host);
}

absl::StatusOr<std::unique_ptr<host::Workload>> make_bare(const JobSpec& job, const experiment::Experiment& experiment,
                                                          const system::SystemGraph& graph) {
  const auto hosts_of = [&](int32_t ranks, const std::string& name) -> absl::StatusOr<std::vector<int32_t>> {
    const absl::StatusOr<placement::Placement> placement =
        placement::Placement::create(job.placement, {experiment, graph, {}, 0});
    if (!placement.ok()) return placement.status();
    return placement->hosts_of(ranks, name);
  };
  const auto at_job = [&](const absl::Status& error) {
    return absl::Status(error.code(), experiment::format_diagnostic(experiment.workload_location, message_of(error)));
  };
  return job.kind->make_bare(job.work, hosts_of, at_job);
}

}  // namespace

std::string Jobs::text(const experiment::Experiment& experiment) const {
  const auto text_of = [&](const JobSpec& job) {
    if (job.flows != nullptr) return job.flows->flows_text(job.work);
    if (job.traffic) return traffic::text_of(*job.work_as<traffic::TrafficSpec>());
    return job.kind->text(job.work, experiment.host) + placement_text(job.placement);
  };
  const std::vector<JobSpec>& jobs = experiment.workload_as<JobsSpec>()->jobs;
  if (jobs.size() == 1) return text_of(jobs[0]);
  std::string text;
  for (const JobSpec& job : jobs) {
    text += fmt::format("{}{}{}: {}", text.empty() ? "" : "; ", job.name, job.background ? " (background)" : "",
                        text_of(job));
  }
  return text;
}

absl::StatusOr<std::unique_ptr<host::Workload>> Jobs::make(const experiment::Experiment& experiment,
                                                           const system::SystemGraph& graph) const {
  const JobsSpec& spec = *experiment.workload_as<JobsSpec>();
  if (spec.jobs.size() == 1 && spec.jobs[0].kind != nullptr && spec.jobs[0].kind->bare(spec.jobs[0].work))
    return make_bare(spec.jobs[0], experiment, graph);
  return JobsWorkload::create(spec, experiment, graph);
}

std::vector<experiment::Experiment> Jobs::baselines(const experiment::Experiment& experiment) const {
  const JobsSpec& spec = *experiment.workload_as<JobsSpec>();
  std::vector<experiment::Experiment> baselines;
  for (size_t job = 0; spec.baseline && !spec.alone.has_value() && job < spec.jobs.size(); ++job) {
    if (spec.jobs[job].background || spec.jobs[job].traffic) continue;
    experiment::Experiment& baseline = baselines.emplace_back(experiment);
    // Other places read the message.
    baseline.message.mutable_workload()->mutable_jobs()->set_only(spec.jobs[job].name);
    JobsSpec alone = spec;
    alone.alone = job;
    set_jobs(std::move(alone), baseline);
  }
  return baselines;
}

void Jobs::add_baselines(const experiment::Experiment& /*experiment*/, std::span<const v1::Report> baselines,
                         v1::Report& report) const {
  size_t next = 0;
  for (v1::JobReport& job : *report.mutable_jobs()) {
    if (job.background() || next == baselines.size()) continue;
    const v1::Report& alone = baselines[next++];
    if (alone.jobs_size() != 1 || !alone.complete()) continue;
    job.set_baseline_seconds(alone.jobs(0).finish_seconds());
    if (job.completions() > 0 && job.baseline_seconds() > 0)
      job.set_slowdown(job.finish_seconds() / job.baseline_seconds());
  }
}

void SingleJob::check(experiment::Experiment& experiment, const experiment::FileChecker& files,
                      experiment::FieldChecker& fields) const {
  experiment.workload_location = single_job_location(kind_, fields.locations());
  set_jobs(check_single_job(kind_, *experiment.message.mutable_workload(), files, fields), experiment);
}

void SeveralJobs::check(experiment::Experiment& experiment, const experiment::FileChecker& files,
                        experiment::FieldChecker& fields) const {
  set_jobs(check_several_jobs(kinds_, *experiment.message.mutable_workload(), files, fields), experiment);
}

void SeveralJobs::add_results(const v1::Report& report, std::string& text) const {
  add_jobs_table(report, text);
  for (const v1::JobReport& job : report.jobs()) {
    for (const mpi::JobKind* kind : kinds_.ranks) kind->add_results(job, text);
  }
}

}  // namespace fabrictwin::job
