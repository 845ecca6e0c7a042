// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/placement/space_curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <vector>

namespace fabrictwin {
namespace {

using Point = std::vector<int32_t>;

/// The points of a lattice by their positions on its curve.
std::map<uint64_t, Point> path_through(const std::vector<int32_t>& dims) {
  const placement::SpaceCurve curve(dims);
  const int32_t points = std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>());
  std::map<uint64_t, Point> path;
  for (int32_t i = 0; i < points; ++i) {
    Point point;
    int32_t rest = i;
    for (const int32_t size : dims) {
      point.push_back(rest % size);
      rest /= size;
    }
    path[curve.index_of(point)] = point;
  }
  EXPECT_EQ(path.size(), static_cast<size_t>(points)) << "two points have one place";
  return path;
}

/// The longest step from a point of the path to the next.
int32_t longest_step(const std::map<uint64_t, Point>& path) {
  int32_t longest = 0;
  const Point* before = nullptr;
  for (const auto& [place, point] : path) {
    int32_t step = 0;
    for (size_t d = 0; before != nullptr && d < point.size(); ++d) step += std::abs(point[d] - (*before)[d]);
    longest = std::max(longest, step);
    before = &point;
  }
  return longest;
}

TEST(SpaceCurve, GoesThroughCubesStepByStep) {
  for (const std::vector<int32_t>& dims :
       {std::vector<int32_t>{8}, {2, 2}, {16, 16}, {8, 8, 8}, {4, 4, 4, 4}, {2, 2, 2, 2, 2, 2}, {4, 4, 1}}) {
    ASSERT_TRUE(placement::SpaceCurve(dims).hilbert());
    const std::map<uint64_t, Point> path = path_through(dims);
    EXPECT_EQ(longest_step(path), 1) << dims.size() << " dimensions of " << dims[0];
    EXPECT_EQ(path.begin()->first, 0u);
    EXPECT_EQ(path.rbegin()->first, path.size() - 1);
  }
}

TEST(SpaceCurve, StaysInsideOfCubes) {
  // Any eight points in a row that begin at a multiple of eight are a cube of two.
  const std::map<uint64_t, Point> path = path_through({8, 8, 8});
  std::vector<Point> points;
  for (const auto& [place, point] : path) points.push_back(point);
  for (size_t first = 0; first < points.size(); first += 8) {
    for (size_t d = 0; d < 3; ++d) {
      const auto [least, most] = std::minmax_element(points.begin() + static_cast<std::ptrdiff_t>(first),
                                                     points.begin() + static_cast<std::ptrdiff_t>(first) + 8,
                                                     [d](const Point& a, const Point& b) { return a[d] < b[d]; });
      EXPECT_EQ((*most)[d] - (*least)[d], 1);
    }
  }
}

TEST(SpaceCurve, TakesLatticesThatAreNoCubes) {
  path_through({8, 2});
  path_through({4, 8, 2});
  EXPECT_TRUE(placement::SpaceCurve(std::vector<int32_t>{8, 2}).hilbert());
}

TEST(SpaceCurve, IsASnakeElsewhere) {
  for (const std::vector<int32_t>& dims : {std::vector<int32_t>{3, 5}, {3, 4, 5}, {6, 2, 3}, {5}, {2, 3, 2, 2, 3, 2}}) {
    ASSERT_FALSE(placement::SpaceCurve(dims).hilbert());
    EXPECT_EQ(longest_step(path_through(dims)), 1);
  }
}

}  // namespace
}  // namespace fabrictwin
