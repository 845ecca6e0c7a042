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
#include "workloads/osu/spec.h"

namespace fabrictwin::osu {

/// The static properties of a benchmark.
struct Benchmark {
  /// The values printed for each size.
  enum class Measure : uint8_t {
    kLatency,    ///< Half a round trip, in microseconds.
    kBandwidth,  ///< MB/s, where a MB is 10^6 bytes.
    kRate,       ///< MB/s, and messages per second.
    kCollective  ///< The time of a call in microseconds: mean over the ranks, fastest and slowest rank.
  };

  v1::Osu::Benchmark benchmark = v1::Osu::BENCHMARK_UNSPECIFIED;
  std::string_view name;   ///< Name, such as "mbw_mr".
  std::string_view title;  ///< Title, such as "OSU MPI Multiple Bandwidth / Message Rate Test".
  Measure measure = Measure::kLatency;
  bool two_ranks = false;  ///< Requires exactly two ranks; otherwise two or more.
  bool even_ranks = false;
  bool sizes = true;       ///< It has sizes; BARRIER has none.
  bool reduction = false;  ///< It reduces vectors of floats: sizes are multiples of 4, from 4 on.
  bool mpi = true;         ///< It makes MPI calls; ONE_WAY_LAT does not.
};

/// All benchmarks in the order of their numbers.
std::span<const Benchmark> osu_benchmarks();

/// The properties of `benchmark`, which must be valid and not BENCHMARK_UNSPECIFIED.
const Benchmark& osu_benchmark(v1::Osu::Benchmark benchmark);

/// Finds a benchmark by "latency" or "osu_latency", in any case. InvalidArgument with a suggestion and the existing
/// names.
absl::StatusOr<v1::Osu::Benchmark> find_osu_benchmark(std::string_view name);

/// A size as in parse_bytes(), or a number without a unit, which is in bytes, as the suite prints it.
absl::StatusOr<Bytes> parse_size(std::string_view text);

/// The sizes of `spec`, or the benchmark's default sizes. A barrier has one, 0.
std::vector<Bytes> osu_sizes(const OsuSpec& spec);

/// Checks whether `spec` can run on `ranks` ranks. InvalidArgument says what is wrong and what to write.
absl::Status check_osu(const OsuSpec& spec, int32_t ranks);

}  // namespace fabrictwin::osu
