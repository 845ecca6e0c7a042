// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The metrics that a sweep shows of its points.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cosim/study/sweep/result.h"

namespace fabrictwin::study::sweep {

/// A column of a sweep.
struct Metric {
  enum class Kind { kNumber, kTruth };
  std::string key;                                                   ///< The name in CSV: "latency_mean".
  std::string title;                                                 ///< The title in the table: "latency".
  int decimals = 0;                                                  ///< The number of decimals in the table.
  std::function<std::optional<double>(const Result::Point&)> value;  ///< The value of a point that has succeeded.
  Kind kind = Kind::kNumber;
  double scale = 1;      ///< A factor for values in the table: 1e9 shows seconds as nanoseconds.
  bool in_table = true;  ///< The table has it, and not only CSV and maps.
  bool in_maps = true;
};

/// The metrics that the result's points have: of searches, of traffic, or of any run.
std::vector<Metric> metrics_of(const Result& result);

}  // namespace fabrictwin::study::sweep
