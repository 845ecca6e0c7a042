// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job/jobs_workload.h"

#include <algorithm>
#include <utility>

#include "workloads/job/placed_jobs.h"

namespace fabrictwin::job {

absl::StatusOr<std::unique_ptr<JobsWorkload>> JobsWorkload::create(const JobsSpec& spec,
                                                                   const experiment::Experiment& experiment,
                                                                   const system::SystemGraph& graph) {
  absl::StatusOr<std::vector<PlacedJob>> placed = place_jobs(spec, experiment, graph);
  if (!placed.ok()) return placed.status();
  std::unique_ptr<JobsWorkload> workload(new JobsWorkload());
  workload->add(*std::move(placed), spec, experiment, graph.host_count());
  return workload;
}

void JobsWorkload::add(std::vector<PlacedJob> placed, const JobsSpec& spec, const experiment::Experiment& experiment,
                       int32_t hosts) {
  std::vector<PlacedJob> ranks;
  std::vector<flows::FlowGroup> groups;
  bool background = false;
  int position = 0;
  for (size_t i = 0; i < placed.size(); ++i) {
    if (!spec.runs(i)) continue;
    PlacedJob& job = placed[i];
    if (job.spec->flows == nullptr) {
      ranks.push_back(std::move(job));
    } else {
      flow_jobs_.push_back({job.spec->name, job.spec->background, position});
      groups.push_back({std::move(job.flows), std::move(job.hosts), job.spec->background});
      background = background || job.spec->background;
    }
    ++position;
  }
  if (!groups.empty())
    flows_ = std::make_unique<flows::Workload>(std::move(groups), hosts, experiment.transport.has_value());
  if (ranks.empty()) return;
  ranks_ = std::make_unique<MpiWorkload>(std::move(ranks), experiment.host, hosts, background);
  ranks_->follow(experiment.statistics);
  // Flows in the background would hide a deadlock of ranks.
  if (background) flows_->set_look([this](Time now) { return ranks_->check_progress(now); });
}

absl::StatusOr<std::unique_ptr<host::HostProcess>> JobsWorkload::make_process(int32_t node,
                                                                              observe::EndpointDigest* digest) {
  if (ranks_) {
    auto process = ranks_->make_process(node, digest);
    if (!process.ok() || *process != nullptr || !flows_) return process;
  }
  return flows_->make_process(node, digest);
}

bool JobsWorkload::independent_hosts() const { return !ranks_ || ranks_->independent_hosts(); }

std::string_view JobsWorkload::shared_among_hosts() const {
  if (flows_ || !ranks_) return "the list of flows";
  return ranks_->shared_among_hosts();
}

std::span<uint64_t> JobsWorkload::flow_bytes() { return flows_ ? flows_->flow_bytes() : std::span<uint64_t>(); }

std::vector<std::string> JobsWorkload::waits() const { return ranks_ ? ranks_->waits() : std::vector<std::string>(); }

void JobsWorkload::measure(metric::Sink& sink) const {
  if (ranks_) ranks_->measure(sink);
  if (flows_) flows_->measure(sink);
}

double JobsWorkload::done() const {
  const bool waits =
      std::any_of(flow_jobs_.begin(), flow_jobs_.end(), [](const FlowJob& job) { return !job.background; });
  const double flows = waits ? flows_->done() : 1;
  return ranks_ ? std::min(flows, ranks_->done()) : flows;
}

void JobsWorkload::report(v1::Report& report) const {
  if (ranks_) ranks_->report(report);
  if (!flows_) return;
  for (size_t group = 0; group < flow_jobs_.size(); ++group) report_flow_job(group, report);
  flows_->report(report);
}

bool JobsWorkload::report_part(v1::WorkloadPart& part) const { return ranks_ && ranks_->report_part(part); }

absl::Status JobsWorkload::add_part(const v1::WorkloadPart& part) {
  return ranks_ ? ranks_->add_part(part) : absl::DataLossError("a place tells of ranks, but no job has any");
}

void JobsWorkload::report_parts(v1::Report& report) const {
  if (ranks_) ranks_->report_parts(report);
}

void JobsWorkload::report_flow_job(size_t group, v1::Report& report) const {
  const FlowJob& job = flow_jobs_[group];
  const flows::Workload::GroupEnd end = flows_->end_of(group);
  v1::JobReport& line = *report.add_jobs();
  line.set_name(job.name);
  line.set_first_rank(report.ranks_size());
  line.set_background(job.background);
  line.set_finish_seconds(end.at.seconds());
  line.set_completions(end.completions);
  // Jobs are reported in their order.
  for (int i = report.jobs_size() - 1; i > job.position; --i) report.mutable_jobs()->SwapElements(i, i - 1);
}

}  // namespace fabrictwin::job
