// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/reproduction/readings.h"

#include <limits>
#include <string_view>

namespace fabrictwin::study::reproduction {
namespace {

const v1::OsuReport& osu_of(const v1::Report& report) {
  return report.has_osu() || report.jobs_size() == 0 ? report.osu() : report.jobs(0).osu();
}

}  // namespace

double predicted(const Predictions& predictions, std::string_view id) {
  const auto found = predictions.find(id);
  return found == predictions.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

double first_osu_result(const v1::Report& report, const Predictions&) {
  const v1::OsuReport& osu = osu_of(report);
  return osu.results_size() == 0 ? std::numeric_limits<double>::quiet_NaN() : osu.results(0).value();
}

v1::OsuResult result_of(const v1::Report& report, uint64_t bytes) {
  for (const v1::OsuResult& result : osu_of(report).results()) {
    if (result.bytes() == bytes) return result;
  }
  v1::OsuResult none;
  none.set_value(std::numeric_limits<double>::quiet_NaN());
  none.set_max(std::numeric_limits<double>::quiet_NaN());
  return none;
}

}  // namespace fabrictwin::study::reproduction
