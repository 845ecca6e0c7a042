// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Jain's fairness index.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fabrictwin {

/// Jain's fairness index of n shares x, (sum x)^2 / (n sum x^2): from 1 / n, if one has everything, to 1, if all are
/// equal. Returns nullopt if there is nothing to divide. Jain, Chiu, Hawe, "A quantitative measure of fairness and
/// discrimination for resource allocation in shared computer systems", DEC-TR-301, 1984.
inline std::optional<double> jain_index(std::span<const double> shares) {
  double sum = 0;
  double squares = 0;
  for (const double share : shares) {
    sum += share;
    squares += share * share;
  }
  if (squares == 0) return std::nullopt;
  // Rounding may take it above 1.
  return std::min(1.0, sum * sum / (static_cast<double>(shares.size()) * squares));
}
inline std::optional<double> jain_index(std::span<const uint64_t> shares) {
  return jain_index(std::vector<double>(shares.begin(), shares.end()));
}

}  // namespace fabrictwin
