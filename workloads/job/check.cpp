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
#include "workloads/traffic/job.h"

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

void complain_of_ranks(const std::string& path, std::string_view what, FieldChecker& fields) {
  const std::string on_each = path + ".placement.ranks_per_host";
  if (fields.locations().has(on_each))
    fields.complain(on_each, fmt::format("ranks_per_host is for jobs with ranks, and {} has none; leave it out", what));
}

void check_flows(const flows::FlowKind& kind, const std::string& path, v1::Job& job, const FileChecker& files,
                 FieldChecker& fields, JobSpec& spec) {
  google::protobuf::Message& message = field_of(job, job.kind_case());
  spec.flows = &kind;
  spec.work = kind.check_flows(message, files,
                               experiment::MessageReader(message, fmt::format("{}.{}", path, kind.name()), fields));
  complain_of_ranks(path, "a job of flows", fields);
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
  } else if (job.has_traffic()) {
    spec.traffic = true;
    v1::Traffic& message = *job.mutable_traffic();
    spec.work = traffic::check_job(message, files, experiment::MessageReader(message, path + ".traffic", fields));
    complain_of_ranks(path, "traffic", fields);
  } else {
    std::vector<std::string> names;
    for (const mpi::JobKind* one : known.ranks) names.push_back(one->name() + " { ... }");
    for (const flows::FlowKind* one : known.flows) names.push_back(one->name() + " { ... }");
    fields.complain(path,
                    fmt::format("the job does nothing; write {} or traffic {{ ... }} in it", fmt::join(names, ", ")));
  }
  check_placement_of(path, job, files, fields, spec);
  return spec;
}

/// Refuses more traffic than the report has a field for, and traffic alone.
void check_traffic_jobs(const JobsSpec& spec, FieldChecker& fields) {
  int traffic = 0;
  for (size_t i = 0; i < spec.jobs.size(); ++i) {
    if (!spec.jobs[i].traffic || ++traffic == 1) continue;
    fields.complain(fmt::format("{}.job[{}].traffic", kPath, i),
                    "another job is traffic, too; make its packets a class of that one: traffic { class { ... } }");
  }
  if (traffic == 1 && spec.jobs.size() == 1) {
    fields.complain(fmt::format("{}.job[0].traffic", kPath),
                    "traffic has nothing beside it; write workload { traffic { ... } }");
  }
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

JobsSpec check_several_jobs(const KnownJobs& known, v1::Workload& workload, const FileChecker& files,
                            FieldChecker& fields) {
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
  if (!jobs.only().empty()) {
    const auto only = std::ranges::find(spec.jobs, jobs.only(), &JobSpec::name);
    spec.alone = static_cast<size_t>(only - spec.jobs.begin());
    if (only == spec.jobs.end()) {
      spec.alone.reset();
      fields.complain(std::string(kPath) + ".only", fmt::format("only \"{}\": no job is called so; the jobs are {}",
                                                                jobs.only(), fmt::join(names, ", ")));
    } else if (only->background) {
      fields.complain(std::string(kPath) + ".only",
                      fmt::format("only \"{}\": the job is in the background, so the run would end at once; leave its "
                                  "background out",
                                  jobs.only()));
    }
  }
  if (std::all_of(spec.jobs.begin(), spec.jobs.end(), [](const JobSpec& job) { return job.background; })) {
    fields.complain(kPath,
                    "all jobs are in the background, so the run would end at once; leave background out of one "
                    "of them");
  }
  check_traffic_jobs(spec, fields);
  check_compute_traffic(spec, fields);
  spec.baseline = jobs.baseline();
  if (spec.baseline && spec.jobs.size() == 1) {
    fields.complain(std::string(kPath) + ".baseline",
                    "the job has nothing beside it that could slow it down; write another job, or leave it out");
  }
  return spec;
}

}  // namespace fabrictwin::job
