// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/experiment/check/placement.h"

namespace fabrictwin::experiment {
namespace {

constexpr int kMaxJobs = 64;
constexpr int32_t kMaxRanks = 1 << 24;
constexpr int32_t kMaxIterations = 1'000'000;
constexpr int32_t kMaxWindow = 65536;
constexpr int32_t kMaxGemm = 16384;
constexpr int64_t kMaxMessage = int64_t{1} << 30;

/// Checks the work of one job, in whichever message of the experiment it is.
class WorkChecker {
 public:
  WorkChecker(const FileChecker& files, FieldChecker& fields) : files_(files), fields_(fields) {}

  MpiTraceSpec trace(const std::string& path, v1::MpiTrace& trace) {
    MpiTraceSpec spec;
    spec.compute_scale = trace.has_compute_scale() ? trace.compute_scale() : 1.0;
    if (!std::isfinite(spec.compute_scale) || spec.compute_scale < 0) {
      fields_.complain(
          path + ".compute_scale",
          fmt::format(
              "compute_scale {}: recorded compute time is multiplied by it; write a finite number that is not negative",
              spec.compute_scale));
    }
    if (!trace.eager_limit().empty())
      spec.eager_limit = fields_.quantity<Bytes>(path + ".eager_limit", trace.eager_limit(), "", parse_bytes);
    if (trace.path().empty()) {
      fields_.complain(path + ".path",
                       "the trace has no path; write path: \"FILE.fttrace\" (make one with `fabrictwin trace import`)");
    } else {
      spec.path = files_.find(
          path + ".path", trace.path(), "a .fttrace file",
          fmt::format("make it with `fabrictwin trace import --from ti DIR --out {}`, or name another", trace.path()));
      trace.set_path(spec.path);
    }
    return spec;
  }

  SkeletonSpec skeleton(const std::string& path, const v1::Skeleton& skeleton) {
    SkeletonSpec spec;
    spec.ranks = required(path, "ranks", skeleton.ranks(), kMaxRanks, "ranks: 512");
    switch (skeleton.application_case()) {
      case v1::Skeleton::kHpcg: {
        HpcgSpec hpcg;
        hpcg.local = extent(path + ".hpcg", "local", skeleton.hpcg().local());
        if (fields_.places().has(path + ".hpcg.grid"))
          hpcg.grid = extent(path + ".hpcg", "grid", skeleton.hpcg().grid());
        hpcg.reference_iterations = fields_.number(path + ".hpcg.reference_iterations",
                                                   skeleton.hpcg().reference_iterations(), 1, 1, kMaxIterations);
        spec.application = hpcg;
        break;
      }
      case v1::Skeleton::kMinife: {
        MinifeSpec minife;
        minife.global = extent(path + ".minife", "global", skeleton.minife().global());
        minife.iterations =
            fields_.number(path + ".minife.iterations", skeleton.minife().iterations(), 200, 1, kMaxIterations);
        spec.application = minife;
        break;
      }
      case v1::Skeleton::kLammpsLj:
        spec.application = lammps(path + ".lammps_lj", skeleton.lammps_lj(), skeleton.application_case());
        break;
      case v1::Skeleton::kLammpsRhodo:
        spec.application = lammps(path + ".lammps_rhodo", skeleton.lammps_rhodo(), skeleton.application_case());
        break;
      case v1::Skeleton::kLammpsChain:
        spec.application = lammps_chain(path + ".lammps_chain", skeleton.lammps_chain());
        break;
      case v1::Skeleton::APPLICATION_NOT_SET:
        fields_.complain(path,
                         "the skeleton has no application; write hpcg { local: \"16x16x16\" }, minife { ... }, "
                         "lammps_lj { ... }, lammps_rhodo { ... } or lammps_chain { ... } in it");
        break;
    }
    return spec;
  }

