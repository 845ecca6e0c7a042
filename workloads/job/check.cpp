// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/experiment/check/message_reader.h"
#include "workloads/placement/check.h"

namespace fabrictwin::job {
namespace {

using experiment::FieldChecker;
using experiment::FileChecker;

constexpr int kMaxJobs = 64;
constexpr std::string_view kPath = "workload.jobs";

bool is_name(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

google::protobuf::Message& field_of(google::protobuf::Message& parent, int number) {
  return *parent.GetReflection()->MutableMessage(&parent, parent.GetDescriptor()->FindFieldByNumber(number));
}

/// Reads the work of a job, field `number` of `parent` (a workload or a job at `path`).
void check_work(const mpi::JobKind& kind, const std::string& path, int number, google::protobuf::Message& parent,
                const FileChecker& files, FieldChecker& fields, JobSpec& spec) {
  google::protobuf::Message& message = field_of(parent, number);
  spec.kind = &kind;
  spec.work =
      kind.check(message, files, experiment::MessageReader(message, fmt::format("{}.{}", path, kind.name()), fields));
}

void check_flows(const flows::FlowKind& kind, const std::string& path, v1::Job& job, const FileChecker& files,
                 FieldChecker& fields, JobSpec& spec) {
  google::protobuf::Message& message = field_of(job, job.kind_case());
  spec.flows = &kind;
  spec.work = kind.check_flows(message, files,
                               experiment::MessageReader(message, fmt::format("{}.{}", path, kind.name()), fields));
  const std::string on_each = path + ".placement.ranks_per_host";
  if (fields.locations().has(on_each))
    fields.complain(on_each, "ranks_per_host is for jobs with ranks, and flows have none; leave it out");
}

/// Reads the placement of a job at `path`. `Parent` is v1::Workload or v1::Job.
template <typename Parent>
void check_placement_of(const std::string& path, Parent& parent, const FileChecker& files, FieldChecker& fields,
                        JobSpec& spec) {
  const std::string ranks =
      spec.kind == nullptr ? path : fmt::format("{}.{}.{}", path, spec.kind->name(), spec.kind->ranks_field());
  v1::Placement none;
  v1::Placement& placement = parent.has_placement() ? *parent.mutable_placement() : none;
  spec.placement = placement::check_placement(path + ".placement", ranks, placement, files, fields);
}

JobSpec check_job(const KnownJobs& known, const std::string& path, int number, v1::Job& job, const FileChecker& files,
                  FieldChecker& fields) {
  JobSpec spec;
  spec.location = fields.locations().find(path);
  spec.background = job.background();
  spec.name = job.name().empty() ? fmt::format("job{}", number) : job.name();
  if (!is_name(spec.name)) {
    fields.complain(path + ".name", fmt::format("name \"{}\": write letters, digits, '_' and '-' only", spec.name));
  }
  const auto is_kind = [&](const auto* one) { return one->job() == job.kind_case(); };
  const auto ranks = std::ranges::find_if(known.ranks, is_kind);
  const auto flows = std::ranges::find_if(known.flows, is_kind);
  if (ranks != known.ranks.end()) {
    check_work(**ranks, path, job.kind_case(), job, files, fields, spec);
  } else if (flows != known.flows.end()) {
    check_flows(**flows, path, job, files, fields, spec);
  } else {
    std::vector<std::string> names;
    for (const mpi::JobKind* one : known.ranks) names.push_back(one->name() + " { ... }");
    for (const flows::FlowKind* one : known.flows) names.push_back(one->name() + " { ... }");
    const std::string last = names.back();
    names.pop_back();
    fields.complain(path, fmt::format("the job does nothing; write {} or {} in it", fmt::join(names, ", "), last));
  }
  check_placement_of(path, job, files, fields, spec);
  return spec;
}

/// Refuses memory traffic for computations if all jobs say themselves what they move.
void check_compute_traffic(const JobsSpec& spec, FieldChecker& fields) {
  static constexpr std::string_view kTraffic = "host.memory.compute_traffic";
  const auto says_itself = [](const JobSpec& job) { return job.kind != nullptr && job.kind->shares_memory(); };
  if (fields.locations().has(std::string(kTraffic)) && std::ranges::all_of(spec.jobs, says_itself)) {
    fields.complain(kTraffic,
                    "compute_traffic is for recorded traces: skeletons say themselves what they move; leave it out");
  }
}

/// A job that runs alone is told apart in this process only.
void check_baseline(const JobsSpec& spec, const v1::Experiment& experiment, FieldChecker& fields) {
  static const std::string path = std::string(kPath) + ".baseline";
  if (!spec.baseline) return;
  if (spec.jobs.size() == 1)
    fields.complain(path, "the job has nothing beside it that could slow it down; write another job, or leave it out");
  if (std::ranges::any_of(experiment.use(),
                          [](const v1::Use& use) { return !use.place().empty() && use.place() != "inproc"; }))
    fields.complain(path, "baseline needs all parts in this process; leave place out of all uses, or leave it out");
}

}  // namespace

experiment::SourceLocation single_job_location(const mpi::JobKind& kind, const experiment::LocationMap& locations) {
  const std::string main = fmt::format("workload.{}.{}", kind.name(), kind.main_field());
  return locations.find(!kind.main_field().empty() && locations.overridden(main) ? main : "workload");
}

JobsSpec check_single_job(const mpi::JobKind& kind, v1::Workload& workload, const FileChecker& files,
                          FieldChecker& fields) {
  JobSpec job;
  job.name = kind.name();
  job.location = single_job_location(kind, fields.locations());
  check_work(kind, "workload", kind.workload(), workload, files, fields, job);
  check_placement_of("workload", workload, files, fields, job);
  JobsSpec spec{{std::move(job)}};
  check_compute_traffic(spec, fields);
  return spec;
}

JobsSpec check_several_jobs(const KnownJobs& known, v1::Experiment& experiment, const FileChecker& files,
                            FieldChecker& fields) {
  v1::Workload& workload = *experiment.mutable_workload();
  if (workload.has_placement()) {
    fields.complain("workload.placement", "jobs have placements of their own; write placement in each job");
  }
  v1::Jobs& jobs = *workload.mutable_jobs();
  JobsSpec spec;
  if (jobs.job_size() == 0 || jobs.job_size() > kMaxJobs) {
    fields.complain(kPath, fmt::format("{} jobs: write 1 to {} of them, as in jobs {{ job {{ skeleton {{ ... }} }} }}",
                                       jobs.job_size(), kMaxJobs));
    return spec;
  }
  std::set<std::string> names;
  for (int i = 0; i < jobs.job_size(); ++i) {
    const std::string path = fmt::format("{}.job[{}]", kPath, i);
    spec.jobs.push_back(check_job(known, path, i, *jobs.mutable_job(i), files, fields));
    if (!names.insert(spec.jobs.back().name).second)
      fields.complain(path + ".name",
                      fmt::format("another job is called \"{}\" too; rename one of them", spec.jobs.back().name));
  }
  if (std::all_of(spec.jobs.begin(), spec.jobs.end(), [](const JobSpec& job) { return job.background; })) {
    fields.complain(kPath,
                    "all jobs are in the background, so the run would end at once; leave background out of one "
                    "of them");
  }
  check_compute_traffic(spec, fields);
  spec.baseline = jobs.baseline();
  check_baseline(spec, experiment, fields);
  return spec;
}

}  // namespace fabrictwin::job
