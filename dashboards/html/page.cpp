// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/html/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_replace.h"
#include "dashboards/html/assets.h"

namespace fabrictwin::dashboards::html {
namespace {

using Json = nlohmann::ordered_json;

/// Significant digits of values that are only drawn.
constexpr int kDigits = 6;

/// JSON that can stand in a script element, whatever it holds: "</script>" and "<!--" would end or change it.
std::string text_of(const Json& json) {
  return absl::StrReplaceAll(json.dump(-1, ' ', false, Json::error_handler_t::replace),
                             {{"<", "\\u003c"}, {">", "\\u003e"}, {"&", "\\u0026"}});
}

double rounded(double value) { return std::strtod(fmt::format("{:.{}g}", value, kDigits).c_str(), nullptr); }

/// A value that cannot be drawn is null.
Json values_of(const std::vector<double>& values, const Axis& axis) {
  Json json = Json::array();
  for (const double value : values) {
    json.push_back(std::isfinite(value) && (axis.log == 0 || value > 0) ? Json(rounded(value)) : Json(nullptr));
  }
  return json;
}

Json axis_json(const Axis& axis) { return {{"title", axis.title}, {"unit", axis.unit}, {"log", axis.log}}; }

Json section(const char* kind, const std::string& title, const std::string& note = "") {
  Json json = {{"kind", kind}, {"title", title}};
  if (!note.empty()) json["note"] = note;
  return json;
}

void add_frames(const Map& map, Json& json) {
  json["frame_time"] = axis_json(map.frame_time);
  json["frame_measure"] = axis_json(map.frame_measure);
  json["frame_scale"] = map.frame_scale;
  json["frames"] = Json::array();
  for (const Map::Frame& frame : map.frames)
    json["frames"].push_back({{"end", rounded(frame.end)}, {"values", frame.values}});
}

}  // namespace

void Page::add_facts(std::string title, std::vector<std::pair<std::string, std::string>> facts) {
  Json json = section("facts", title);
  json["facts"] = Json::array();
  for (const auto& [name, value] : facts) json["facts"].push_back(Json::array({name, value}));
  sections_.push_back(text_of(json));
}

void Page::add_table(Table table) {
  Json json = section("table", table.title, table.note);
  json["columns"] = table.columns;
  json["rows"] = table.rows;
  sections_.push_back(text_of(json));
}

void Page::add_links(std::string title, const std::vector<std::pair<std::string, std::string>>& pages) {
  Json json = section("links", title);
  json["pages"] = Json::array();
  for (const auto& [text, file] : pages) json["pages"].push_back(Json::array({text, file}));
  sections_.push_back(text_of(json));
}

void Page::add_chart(Chart chart) {
  Json json = section("chart", chart.title, chart.note);
  json["x_axis"] = axis_json(chart.x_axis);
  json["y_axis"] = axis_json(chart.y_axis);
  json["bars"] = chart.bars;
  // Positions that a logarithmic axis does not have are left out with all that stands there.
  std::vector<size_t> shown;
  for (size_t i = 0; i < chart.x.size(); ++i) {
    if (std::isfinite(chart.x[i]) && (chart.x_axis.log == 0 || chart.x[i] > 0)) shown.push_back(i);
  }
  const auto select = [&](const std::vector<double>& from) {
    std::vector<double> to;
    to.reserve(shown.size());
    for (const size_t i : shown) to.push_back(i < from.size() ? from[i] : std::nan(""));
    return to;
  };
  json["x"] = values_of(select(chart.x), chart.x_axis);
  if (!chart.x_labels.empty()) {
    for (const size_t i : shown) json["x_labels"].push_back(i < chart.x_labels.size() ? chart.x_labels[i] : "");
  }
  json["curves"] = Json::array();
  for (const Chart::Curve& curve : chart.curves) {
    Json& made = json["curves"].emplace_back(
        Json{{"label", curve.label}, {"y", values_of(select(curve.y), chart.y_axis)}, {"points", curve.points}});
    if (curve.low.empty() || curve.high.empty()) continue;
    made["low"] = values_of(select(curve.low), chart.y_axis);
    made["high"] = values_of(select(curve.high), chart.y_axis);
  }
  for (const Chart::Mark& mark : chart.marks)
    if (std::isfinite(mark.x)) json["marks"].push_back({{"x", rounded(mark.x)}, {"label", mark.label}});
  sections_.push_back(text_of(json));
}

void Page::add_map(Map map) {
  Json json = section("map", map.title, map.note);
  json["measures"] = Json::array();
  for (const Axis& measure : map.measures) json["measures"].push_back(axis_json(measure));
  json["nodes"] = Json::array();
  for (const Map::Node& node : map.nodes) {
    json["nodes"].push_back(
        {{"x", rounded(node.x)}, {"y", rounded(node.y)}, {"host", node.host}, {"label", node.label}});
  }
  json["edges"] = Json::array();
  for (const Map::Edge& edge : map.edges) {
    Json values = Json::array();
    for (const double value : edge.values) values.push_back(std::isfinite(value) ? rounded(value) : 0.0);
    // Pages of large networks consist of edges.
    Json& made = json["edges"].emplace_back(
        Json{{"a", edge.from}, {"b", edge.to}, {"label", edge.label}, {"values", std::move(values)}});
    if (edge.bent) made["bent"] = true;
  }
  if (!map.frames.empty()) add_frames(map, json);
  sections_.push_back(text_of(json));
}

void Page::add_matrix(const Matrix& matrix) {
  Json json = section("matrix", matrix.title, matrix.note);
  json["row_title"] = matrix.row_title;
  json["column_title"] = matrix.column_title;
  json["labels"] = matrix.labels;
  json["measures"] = Json::array();
  for (const Axis& measure : matrix.measures) json["measures"].push_back(axis_json(measure));
  json["values"] = Json::array();
  for (const std::vector<double>& values : matrix.values) json["values"].push_back(values_of(values, Axis()));
  sections_.push_back(text_of(json));
}

void Page::add_timeline(const Timeline& timeline) {
  Json json = section("timeline", timeline.title, timeline.note);
  json["time"] = axis_json(timeline.time);
  json["end"] = rounded(timeline.end);
  json["ticks"] = timeline.ticks;
  json["states"] = timeline.states;
  json["row_title"] = timeline.row_title;
  json["rows"] = Json::array();
  for (const Timeline::Row& row : timeline.rows) {
    json["rows"].push_back({{"label", row.label}, {"states", row.states}, {"ticks", row.ticks}});
    if (row.levels.empty()) continue;
    json["rows"].back()["levels"] = row.levels;
    json["level"] = axis_json(timeline.level);
  }
  sections_.push_back(text_of(json));
}

void Page::add_text(std::string title, std::string text) {
  Json json = section("text", title);
  json["text"] = text;
  sections_.push_back(text_of(json));
}

void Page::add_picture(std::string title, std::string svg) {
  Json json = section("picture", title);
  json["svg"] = svg;
  sections_.push_back(text_of(json));
}

std::string Page::html() const {
  const std::string data = fmt::format("{{\"title\":{},\"alert\":{},\"sections\":[{}]}}", text_of(Json(title_)),
                                       text_of(Json(alert_)), fmt::join(sections_, ",\n"));
  // What JSON escapes is not what HTML escapes.
  const std::string title =
      absl::StrReplaceAll(Json(title_).dump(-1, ' ', false, Json::error_handler_t::replace),
                          {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\\\"", "&quot;"}, {"\"", ""}});
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n"
      "<style>{}\n{}</style>\n</head>\n<body>\n<main><noscript>This page draws its data with "
      "JavaScript.</noscript></main>\n<script type=\"application/json\" id=\"data\">{}</script>\n"
      "<script>/*\n{}*/\n{}</script>\n<script>\n{}{}</script>\n</body>\n</html>\n",
      title, kUplotCss, kPageCss, data, kUplotLicense, kUplotJs, kActivityJs, kPageJs);
}

}  // namespace fabrictwin::dashboards::html
