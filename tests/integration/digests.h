// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run of the command ends with, for tests that hold the law.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "tests/integration/cli_process.h"

namespace fabrictwin {

struct Digests {
  std::string timing;
  std::string payload;
  uint64_t packets = 0;
  bool operator==(const Digests&) const = default;
};

inline void PrintTo(const Digests& digests, std::ostream* out) {
  *out << digests.timing << " / " << digests.payload << ", " << digests.packets << " packets";
}

/// Those of a report. Anything else is a failure of the test.
inline Digests digests_in(const std::string& text) {
  const auto report = nlohmann::json::parse(text, nullptr, false);
  if (report.is_discarded()) {
    ADD_FAILURE() << "no report: " << text;
    return {};
  }
  return {report["timing_digest"], report["payload_digest"], report["packets_delivered"]};
}

/// Runs an experiment (a file and options) with rules for --use and more options. Anything but success is a failure of
/// the test.
inline Digests digests_of(const std::vector<std::string>& experiment, const std::vector<std::string>& uses,
                          const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"run", "--json", "--quiet"};
  arguments.insert(arguments.end(), experiment.begin(), experiment.end());
  for (const std::string& use : uses) arguments.insert(arguments.end(), {"--use", use});
  arguments.insert(arguments.end(), more.begin(), more.end());
  const CliResult result = run_cli(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return digests_in(result.out);
}

/// The report of a run of an experiment with rules for --use. Anything but success is a failure of the test.
inline nlohmann::json report_of(const std::vector<std::string>& experiment, const std::vector<std::string>& uses) {
  std::vector<std::string> arguments{"run", "--json", "--quiet"};
  arguments.insert(arguments.end(), experiment.begin(), experiment.end());
  for (const std::string& use : uses) arguments.insert(arguments.end(), {"--use", use});
  const CliResult result = run_cli(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out, nullptr, false);
}

}  // namespace fabrictwin
