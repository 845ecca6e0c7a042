// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/reproduction/readings.h"

#include <limits>
#include <string_view>

namespace fabrictwin::study::reproduction {

double predicted(const Predictions& predictions, std::string_view id) {
  const auto found = predictions.find(id);
  return found == predictions.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

double first_osu_result(const v1::Report& report, const Predictions&) {
  const v1::OsuReport& osu = report.jobs_size() == 0 ? report.osu() : report.jobs(0).osu();
  return osu.results_size() == 0 ? std::numeric_limits<double>::quiet_NaN() : osu.results(0).value();
}

}  // namespace fabrictwin::study::reproduction
