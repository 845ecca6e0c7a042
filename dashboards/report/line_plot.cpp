// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/report/line_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "cosim/base/text.h"
#include "dashboards/report/plot_scale.h"
#include "dashboards/report/svg.h"

namespace fabrictwin::dashboards::report {
namespace {

// The layout in units of SVG, which are pixels by default.
constexpr double kPlotLeft = 70, kPlotRight = 550, kPlotTop = 44, kPlotHeight = 320, kPlotBottom = 60;
constexpr double kLegend = kPlotRight + 20, kLegendRow = 20, kLegendLine = 36, kCharacterWidth = 6.6, kMarker = 4;

constexpr std::array<std::string_view, 8> kDashes = {"", "8 4", "2 3", "10 3 2 3", "14 5", "4 2", "8 3 2 3 2 3", "1 5"};
constexpr size_t kMarkers = 6;
constexpr size_t kMostMarkers = 64;  ///< A curve has no more.
constexpr double kLargest = 1e300;   // The limit ensures that sums of values are finite.

absl::Status check_value(double value, const PlotAxis& axis, std::string_view what) {
  if (!std::isfinite(value) || std::abs(value) > kLargest)
    return absl::InvalidArgumentError(fmt::format("{}: {} cannot be plotted", what, value));
  if (axis.log && value <= 0)
    return absl::InvalidArgumentError(
        fmt::format("{}: {} cannot be plotted on a logarithmic axis, which takes values above zero", what, value));
  return absl::OkStatus();
}

std::string title_of(const PlotAxis& axis) {
  return axis.unit.empty() ? axis.title : fmt::format("{} ({})", axis.title, axis.unit);
}

// The marker of curve number `look` around a point.
std::string marker(size_t look, double x, double y, bool filled) {
  const std::string_view colour = kPlotColours[look % kPlotColours.size()];
  const std::string style = fmt::format("fill=\"{}\" stroke=\"{}\"", filled ? colour : "none", colour);
  const double m = kMarker;
  switch (look % kMarkers) {
    case 0:
      return fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:g}\" {}", x, y, m, style);
    case 1:
      return fmt::format("<path d=\"M{:.2f} {:.2f}m{m} {m}h-{n}v-{n}h{n}z\" {}", x, y, style, fmt::arg("m", m + 1),
                         fmt::arg("n", 2 * m + 2));
    case 2:
      return fmt::format("<path d=\"M{:.2f} {:.2f}m0 -{k}l{k} {n}h-{w}z\" {}", x, y, style, fmt::arg("k", m + 2),
                         fmt::arg("n", 2 * m + 2), fmt::arg("w", 2 * m + 4));
    case 3:
      return fmt::format("<path d=\"M{:.2f} {:.2f}m0 -{k}l{k} {k}l-{k} {k}l-{k} -{k}z\" {}", x, y, style,
                         fmt::arg("k", m + 2));
    case 4:
      return fmt::format("<path d=\"M{:.2f} {:.2f}m-{m} -{m}l{n} {n}m0 -{n}l-{n} {n}\" {}", x, y, style,
                         fmt::arg("m", m), fmt::arg("n", 2 * m));
    default:
      return fmt::format("<path d=\"M{:.2f} {:.2f}m-{m} 0h{n}m-{m} -{m}v{n}\" {}", x, y, style, fmt::arg("m", m + 1),
                         fmt::arg("n", 2 * m + 2));
  }
}

std::string line_style(size_t look) {
  const std::string_view dashes = kDashes[look % kDashes.size()];
  return fmt::format("fill=\"none\" stroke=\"{}\"{}", kPlotColours[look % kPlotColours.size()],
                     dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes));
}

// The least and the greatest value that an axis must show.
template <typename Value>
PlotScale scale_of(const PlotAxis& axis, const Value& for_each_value) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto include = [&](double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  };
  for_each_value(include);
  if (axis.from.has_value()) include(*axis.from);
  if (axis.to.has_value()) include(*axis.to);
  if (low > high) {  // There are no values to show.
    low = 1;
    high = 2;
  }
  const PlotScale::Kind kind = !axis.log          ? PlotScale::Kind::kLinear
                               : axis.unit == "B" ? PlotScale::Kind::kPowersOfTwo
                                                  : PlotScale::Kind::kDecades;
  return PlotScale(low, high, kind);
}

}  // namespace

LinePlot::LinePlot(std::string title, PlotAxis x, PlotAxis y)
    : title_(std::move(title)), x_(std::move(x)), y_(std::move(y)) {}

size_t LinePlot::add_line(std::string label, std::vector<PlotPoint> points) {
  series_.push_back({std::move(label), std::move(points), looks_, true});
  return looks_++;
}

void LinePlot::add_points(std::string label, std::vector<PlotPoint> points, std::optional<size_t> like) {
  const size_t look = like.has_value() && *like < looks_ ? *like : looks_++;
  series_.push_back({std::move(label), std::move(points), look, false});
}