  OsuSpec osu(const std::string& path, const v1::Osu& osu) {
    OsuSpec spec;
    spec.benchmark = osu.benchmark();
    if (!v1::Osu::Benchmark_IsValid(osu.benchmark()) || osu.benchmark() == v1::Osu::BENCHMARK_UNSPECIFIED) {
      fields_.complain(path + ".benchmark",
                       "no such benchmark; write benchmark: LATENCY, BW, ALLREDUCE or another of "
                       "those in docs/models/osu.md");
      spec.benchmark = v1::Osu::LATENCY;
    }
    for (int i = 0; i < osu.sizes_size(); ++i)
      spec.sizes.push_back(message_size(fmt::format("{}.sizes[{}]", path, i), osu.sizes(i)));
    spec.iterations = fields_.number(path + ".iterations", osu.iterations(), 20, 1, kMaxIterations);
    if (osu.has_warmup()) {
      spec.warmup = osu.warmup();
      if (spec.warmup < 0 || spec.warmup > kMaxIterations)
        fields_.complain(path + ".warmup",
                         fmt::format("warmup {}: write 0 to {}; the default is 2", spec.warmup, kMaxIterations));
    }
    const bool window =
        osu.benchmark() == v1::Osu::BW || osu.benchmark() == v1::Osu::BIBW || osu.benchmark() == v1::Osu::MBW_MR;
    // A user who selects another benchmark by an argument need not remove the window from the file.
    if (fields_.places().has(path + ".window") && !window && !fields_.places().overridden(path + ".benchmark"))
      fields_.complain(path + ".window", "window is for the benchmarks BW, BIBW and MBW_MR; leave it out");
    spec.window = fields_.number(path + ".window", osu.window(), 64, 1, kMaxWindow);
    spec.ranks = fields_.number(path + ".ranks", osu.ranks(), 0, 2, kMaxRanks);
    return spec;
  }

