// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Results and databases for tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "dashboards/history/database.h"
#include "dashboards/history/result.h"

namespace fabrictwin::dashboards::history {

/// A path in the temporary folder at which there is nothing.
inline std::string fresh_file(const std::string& name) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove(file);
  std::filesystem::remove(file.string() + "-journal");
  return file.string();
}

/// A result of commit `commit` at minute `minute` of a day.
inline Result made_result(const std::string& commit, int minute, std::vector<Metric> metrics,
                          std::vector<Text> texts = {}) {
  Result result;
  result.name = "incast8";
  result.kind = "run";
  result.provenance.set_commit(commit);
  result.provenance.set_date("2026-03-01T" + std::string(minute / 60 < 10 ? "0" : "") + std::to_string(minute / 60) +
                             ":" + std::string(minute % 60 < 10 ? "0" : "") + std::to_string(minute % 60) + ":00Z");
  result.provenance.set_host("node1");
  result.provenance.set_cpu("A processor");
  result.provenance.set_experiment("seed: 1\n");
  result.metrics = std::move(metrics);
  result.texts = std::move(texts);
  return result;
}

inline Metric exact(const std::string& name, double value) { return {name, "", Better::kExact, value}; }
inline Metric time(const std::string& name, double value) { return {name, "s", Better::kLower, value}; }
inline Metric rate(const std::string& name, double value) { return {name, "1/s", Better::kHigher, value}; }

}  // namespace fabrictwin::dashboards::history
