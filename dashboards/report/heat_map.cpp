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
constexpr double kMapTop = 64, kMapBottom = 56, kGlyph = 6.6, kCellHeight = 32, kLeastCell = 56, kScaleWidth = 16,
                 kScaleText = 70;
constexpr int kScaleSteps = 32;

/// From light yellow by green to dark blue: lightness falls steadily, so it can be read without colours, too.
std::string colour_at(double position) {
  struct Stop {
    double red, green, blue;
  };
  static constexpr Stop kStops[] = {{255, 255, 217}, {127, 205, 187}, {29, 145, 192}, {8, 29, 88}};
  const double scaled = std::clamp(position, 0.0, 1.0) * 3;
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

std::string number_text(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

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
  // What differs in rounding alone is the same.
  const bool flat = high - low <= 1e-9 * std::max(std::abs(low), std::abs(high));
  const auto position = [&](double value) { return flat ? 0.0 : (value - low) / (high - low); };
  int digits = 4;
  while (!flat && digits < 9 && number_text(low, digits) == number_text(high, digits)) ++digits;
  const double left = 20 + longest_of(map.y);
  const double cell =
      std::max({kLeastCell, longest_of(map.x) + 8, kGlyph * static_cast<double>(number_text(low, digits).size()) + 8});
  const double right = left + cell * static_cast<double>(map.x.size());
  const double bottom = kMapTop + kCellHeight * static_cast<double>(map.y.size());
  const std::string title = map.unit.empty() ? map.title : fmt::format("{} ({})", map.title, map.unit);
  Picture picture;
  const std::string rows = "rows: " + map.y_title;
  picture.width = std::max({right + 24 + kScaleWidth + kScaleText, kGlyph * 1.3 * static_cast<double>(title.size()),
                            20 + longest_of({rows, map.x_title})});
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
          begin, top, cell, kCellHeight, value.has_value() ? colour_at(position(*value)) : "#ffffff");
      if (!value.has_value()) continue;
      out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\" fill=\"{}\">{}</text>\n",
                         begin + cell / 2, top + kCellHeight / 2 + 4, position(*value) > 0.5 ? "#ffffff" : "#000000",
                         number_text(*value, digits));
    }
  }
  for (size_t x = 0; x < map.x.size(); ++x) {
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n",
                       left + cell * (static_cast<double>(x) + 0.5), bottom + 18, xml_text(map.x[x]));
  }
  // Names of fields are longer than maps are wide or high.
  const double half = longest_of({map.x_title}) / 2;
  out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n",
                     std::max((left + right) / 2, 10 + half), bottom + 40, xml_text(map.x_title));
  out += fmt::format("<text x=\"10\" y=\"{:.2f}\">{}</text>\n", kMapTop - 14, xml_text(rows));
  if (low > high) return picture.svg += "</svg>\n", picture;
  const double step = (bottom - kMapTop) / kScaleSteps;
  for (int i = 0; i < kScaleSteps; ++i) {
    out += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{}\" height=\"{:.2f}\" fill=\"{}\"/>\n", right + 24,
                       bottom - step * (i + 1), kScaleWidth, step + 0.5, colour_at((i + 0.5) / kScaleSteps));
  }
  out +=
      fmt::format("<text x=\"{0:.2f}\" y=\"{1:.2f}\">{2}</text>\n<text x=\"{0:.2f}\" y=\"{3:.2f}\">{4}</text>\n",
                  right + 30 + kScaleWidth, bottom, number_text(low, digits), kMapTop + 10, number_text(high, digits));
  out += "</svg>\n";
  return picture;
}

}  // namespace fabrictwin::dashboards::report
