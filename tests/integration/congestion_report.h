// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports of runs with congestion management, as tests read them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/cli_process.h"

namespace fabrictwin {

inline const std::string kExperiments = "workloads/experiments/congestion/";

inline nlohmann::json run_report(const std::string& file, const std::vector<std::string>& sets,
                                 const std::vector<std::string>& options = {}) {
  std::vector<std::string> arguments{"run", "--json", "--quiet", file};
  for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
  arguments.insert(arguments.end(), options.begin(), options.end());
  const CliResult result = run_cli(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  nlohmann::json report = nlohmann::json::parse(result.out, nullptr, false);
  if (report.is_discarded()) ADD_FAILURE() << "no report: " << result.out << result.err;
  return report;
}

/// Numbers of 64 bits are strings in JSON.
inline double number(const nlohmann::json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

/// Goodput of each flow in 10^9 bits a second between two times in milliseconds, from the series of a report.
inline std::vector<double> goodputs(const nlohmann::json& report, double from_ms, double to_ms) {
  std::vector<double> sums(report.at("flows").size());
  for (const nlohmann::json& point : report.at("series").at("points")) {
    const double ms = number(point.at("seconds")) * 1e3;
    if (ms < from_ms + 1e-6 || ms > to_ms + 1e-6) continue;
    for (size_t flow = 0; flow < sums.size(); ++flow)
      sums[flow] += number(point.at("flow_bytes").at(flow)) * 8e-6 / (to_ms - from_ms);
  }
  return sums;
}

/// Random marks spread what a run measures, so these runs count by their median.
inline const std::vector<std::string> kSeeds = {"0", "1", "2", "3", "4"};
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.at(values.size() / 2);
}

/// The mean of the longest queue in bytes between two times.
inline double mean_queue(const nlohmann::json& report, double from_ms, double to_ms) {
  double sum = 0;
  int points = 0;
  for (const nlohmann::json& point : report.at("series").at("points")) {
    const double ms = number(point.at("seconds")) * 1e3;
    if (ms < from_ms + 1e-6 || ms > to_ms + 1e-6) continue;
    sum += number(point.value("queue_bytes", nlohmann::json(0)));
    ++points;
  }
  return sum / points;
}

}  // namespace fabrictwin
