// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Experiments of tests, which may name all that the command knows.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "workloads/tenants.h"

namespace fabrictwin::test {

/// See experiment::load_experiment().
inline absl::StatusOr<experiment::Experiment> load_experiment(const std::string& file,
                                                              const experiment::Overrides& overrides = {}) {
  return experiment::load_experiment(file, workloads::tenants(), overrides);
}

/// See experiment::parse_experiment().
inline absl::StatusOr<experiment::Experiment> parse_experiment(std::string_view text, const std::string& file,
                                                               const experiment::Overrides& overrides = {}) {
  return experiment::parse_experiment(text, file, workloads::tenants(), overrides);
}

}  // namespace fabrictwin::test
