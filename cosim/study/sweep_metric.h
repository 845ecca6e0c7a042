// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a sweep tells of its points.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cosim/cli/sweep_result.h"

namespace fabrictwin {

/// A column of a sweep's table.
struct SweepMetric {
  enum class Kind { kNumber, kTruth };
  std::string key;                                                        ///< In CSV: "latency_mean".
  std::string title;                                                      ///< In the table: "latency".
  int decimals = 0;                                                       ///< In the table.
  std::function<std::optional<double>(const SweepResult::Point&)> value;  ///< Of a point that has ended well.
  Kind kind = Kind::kNumber;
  double scale = 1;  ///< In the table, values are multiplied by it: 1e9 for seconds in nanoseconds.
};

/// Those that the result's points have: of searches, of traffic, or of any run.
std::vector<SweepMetric> sweep_metrics(const SweepResult& result);

}  // namespace fabrictwin
