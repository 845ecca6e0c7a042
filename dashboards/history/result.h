// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A result that is kept: what was measured, and where it comes from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fabrictwin/v1/provenance.pb.h"

namespace fabrictwin::dashboards::history {

/// How two values of a metric are judged.
enum class Better {
  kExact = 0,   ///< Simulated: the same experiment gives the same value, and any other one is a change.
  kLower = 1,   ///< Measured, with noise: times, sizes.
  kHigher = 2,  ///< Measured: rates.
};

/// "exact", "lower" or "higher".
std::string_view better_name(Better better);

struct Metric {
  std::string name;  ///< "traffic.latency_seconds.mean".
  std::string unit;  ///< May be empty.
  Better better = Better::kExact;
  double value = 0;
};

/// A digest, or another text that is compared exactly.
struct Text {
  std::string name;
  std::string value;
};

struct Result {
  int64_t id = 0;    ///< Given by the database.
  std::string name;  ///< What was run: "incast8". Results with the same name and experiment are a series.
  std::string kind;  ///< The command: "run", or "benchmark" or "figures".
  v1::Provenance provenance;
  std::vector<Metric> metrics;
  std::vector<Text> texts;
};

/// The commit as lists show it: 12 digits of a hash, another name whole; a "+" if the sources differed from it, "-" if
/// it is not known.
std::string commit_name(const v1::Provenance& provenance);
/// The name of no commit.
inline constexpr std::string_view kNoCommit = "-";
/// The first 12 digits of a hash; another text as it is. A whole hash names a commit as its first digits do.
std::string short_commit(const std::string& commit);
/// The machine of measurements: only those of one machine are compared.
std::string machine_name(const v1::Provenance& provenance);

/// True if the text is the pattern, or matches it as names of files match a pattern of the shell. An empty pattern
/// matches all.
bool matches(const std::string& pattern, const std::string& text);

}  // namespace fabrictwin::dashboards::history
