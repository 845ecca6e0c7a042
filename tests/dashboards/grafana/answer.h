// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a Prometheus answers to queries.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::test {

/// A value at a time. The value may be NaN or infinite.
struct AnswerPoint {
  double time = 0;  ///< Seconds since 1970.
  double value = 0;
};

/// A series with its points in the order of time.
struct AnswerSeries {
  std::map<std::string, std::string> labels;
  std::vector<AnswerPoint> points;
};

/// The series of an answer of /api/v1/query or /api/v1/query_range: a matrix, a vector (each series has one point) or
/// a scalar (one series without labels). InvalidArgument says what is wrong, with Prometheus's own words if it refused
/// the query.
absl::StatusOr<std::vector<AnswerSeries>> read_answer(const std::string& json);

}  // namespace fabrictwin::test
