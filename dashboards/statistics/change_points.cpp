// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/statistics/change_points.h"

#include <algorithm>
#include <cmath>

#include "cosim/base/random.h"
#include "dashboards/statistics/quantiles.h"

namespace fabrictwin::dashboards::statistics {
namespace {

struct Split {
  size_t index = 0;  ///< The position in its segment of the first value behind it.
  double energy = -1;
};

/// The values of a segment, of which none is more than so many standard deviations from their median: one that is far
/// off counts no more than one that differs clearly. Most values are equal where the spread is zero, and stay.
std::vector<double> without_outliers(std::span<const double> values) {
  constexpr double kDeviations = 4;
  std::vector<double> clipped(values.begin(), values.end());
  const double centre = median(clipped);
  const double reach = kDeviations * robust_deviation(values);
  if (reach == 0) return clipped;
  for (double& value : clipped) value = std::clamp(value, centre - reach, centre + reach);
  return clipped;
}

/// Sums of the distances between values.
class Distances {
 public:
  explicit Distances(std::span<const double> values) : width_(values.size() + 1), sums_(width_ * width_, 0) {
    for (size_t i = 0; i < values.size(); ++i) {
      double row = 0;
      for (size_t j = 0; j < values.size(); ++j) {
        row += std::abs(values[i] - values[j]);
        sums_[(i + 1) * width_ + j + 1] = sums_[i * width_ + j + 1] + row;
      }
    }
  }

  /// Between each of [begin, end) and each of [first, last).
  double between(size_t begin, size_t end, size_t first, size_t last) const {
    return at(end, last) - at(begin, last) - at(end, first) + at(begin, first);
  }

 private:
  double at(size_t i, size_t j) const { return sums_[i * width_ + j]; }

  size_t width_;
  std::vector<double> sums_;  ///< The sum over all pairs of the first i and the first j values.
};

/// The energy statistic of [0, split) and [split, end), scaled by their sizes.
double energy_of(const Distances& distances, size_t split, size_t end) {
  const auto m = static_cast<double>(split);
  const auto k = static_cast<double>(end - split);
  double energy = 2 * distances.between(0, split, split, end) / (m * k);
  if (split > 1) energy -= distances.between(0, split, 0, split) / (m * (m - 1));
  if (end - split > 1) energy -= distances.between(split, end, split, end) / (k * (k - 1));
  return energy * m * k / (m + k);
}

/// The split of a segment with the largest energy statistic, where what is behind it may end before the segment does:
/// a level that returns to the one before it would else hide both changes.
Split best_split(std::span<const double> values, size_t least) {
  const size_t n = values.size();
  Split best;
  if (n < 2 * least) return best;
  const Distances distances(without_outliers(values));
  for (size_t split = least; split + least <= n; ++split) {
    for (size_t end = split + least; end <= n; ++end) {
      const double energy = energy_of(distances, split, end);
      if (energy > best.energy) best = {split, energy};
    }
  }
  return best;
}

/// A segment between change points.
struct Segment {
  size_t begin = 0;
  size_t end = 0;
  Split split;
};

/// The probability that permuted segments have a split with as much energy.
double probability_of(std::span<const double> values, std::span<const Segment> segments, double energy,
                      const ChangePointOptions& options, RandomStream& random) {
  std::vector<double> permuted(values.begin(), values.end());
  const double tests = options.permutations + 1;
  int reached = 0;
  for (int i = 0; i < options.permutations; ++i) {
    double largest = -1;
    for (const Segment& segment : segments) {
      for (size_t at = segment.end - 1; at > segment.begin; --at)
        std::swap(permuted[at], permuted[segment.begin + random.next_below(at - segment.begin + 1)]);
      const std::span<const double> part(permuted.data() + segment.begin, segment.end - segment.begin);
      largest = std::max(largest, best_split(part, options.least).energy);
    }
    reached += largest >= energy ? 1 : 0;
    // It can no longer become significant.
    if ((reached + 1) / tests > options.alpha) break;
  }
  return (reached + 1) / tests;
}

/// True if the medians of two levels differ by more than noise and the least change.
bool is_change(std::span<const double> before, std::span<const double> after, const ChangePointOptions& options) {
  const double from = median({before.begin(), before.end()});
  const double to = median({after.begin(), after.end()});
  const double error = median_difference_error(before, after);
  return std::abs(to - from) > 2 * error && std::abs(to - from) >= options.least_change * std::abs(from);
}

}  // namespace

std::vector<ChangePoint> change_points(std::span<const double> values, const ChangePointOptions& options) {
  std::vector<ChangePoint> points;
  if (values.size() < 2 * options.least) return points;
  RandomStream random(options.seed, values.size(), RandomPurpose::kStatistics);
  std::vector<Segment> segments{{0, values.size(), best_split(values, options.least)}};
  std::vector<ChangePoint> found;
  while (true) {
    const auto best = std::max_element(segments.begin(), segments.end(), [](const Segment& x, const Segment& y) {
      return x.split.energy < y.split.energy;
    });
    if (best->split.energy <= 0) break;
    const double probability = probability_of(values, segments, best->split.energy, options, random);
    if (probability > options.alpha) break;
    const size_t middle = best->begin + best->split.index;
    const size_t end = best->end;
    found.push_back({middle, 0, 0, probability});
    best->end = middle;
    best->split = best_split(values.subspan(best->begin, middle - best->begin), options.least);
    segments.insert(best + 1, {middle, end, best_split(values.subspan(middle, end - middle), options.least)});
  }
  std::sort(found.begin(), found.end(), [](const ChangePoint& x, const ChangePoint& y) { return x.index < y.index; });
  size_t begin = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    ChangePoint& point = found[i];
    const size_t end = i + 1 < found.size() ? found[i + 1].index : values.size();
    const std::span<const double> before = values.subspan(begin, point.index - begin);
    const std::span<const double> after = values.subspan(point.index, end - point.index);
    if (!is_change(before, after, options)) continue;
    point.before = median({before.begin(), before.end()});
    point.after = median({after.begin(), after.end()});
    points.push_back(point);
    begin = point.index;
  }
  return points;
}

}  // namespace fabrictwin::dashboards::statistics
