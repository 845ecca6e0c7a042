// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/gpcnet/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace fabrictwin::gpcnet {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;

std::string name_of(const GpcnetSpec& spec, Test test) {
  switch (test) {
    case Test::kLatency:
      return fmt::format("RR Two-sided Lat ({} B)", spec.latency_bytes.count);
    case Test::kBandwidth:
      return fmt::format("RR Two-sided BW+Sync ({} B)", spec.bandwidth_bytes.count);
    case Test::kAllreduce:
      break;
  }
  return fmt::format("Multiple Allreduce ({} B)", spec.latency_bytes.count);
}

/// The mean and the 99th percentile of a test.
struct Summary {
  double mean = 0;
  double p99 = 0;
};

/// What 99 % of the values are not worse than, counted as the tool does.
double percentile_99(std::vector<double> values, bool least_is_best) {
  if (least_is_best) {
    std::sort(values.begin(), values.end());
  } else {
    std::sort(values.begin(), values.end(), std::greater<>());
  }
  const auto count = static_cast<size_t>(0.99 * static_cast<double>(values.size()));
  return values[std::max<size_t>(count, 1) - 1];
}

/// Each iteration of a ring has two messages in each direction, and a latency is that of one.
Summary latency(const std::vector<std::vector<Time>>& ranks, double messages) {
  std::vector<double> values;
  for (const std::vector<Time>& rank : ranks) {
    for (const Time time : rank) values.push_back(time.seconds() * 1e6 / messages);
  }
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  const auto count = static_cast<double>(values.size());
  return {sum / count, percentile_99(std::move(values), true)};
}

/// The mean is over ranks and orders of the ring, of what each carried in all of its iterations.
Summary bandwidth(const std::vector<std::vector<Time>>& ranks, const GpcnetSpec& spec) {
  const double mebibytes =
      2.0 * static_cast<double>(spec.bandwidth_bytes.count) * static_cast<double>(spec.outstanding) / kMebibyte;
  const auto iterations = static_cast<size_t>(spec.iterations);
  std::vector<double> values;
  double sum = 0;
  size_t loops = 0;
  for (const std::vector<Time>& rank : ranks) {
    double seconds = 0;
    for (size_t i = 0; i < rank.size(); ++i) {
      values.push_back(mebibytes / rank[i].seconds());
      seconds += rank[i].seconds();
      if ((i + 1) % iterations != 0) continue;
      sum += mebibytes * static_cast<double>(iterations) / seconds;
      ++loops;
      seconds = 0;
    }
  }
  return {sum / static_cast<double>(loops), percentile_99(std::move(values), false)};
}

}  // namespace

int32_t orders_of(const GpcnetSpec& spec, Test test) { return test == Test::kAllreduce ? 1 : spec.orders; }

std::vector<v1::GpcnetRow> rows_of(const GpcnetSpec& spec, const Samples& samples) {
  std::vector<v1::GpcnetRow> rows;
  for (const Test test : {Test::kLatency, Test::kBandwidth, Test::kAllreduce}) {
    const std::vector<std::vector<Time>>& ranks = samples[static_cast<size_t>(test)];
    const auto expected = static_cast<size_t>(orders_of(spec, test)) * static_cast<size_t>(spec.iterations);
    if (!std::ranges::all_of(ranks, [&](const std::vector<Time>& rank) { return rank.size() == expected; })) break;
    const Summary summary =
        test == Test::kBandwidth ? bandwidth(ranks, spec) : latency(ranks, test == Test::kLatency ? 2 : 1);
    v1::GpcnetRow& row = rows.emplace_back();
    row.set_test(name_of(spec, test));
    row.set_unit(test == Test::kBandwidth ? "MiB/s/rank" : "us");
    if (spec.isolated) {
      row.set_isolated_mean(summary.mean);
      row.set_isolated_p99(summary.p99);
    } else {
      row.set_congested_mean(summary.mean);
      row.set_congested_p99(summary.p99);
    }
  }
  return rows;
}

void compare_rows(const std::vector<v1::GpcnetRow>& isolated, std::vector<v1::GpcnetRow>& rows) {
  for (size_t i = 0; i < std::min(isolated.size(), rows.size()); ++i) {
    v1::GpcnetRow& row = rows[i];
    row.set_isolated_mean(isolated[i].isolated_mean());
    row.set_isolated_p99(isolated[i].isolated_p99());
    const bool rate = row.unit() != "us";
    row.set_cif_mean(rate ? row.isolated_mean() / row.congested_mean() : row.congested_mean() / row.isolated_mean());
    row.set_cif_p99(rate ? row.isolated_p99() / row.congested_p99() : row.congested_p99() / row.isolated_p99());
  }
}

}  // namespace fabrictwin::gpcnet
