// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/dashboards/grafana/dashboard_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "absl/status/status.h"
#include "cosim/base/text.h"
#include "dashboards/report/svg.h"
#include "dashboards/top/printable.h"
#include "tests/dashboards/grafana/panel_query.h"
#include "tests/dashboards/grafana/panel_unit.h"

namespace fabrictwin::test {
namespace {

using nlohmann::json;

// A cell of Grafana's grid, which has 24 columns, in pixels.
constexpr double kColumn = 40, kRow = 30, kGap = 3, kMargin = 6, kNoteLine = 15;
constexpr double kWidth = 24 * kColumn + 2 * kMargin;
constexpr int kMostRows = 1000;
constexpr std::string_view kOrigin =
    "Drawn by FabricTwin's own plots from the answers of a Prometheus to the queries of this dashboard, not by "
    "Grafana.";

std::string text_in(const json& object, const char* name, const std::string& otherwise = {}) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

/// The object at a name, or an empty one.
const json& object_in(const json& object, const char* name) {
  static const json kEmpty = json::object();
  const auto found = object.find(name);
  return found != object.end() && found->is_object() ? *found : kEmpty;
}

/// The array at a name, or an empty one.
const json& array_in(const json& object, const char* name) {
  static const json kEmpty = json::array();
  const auto found = object.find(name);
  return found != object.end() && found->is_array() ? *found : kEmpty;
}

bool flag_in(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

std::optional<int> cell_in(const json& position, const char* name, int most) {
  const auto found = position.find(name);
  if (found == position.end() || !found->is_number_integer()) return std::nullopt;
  const auto cell = found->get<int64_t>();
  if (cell < 0 || cell > most) return std::nullopt;
  return static_cast<int>(cell);
}

absl::StatusOr<PanelBox> box_of(const json& panel) {
  const json& position = object_in(panel, "gridPos");
  const std::optional<int> x = cell_in(position, "x", 23), y = cell_in(position, "y", kMostRows),
                           width = cell_in(position, "w", 24), height = cell_in(position, "h", kMostRows);
  if (!x || !y || !width || !height || *width == 0 || *height == 0 || *x + *width > 24)
    return absl::InvalidArgumentError("gridPos has no x, y, w and h within 24 columns");
  return PanelBox{*x * kColumn, *y * kRow, *width * kColumn, *height * kRow};
}

/// All answers of a panel with the names of their series.
struct PanelAnswers {
  std::vector<PanelSeries> series;
  std::vector<AnswerSeries> raw;
};

absl::StatusOr<PanelAnswers> answers_of(const json& panel, const DashboardView& view, const AskPrometheus& ask) {
  PanelAnswers answers;
  for (const json& target : array_in(panel, "targets")) {
    const std::string query = fill_variables(text_in(target, "expr"), view.variables);
    absl::StatusOr<std::vector<AnswerSeries>> asked = ask(query, flag_in(target, "instant"));
    if (!asked.ok()) return asked.status();
    for (AnswerSeries& series : *asked) {
      answers.series.push_back({legend_text(text_in(target, "legendFormat"), series.labels), series.points});
      answers.raw.push_back(std::move(series));
    }
  }
  return answers;
}

/// What Grafana's transformation "organize" leaves out.
std::set<std::string> hidden_columns(const json& panel) {
  std::set<std::string> hidden;
  for (const json& transformation : array_in(panel, "transformations")) {
    if (text_in(transformation, "id") != "organize") continue;
    for (const auto& [name, hides] : object_in(object_in(transformation, "options"), "excludeByName").items()) {
      if (hides.is_boolean() && hides.get<bool>()) hidden.insert(name);
    }
  }
  return hidden;
}

/// A row for each series: its labels and its value. No dashboard shows the time.
PanelTable table_of(const json& panel, const std::vector<AnswerSeries>& answers, const std::string& unit) {
  const std::set<std::string> hidden = hidden_columns(panel);
  std::set<std::string> names;
  for (const AnswerSeries& series : answers) {
    for (const auto& [name, value] : series.labels) {
      if (!hidden.contains(name)) names.insert(name);
    }
  }
  PanelTable table;
  table.columns.assign(names.begin(), names.end());
  table.is_number.assign(names.size(), false);
  const bool has_value = !hidden.contains("Value");
  if (has_value) {
    table.columns.emplace_back("Value");
    table.is_number.push_back(true);
  }
  for (const AnswerSeries& series : answers) {
    std::vector<std::string> row;
    for (const std::string& name : names) {
      const auto label = series.labels.find(name);
      row.push_back(label == series.labels.end() ? "" : label->second);
    }
    if (has_value) row.push_back(series.points.empty() ? "" : value_text(series.points.back().value, unit));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::map<std::string, ValueMapping> mappings_of(const json& defaults) {
  std::map<std::string, ValueMapping> mappings;
  for (const json& mapping : array_in(defaults, "mappings")) {
    if (text_in(mapping, "type") != "value") continue;
    for (const auto& [value, shown] : object_in(mapping, "options").items())
      mappings[value] = {text_in(shown, "text", value), text_in(shown, "color")};
  }
  return mappings;
}

absl::StatusOr<std::string> draw_panel(const json& panel, const DashboardView& view, const AskPrometheus& ask,
                                       PanelBox box) {
  const std::string type = text_in(panel, "type");
  const std::string title = fill_variables(text_in(panel, "title"), view.variables);
  if (type == "row") {
    return panel_label(box.x + kGap, box.y + 21, "t b", title) +
           fmt::format("<path class=\"frame\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>\n", box.x + kGap, box.y + 27,
                       box.width - 2 * kGap);
  }
  const json& defaults = object_in(object_in(panel, "fieldConfig"), "defaults");
  const PanelText text{title, fill_variables(text_in(panel, "description"), view.variables),
                       text_in(defaults, "unit", "none")};
  box = {box.x + kGap, box.y + kGap, box.width - 2 * kGap, box.height - 2 * kGap};
  absl::StatusOr<PanelAnswers> answers = answers_of(panel, view, ask);
  if (!answers.ok()) return answers.status();
  if (type == "stat") return stat_panel(box, text, answers->series, mappings_of(defaults));
  if (type == "table") return table_panel(box, text, table_of(panel, answers->raw, text.unit));
  if (type != "timeseries")
    return absl::InvalidArgumentError(fmt::format("panels of type \"{}\" cannot be drawn", type));
  const auto least = defaults.find("min");
  const bool has_least = least != defaults.end() && least->is_number();
  return time_series_panel(box, text, std::move(answers->series), view.axis,
                           has_least ? std::optional<double>(least->get<double>()) : std::nullopt);
}

}  // namespace

absl::StatusOr<DashboardView> read_view(const json& object) {
  if (!object.is_object()) return absl::InvalidArgumentError("a view is no object");
  DashboardView view;
  for (const auto& [name, target] :
       {std::pair{"start", &view.axis.start}, std::pair{"end", &view.axis.end}, std::pair{"step", &view.axis.step},
        std::pair{"seconds_per_unit", &view.axis.seconds_per_unit}}) {
    const auto found = object.find(name);
    if (found == object.end() && std::string_view(name) == "seconds_per_unit") continue;
    if (found == object.end() || !found->is_number())
      return absl::InvalidArgumentError(fmt::format("a view has no number \"{}\"", name));
    *target = found->get<double>();
  }
  if (!(view.axis.start < view.axis.end) || !(view.axis.step > 0) || !(view.axis.seconds_per_unit > 0))
    return absl::InvalidArgumentError("a view must end after its start, and its step and unit be above zero");
  // Years beyond 9999 are no dates.
  if (view.axis.start < 0 || view.axis.end > 253'402'300'799.0)
    return absl::InvalidArgumentError("a view must be between the years 1970 and 9999");
  view.axis.unit = text_in(object, "unit", "s");
  view.note = text_in(object, "note");
  view.made_of = text_in(object, "made_of");
  for (const auto& [name, value] : object_in(object, "variables").items()) {
    if (!value.is_string()) return absl::InvalidArgumentError(fmt::format("the variable \"{}\" is no text", name));
    view.variables[name] = value.get<std::string>();
  }
  return view;
}

absl::StatusOr<std::string> draw_dashboard(const json& dashboard, const DashboardView& view, const AskPrometheus& ask) {
  if (!dashboard.is_object() || array_in(dashboard, "panels").empty())
    return absl::InvalidArgumentError("the dashboard has no panels");
  const std::string title = text_in(dashboard, "title");
  std::string head = panel_label(kMargin + kGap, 26, "t h", title);
  double y = 30;
  for (const std::string& text : {view.note, std::string(kOrigin)}) {
    if (text.empty()) continue;
    for (const std::string& line : wrapped(text, characters_in(kWidth - 2 * kMargin))) {
      y += kNoteLine;
      head += panel_label(kMargin + kGap, y, "f", line);
    }
  }
  const double top = y + 8;
  std::string panels;
  double height = 0;
  for (const json& panel : dashboard.at("panels")) {
    absl::StatusOr<PanelBox> box = panel.is_object() ? box_of(panel) : absl::InvalidArgumentError("it is no object");
    absl::StatusOr<std::string> drawn =
        box.ok() ? draw_panel(panel, view, ask, {box->x + kMargin, box->y + top, box->width, box->height})
                 : box.status();
    if (!drawn.ok()) {
      const std::string name = panel.is_object() ? text_in(panel, "title") : "";
      return absl::Status(drawn.status().code(), fmt::format("panel \"{}\": {}", name, message_of(drawn.status())));
    }
    panels += *drawn;
    height = std::max(height, box->y + box->height);
  }
  height += top + kMargin;
  using dashboards::report::xml_text;
  using dashboards::top::printable;
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
             "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\">\n<title>{2}</title>\n<desc>{3}</desc>\n",
             kWidth, height, xml_text(printable(title)), xml_text(kOrigin)) +
         (view.made_of.empty() ? "" : fmt::format("<metadata>{}</metadata>\n", xml_text(printable(view.made_of)))) +
         fmt::format("<style>{}</style>\n<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n", panel_styles()) +
         head + panels + "</svg>\n";
}

}  // namespace fabrictwin::test
