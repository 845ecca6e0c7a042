// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/job_factory.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/gemm/gemm_program.h"
#include "workloads/mpi/source_program.h"
#include "workloads/mpi/trace_check.h"
#include "workloads/osu/osu_benchmark.h"
#include "workloads/osu/osu_program.h"
#include "workloads/skeleton/skeleton_factory.h"

namespace fabrictwin {
namespace {

using ProgramOr = absl::StatusOr<std::unique_ptr<JobProgram>>;

ProgramOr make(const MpiTraceSpec& spec, const HostSpec&, int64_t) {
  absl::StatusOr<std::shared_ptr<const TraceReader>> reader = TraceReader::open(spec.path);
  if (!reader.ok()) return reader.status();
  if (absl::Status status = check_replayable(*reader); !status.ok()) return status;
  return std::make_unique<SourceProgram>(*reader);
}

ProgramOr make(const SkeletonSpec& spec, const HostSpec& host, int64_t) {
  absl::StatusOr<std::shared_ptr<const TraceSource>> source = make_skeleton(spec, host.profile);
  if (!source.ok()) return source.status();
  return std::make_unique<SourceProgram>(*std::move(source));
}

ProgramOr make(const OsuSpec& spec, const HostSpec&, int64_t room) {
  const OsuBenchmark& benchmark = osu_benchmark(spec.benchmark);
  int64_t ranks = spec.ranks;
  if (ranks == 0) ranks = benchmark.two_ranks ? 2 : std::min<int64_t>(room, std::numeric_limits<int32_t>::max());
  // Pairs leave an odd rank out.
  if (spec.ranks == 0 && benchmark.even_ranks) ranks -= ranks % 2;
  return make_osu_program(spec, static_cast<int32_t>(ranks));
}

ProgramOr make(const GemmSpec& spec, const HostSpec&, int64_t) { return make_gemm_program(spec); }

}  // namespace

ProgramOr make_job_program(const JobSpec& job, const HostSpec& host, int64_t room) {
  ProgramOr program = std::visit([&](const auto& work) { return make(work, host, room); }, job.work);
  if (program.ok()) return program;
  return absl::Status(program.status().code(), format_diagnostic(job.place, message_of(program.status())));
}

}  // namespace fabrictwin
