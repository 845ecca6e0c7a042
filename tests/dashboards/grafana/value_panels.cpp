// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Panels without a time axis: large numbers, and tables.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "dashboards/top/printable.h"
#include "tests/dashboards/grafana/panel_drawing.h"
#include "tests/dashboards/grafana/panel_frame.h"
#include "tests/dashboards/grafana/panel_unit.h"

namespace fabrictwin::test {
namespace {

constexpr double kTableRow = 19, kCellGap = 12, kLargeCharacter = 15;
constexpr size_t kShortestCell = 8;

/// The style of a colour that a dashboard names.
std::string_view style_of_colour(std::string_view colour) {
  for (const std::string_view known : {"blue", "green", "red", "orange"}) {
    if (colour == known) return known;
  }
  return "t";
}

/// How many characters each column gets: what its longest cell has, less for the widest ones of text if there is no
/// room.
std::vector<size_t> column_characters(const PanelTable& table, size_t room) {
  std::vector<size_t> widths, shortest;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    size_t width = table.columns[column].size();
    for (const std::vector<std::string>& row : table.rows) width = std::max(width, row[column].size());
    widths.push_back(std::max<size_t>(width, 1));
    shortest.push_back(table.is_number[column] ? widths.back() : std::min(widths.back(), kShortestCell));
  }
  size_t taken = std::accumulate(widths.begin(), widths.end(), size_t{0});
  while (taken > room) {
    size_t widest = 0;
    for (size_t column = 0; column < widths.size(); ++column) {
      if (widths[column] - shortest[column] > widths[widest] - shortest[widest]) widest = column;
    }
    const size_t spare = widths[widest] - shortest[widest];
    if (spare == 0) break;
    const size_t less = std::max<size_t>(1, std::min(spare / 2, taken - room));
    widths[widest] -= less;
    taken -= less;
  }
  return widths;
}

}  // namespace

std::string stat_panel(const PanelBox& box, const PanelText& text, const std::vector<PanelSeries>& series,
                       const std::map<std::string, ValueMapping>& mappings) {
  const FramedPanel framed = panel_frame(box, text);
  const PanelBox& inside = framed.inside;
  std::string out = framed.svg;
  std::vector<const PanelSeries*> shown;
  for (const PanelSeries& one : series) {
    if (!one.points.empty()) shown.push_back(&one);
  }
  if (shown.empty()) return out + no_data(inside);
  const size_t gone = shown.size() > kMostStatValues ? shown.size() - kMostStatValues : 0;
  shown.resize(shown.size() - gone);
  const double width = inside.width / static_cast<double>(shown.size());
  for (size_t i = 0; i < shown.size(); ++i) {
    const double value = shown[i]->points.back().value;
    const auto mapping = mappings.find(fmt::format("{:g}", value));
    const bool mapped = mapping != mappings.end();
    const std::string number = mapped ? mapping->second.text : value_text(value, text.unit);
    const std::string_view colour = mapped ? style_of_colour(mapping->second.colour) : "t";
    const double middle = inside.x + width * (static_cast<double>(i) + 0.5);
    const double y = inside.y + inside.height / 2;
    // Numbers that would not fit beside each other get smaller letters.
    const bool large = kLargeCharacter * static_cast<double>(number.size()) < width;
    out += panel_label(middle, y + 6, fmt::format("{} {}", large ? "v" : "b", colour),
                       dashboards::top::shortened(number, characters_in(width)), "middle");
    out += panel_label(middle, y + 26, "f", dashboards::top::shortened(shown[i]->label, characters_in(width - 8)),
                       "middle");
  }
  if (gone > 0) {
    out += panel_label(box.x + box.width - 10, box.y + 18, "f", fmt::format("and {} more", gone), "end");
  }
  return out;
}

std::string table_panel(const PanelBox& box, const PanelText& text, const PanelTable& table) {
  const FramedPanel framed = panel_frame(box, text);
  const PanelBox& inside = framed.inside;
  std::string out = framed.svg;
  if (table.rows.empty()) return out + no_data(inside);
  const double gaps = kCellGap * static_cast<double>(table.columns.size());
  const size_t room = characters_in(inside.width - gaps);
  const std::vector<size_t> widths = column_characters(table, room);
  const size_t taken = std::accumulate(widths.begin(), widths.end(), size_t{0});
  const double character = (inside.width - gaps) / static_cast<double>(std::max<size_t>(taken, 1));
  const auto lines = static_cast<size_t>(std::max(2.0, inside.height / kTableRow));
  const bool all_fit = table.rows.size() + 1 <= lines;
  const size_t rows = all_fit ? table.rows.size() : lines - 2;
  for (size_t line = 0; line <= rows; ++line) {
    const double top = inside.y + kTableRow * static_cast<double>(line);
    if (line % 2 == 0 && line > 0) {
      out += fmt::format("<rect class=\"even\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                         inside.x, top, inside.width, kTableRow);
    }
    const std::vector<std::string>& cells = line == 0 ? table.columns : table.rows[line - 1];
    double x = inside.x + kCellGap / 2;
    for (size_t column = 0; column < table.columns.size(); ++column) {
      const double width = character * static_cast<double>(widths[column]);
      const std::string cell = dashboards::top::shortened(cells[column], widths[column]);
      const bool right = table.is_number[column];
      out += panel_label(right ? x + width : x, top + 13, line == 0 ? "f" : "t", cell, right ? "end" : "start");
      x += width + kCellGap;
    }
  }
  out += fmt::format("<path class=\"frame\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>\n", inside.x, inside.y + kTableRow,
                     inside.width);
  if (!all_fit) {
    const double top = inside.y + kTableRow * static_cast<double>(rows + 1);
    out +=
        panel_label(inside.x + kCellGap / 2, top + 13, "f", fmt::format("and {} more rows", table.rows.size() - rows));
  }
  return out;
}

}  // namespace fabrictwin::test
