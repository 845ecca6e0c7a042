// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/osu/report.h"

#include <algorithm>

#include "fmt/format.h"
#include "workloads/osu/benchmark.h"

namespace fabrictwin::osu {
namespace {

using Measure = Benchmark::Measure;
/// `elapsed` by rank, then by size.
using Elapsed = std::vector<std::vector<Time>>;

constexpr double kMicrosecond = 1e-6;
constexpr double kMegabyte = 1e6;
/// Widths of the suite's columns.
constexpr int kSizeWidth = 10;
constexpr int kValueWidth = 18;

/// Sets the rate for the mean of the times that the senders took.
void set_rate(const OsuSpec& spec, const Elapsed& elapsed, size_t size, v1::OsuResult& result) {
  const bool pairs = spec.benchmark == v1::Osu::MBW_MR;
  const size_t senders = pairs ? elapsed.size() / 2 : 1;
  double seconds = 0;
  for (size_t rank = 0; rank < senders; ++rank) seconds += elapsed[rank][size].seconds();
  seconds /= static_cast<double>(senders);
  const double streams = spec.benchmark == v1::Osu::BIBW ? 2 : static_cast<double>(senders);
  const double messages = streams * static_cast<double>(spec.window) * static_cast<double>(spec.iterations);
  const double rate = seconds > 0 ? messages / seconds : 0;
  result.set_value(rate * static_cast<double>(result.bytes()) / kMegabyte);
  if (pairs) result.set_message_rate(rate);
}

void set_latency(const OsuSpec& spec, const Elapsed& elapsed, size_t size, v1::OsuResult& result) {
  const double iterations = static_cast<double>(spec.iterations);
  if (spec.benchmark == v1::Osu::LATENCY)
    return result.set_value(elapsed[0][size].seconds() / kMicrosecond / (2 * iterations));
  if (spec.benchmark == v1::Osu::ONE_WAY_LAT)
    return result.set_value(elapsed[1][size].seconds() / kMicrosecond / iterations);
  double sum = 0;
  Time least = Time::never();
  Time most;
  for (const std::vector<Time>& rank : elapsed) {
    sum += rank[size].seconds();
    least = std::min(least, rank[size]);
    most = std::max(most, rank[size]);
  }
  result.set_value(sum / static_cast<double>(elapsed.size()) / kMicrosecond / iterations);
  result.set_min(least.seconds() / kMicrosecond / iterations);
  result.set_max(most.seconds() / kMicrosecond / iterations);
}

}  // namespace

v1::OsuReport osu_report(const OsuSpec& spec, const std::vector<Bytes>& sizes, const Elapsed& elapsed) {
  const Benchmark& benchmark = osu_benchmark(spec.benchmark);
  const bool rate = benchmark.measure == Measure::kBandwidth || benchmark.measure == Measure::kRate;
  v1::OsuReport report;
  report.set_benchmark(std::string(benchmark.name));
  report.set_ranks(static_cast<int32_t>(elapsed.size()));
  report.set_unit(rate ? "MB/s" : "us");
  size_t ended = sizes.size();
  for (const std::vector<Time>& rank : elapsed) ended = std::min(ended, rank.size());
  for (size_t size = 0; size < ended; ++size) {
    v1::OsuResult& result = *report.add_results();
    result.set_bytes(static_cast<uint64_t>(sizes[size].count));
    result.set_iterations(static_cast<uint64_t>(spec.iterations));
    rate ? set_rate(spec, elapsed, size, result) : set_latency(spec, elapsed, size, result);
  }
  return report;
}

std::string osu_text(const v1::OsuReport& report) {
  const absl::StatusOr<v1::Osu::Benchmark> found = find_osu_benchmark(report.benchmark());
  if (!found.ok()) return {};
  const Benchmark& benchmark = osu_benchmark(*found);
  const bool collective = benchmark.measure == Measure::kCollective;
  const bool pairs = benchmark.measure == Measure::kRate;
  std::string text = fmt::format("# {}\n", benchmark.title);
  const auto column = [&](std::string_view name) { text += fmt::format("{:>{}}", name, kValueWidth); };
  const auto number = [&](double value) { text += fmt::format("{:>{}.2f}", value, kValueWidth); };
  if (pairs) text += fmt::format("# [ pairs: {} ]\n", report.ranks() / 2);
  text += fmt::format("{:<{}}", benchmark.sizes ? "# Size" : "#", kSizeWidth);
  if (report.unit() == "MB/s") {
    column(benchmark.measure == Measure::kRate ? "MB/s" : "Bandwidth (MB/s)");
    if (pairs) column("Messages/s");
  } else {
    column(collective ? "Avg Latency(us)" : "Latency (us)");
    if (collective) {
      column("Min Latency(us)");
      column("Max Latency(us)");
      column("Iterations");
    }
  }
  text += '\n';
  for (const v1::OsuResult& result : report.results()) {
    text += fmt::format("{:<{}}", benchmark.sizes ? fmt::format("{}", result.bytes()) : "", kSizeWidth);
    number(result.value());
    if (pairs) number(result.message_rate());
    if (collective) {
      number(result.min());
      number(result.max());
      text += fmt::format("{:>{}}", result.iterations(), kValueWidth);
    }
    text += '\n';
  }
  return text;
}

}  // namespace fabrictwin::osu
