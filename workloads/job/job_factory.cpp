// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job/job_factory.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/gemm/program.h"
#include "workloads/job/skeleton_factory.h"
#include "workloads/mpi/source_program.h"
#include "workloads/mpi/trace_check.h"
#include "workloads/osu/benchmark.h"
#include "workloads/osu/program.h"

namespace fabrictwin::job {
namespace {

using ProgramOr = absl::StatusOr<std::unique_ptr<mpi::JobProgram>>;

ProgramOr make(const experiment::MpiTraceSpec& spec, const experiment::HostSpec&, int64_t) {
  absl::StatusOr<std::shared_ptr<const trace::format::Reader>> reader = trace::format::Reader::open(spec.path);
  if (!reader.ok()) return reader.status();
  if (absl::Status status = mpi::check_replayable(*reader); !status.ok()) return status;
  return std::make_unique<mpi::SourceProgram>(*reader);
}

ProgramOr make(const experiment::SkeletonSpec& spec, const experiment::HostSpec& host, int64_t) {
  absl::StatusOr<std::shared_ptr<const trace::format::Source>> source = make_skeleton(spec, host.profile);
  if (!source.ok()) return source.status();
  return std::make_unique<mpi::SourceProgram>(*std::move(source));
}

ProgramOr make(const experiment::OsuSpec& spec, const experiment::HostSpec&, int64_t room) {
  const osu::Benchmark& benchmark = osu::osu_benchmark(spec.benchmark);
  int64_t ranks = spec.ranks;
  if (ranks == 0) ranks = benchmark.two_ranks ? 2 : std::min<int64_t>(room, std::numeric_limits<int32_t>::max());
  // Benchmarks of pairs leave an odd rank out.
  if (spec.ranks == 0 && benchmark.even_ranks) ranks -= ranks % 2;
  return osu::make_osu_program(spec, static_cast<int32_t>(ranks));
}

ProgramOr make(const experiment::GemmSpec& spec, const experiment::HostSpec&, int64_t) {
  return gemm::make_gemm_program(spec);
}

}  // namespace

ProgramOr make_job_program(const experiment::JobSpec& job, const experiment::HostSpec& host, int64_t room) {
  ProgramOr program = std::visit([&](const auto& work) { return make(work, host, room); }, job.work);
  if (program.ok()) return program;
  return absl::Status(program.status().code(), experiment::format_diagnostic(job.place, message_of(program.status())));
}

}  // namespace fabrictwin::job
