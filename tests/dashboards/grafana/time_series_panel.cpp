// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <utility>

#include "cosim/base/text.h"
#include "dashboards/report/plot_scale.h"
#include "dashboards/report/svg.h"
#include "dashboards/top/printable.h"
#include "tests/dashboards/grafana/panel_drawing.h"
#include "tests/dashboards/grafana/panel_frame.h"
#include "tests/dashboards/grafana/panel_unit.h"

namespace fabrictwin::test {
namespace {

using dashboards::report::PlotScale;
using dashboards::report::PlotTick;

constexpr double kTickLine = 16, kLegendRow = 14, kSwatch = 18, kEntryGap = 12;
constexpr double kLeastTickDistance = 15;  ///< Of the texts beside an axis.
constexpr double kLargest = 1e300;
constexpr std::string_view kDashes[] = {"", "7 3", "2 2"};

/// What the axes of a panel show.
struct PanelAxes {
  PanelBox plot;
  PlotScale scale;
  double factor;  ///< Of values.
  const TimeAxis* time;

  double x(double at) const { return plot.x + plot.width * (at - time->start) / (time->end - time->start); }
  double y(double value) const { return plot.y + plot.height * (1 - scale.position(value * factor)); }
};

/// Leaves out values that cannot be drawn and series that have no others.
std::vector<PanelSeries> drawable(std::vector<PanelSeries> series, const TimeAxis& time) {
  for (PanelSeries& one : series) {
    std::erase_if(one.points, [&](const AnswerPoint& point) {
      return !std::isfinite(point.value) || std::abs(point.value) > kLargest || !(point.time >= time.start) ||
             !(point.time <= time.end);
    });
  }
  std::erase_if(series, [](const PanelSeries& one) { return one.points.empty(); });
  return series;
}

double greatest_of(const PanelSeries& series) {
  double greatest = -std::numeric_limits<double>::infinity();
  for (const AnswerPoint& point : series.points) greatest = std::max(greatest, point.value);
  return greatest;
}

/// Keeps the series with the greatest values, in their order. Returns how many are gone.
size_t keep_greatest(std::vector<PanelSeries>& series) {
  if (series.size() <= kMostCurves) return 0;
  std::vector<double> greatest;
  for (const PanelSeries& one : series) greatest.push_back(greatest_of(one));
  std::vector<size_t> order(series.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return greatest[a] > greatest[b]; });
  order.resize(kMostCurves);
  std::sort(order.begin(), order.end());
  const size_t gone = series.size() - kMostCurves;
  std::vector<PanelSeries> kept;
  for (const size_t i : order) kept.push_back(std::move(series[i]));
  series = std::move(kept);
  return gone;
}

std::string style_of(size_t curve) { return fmt::format("c{}", curve % 7); }

std::string dashes_of(size_t curve) {
  const std::string_view dashes = kDashes[curve % std::size(kDashes)];
  return dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes);
}

/// A line through points, and a dot where there is only one.
std::string line_of(const std::vector<std::pair<double, double>>& points, size_t curve) {
  if (points.size() == 1) {
    return fmt::format("<circle class=\"d {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>\n", style_of(curve),
                       points[0].first, points[0].second);
  }
  std::string out = fmt::format("<polyline class=\"l {}\"{} points=\"", style_of(curve), dashes_of(curve));
  for (size_t i = 0; i < points.size(); ++i) {
    // Points within a level stretch add nothing but size.
    const auto level = [&](size_t other) {
      return std::lround(10 * points[i].second) == std::lround(10 * points[other].second);
    };
    if (i > 0 && i + 1 < points.size() && level(i - 1) && level(i + 1)) continue;
    out += fmt::format("{}{:.1f},{:.1f}", i == 0 ? "" : " ", points[i].first, points[i].second);
  }
  return out + "\"/>\n";
}

/// Points that no line joins, since there is none between them where one is due.
bool is_apart(const AnswerPoint& one, const AnswerPoint& next, const TimeAxis& time) {
  return next.time - one.time > 1.5 * time.step;
}

std::string curve_of(const PanelSeries& series, const PanelAxes& axes, size_t curve) {
  std::string out;
  std::vector<std::pair<double, double>> stretch;
  for (size_t i = 0; i < series.points.size(); ++i) {
    const AnswerPoint& point = series.points[i];
    if (i > 0 && is_apart(series.points[i - 1], point, *axes.time)) {
      out += line_of(stretch, curve);
      stretch.clear();
    }
    stretch.emplace_back(axes.x(point.time), axes.y(point.value));
  }
  return out + line_of(stretch, curve);
}

std::string time_text(const PlotTick& tick, const TimeAxis& time) {
  if (time.unit != "date") return fmt::format("{} {}", tick.text, time.unit);
  const auto at = static_cast<std::time_t>(time.start + tick.value * time.seconds_per_unit);
  return fmt::format("{:%b %d}", fmt::gmtime(at));
}

