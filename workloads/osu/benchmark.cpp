// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/osu/benchmark.h"

#include <algorithm>
#include <array>
#include <string>

#include "cosim/base/suggest.h"
#include "cosim/base/text.h"
#include "fmt/format.h"

namespace fabrictwin::osu {
namespace {

using Measure = Benchmark::Measure;

constexpr int64_t kFloat = 4;
constexpr int64_t kMostPointToPoint = int64_t{4} << 20;
constexpr int64_t kMostCollective = int64_t{1} << 20;
/// The most bytes of a message, and of what a rank sends or receives in one call.
constexpr int64_t kMostBytes = (int64_t{1} << 32) - 1;

constexpr std::array<Benchmark, 14> kBenchmarks = {{
    {.benchmark = v1::Osu::LATENCY, .name = "latency", .title = "OSU MPI Latency Test", .two_ranks = true},
    {.benchmark = v1::Osu::BW,
     .name = "bw",
     .title = "OSU MPI Bandwidth Test",
     .measure = Measure::kBandwidth,
     .two_ranks = true},
    {.benchmark = v1::Osu::BIBW,
     .name = "bibw",
     .title = "OSU MPI Bi-Directional Bandwidth Test",
     .measure = Measure::kBandwidth,
     .two_ranks = true},
    {.benchmark = v1::Osu::MBW_MR,
     .name = "mbw_mr",
     .title = "OSU MPI Multiple Bandwidth / Message Rate Test",
     .measure = Measure::kRate,
     .even_ranks = true},
    {.benchmark = v1::Osu::BCAST,
     .name = "bcast",
     .title = "OSU MPI Broadcast Latency Test",
     .measure = Measure::kCollective},
    {.benchmark = v1::Osu::ALLREDUCE,
     .name = "allreduce",
     .title = "OSU MPI Allreduce Latency Test",
     .measure = Measure::kCollective,
     .reduction = true},
    {.benchmark = v1::Osu::ALLTOALL,
     .name = "alltoall",
     .title = "OSU MPI All-to-All Personalized Exchange Latency Test",
     .measure = Measure::kCollective},
    {.benchmark = v1::Osu::BARRIER,
     .name = "barrier",
     .title = "OSU MPI Barrier Latency Test",
     .measure = Measure::kCollective,
     .sizes = false},
    {.benchmark = v1::Osu::ONE_WAY_LAT,
     .name = "one_way_lat",
     .title = "One-Way Latency of the Network Interface",
     .two_ranks = true,
     .mpi = false},
    {.benchmark = v1::Osu::REDUCE,
     .name = "reduce",
     .title = "OSU MPI Reduce Latency Test",
     .measure = Measure::kCollective,
     .reduction = true},
    {.benchmark = v1::Osu::ALLGATHER,
     .name = "allgather",
     .title = "OSU MPI Allgather Latency Test",
     .measure = Measure::kCollective},
    {.benchmark = v1::Osu::GATHER,
     .name = "gather",
     .title = "OSU MPI Gather Latency Test",
     .measure = Measure::kCollective},
    {.benchmark = v1::Osu::SCATTER,
     .name = "scatter",
     .title = "OSU MPI Scatter Latency Test",
     .measure = Measure::kCollective},
    {.benchmark = v1::Osu::REDUCE_SCATTER,
     .name = "reduce_scatter",
     .title = "OSU MPI Reduce_scatter Latency Test",
     .measure = Measure::kCollective,
     .reduction = true},
}};

absl::Status wrong(const std::string& what) { return absl::InvalidArgumentError(what); }

absl::Status check_size(const Benchmark& benchmark, Bytes size, int32_t ranks) {
  if (size.count < 0) return wrong(fmt::format("{} is no size of a message", size.count));
  if (benchmark.reduction && (size.count == 0 || size.count % kFloat != 0)) {
    return wrong(fmt::format("{} reduces floats, and {} is no whole number of them; write a multiple of 4B",
                             benchmark.name, to_string(size)));
  }
  // The root of a gather holds one message of each rank; so does every rank in an allgather.
  const bool of_each = benchmark.benchmark == v1::Osu::ALLGATHER || benchmark.benchmark == v1::Osu::ALLTOALL ||
                       benchmark.benchmark == v1::Osu::GATHER || benchmark.benchmark == v1::Osu::SCATTER;
  const int64_t parts = of_each ? ranks : 1;
  if (size.count <= kMostBytes / parts) return absl::OkStatus();
  return wrong(fmt::format("{} of {} on {} ranks: what a rank holds would be more than 4GiB - 1B; write at most {}B",
                           to_string(size), benchmark.name, ranks, kMostBytes / parts));
}

}  // namespace

std::span<const Benchmark> osu_benchmarks() { return kBenchmarks; }

const Benchmark& osu_benchmark(v1::Osu::Benchmark benchmark) { return kBenchmarks[static_cast<size_t>(benchmark) - 1]; }

absl::StatusOr<v1::Osu::Benchmark> find_osu_benchmark(std::string_view name) {
  std::string lower = to_lower(name);
  if (lower.starts_with("osu_")) lower.erase(0, 4);
  std::vector<std::string_view> names;
  for (const Benchmark& benchmark : kBenchmarks) {
    if (benchmark.name == lower) return benchmark.benchmark;
    names.push_back(benchmark.name);
  }
  return wrong(
      fmt::format("unknown benchmark \"{}\"{}; there are {}", name, did_you_mean(lower, names), comma_list(names)));
}

absl::StatusOr<Bytes> parse_size(std::string_view text) {
  const std::string_view number = strip(text);
  if (number.empty() || number.find_first_not_of("0123456789") != std::string_view::npos) return parse_bytes(text);
  const absl::StatusOr<Bytes> size = parse_bytes(fmt::format("{}B", number));
  // The reason is that there are too many digits, and the unit is not what was written.
  return size.ok() ? size : absl::InvalidArgumentError(fmt::format("\"{}\" is not a size: it is too large", text));
}

std::vector<Bytes> osu_sizes(const OsuSpec& spec) {
  const Benchmark& benchmark = osu_benchmark(spec.benchmark);
  if (!benchmark.sizes) return {Bytes{0}};
  if (!spec.sizes.empty()) return spec.sizes;
  const bool collective = benchmark.measure == Measure::kCollective;
  std::vector<Bytes> sizes;
  if (!collective) sizes.push_back(Bytes{0});
  // An empty message has no bandwidth.
  if (benchmark.measure == Measure::kBandwidth || benchmark.measure == Measure::kRate) sizes.clear();
  const int64_t most = collective ? kMostCollective : kMostPointToPoint;
  for (int64_t size = benchmark.reduction ? kFloat : 1; size <= most; size *= 2) sizes.push_back(Bytes{size});
  return sizes;
}

absl::Status check_osu(const OsuSpec& spec, int32_t ranks) {
  const Benchmark& benchmark = osu_benchmark(spec.benchmark);
  if (benchmark.two_ranks && ranks != 2)
    return wrong(fmt::format("{} is between two ranks, not {}", benchmark.name, ranks));
  if (ranks < 2) return wrong(fmt::format("{} needs at least two ranks", benchmark.name));
  if (benchmark.even_ranks && ranks % 2 != 0)
    return wrong(fmt::format("{} is between pairs of ranks, and {} ranks leave one alone", benchmark.name, ranks));
  if (spec.iterations < 1) return wrong("a benchmark needs at least one iteration");
  if (spec.warmup < 0) return wrong(fmt::format("{} warm-up iterations cannot be", spec.warmup));
  if (spec.window < 1) return wrong("the window must hold at least one message");
  if (!benchmark.sizes && std::any_of(spec.sizes.begin(), spec.sizes.end(), [](Bytes b) { return b.count != 0; }))
    return wrong(fmt::format("{} has no message sizes; leave them out", benchmark.name));
  for (const Bytes size : osu_sizes(spec)) {
    if (absl::Status status = check_size(benchmark, size, ranks); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::osu