absl::Status LinePlot::check() const {
  absl::Status status = check_xml_text("title", title_);
  for (const PlotAxis* axis : {&x_, &y_}) {
    if (status.ok()) status = check_xml_text("axis title", axis->title);
    if (status.ok()) status = check_xml_text("unit", axis->unit);
    for (const std::optional<double>& end : {axis->from, axis->to}) {
      if (status.ok() && end.has_value()) status = check_value(*end, *axis, fmt::format("axis \"{}\"", axis->title));
    }
  }
  for (const Series& series : series_) {
    if (status.ok()) status = check_xml_text("label of a series", series.label);
    for (size_t i = 0; status.ok() && i < series.points.size(); ++i) {
      status = check_value(series.points[i].x, x_, fmt::format("series \"{}\", x of point {}", series.label, i));
      if (status.ok())
        status = check_value(series.points[i].y, y_, fmt::format("series \"{}\", y of point {}", series.label, i));
    }
  }
  return status;
}

double LinePlot::width() const {
  size_t longest = 0;
  for (const Series& series : series_) longest = std::max(longest, series.label.size());
  return kLegend + kLegendLine + 8 + kCharacterWidth * static_cast<double>(longest) + 10;
}

double LinePlot::height() const {
  return std::max(kPlotTop + kPlotHeight + kPlotBottom,
                  kPlotTop + kLegendRow * static_cast<double>(series_.size() + 1));
}

absl::StatusOr<std::string> LinePlot::svg() const {
  const absl::Status checked = check();
  if (!checked.ok()) return checked;
  const PlotScale x_scale = scale_of(x_, [&](const auto& include) {
    for (const Series& series : series_)
      for (const PlotPoint& point : series.points) include(point.x);
  });
  const PlotScale y_scale = scale_of(y_, [&](const auto& include) {
    for (const Series& series : series_)
      for (const PlotPoint& point : series.points) include(point.y);
  });
  const double left = vertical_axis_at(y_scale, kPlotLeft);
  const double width = kPlotRight - left, bottom = kPlotTop + kPlotHeight;
  const auto x_at = [&](double value) { return left + width * x_scale.position(value); };
  const auto y_at = [&](double value) { return kPlotTop + kPlotHeight * (1 - y_scale.position(value)); };

  std::string out = svg_head(this->width(), height(), title_);
  out += fmt::format("<text x=\"{:.2f}\" y=\"24\" text-anchor=\"middle\" font-size=\"15\">{}</text>\n",
                     (left + kPlotRight) / 2, xml_text(title_));

  out += "<g class=\"axes\" stroke=\"#dddddd\">\n";
  for (const PlotTick& tick : x_scale.ticks())
    out += fmt::format("<path class=\"tick-x\" d=\"M{:.2f} {:.2f}V{:.2f}\"/>\n", x_at(tick.value), kPlotTop, bottom);
  for (const PlotTick& tick : y_scale.ticks())
    out += fmt::format("<path class=\"tick-y\" d=\"M{:.2f} {:.2f}H{:.2f}\"/>\n", left, y_at(tick.value), kPlotRight);
  out += fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"none\" "
      "stroke=\"#333333\"/>\n</g>\n<g class=\"texts\">\n",
      left, kPlotTop, width, kPlotHeight);
  for (const PlotTick& tick : x_scale.ticks())
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n", x_at(tick.value),
                       bottom + 18, tick.text);
  for (const PlotTick& tick : y_scale.ticks())
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n", left - kTickGap,
                       y_at(tick.value) + 4, tick.text);
  out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n", (left + kPlotRight) / 2,
                     bottom + 42, xml_text(title_of(x_)));
  out += fmt::format(
      "<text x=\"{2:g}\" y=\"{0:.2f}\" text-anchor=\"middle\" transform=\"rotate(-90 {2:g} {0:.2f})\">{1}"
      "</text>\n</g>\n",
      (kPlotTop + bottom) / 2, xml_text(title_of(y_)), kAxisTitle);

  double row = kPlotTop + kLegendRow / 2;
  for (const Series& series : series_) {
    const std::string label = xml_text(series.label);
    out += "<g class=\"series\" stroke-width=\"1.5\">\n";
    if (series.joined && series.points.size() > 1) {
      out += "<polyline points=\"";
      for (size_t i = 0; i < series.points.size(); ++i)
        out += fmt::format("{}{:.2f},{:.2f}", i == 0 ? "" : " ", x_at(series.points[i].x), y_at(series.points[i].y));
      out += fmt::format("\" {}/>\n", line_style(series.look));
    }
    // A curve of many points has some markers, so that it can be seen.
    const size_t every = series.joined ? (series.points.size() + kMostMarkers - 1) / kMostMarkers : 1;
    for (size_t i = 0; i < series.points.size(); i += every) {
      const PlotPoint& point = series.points[i];
      out += marker(series.look, x_at(point.x), y_at(point.y), !series.joined);
      out += fmt::format("><title>{}: {:.6g}, {:.6g}</title></{}>\n", label, point.x, point.y,
                         series.look % kMarkers == 0 ? "circle" : "path");
    }
    if (series.joined)
      out += fmt::format("<path d=\"M{:.2f} {:.2f}h{:g}\" {}/>\n", kLegend, row, kLegendLine, line_style(series.look));
    out += marker(series.look, kLegend + kLegendLine / 2, row, !series.joined) + "/>\n";
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n</g>\n", kLegend + kLegendLine + 8, row + 4, label);
    row += kLegendRow;
  }
  return out + "</svg>\n";
}

std::string LinePlot::csv() const {
  std::string text;
  for (const Series& series : series_) {
    for (const PlotPoint& point : series.points)
      text += fmt::format("{},{},{:.9g},{:.9g}\n", csv_cell(title_), csv_cell(series.label), point.x, point.y);
  }
  return text;
}

}  // namespace fabrictwin::dashboards::report
