// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/report/bar_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "cosim/base/text.h"
#include "dashboards/report/plot_scale.h"

namespace fabrictwin::dashboards::report {
namespace {

// The layout in units of SVG, which are pixels by default.
constexpr double kBarsLeft = 70, kBarsRight = 550, kBarsTop = 44, kBarsHeight = 320, kBarsBottom = 44;
constexpr double kKeyGap = 20, kKeyRow = 20, kKeySquare = 12, kLetterWidth = 6.6;
/// The share of the width of a group that bars take.
constexpr double kFilled = 0.8;

}  // namespace

BarPlot::BarPlot(std::string title, PlotAxis y, std::vector<std::string> groups)
    : title_(std::move(title)), y_(std::move(y)), groups_(std::move(groups)) {}

void BarPlot::add_bars(std::string label, std::vector<std::optional<double>> values) {
  values.resize(groups_.size());
  bars_.push_back({std::move(label), std::move(values)});
}

absl::Status BarPlot::check() const {
  absl::Status status = check_xml_text("title", title_);
  if (status.ok()) status = check_xml_text("axis title", y_.title);
  for (const std::string& group : groups_) {
    if (status.ok()) status = check_xml_text("name of a group", group);
  }
  for (const Bars& bars : bars_) {
    if (status.ok()) status = check_xml_text("label of bars", bars.label);
    for (const std::optional<double>& value : bars.values) {
      if (status.ok() && value.has_value() && !(*value >= 0 && std::isfinite(*value)))
        status = absl::InvalidArgumentError(fmt::format("bars \"{}\": {} cannot be drawn", bars.label, *value));
    }
  }
  return status;
}

absl::StatusOr<Picture> BarPlot::picture() const {
  if (absl::Status status = check(); !status.ok()) return status;
  double most = 0;
  size_t longest = 0;
  for (const Bars& bars : bars_) {
    longest = std::max(longest, bars.label.size());
    for (const std::optional<double>& value : bars.values) most = std::max(most, value.value_or(0));
  }
  const PlotScale scale(0, most > 0 ? most : 1, PlotScale::Kind::kLinear);
  const double left = vertical_axis_at(scale, kBarsLeft);
  const double bottom = kBarsTop + kBarsHeight;
  const auto y_at = [&](double value) { return bottom - kBarsHeight * scale.position(value); };
  Picture picture;
  picture.width = kBarsRight + kKeyGap + kKeySquare + 8 + kLetterWidth * static_cast<double>(longest) + 10;
  picture.height = std::max(bottom + kBarsBottom, kBarsTop + kKeyRow * static_cast<double>(bars_.size()) + 10);
  std::string& out = picture.svg;
  out = svg_head(picture.width, picture.height, title_);
  out += fmt::format("<text x=\"{:.2f}\" y=\"24\" text-anchor=\"middle\" font-size=\"15\">{}</text>\n",
                     (left + kBarsRight) / 2, xml_text(title_));
  for (const PlotTick& tick : scale.ticks()) {
    out += fmt::format("<path d=\"M{:.2f} {:.2f}H{:.2f}\" stroke=\"#dddddd\"/>\n", left, y_at(tick.value), kBarsRight);
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n", left - kTickGap,
                       y_at(tick.value) + 4, tick.text);
  }
  const std::string y_title = y_.unit.empty() ? y_.title : fmt::format("{} ({})", y_.title, y_.unit);
  out += fmt::format(
      "<text x=\"{2:g}\" y=\"{0:.2f}\" text-anchor=\"middle\" transform=\"rotate(-90 {2:g} {0:.2f})\">{1}</text>\n",
      (kBarsTop + bottom) / 2, xml_text(y_title), kAxisTitle);
  const double group_width = (kBarsRight - left) / static_cast<double>(std::max<size_t>(groups_.size(), 1));
  const double bar_width = group_width * kFilled / static_cast<double>(std::max<size_t>(bars_.size(), 1));
  for (size_t group = 0; group < groups_.size(); ++group) {
    const double begin = left + group_width * static_cast<double>(group);
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n", begin + group_width / 2,
                       bottom + 18, xml_text(groups_[group]));
    for (size_t bar = 0; bar < bars_.size(); ++bar) {
      const std::optional<double>& value = bars_[bar].values[group];
      if (!value.has_value()) continue;
      const double x = begin + group_width * (1 - kFilled) / 2 + bar_width * static_cast<double>(bar);
      out += fmt::format(
          "<rect class=\"bar\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"><title>{}, {}: "
          "{:.6g}</title></rect>\n",
          x, y_at(*value), bar_width, bottom - y_at(*value), kPlotColours[bar % kPlotColours.size()],
          xml_text(groups_[group]), xml_text(bars_[bar].label), *value);
    }
  }
  out += fmt::format("<path d=\"M{:.2f} {:.2f}H{:.2f}\" stroke=\"#333333\"/>\n", left, bottom, kBarsRight);
  for (size_t bar = 0; bar < bars_.size(); ++bar) {
    const double row = kBarsTop + kKeyRow * static_cast<double>(bar);
    out += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                       kBarsRight + kKeyGap, row, kKeySquare, kKeySquare, kPlotColours[bar % kPlotColours.size()]);
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", kBarsRight + kKeyGap + kKeySquare + 8, row + 10,
                       xml_text(bars_[bar].label));
  }
  out += "</svg>\n";
  return picture;
}

std::string BarPlot::csv() const {
  std::string text;
  for (const Bars& bars : bars_) {
    for (size_t group = 0; group < groups_.size(); ++group) {
      if (!bars.values[group].has_value()) continue;
      text += fmt::format("{},{},{},{:.9g}\n", csv_cell(title_), csv_cell(bars.label), csv_cell(groups_[group]),
                          *bars.values[group]);
    }
  }
  return text;
}

}  // namespace fabrictwin::dashboards::report
