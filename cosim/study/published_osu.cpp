// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "absl/strings/ascii.h"
#include "cosim/study/reproduction.h"

namespace fabrictwin::study {
namespace {

/// The names of job.proto and of the suite differ in case.
bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, absl::ascii_tolower, absl::ascii_tolower);
}

/// The figures of a run as points of one curve; its name is what the first of them says after the name of the benchmark
/// and the size.
PublishedOsu points_of(const ReproductionRun& run) {
  PublishedOsu curve;
  for (const PublishedFigure& figure : run.figures) {
    if (!figure.osu.has_value() || figure.equation || !figure.shown) continue;
    const size_t comma = figure.what.find(", ");
    if (curve.points.empty()) curve.what = comma == std::string::npos ? figure.what : figure.what.substr(comma + 2);
    curve.points.emplace_back(figure.osu->bytes, figure.paper * figure.osu->scale);
  }
  std::ranges::sort(curve.points);
  return curve;
}

}  // namespace

std::vector<PublishedOsu> published_osu(v1::Topology::KindCase topology, std::string_view benchmark) {
  std::vector<PublishedOsu> published;
  if (topology != v1::Topology::kExanest) return published;
  static constexpr std::string_view kBenchmark = "workload.osu.benchmark=";
  for (const ReproductionRun& run : exanest_reproduction().runs) {
    const bool same = std::ranges::any_of(run.sets, [&](std::string_view set) {
      return set.starts_with(kBenchmark) && same_name(set.substr(kBenchmark.size()), benchmark);
    });
    if (!same) continue;
    PublishedOsu curve = points_of(run);
    if (!curve.points.empty()) published.push_back(std::move(curve));
  }
  return published;
}

}  // namespace fabrictwin::study
