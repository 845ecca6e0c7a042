// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/report/message_json.h"
#include "cosim/study/sweep/result.h"

namespace fabrictwin::study::sweep {
namespace {

using nlohmann::ordered_json;
using Point = Result::Point;

/// The JSON value of a text; numbers become JSON numbers, for scripts.
ordered_json value_json(const std::string& text) {
  int64_t whole = 0;
  if (parse_number(text, whole)) return whole;
  double real = 0;
  if (parse_number(text, real)) return real;
  return text;
}

ordered_json axes_json(const std::vector<Axis>& axes) {
  ordered_json made = ordered_json::array();
  for (const Axis& axis : axes) {
    ordered_json values = ordered_json::array();
    for (const Axis::Value& value : axis.values) values.push_back(value_json(value.text));
    made.push_back({{"path", axis.path}, {"values", std::move(values)}});
  }
  return made;
}

ordered_json settings_json(const Settings& point) {
  ordered_json settings = ordered_json::object();
  for (const experiment::FieldSetting& setting : point) settings[setting.path] = value_json(setting.value);
  return settings;
}

void add_saturation(const point::SaturationResult& saturation, bool found, ordered_json& object) {
  if (found) {
    object["saturation_load"] = saturation.load;
    if (saturation.load_above > 0) object["saturation_load_above"] = saturation.load_above;
    object["saturation_throughput"] = saturation.throughput;
  }
  ordered_json probes = ordered_json::array();
  for (const point::SaturationResult::Probe& probe : saturation.probes) {
    ordered_json made = {{"load", probe.load}, {"saturated", probe.saturated}};
    made.update(report::message_object(probe.report));
    probes.push_back(std::move(made));
  }
  object["probes"] = std::move(probes);
}

/// Adds the outcome of a point. Only a successful one has a result; a failed one has the reason.
void add_outcome(const Result& result, const Point& point, ordered_json& object) {
  const bool well = point.done && point.status.ok();
  if (!point.status.ok()) object["error"] = std::string(message_of(point.status));
  if (result.precision.has_value()) {
    add_saturation(point.saturation, well, object);
  } else if (well) {
    object.update(report::message_object(point.report));
  }
}

}  // namespace

std::string points_json(const Result& result) {
  ordered_json points = ordered_json::array();
  for (const Point& point : result.points) points.push_back({{"settings", settings_json(point.settings)}});
  ordered_json object = {{"experiment", result.experiment}, {"sweep", axes_json(result.axes)}};
  object["points"] = std::move(points);
  return report::json_text(object, 2) + "\n";
}

std::string to_json(const Result& result) {
  ordered_json object = {{"experiment", result.experiment}, {"complete", result.complete()}};
  if (!result.ended()) {
    object["reason"] = "interrupted after " + result.progress();
  } else if (!result.complete()) {
    object["reason"] = fmt::format("{} of {} points were stopped before they had ended", result.points_partial(),
                                   result.points.size());
  }
  if (result.precision.has_value()) object["precision"] = *result.precision;
  if (result.axes.empty() && result.points.size() == 1) {
    add_outcome(result, result.points[0], object);
    return report::json_text(object, 2) + "\n";
  }
  object["sweep"] = axes_json(result.axes);
  ordered_json points = ordered_json::array();
  for (const Point& point : result.points) {
    if (!point.done) continue;
    ordered_json made = {{"settings", settings_json(point.settings)}};
    add_outcome(result, point, made);
    points.push_back(std::move(made));
  }
  object["points"] = std::move(points);
  return report::json_text(object, 2) + "\n";
}

}  // namespace fabrictwin::study::sweep