std::string axes_of(const PanelAxes& axes) {
  const PanelBox& plot = axes.plot;
  const double bottom = plot.y + plot.height;
  std::string lines, texts;
  double last = std::numeric_limits<double>::infinity();
  for (const PlotTick& tick : axes.scale.ticks()) {
    const double y = plot.y + plot.height * (1 - axes.scale.position(tick.value));
    lines += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>\n", plot.x, y, plot.width);
    if (last - y < kLeastTickDistance) continue;
    texts += panel_label(plot.x - 5, y + 4, "f", tick.text, "end");
    last = y;
  }
  const double units = (axes.time->end - axes.time->start) / axes.time->seconds_per_unit;
  const PlotScale times(0, units, PlotScale::Kind::kLinear);
  double taken = -std::numeric_limits<double>::infinity();
  for (const PlotTick& tick : times.ticks()) {
    if (tick.value > units) break;
    const double x = plot.x + plot.width * tick.value / units;
    const std::string text = time_text(tick, *axes.time);
    const double half = width_of(text) / 2;
    lines += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}v{:.1f}\"/>\n", x, plot.y, plot.height);
    // The last one must not leave the panel.
    const double middle = std::min(x, plot.x + plot.width + 12 - half);
    if (middle - half < taken + 6) continue;
    texts += panel_label(middle, bottom + 13, "f", text, "middle");
    taken = middle + half;
  }
  lines += fmt::format("<path class=\"frame\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>\n", plot.x, bottom, plot.width);
  return lines + texts;
}

/// The words with which all labels begin, if there are several that go on: the legend says them once.
std::string shared_beginning(const std::vector<PanelSeries>& series) {
  if (series.size() < 2) return {};
  std::string_view shared = series.front().label;
  for (const PanelSeries& one : series) {
    const auto end = std::mismatch(shared.begin(), shared.end(), one.label.begin(), one.label.end()).first;
    shared = shared.substr(0, static_cast<size_t>(end - shared.begin()));
  }
  const size_t space = shared.rfind(' ');
  return std::string(space == std::string_view::npos ? std::string_view() : shared.substr(0, space + 1));
}

/// The look of a curve beside its label: a dot if it has only those.
std::string swatch_of(const PanelSeries& series, const TimeAxis& axis, size_t curve, double x) {
  bool joined = false;
  for (size_t i = 1; i < series.points.size(); ++i) joined |= !is_apart(series.points[i - 1], series.points[i], axis);
  if (!joined) {
    return fmt::format("<circle class=\"d {}\" cx=\"{:.1f}\" cy=\"-4\" r=\"2.5\"/>\n", style_of(curve),
                       x + kSwatch / 2);
  }
  return fmt::format("<path class=\"l {}\"{} d=\"M{:.1f} -4h{:g}\"/>\n", style_of(curve), dashes_of(curve), x, kSwatch);
}

/// The rows of the legend, each with its baseline at zero.
std::vector<std::string> legend_of(const std::vector<PanelSeries>& series, size_t gone, const TimeAxis& axis,
                                   double left, double width) {
  std::vector<std::string> rows;
  double x = left;
  const auto add = [&](const std::string& label, std::optional<size_t> curve) {
    const double swatch = curve.has_value() ? kSwatch + 4 : 0;
    const double taken = swatch + width_of(label) + kEntryGap;
    if (rows.empty() || x + taken - kEntryGap > left + width) {
      rows.emplace_back();
      x = left;
    }
    if (curve.has_value()) rows.back() += swatch_of(series[*curve], axis, *curve, x);
    rows.back() += panel_label(x + swatch, 0, curve.has_value() ? "t" : "f", label);
    x += taken;
  };
  const size_t most = characters_in(width / 2 - kSwatch - 4 - kEntryGap);
  const std::string shared = shared_beginning(series);
  if (!shared.empty()) add(dashboards::top::shortened(strip(shared), most) + ":", std::nullopt);
  for (size_t i = 0; i < series.size(); ++i)
    add(dashboards::top::shortened(series[i].label.substr(shared.size()), most), i);
  if (gone > 0) add(fmt::format("and {} more", gone), std::nullopt);
  return rows;
}

}  // namespace

std::string time_series_panel(const PanelBox& box, const PanelText& text, std::vector<PanelSeries> series,
                              const TimeAxis& axis, std::optional<double> from) {
  series = drawable(std::move(series), axis);
  if (series.empty()) {
    const FramedPanel framed = panel_frame(box, text);
    return framed.svg + no_data(framed.inside);
  }
  const size_t gone = keep_greatest(series);
  double low = from.value_or(std::numeric_limits<double>::infinity());
  double high = from.value_or(-std::numeric_limits<double>::infinity());
  for (const PanelSeries& one : series) {
    for (const AnswerPoint& point : one.points) {
      low = std::min(low, point.value);
      high = std::max(high, point.value);
    }
  }
  if (low == 0 && high == 0) high = 1;  // So that zero stays at the bottom.
  const ShownUnit unit = shown_unit(text.unit, std::max(std::abs(low), std::abs(high)));
  const FramedPanel framed = panel_frame(box, text, unit.name);
  const PanelBox& inside = framed.inside;
  const std::vector<std::string> rows = legend_of(series, gone, axis, inside.x, inside.width);
  const double below = kTickLine + kLegendRow * static_cast<double>(rows.size()) + 2;
  const PlotScale scale(low * unit.factor, high * unit.factor, PlotScale::Kind::kLinear);
  double beside = 0;
  for (const PlotTick& tick : scale.ticks()) beside = std::max(beside, width_of(tick.text) + 6);
  const PanelAxes axes{
      {inside.x + beside, inside.y + 6, inside.width - beside - 6, std::max(20.0, inside.height - below - 6)},
      scale,
      unit.factor,
      &axis};
  std::string out = framed.svg + axes_of(axes);
  for (size_t i = 0; i < series.size(); ++i) out += curve_of(series[i], axes, i);
  double baseline = axes.plot.y + axes.plot.height + kTickLine + kLegendRow;
  for (const std::string& row : rows) {
    out += fmt::format("<g transform=\"translate(0 {:.1f})\">\n{}</g>\n", baseline, row);
    baseline += kLegendRow;
  }
  return out;
}

}  // namespace fabrictwin::test
