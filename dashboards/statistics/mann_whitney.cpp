// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/statistics/mann_whitney.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace fabrictwin::dashboards::statistics {
namespace {

constexpr size_t kExactUpTo = 20;

/// The number of ways in which n samples among m + n have the U of each index, as shares of all ways.
std::vector<double> distribution_of_u(size_t m, size_t n) {
  // ways[j][u]: of i samples of the one set and j of the other.
  std::vector<std::vector<double>> ways(n + 1, std::vector<double>(m * n + 1, 0));
  for (std::vector<double>& row : ways) row[0] = 1;
  for (size_t i = 1; i <= m; ++i) {
    for (size_t j = 1; j <= n; ++j) {
      // The largest sample is of the first set and beats all j, or it is of the second set.
      const double share = static_cast<double>(i) / static_cast<double>(i + j);
      std::vector<double> row(m * n + 1, 0);
      for (size_t u = 0; u <= i * j; ++u) row[u] = (u >= j ? share * ways[j][u - j] : 0) + (1 - share) * ways[j - 1][u];
      ways[j] = std::move(row);
    }
  }
  return ways[n];
}

/// The normal approximation of the test where U is so far from its mean, corrected for continuity.
double approximate(double distance, double variance) {
  if (variance <= 0) return 1;
  const double corrected = std::max(0.0, distance - 0.5);
  return 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), corrected / std::sqrt(variance)));
}

bool is_exact(size_t m, size_t n) { return m <= kExactUpTo && n <= kExactUpTo; }

}  // namespace

double mann_whitney(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return 1;
  std::vector<std::pair<double, bool>> all;
  for (const double sample : a) all.emplace_back(sample, true);
  for (const double sample : b) all.emplace_back(sample, false);
  std::sort(all.begin(), all.end());
  double ranks = 0;
  double ties = 0;
  for (size_t i = 0; i < all.size();) {
    size_t end = i;
    while (end < all.size() && all[end].first == all[i].first) ++end;
    const auto count = static_cast<double>(end - i);
    const double rank = static_cast<double>(i + end + 1) / 2;
    for (; i < end; ++i) ranks += all[i].second ? rank : 0;
    ties += count * (count * count - 1);
  }
  const auto m = static_cast<double>(a.size());
  const auto n = static_cast<double>(b.size());
  const double u = ranks - m * (m + 1) / 2;
  if (ties == 0 && is_exact(a.size(), b.size())) {
    const std::vector<double> shares = distribution_of_u(a.size(), b.size());
    const auto smaller = static_cast<std::ptrdiff_t>(std::min(u, m * n - u) + 0.5);
    return std::min(1.0, 2 * std::accumulate(shares.begin(), shares.begin() + smaller + 1, 0.0));
  }
  const double total = m + n;
  const double variance = m * n / 12 * (total + 1 - ties / (total * (total - 1)));
  return approximate(std::abs(u - m * n / 2), variance);
}

double least_mann_whitney(size_t m, size_t n) {
  if (m == 0 || n == 0) return 1;
  const auto first = static_cast<double>(m);
  const auto second = static_cast<double>(n);
  if (!is_exact(m, n)) return approximate(first * second / 2, first * second / 12 * (first + second + 1));
  double ways = 1;
  for (size_t i = 1; i <= n; ++i) ways *= static_cast<double>(m + i) / static_cast<double>(i);
  return 2 / ways;
}

size_t enough_samples(double probability) {
  size_t samples = 1;
  while (least_mann_whitney(samples, samples) > probability) ++samples;
  return samples;
}

double largest_least(std::span<const double> least_probabilities, double alpha) {
  for (size_t tests = 1; tests <= least_probabilities.size(); ++tests) {
    const double bound = alpha / static_cast<double>(tests);
    const auto able = std::ranges::count_if(least_probabilities, [bound](double least) { return least <= bound; });
    if (static_cast<size_t>(able) <= tests) return able == 0 ? 0 : bound;
  }
  return 0;
}

std::vector<double> holm(std::span<const double> probabilities) {
  std::vector<size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) { return probabilities[x] < probabilities[y]; });
  std::vector<double> corrected(probabilities.size());
  double least = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    least = std::max(least, std::min(1.0, probabilities[order[i]] * static_cast<double>(order.size() - i)));
    corrected[order[i]] = least;
  }
  return corrected;
}

}  // namespace fabrictwin::dashboards::statistics
