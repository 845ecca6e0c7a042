// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job/jobs_workload.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "workloads/flows/flow_metrics.h"
#include "workloads/job/placed_jobs.h"
#include "workloads/traffic/job.h"

namespace fabrictwin::job {

absl::StatusOr<std::unique_ptr<JobsWorkload>> JobsWorkload::create(const JobsSpec& spec,
                                                                   const experiment::Experiment& experiment,
                                                                   const system::SystemGraph& graph) {
  absl::StatusOr<std::vector<PlacedJob>> placed = place_jobs(spec, experiment, graph);
  if (!placed.ok()) return placed.status();
  std::unique_ptr<JobsWorkload> workload(new JobsWorkload());
  if (absl::Status status = workload->add(*std::move(placed), spec, experiment, graph); !status.ok()) return status;
  return workload;
}

absl::Status JobsWorkload::add(std::vector<PlacedJob> placed, const JobsSpec& spec,
                               const experiment::Experiment& experiment, const system::SystemGraph& graph) {
  const int32_t hosts = graph.host_count();
  std::vector<PlacedJob> ranks;
  std::vector<flows::FlowGroup> groups;
  bool background = false;
  int position = 0;
  for (size_t i = 0; i < placed.size(); ++i) {
    if (!spec.runs(i)) continue;
    PlacedJob& job = placed[i];
    if (job.spec->traffic) {
      // It has no line among the jobs: its packets are the traffic of the report.
      if (absl::Status status = add_traffic(std::move(job), experiment, graph); !status.ok()) return status;
      continue;
    }
    if (job.spec->flows == nullptr) {
      ranks.push_back(std::move(job));
    } else {
      flow_jobs_.push_back({job.spec->name, job.spec->background, position, job.flows.size()});
      groups.push_back({std::move(job.flows), std::move(job.hosts), job.spec->background});
      background = background || job.spec->background;
    }
    ++position;
  }
  if (!groups.empty())
    flows_ = std::make_unique<flows::Workload>(std::move(groups), hosts, experiment.transport.has_value());
  if (ranks.empty()) return absl::OkStatus();
  ranks_ =
      std::make_unique<MpiWorkload>(std::move(ranks), experiment.host, experiment.capabilities.of(experiment.host.nic),
                                    hosts, background, experiment.stop_after);
  ranks_->follow(experiment.statistics);
  // Flows in the background would hide a deadlock of ranks.
  if (background) flows_->set_look([this](Time now) { return ranks_->check_progress(now); });
  return absl::OkStatus();
}

absl::Status JobsWorkload::add_traffic(PlacedJob job, const experiment::Experiment& experiment,
                                       const system::SystemGraph& graph) {
  const JobSpec& spec = *job.spec;
  if (job.hosts.size() < 2) {
    return absl::InvalidArgumentError(experiment::format_diagnostic(
        spec.location, fmt::format("{} is traffic on {} hosts, and needs two; give it more hosts, or other jobs fewer",
                                   spec.name, job.hosts.size())));
  }
  auto made = traffic::make_job(*spec.work_as<traffic::TrafficSpec>(), experiment, graph,
                                traffic::TrafficHosts(std::move(job.hosts), spec.background), job.seed);
  if (!made.ok()) return made.status();
  traffic_ = *std::move(made);
  traffic_waits_ = !spec.background;
  return absl::OkStatus();
}

bool JobsWorkload::takes_part(int32_t node) const {
  return (ranks_ && ranks_->takes_part(node)) || (traffic_ && traffic_->takes_part(node)) ||
         (flows_ && flows_->takes_part(node));
}

absl::StatusOr<std::unique_ptr<host::HostProcess>> JobsWorkload::make_process(int32_t node,
                                                                              observe::EndpointDigest* digest) {
  if (ranks_) {
    auto process = ranks_->make_process(node, digest);
    if (!process.ok() || *process != nullptr) return process;
  }
  if (traffic_) {
    auto process = traffic_->make_process(node, digest);
    if (!process.ok() || *process != nullptr) return process;
  }
  if (!flows_) return std::unique_ptr<host::HostProcess>();
  return flows_->make_process(node, digest);
}

bool JobsWorkload::independent_hosts() const { return !traffic_ && (!ranks_ || ranks_->independent_hosts()); }

std::string_view JobsWorkload::shared_among_hosts() const {
  if (flows_ && !flows_->shared_among_hosts().empty()) return flows_->shared_among_hosts();
  if (traffic_ && !traffic_->shared_among_hosts().empty()) return traffic_->shared_among_hosts();
  return ranks_ ? ranks_->shared_among_hosts() : std::string_view();
}

engine::Foreground JobsWorkload::foreground() const {
  engine::Foreground foreground =
      ranks_ ? ranks_->foreground() : engine::Foreground{.state = engine::Foreground::State::kWaits};
  // Flows and traffic send without being asked.
  const bool others = (flows_ && !flows_->foreground_finished()) || (traffic_waits_ && !traffic_->finished_here());
  if (others) foreground.state = engine::Foreground::State::kRuns;
  return foreground;
}

std::span<const uint64_t> JobsWorkload::flow_bytes() const {
  return flows_ ? flows_->flow_bytes() : std::span<const uint64_t>();
}

std::span<uint64_t> JobsWorkload::count_flow_bytes() {
  return flows_ ? flows_->count_flow_bytes() : std::span<uint64_t>();
}

std::vector<std::string> JobsWorkload::waits() const { return ranks_ ? ranks_->waits() : std::vector<std::string>(); }

void JobsWorkload::measure(metric::Sink& sink) const {
  measure_sums(sink);
  if (traffic_) traffic_->measure(sink);
}

void JobsWorkload::measure_sums(metric::Sink& sink) const {
  if (ranks_) ranks_->measure_sums(sink);
  if (!flows_) return;
  flows_->measure_sums(sink);
  std::span<const uint64_t> bytes = flows_->flow_bytes();
  for (const FlowJob& job : flow_jobs_) {
    flows::measure_job(job.name, bytes.first(job.flows), sink);
    bytes = bytes.subspan(job.flows);
  }
}

double JobsWorkload::done() const {
  const bool waits =
      std::any_of(flow_jobs_.begin(), flow_jobs_.end(), [](const FlowJob& job) { return !job.background; });
  const double flows = waits ? flows_->done() : 1;
  const double traffic = traffic_waits_ ? traffic_->done() : 1;
  return std::min({flows, traffic, ranks_ ? ranks_->done() : 1});
}

void JobsWorkload::report(v1::Report& report) const {
  if (ranks_) ranks_->report(report);
  if (traffic_) traffic_->report(report);
  report_flows(report);
}

void JobsWorkload::report_here(v1::Report& report) const {
  if (ranks_) ranks_->report(report);
  if (traffic_) traffic_->report_here(report);
  report_flow_jobs(report);
}

void JobsWorkload::report_flows(v1::Report& report) const {
  if (!flows_) return;
  report_flow_jobs(report);
  flows_->report(report);
  report_jobs_of_flows(report);
}

void JobsWorkload::report_flow_jobs(v1::Report& report) const {
  for (size_t group = 0; group < flow_jobs_.size(); ++group) report_flow_job(group, report);
}

bool JobsWorkload::report_part(v1::WorkloadPart& part) const {
  const bool of_ranks = ranks_ && ranks_->report_part(part);
  const bool of_traffic = traffic_ && traffic_->report_part(part);
  const bool of_flows = flows_ && flows_->report_part(part);
  return of_ranks || of_traffic || of_flows;
}

absl::Status JobsWorkload::add_part(const v1::WorkloadPart& part) {
  if (part.has_traffic()) {
    if (!traffic_) return absl::DataLossError("a place tells of traffic, and no job is");
    if (absl::Status status = traffic_->add_part(part); !status.ok()) return status;
  }
  if (part.has_flows()) {
    if (!flows_) return absl::DataLossError("a place tells of flows, and no job has any");
    if (absl::Status status = flows_->add_part(part); !status.ok()) return status;
  }
  if (!part.has_activity() && part.jobs().empty()) return absl::OkStatus();
  return ranks_ ? ranks_->add_part(part) : absl::DataLossError("a place tells of ranks, but no job has any");
}

void JobsWorkload::report_parts(v1::Report& report) const {
  if (ranks_) ranks_->report_parts(report);
  if (traffic_) traffic_->report(report);
  if (!flows_) return;
  flows_->report_parts(report);
  report_jobs_of_flows(report);
  // Each part counts the ranks that are there.
  for (size_t group = 0; group < flow_jobs_.size(); ++group) {
    const FlowJob& job = flow_jobs_[group];
    if (job.position >= report.jobs_size()) continue;
    v1::JobReport& line = *report.mutable_jobs(job.position);
    line.set_first_rank(report.ranks_size());
    if (!job.background) continue;
    const flows::Workload::GroupEnd end = flows_->end_of_parts(group);
    line.set_completions(end.completions);
    line.set_finish_seconds(end.at.seconds());
  }
}

void JobsWorkload::report_jobs_of_flows(v1::Report& report) const {
  int flow = 0;
  for (const FlowJob& job : flow_jobs_) {
    for (size_t i = 0; i < job.flows; ++i) report.mutable_flows(flow++)->set_job(job.position);
  }
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
