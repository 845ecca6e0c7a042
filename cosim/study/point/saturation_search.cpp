// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/point/saturation_search.h"

#include <cmath>
#include <cstdint>
#include <utility>

namespace fabrictwin::study::point {
namespace {

/// The network is saturated if it accepts less than this share of the offered load.
constexpr double kAcceptedShare = 0.98;
/// The tolerance that makes 1 / 0.01, which is a little more than 100 in binary, 100 steps.
constexpr double kRounding = 1e-9;

}  // namespace

bool is_saturated(const v1::TrafficReport& traffic) {
  if (traffic.saturated()) return true;
  return traffic.accepted_load() + traffic.accepted_load_confidence() < kAcceptedShare * traffic.offered_load();
}

absl::Status find_saturation(double precision, double max_load, const LoadProbe& measure, SaturationResult& result) {
  const auto steps = static_cast<int64_t>(std::ceil(max_load / precision - kRounding));
  const auto load_of = [&](int64_t step) { return max_load * static_cast<double>(step) / static_cast<double>(steps); };
  const auto probe = [&](int64_t step) -> absl::StatusOr<bool> {
    absl::StatusOr<v1::Report> report = measure(load_of(step));
    if (!report.ok()) return report.status();
    const bool saturated = is_saturated(report->traffic());
    result.probes.push_back({load_of(step), saturated, *std::move(report)});
    return saturated;
  };
  absl::StatusOr<bool> saturated = probe(steps);
  if (!saturated.ok()) return saturated.status();
  result.throughput = result.probes[0].report.traffic().accepted_load();
  if (!*saturated) {
    result.load = max_load;
    return absl::OkStatus();
  }
  int64_t borne = 0;
  int64_t too_much = steps;
  while (too_much - borne > 1) {
    const int64_t middle = borne + (too_much - borne) / 2;
    saturated = probe(middle);
    if (!saturated.ok()) return saturated.status();
    (*saturated ? too_much : borne) = middle;
  }
  result.load = load_of(borne);
  result.load_above = load_of(too_much);
  return absl::OkStatus();
}

}  // namespace fabrictwin::study::point
