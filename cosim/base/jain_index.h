// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Jain's fairness index.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace fabrictwin {

/// Jain's fairness index of n shares x, (sum x)^2 / (n sum x^2): from 1 / n, if one has everything, to 1, if all are
/// equal. Returns nullopt if there is nothing to divide. Jain, Chiu, Hawe, "A quantitative measure of fairness and
/// discrimination for resource allocation in shared computer systems", DEC-TR-301, 1984.
inline std::optional<double> jain_index(std::span<const uint64_t> shares) {
  double sum = 0;
  double squares = 0;
  for (const uint64_t share : shares) {
    const auto value = static_cast<double>(share);
    sum += value;
    squares += value * value;
  }
  if (squares == 0) return std::nullopt;
  return sum * sum / (static_cast<double>(shares.size()) * squares);
}

}  // namespace fabrictwin
