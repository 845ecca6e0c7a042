// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/flows/size_distribution.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/flows/csv_table.h"

namespace fabrictwin::flows {
namespace {

constexpr double kMostBytes = 1e12;
constexpr std::string_view kSizeColumns =
    "the columns are bytes and percent; write \"bytes,percent\" on the first line";

}  // namespace

SizeDistribution SizeDistribution::web_search() {
  return SizeDistribution({{0, 0},
                           {10000, 0.15},
                           {20000, 0.2},
                           {30000, 0.3},
                           {50000, 0.4},
                           {80000, 0.53},
                           {200000, 0.6},
                           {1000000, 0.7},
                           {2000000, 0.8},
                           {5000000, 0.9},
                           {10000000, 0.97},
                           {30000000, 1}});
}

SizeDistribution SizeDistribution::hadoop() {
  return SizeDistribution({{0, 0},        {100, 0.01},    {200, 0.02},      {300, 0.05},     {350, 0.15},
                           {400, 0.2},    {500, 0.3},     {600, 0.4},       {700, 0.5},      {1000, 0.6},
                           {2000, 0.67},  {7000, 0.7},    {30000, 0.72},    {50000, 0.82},   {80000, 0.87},
                           {120000, 0.9}, {300000, 0.95}, {1000000, 0.975}, {2000000, 0.99}, {10000000, 1}});
}

absl::StatusOr<SizeDistribution> SizeDistribution::read(const std::string& file) {
  absl::StatusOr<CsvTable> table = CsvTable::read(file, "the distribution of flow sizes");
  if (!table.ok()) return table.status();
  const std::vector<CsvTable::Row>& rows = table->rows();
  if (rows[0].cells.size() != 2) return table->wrong(rows[0], rows[0].cells.size() - 1, kSizeColumns);
  for (const size_t cell : {size_t{0}, size_t{1}}) {
    if (rows[0].cells[cell].text != (cell == 0 ? "bytes" : "percent")) return table->wrong(rows[0], cell, kSizeColumns);
  }
  double unit = 1;
  const bool units = table->has_units(0);
  if (units) {
    const absl::StatusOr<double> bytes = table->unit_of_bytes(rows[1], 0);
    if (!bytes.ok()) return bytes.status();
    unit = *bytes;
    const std::string_view text = rows[1].cells[1].text;
    if (!text.empty() && text != "%" && text != "percent") {
      return table->wrong(rows[1], 1,
                          fmt::format("\"{}\" is no unit of shares; write % or nothing", table->shown(rows[1], 1)));
    }
  }
  std::vector<Point> points;
  for (size_t i = units ? 2 : 1; i < rows.size(); ++i) {
    const CsvTable::Row& row = rows[i];
    const auto is_no = [&](size_t cell, std::string_view what) {
      return table->wrong(row, cell, fmt::format("\"{}\" is no {}", table->shown(row, cell), what));
    };
    Point point;
    if (!parse_number(row.cells[0].text, point.bytes) || !(point.bytes >= 0) || point.bytes * unit > kMostBytes)
      return is_no(0, "size; write a number without a unit, from 0 to 1e12 bytes (the second line may have units)");
    if (!parse_number(row.cells[1].text, point.share) || !(point.share >= 0) || point.share > 100)
      return is_no(1, "percentage; write a number from 0 to 100: how many flows have at most this size");
    point.bytes *= unit;
    point.share /= 100;
    if (!points.empty() && point.bytes < points.back().bytes) {
      return table->wrong(row, 0,
                          fmt::format("size {} is below that of the line before, {}; write the lines by size",
                                      table->shown(row, 0), table->shown(rows[i - 1], 0)));
    }
    if (!points.empty() && point.share < points.back().share) {
      return table->wrong(row, 1,
                          fmt::format("percentage {} is below that of the line before, {}; write how many flows have "
                                      "at most this size, smaller ones included",
                                      table->shown(row, 1), table->shown(rows[i - 1], 1)));
    }
    points.push_back(point);
  }
  if (points.empty())
    return table->wrong(rows[0], 0, "there are no sizes; write a line for each, as in 0,0 and 1000,100");
  if (points.size() < 2)
    return table->wrong(rows.back(), 0,
                        "one size is no distribution; write at least two lines, as in 0,0 and 1000,100");
  if (points.back().share != 1) {
    return table->wrong(
        rows.back(), 1,
        fmt::format("the last line has {} percent, and no flow is larger than its size; write 100, or a "
                    "line with a larger size and 100",
                    table->shown(rows.back(), 1)));
  }
  if (points.back().bytes == 0) return table->wrong(rows.back(), 0, "all flows would be empty; write a size above 0");
  SizeDistribution distribution(std::move(points));
  if (distribution.mean() == 0)
    return table->wrong(rows.back(), 0, "all flows would be empty; write a percentage below 100 for the size 0");
  return distribution;
}

double SizeDistribution::mean() const {
  double mean = points_[0].bytes * points_[0].share;
  for (size_t i = 1; i < points_.size(); ++i)
    mean += (points_[i].share - points_[i - 1].share) * (points_[i].bytes + points_[i - 1].bytes) / 2;
  return mean;
}

uint64_t SizeDistribution::at(double share) const {
  const auto above =
      std::find_if(points_.begin(), points_.end(), [&](const Point& point) { return point.share > share; });
  double bytes = points_.back().bytes;
  if (above == points_.begin()) {
    bytes = points_[0].bytes;
  } else if (above != points_.end()) {
    const Point& below = *(above - 1);
    bytes = below.bytes + (share - below.share) / (above->share - below.share) * (above->bytes - below.bytes);
  }
  return static_cast<uint64_t>(std::max(std::floor(bytes), 1.0));
}

}  // namespace fabrictwin::flows
