// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/report/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace fabrictwin::dashboards::report {
namespace {

// The layout in units of SVG, which are pixels by default.
constexpr double kMapTop = 44, kMapBottom = 56, kGlyph = 6.6, kCellHeight = 32, kLeastCell = 56, kScaleWidth = 16,
                 kScaleText = 70;
constexpr int kScaleSteps = 32;

/// From light yellow by green to dark blue: lightness falls steadily, so it can be read without colours, too.
std::string colour_at(double place) {
  struct Stop {
    double red, green, blue;
  };
  static constexpr Stop kStops[] = {{255, 255, 217}, {127, 205, 187}, {29, 145, 192}, {8, 29, 88}};
  const double scaled = std::clamp(place, 0.0, 1.0) * 3;
  const auto index = std::min<size_t>(static_cast<size_t>(scaled), 2);
  const double part = scaled - static_cast<double>(index);
  const auto mix = [&](double Stop::*colour) {
    return static_cast<int>(std::lround(kStops[index].*colour * (1 - part) + kStops[index + 1].*colour * part));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(&Stop::red), mix(&Stop::green), mix(&Stop::blue));
}

absl::Status check_map(const HeatMap& map) {
  if (map.values.size() != map.x.size() * map.y.size())
    return absl::InvalidArgumentError(
        fmt::format("a map of {} by {} has {} values", map.x.size(), map.y.size(), map.values.size()));
  absl::Status status = check_xml_text("title", map.title);
  for (const std::string* text : {&map.unit, &map.x_title, &map.y_title}) {
    if (status.ok()) status = check_xml_text("axis title", *text);
  }
  for (const std::vector<std::string>* texts : {&map.x, &map.y}) {
    for (const std::string& text : *texts) {
      if (status.ok()) status = check_xml_text("label", text);
    }
  }
  for (const std::optional<double>& value : map.values) {
    if (status.ok() && value.has_value() && !std::isfinite(*value))
      status = absl::InvalidArgumentError(fmt::format("{} cannot be drawn in a map", *value));
  }
  return status;
}

double longest_of(const std::vector<std::string>& texts) {
  size_t longest = 0;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  return kGlyph * static_cast<double>(longest);
}

}  // namespace

absl::StatusOr<Picture> heat_map_picture(const HeatMap& map) {
  if (absl::Status status = check_map(map); !status.ok()) return status;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const std::optional<double>& value : map.values) {
    if (!value.has_value()) continue;
    low = std::min(low, *value);
    high = std::max(high, *value);
  }
  const auto place = [&](double value) { return high > low ? (value - low) / (high - low) : 0.0; };
  const double left = 40 + longest_of(map.y);
  const double cell = std::max(kLeastCell, longest_of(map.x) + 8);
  const double right = left + cell * static_cast<double>(map.x.size());
  const double bottom = kMapTop + kCellHeight * static_cast<double>(map.y.size());
  const std::string title = map.unit.empty() ? map.title : fmt::format("{} ({})", map.title, map.unit);
  Picture picture;
  picture.width = std::max(right + 24 + kScaleWidth + kScaleText, kGlyph * 1.3 * static_cast<double>(title.size()));
  picture.height = bottom + kMapBottom;
  std::string& out = picture.svg;
  out = svg_head(picture.width, picture.height, title);
  out += fmt::format("<text x=\"10\" y=\"24\" font-size=\"15\">{}</text>\n", xml_text(title));
  for (size_t y = 0; y < map.y.size(); ++y) {
    // The first value is below, as on an axis.
    const double top = bottom - kCellHeight * static_cast<double>(y + 1);
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n", left - 8,
                       top + kCellHeight / 2 + 4, xml_text(map.y[y]));
    for (size_t x = 0; x < map.x.size(); ++x) {
      const std::optional<double>& value = map.values[y * map.x.size() + x];
      const double begin = left + cell * static_cast<double>(x);
      out += fmt::format(
          "<rect class=\"cell\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\" "
          "stroke=\"#ffffff\"/>\n",
          begin, top, cell, kCellHeight, value.has_value() ? colour_at(place(*value)) : "#ffffff");
      if (!value.has_value()) continue;
      out +=
          fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\" fill=\"{}\">{:.4g}</text>\n",
                      begin + cell / 2, top + kCellHeight / 2 + 4, place(*value) > 0.5 ? "#ffffff" : "#000000", *value);
    }
  }
  for (size_t x = 0; x < map.x.size(); ++x) {
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n",
                       left + cell * (static_cast<double>(x) + 0.5), bottom + 18, xml_text(map.x[x]));
  }
  out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n", (left + right) / 2,
                     bottom + 40, xml_text(map.x_title));
  out += fmt::format(
      "<text x=\"18\" y=\"{0:.2f}\" text-anchor=\"middle\" transform=\"rotate(-90 18 {0:.2f})\">{1}</text>\n",
      (kMapTop + bottom) / 2, xml_text(map.y_title));
  if (low > high) return picture.svg += "</svg>\n", picture;
  const double step = (bottom - kMapTop) / kScaleSteps;
  for (int i = 0; i < kScaleSteps; ++i) {
    out += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{}\" height=\"{:.2f}\" fill=\"{}\"/>\n", right + 24,
                       bottom - step * (i + 1), kScaleWidth, step + 0.5, colour_at((i + 0.5) / kScaleSteps));
  }
  out += fmt::format(
      "<text x=\"{0:.2f}\" y=\"{1:.2f}\">{2:.4g}</text>\n<text x=\"{0:.2f}\" y=\"{3:.2f}\">{4:.4g}</text>\n",
      right + 30 + kScaleWidth, bottom, low, kMapTop + 10, high);
  out += "</svg>\n";
  return picture;
}

}  // namespace fabrictwin::dashboards::report
