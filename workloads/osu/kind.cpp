// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An OSU micro-benchmark in an experiment: docs/models/osu.md.
#include <algorithm>
#include <any>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/report/text_table.h"
#include "fabrictwin/v1/report.pb.h"
#include "fmt/format.h"
#include "workloads/mpi/job_kind.h"
#include "workloads/osu/benchmark.h"
#include "workloads/osu/one_way_workload.h"
#include "workloads/osu/program.h"
#include "workloads/osu/spec.h"

namespace fabrictwin::osu {
namespace {

using experiment::MessageReader;

constexpr int32_t kMaxRanks = 1 << 24;
constexpr int32_t kMaxIterations = 1'000'000;
constexpr int32_t kMaxWindow = 65536;

Bytes check_size(const std::string& field, const std::string& text, experiment::FieldChecker& fields) {
  const Bytes bytes = fields.quantity<Bytes>(field, text, "", parse_size).value_or(Bytes{0});
  return experiment::check_message_size(field, bytes, fields);
}

void add_table(const v1::JobReport& job, std::string& text) {
  // A background job has no results.
  if (job.osu().results().empty()) return;
  text += fmt::format("\n{}: osu {} on {} ranks\n", job.name(), job.osu().benchmark(), job.osu().ranks());
  report::TextTable table({"bytes", job.osu().unit(), "min", "max", "messages a second"});
  const auto optional = [](bool has, double value) { return has ? fmt::format("{:.2f}", value) : std::string(); };
  for (const v1::OsuResult& result : job.osu().results()) {
    table.add({fmt::format("{}", result.bytes()), fmt::format("{:.2f}", result.value()),
               optional(result.has_min(), result.min()), optional(result.has_max(), result.max()),
               optional(result.has_message_rate(), result.message_rate())});
  }
  text += table.text();
}

class Osu final : public mpi::JobKindOf<v1::Workload::kOsu, v1::Job::kOsu, v1::Osu, OsuSpec> {
 public:
  std::string_view main_field() const override { return "benchmark"; }
  bool bare(const std::any& spec) const override { return of(spec).benchmark == v1::Osu::ONE_WAY_LAT; }
  absl::StatusOr<std::unique_ptr<host::Workload>> make_bare(
      const std::any& spec, const HostsOf& hosts_of,
      const std::function<absl::Status(const absl::Status&)>& at_job) const override {
    const absl::StatusOr<std::vector<int32_t>> hosts =
        hosts_of(2, to_lower(v1::Osu::Benchmark_Name(of(spec).benchmark)));
    if (!hosts.ok()) return hosts.status();
    absl::StatusOr<std::unique_ptr<OneWayWorkload>> workload =
        OneWayWorkload::create(of(spec), {(*hosts)[0], (*hosts)[1]});
    if (!workload.ok()) return at_job(workload.status());
    return *std::move(workload);
  }

 private:
  OsuSpec check(v1::Osu& osu, const experiment::FileChecker& /*files*/, const MessageReader& reader) const override {
    OsuSpec spec;
    spec.benchmark = osu.benchmark();
    if (!v1::Osu::Benchmark_IsValid(osu.benchmark()) || osu.benchmark() == v1::Osu::BENCHMARK_UNSPECIFIED) {
      reader.complain("benchmark",
                      "no such benchmark; write benchmark: LATENCY, BW, ALLREDUCE or another of "
                      "those in docs/models/osu.md");
      spec.benchmark = v1::Osu::LATENCY;
    }
    for (int i = 0; i < osu.sizes_size(); ++i)
      spec.sizes.push_back(check_size(reader.path_of(fmt::format("sizes[{}]", i)), osu.sizes(i), reader.fields()));
    spec.iterations = reader.number("iterations", 1, kMaxIterations);
    spec.warmup = osu.has_warmup() ? osu.warmup() : reader.default_number("warmup");
    if (spec.warmup < 0 || spec.warmup > kMaxIterations) {
      reader.complain("warmup", fmt::format("warmup {}: write 0 to {}; the default is {}", spec.warmup, kMaxIterations,
                                            reader.default_of("warmup")));
    }
    const bool window =
        osu.benchmark() == v1::Osu::BW || osu.benchmark() == v1::Osu::BIBW || osu.benchmark() == v1::Osu::MBW_MR;
    // A user who selects another benchmark by an argument need not remove the window from the file.
    if (reader.has("window") && !window && !reader.fields().locations().overridden(reader.path_of("benchmark")))
      reader.complain("window", "window is for the benchmarks BW, BIBW and MBW_MR; leave it out");
    spec.window = reader.number("window", 1, kMaxWindow);
    spec.ranks = reader.number("ranks", 2, kMaxRanks);
    return spec;
  }
  void add_results(const v1::JobReport& job, std::string& text) const override {
    if (job.has_osu()) add_table(job, text);
  }
  std::string text(const OsuSpec& spec, const experiment::HostSpec& /*host*/) const override {
    return fmt::format("osu {}, {} sizes", to_lower(v1::Osu::Benchmark_Name(spec.benchmark)), spec.sizes.size());
  }
  absl::StatusOr<std::unique_ptr<mpi::JobProgram>> make(const OsuSpec& spec, const experiment::HostSpec& /*host*/,
                                                        int64_t space) const override {
    const Benchmark& benchmark = osu_benchmark(spec.benchmark);
    int64_t ranks = spec.ranks;
    if (ranks == 0) ranks = benchmark.two_ranks ? 2 : std::min<int64_t>(space, std::numeric_limits<int32_t>::max());
    // Benchmarks of pairs leave an odd rank out.
    if (spec.ranks == 0 && benchmark.even_ranks) ranks -= ranks % 2;
    return make_osu_program(spec, static_cast<int32_t>(ranks));
  }
};

}  // namespace

const mpi::JobKind& osu() {
  static const Osu kind;
  return kind;
}

}  // namespace fabrictwin::osu