  GemmSpec gemm(const std::string& path, const v1::Gemm& gemm) {
    GemmSpec spec;
    spec.size = required(path, "size", gemm.size(), kMaxGemm, "size: 1024");
    spec.rows = required(path, "rows", gemm.rows(), kMaxGemm, "rows: 2");
    spec.columns = required(path, "columns", gemm.columns(), kMaxGemm, "columns: 2");
    const v1::GemmEngine& engine = gemm.engine();
    const std::string in_engine = path + ".engine";
    spec.tile = fields_.number(in_engine + ".tile", engine.tile(), 128, 1, kMaxGemm);
    if (spec.tile != 128 && !fields_.places().has(in_engine + ".cycles")) {
      fields_.complain(
          in_engine + ".tile",
          fmt::format("tile {}: cycles says how long a tile takes; the default, 4200, is for tiles of 128; "
                      "write cycles, too",
                      spec.tile));
    }
    spec.tile_cycles = fields_.number(in_engine + ".cycles", engine.cycles(), 4200, 1, 1'000'000'000);
    spec.clock = fields_.quantity<Frequency>(in_engine + ".clock", engine.clock(), "300MHz", parse_frequency)
                     .value_or(Frequency{300'000'000});
    spec.memory_rate =
        fields_.quantity<Bandwidth>(in_engine + ".memory_rate", engine.memory_rate(), "115.2Gbps", parse_bandwidth)
            .value_or(Bandwidth{115'200'000'000});
    if (spec.memory_rate.bits_per_second == 0)
      fields_.complain(in_engine + ".memory_rate",
                       "memory_rate 0: no tile would ever be there; write a rate such as "
                       "\"115.2Gbps\"");
    spec.start_overhead = fields_.time(in_engine + ".start_overhead", engine.start_overhead(), "1us");
    spec.panel = fields_.number(path + ".panel", gemm.panel(), spec.tile, 1, kMaxGemm);
    // Invalid numbers have been replaced, so further checks of them would mislead.
    if (spec.size != gemm.size() || spec.rows != gemm.rows() || spec.columns != gemm.columns()) return spec;
    for (const auto& [name, across] : {std::pair("rows", spec.rows), std::pair("columns", spec.columns)}) {
      if (spec.size % (int64_t{across} * spec.tile) != 0) {
        fields_.complain(path + ".size", fmt::format("size {}: {} {} of ranks with tiles of {} need a multiple of {}",
                                                     spec.size, across, name, spec.tile, int64_t{across} * spec.tile));
      } else if (spec.size / across % spec.panel != 0 || spec.panel % spec.tile != 0) {
        fields_.complain(fields_.places().has(path + ".panel") ? path + ".panel" : path,
                         fmt::format("panel {}: a panel is a multiple of a tile, {}, and divides the {} elements of a "
                                     "rank ({})",
                                     spec.panel, spec.tile, spec.size / across, name));
      }
    }
    return spec;
  }

 private:
  Bytes message_size(const std::string& field, const std::string& text) {
    Bytes bytes{0};
    // A number without a unit is in bytes, as the benchmarks print it.
    if (!parse_number(text, bytes.count) || bytes.count < 0)
      bytes = fields_.quantity<Bytes>(field, text, "", parse_bytes).value_or(Bytes{0});
    if (bytes.count <= kMaxMessage) return bytes;
    fields_.complain(field, fmt::format("{} is too long for a message; write at most {}", to_string(bytes),
                                        to_string(Bytes{kMaxMessage})));
    return Bytes{0};
  }

  LammpsSpec lammps_chain(const std::string& path, const v1::LammpsChainSkeleton& chain) {
    LammpsSpec spec = lammps(path, chain, v1::Skeleton::kLammpsChain);
    spec.rebuild_steps = fields_.number(path + ".rebuild_steps", chain.rebuild_steps(), 4, 1, kMaxIterations);
    return spec;
  }

  template <typename Message>
  LammpsSpec lammps(const std::string& path, const Message& lammps, v1::Skeleton::ApplicationCase problem) {
    LammpsSpec spec;
    spec.problem = problem;
    spec.atoms = lammps.atoms();
    if (spec.atoms <= 0) {
      fields_.complain(fields_.places().has(path + ".atoms") ? path + ".atoms" : path,
                       fmt::format("atoms {}: write how many the whole problem has, as in atoms: 32000", spec.atoms));
    }
    spec.steps = fields_.number(path + ".steps", lammps.steps(), 100, 1, kMaxIterations);
    return spec;
  }

  /// Reads a number from 1 that has no default.
  int32_t required(const std::string& path, std::string_view name, int32_t value, int32_t most,
                   std::string_view example) {
    if (value >= 1 && value <= most) return value;
    const std::string field = fmt::format("{}.{}", path, name);
    if (fields_.places().has(field)) {
      fields_.complain(field, fmt::format("{} {}: write 1 to {}", name, value, most));
    } else {
      fields_.complain(path, fmt::format("there is no {}; write {}", name, example));
    }
    return 1;
  }

  /// Reads an extent such as "16x16x32".
  std::array<int32_t, 3> extent(const std::string& path, std::string_view name, const std::string& text) {
    std::array<int32_t, 3> extent{1, 1, 1};
    const std::vector<std::string_view> parts = split(text, "x");
    bool sound = parts.size() == extent.size();
    for (size_t i = 0; sound && i < extent.size(); ++i) sound = parse_number(parts[i], extent[i]) && extent[i] > 0;
    if (sound) return extent;
    const std::string field = fmt::format("{}.{}", path, name);
    fields_.complain(fields_.places().has(field) ? field : path,
                     fmt::format("{} \"{}\": write three positive numbers, as in {}: \"16x16x16\"", name, text, name));
    return {1, 1, 1};
  }

  const FileChecker& files_;
  FieldChecker& fields_;
};

bool is_name(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

/// The field of the job at `path` that says how many ranks it has.
std::string ranks_path(const std::string& path, const JobSpec& job) {
  static constexpr std::array<std::string_view, std::variant_size_v<decltype(JobSpec::work)>> kFields = {
      "mpi_trace.path", "skeleton.ranks", "osu.ranks", "gemm.rows"};
  return fmt::format("{}.{}", path, kFields[job.work.index()]);
}

JobSpec check_job(const std::string& path, int number, v1::Job& job, const FileChecker& files, FieldChecker& fields) {
  WorkChecker work(files, fields);
  JobSpec spec;
  spec.place = fields.places().find(path);
  spec.background = job.background();
  spec.name = job.name().empty() ? fmt::format("job{}", number) : job.name();
  if (!is_name(spec.name)) {
    fields.complain(path + ".name", fmt::format("name \"{}\": write letters, digits, '_' and '-' only", spec.name));
  }
  switch (job.kind_case()) {
    case v1::Job::kMpiTrace:
      spec.work = work.trace(path + ".mpi_trace", *job.mutable_mpi_trace());
      break;
    case v1::Job::kSkeleton:
      spec.work = work.skeleton(path + ".skeleton", job.skeleton());
      break;
    case v1::Job::kOsu:
      spec.work = work.osu(path + ".osu", job.osu());
      break;
    case v1::Job::kGemm:
      spec.work = work.gemm(path + ".gemm", job.gemm());
      break;
    case v1::Job::KIND_NOT_SET:
      fields.complain(path,
                      "the job does nothing; write mpi_trace { ... }, skeleton { ... }, osu { ... } or gemm { ... "
                      "} in it");
      break;
  }
  v1::Placement none;
  v1::Placement& placement = job.has_placement() ? *job.mutable_placement() : none;
  spec.placement = check_placement(path + ".placement", ranks_path(path, spec), placement, files, fields);
  return spec;
}

JobsSpec check_several(v1::Jobs& jobs, const FileChecker& files, FieldChecker& fields) {
  static constexpr std::string_view kPath = "workload.jobs";
  JobsSpec spec;
  if (jobs.job_size() == 0 || jobs.job_size() > kMaxJobs) {
    fields.complain(kPath, fmt::format("{} jobs: write 1 to {} of them, as in jobs {{ job {{ skeleton {{ ... }} }} }}",
                                       jobs.job_size(), kMaxJobs));
    return spec;
  }
  std::set<std::string> names;
  for (int i = 0; i < jobs.job_size(); ++i) {
    const std::string path = fmt::format("{}.job[{}]", kPath, i);
    spec.jobs.push_back(check_job(path, i, *jobs.mutable_job(i), files, fields));
    if (!names.insert(spec.jobs.back().name).second)
      fields.complain(path + ".name",
                      fmt::format("another job is called \"{}\" too; rename one of them", spec.jobs.back().name));
  }
  if (std::all_of(spec.jobs.begin(), spec.jobs.end(), [](const JobSpec& job) { return job.background; })) {
    fields.complain(kPath,
                    "all jobs are in the background, so the run would end at once; leave background out of one "
                    "of them");
  }
  return spec;
}

}  // namespace

SourcePlace workload_place(const PlaceMap& places) {
  for (const std::string_view path : {"workload.mpi_trace.path", "workload.osu.benchmark"}) {
    if (places.overridden(std::string(path))) return places.find(path);
  }
  return places.find("workload");
}

JobsSpec check_jobs(v1::Workload& workload, const FileChecker& files, FieldChecker& fields) {
  static constexpr std::string_view kPlacement = "workload.placement";
  if (workload.has_jobs()) {
    if (workload.has_placement())
      fields.complain(kPlacement, "jobs have placements of their own; write placement in each job");
    return check_several(*workload.mutable_jobs(), files, fields);
  }
  WorkChecker work(files, fields);
  JobSpec job;
  job.place = workload_place(fields.places());
  if (workload.has_mpi_trace()) {
    job.name = "mpi_trace";
    job.work = work.trace("workload.mpi_trace", *workload.mutable_mpi_trace());
  } else if (workload.has_skeleton()) {
    job.name = "skeleton";
    job.work = work.skeleton("workload.skeleton", workload.skeleton());
  } else if (workload.has_osu()) {
    job.name = "osu";
    job.work = work.osu("workload.osu", workload.osu());
  } else {
    job.name = "gemm";
    job.work = work.gemm("workload.gemm", workload.gemm());
  }
  v1::Placement none;
  v1::Placement& placement = workload.has_placement() ? *workload.mutable_placement() : none;
  job.placement = check_placement(std::string(kPlacement), ranks_path("workload", job), placement, files, fields);
  return {{std::move(job)}};
}

}  // namespace fabrictwin::experiment
