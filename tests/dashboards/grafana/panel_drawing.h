// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One panel of a dashboard as a part of an SVG picture.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/dashboards/grafana/answer.h"

namespace fabrictwin::test {

/// Where a panel is in the picture.
struct PanelBox {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

/// What a panel says of its values.
struct PanelText {
  std::string title;
  std::string description;    ///< May be empty.
  std::string unit = "none";  ///< As Grafana calls it.
};

/// How times are shown.
struct TimeAxis {
  double start = 0;  ///< Seconds since 1970.
  double end = 0;
  double step = 1;              ///< Points that are further apart are not joined.
  std::string unit = "s";       ///< Of the ticks, which count from the start; "date" shows dates instead.
  double seconds_per_unit = 1;  ///< Of the time stamps.
};

/// A curve, or one value of a stat panel (its last).
struct PanelSeries {
  std::string label;
  std::vector<AnswerPoint> points;
};

/// A text that takes the place of a value, in a colour that has a name ("green"; empty for none).
struct ValueMapping {
  std::string text;
  std::string colour;
};

/// A cell holds text or a number.
struct PanelTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> is_number;  ///< Of each column: aligned to the right.
};

inline constexpr size_t kMostCurves = 9;      ///< Of a panel; the others are counted.
inline constexpr size_t kMostStatValues = 4;  ///< Of a panel; the others are counted.

/// The styles of all panels, for the <style> element of a picture: for light backgrounds and for dark ones.
std::string panel_styles();
/// A line of text with its left end, middle or right end (anchor "start", "middle" or "end") at (x, y).
std::string panel_label(double x, double y, std::string_view style, std::string_view text,
                        std::string_view anchor = "start");
/// The most characters of the small text that fit into a width.
size_t characters_in(double width);
/// Lines of at most `most` characters, or longer ones of a single word.
std::vector<std::string> wrapped(const std::string& text, size_t most);
/// About the width of a small text.
double width_of(std::string_view text);

/// Curves with a legend. Those with the greatest values are drawn; values that are not finite are left out.
/// `from` is a value that must be on the axis.
std::string time_series_panel(const PanelBox& box, const PanelText& text, std::vector<PanelSeries> series,
                              const TimeAxis& axis, std::optional<double> from);
/// The last value of each series in large letters. `mappings` has values as Prometheus writes them ("0").
std::string stat_panel(const PanelBox& box, const PanelText& text, const std::vector<PanelSeries>& series,
                       const std::map<std::string, ValueMapping>& mappings);
/// A table; rows for which there is no room are counted, and long cells lose their middle.
std::string table_panel(const PanelBox& box, const PanelText& text, const PanelTable& table);

}  // namespace fabrictwin::test
