// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Maps values to positions on an axis and computes its ticks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fabrictwin::dashboards::report {

/// A mark on an axis.
struct PlotTick {
  double value = 0;
  std::string text;  ///< "0.5", "128", "2 Ki".
};

/// One axis of a plot. Value type.
class PlotScale {
 public:
  /// How values are spread, and where ticks are: at round numbers, at powers of two, or at 1, 2 and 5 times powers of
  /// ten.
  enum class Kind : uint8_t { kLinear, kPowersOfTwo, kDecades };

  /// An axis from `low` to `high` or a bit further: it begins and ends at a tick. Equal ends are moved apart. Both are
  /// at most 1e300 in size, `low` is not above `high`; of logarithms both are above zero.
  PlotScale(double low, double high, Kind kind);

  /// Where `value` is on the axis: 0 at its beginning, 1 at its end.
  double position(double value) const;
  /// The ticks, at least two, in ascending order.
  const std::vector<PlotTick>& ticks() const { return ticks_; }

 private:
  void make_linear(double low, double high);
  void make_powers(double low, double high);
  void make_decades(double low, double high);

  Kind kind_;
  double begin_ = 0;  ///< The ends of the axis; exponents of two with logarithms.
  double end_ = 1;
  std::vector<PlotTick> ticks_;
};

// The title of a vertical axis stands upright on a line kAxisTitle from the left edge of a picture, the texts of its
// ticks end kTickGap before the axis, in units of SVG.
inline constexpr double kAxisTitle = 18, kTickGap = 8;
/// Where a vertical axis stands, from the left edge: at `least`, or so much further to the right that texts of size 12
/// do not reach its title.
double vertical_axis_at(const PlotScale& scale, double least);

}  // namespace fabrictwin::dashboards::report
