// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Experiment files with a mistake, and what is said of it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "cosim/base/text.h"
#include "cosim/experiment/experiment.h"
#include "tests/experiments.h"

namespace fabrictwin {

struct ErrorCase {
  const char* name;
  std::string text;
  const char* error;  ///< The whole output.
};

inline void expect_error(const ErrorCase& wrong) {
  const absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(wrong.text, "e.textproto");
  ASSERT_FALSE(experiment.ok());
  EXPECT_EQ(experiment.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(message_of(experiment.status()), wrong.error);
}

inline const std::string kTopology = "topology { torus { dims: 2 } }\n";
inline const std::string kWorkload = "workload { traffic { load: 0.3 } }\n";

inline std::string torus(const std::string& fields) {
  return "topology { torus { dims: 2 " + fields + " } }\n" + kWorkload;
}
inline std::string with_traffic(const std::string& fields) {
  return kTopology + "workload { traffic { " + fields + " } }\n";
}
inline std::string rule(const std::string& fields) { return kTopology + kWorkload + "use { " + fields + " }\n"; }

}  // namespace fabrictwin
