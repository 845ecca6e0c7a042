// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/batch_means.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace fabrictwin::traffic {

double student_t_95(size_t degrees) {
  // Quantile 0.975, for 1 to 30 degrees of freedom.
  static constexpr std::array<double, 30> kTable = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060,
                                                    2.2622,  2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199,
                                                    2.1098,  2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639,
                                                    2.0595,  2.0555, 2.0518, 2.0484, 2.0452, 2.0423};
  static constexpr std::array<std::pair<size_t, double>, 4> kLarge = {
      {{40, 2.0211}, {60, 2.0003}, {120, 1.9799}, {1000, 1.9623}}};
  double t = kTable[std::min(degrees, kTable.size()) - 1];
  for (const auto& [from, value] : kLarge) {
    if (degrees >= from) t = value;
  }
  return t;
}

std::optional<double> confidence_95(std::span<const double> batches) {
  if (batches.size() < 2) return std::nullopt;
  const auto count = static_cast<double>(batches.size());
  double sum = 0;
  for (const double batch : batches) sum += batch;
  const double mean = sum / count;
  double squares = 0;
  for (const double batch : batches) squares += (batch - mean) * (batch - mean);
  return student_t_95(batches.size() - 1) * std::sqrt(squares / (count - 1) / count);
}

}  // namespace fabrictwin::traffic
