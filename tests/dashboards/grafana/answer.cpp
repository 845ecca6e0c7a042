// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/dashboards/grafana/answer.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "absl/status/status.h"
#include "cosim/base/text.h"

namespace fabrictwin::test {
namespace {

using nlohmann::json;

absl::Status not_an_answer(std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("this is no answer of Prometheus: {}", what));
}

/// Numbers are texts in answers.
std::optional<double> number_of(const json& text) {
  if (!text.is_string()) return std::nullopt;
  const std::string& written = text.get_ref<const std::string&>();
  if (written == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (written == "+Inf") return std::numeric_limits<double>::infinity();
  if (written == "-Inf") return -std::numeric_limits<double>::infinity();
  double value = 0;
  if (!parse_number(written, value)) return std::nullopt;
  return value;
}

/// [time, "value"].
std::optional<AnswerPoint> point_of(const json& pair) {
  if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number()) return std::nullopt;
  const std::optional<double> value = number_of(pair[1]);
  if (!value.has_value()) return std::nullopt;
  return AnswerPoint{pair[0].get<double>(), *value};
}

absl::StatusOr<AnswerSeries> series_of(const json& element, bool is_matrix) {
  AnswerSeries series;
  if (!element.is_object() || !element.contains("metric") || !element["metric"].is_object())
    return not_an_answer("a series has no labels");
  for (const auto& [name, value] : element["metric"].items()) {
    if (!value.is_string()) return not_an_answer("a label is no text");
    series.labels[name] = value.get<std::string>();
  }
  const char* const field = is_matrix ? "values" : "value";
  if (!element.contains(field)) return not_an_answer(fmt::format("a series has no {}", field));
  const json points = is_matrix ? element[field] : json::array({element[field]});
  for (const json& pair : points) {
    const std::optional<AnswerPoint> point = point_of(pair);
    if (!point.has_value()) return not_an_answer("a value is no pair of a time and a number");
    series.points.push_back(*point);
  }
  return series;
}

}  // namespace

absl::StatusOr<std::vector<AnswerSeries>> read_answer(const std::string& text) {
  const json answer = json::parse(text, nullptr, false);
  if (!answer.is_object() || !answer.contains("status")) return not_an_answer("it is no object with a status");
  if (answer["status"] != "success") {
    const bool says_why = answer.contains("error") && answer["error"].is_string();
    return absl::InvalidArgumentError(
        fmt::format("Prometheus refuses the query: {}", says_why ? answer["error"].get<std::string>() : "no reason"));
  }
  if (!answer.contains("data") || !answer["data"].is_object()) return not_an_answer("it has no data");
  const json& data = answer["data"];
  if (!data.contains("result") || !data["result"].is_array() || !data.contains("resultType"))
    return not_an_answer("it has no result");
  if (data["resultType"] == "scalar") {
    const std::optional<AnswerPoint> point = point_of(data["result"]);
    if (!point.has_value()) return not_an_answer("the scalar is no pair of a time and a number");
    return std::vector<AnswerSeries>{{{}, {*point}}};
  }
  if (data["resultType"] != "matrix" && data["resultType"] != "vector")
    return not_an_answer("the result is no matrix, vector or scalar");
  std::vector<AnswerSeries> all;
  for (const json& element : data["result"]) {
    absl::StatusOr<AnswerSeries> series = series_of(element, data["resultType"] == "matrix");
    if (!series.ok()) return series.status();
    all.push_back(*std::move(series));
  }
  return all;
}

}  // namespace fabrictwin::test
