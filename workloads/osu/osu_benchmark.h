// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The micro-benchmarks of the OSU suite by name: docs/models/osu.md.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/quantity.h"
#include "cosim/run/job_spec.h"

namespace fabrictwin {

/// What there is to know of a benchmark before it runs.
struct OsuBenchmark {
  /// What is printed for each size.
  enum class Measure : uint8_t {
    kLatency,    ///< Half a round trip, us.
    kBandwidth,  ///< MB/s: 10^6 bytes a second.
    kRate,       ///< MB/s, and messages a second.
    kCollective  ///< The mean time of a call over the ranks, us; with the fastest and the slowest rank.
  };

  v1::Osu::Benchmark benchmark = v1::Osu::BENCHMARK_UNSPECIFIED;
  std::string_view name;   ///< "mbw_mr".
  std::string_view title;  ///< "OSU MPI Multiple Bandwidth / Message Rate Test".
  Measure measure = Measure::kLatency;
  bool two_ranks = false;  ///< Exactly two; else two or more.
  bool even_ranks = false;
  bool sizes = true;       ///< BARRIER has none.
  bool reduction = false;  ///< On vectors of floats: sizes are multiples of 4, from 4 on.
  bool mpi = true;         ///< False of ONE_WAY_LAT.
};

/// All of them, in the order of their numbers.
std::span<const OsuBenchmark> osu_benchmarks();

/// `benchmark` must be valid and not BENCHMARK_UNSPECIFIED.
const OsuBenchmark& osu_benchmark(v1::Osu::Benchmark benchmark);

/// "latency" or "osu_latency", in any case. InvalidArgument with a suggestion and the names that exist.
absl::StatusOr<v1::Osu::Benchmark> find_osu_benchmark(std::string_view name);

/// The sizes of `spec`, or those that the benchmark has by default. A barrier has one, 0.
std::vector<Bytes> osu_sizes(const OsuSpec& spec);

/// Whether `spec` can run on `ranks` ranks. InvalidArgument says what is wrong and what to write.
absl::Status check_osu(const OsuSpec& spec, int32_t ranks);

}  // namespace fabrictwin
