// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What studies of single runs need from the surrounding program: its parts, and a function that runs an experiment.
#pragma once

#include <chrono>
#include <functional>

#include "absl/status/statusor.h"
#include "cosim/base/connection_security.h"
#include "cosim/experiment/experiment.h"
#include "cosim/observe/message_log.h"
#include "cosim/run/registry.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::study {

/// The options of Runner::run_to_end.
struct RunToEndOptions {
  int threads = 0;  ///< 0 chooses the number automatically.
  std::chrono::milliseconds watchdog{30'000};
  ConnectionSecurity security;  ///< Of connections to places that listen already.
  bool quiet = false;           ///< True to show no progress.
  bool tell_plan = true;        ///< True to log warnings of the plan.
};

struct Runner {
  run::Registry parts;
  /// Runs an experiment to its end with these parts and records its messages if a log is given.
  std::function<absl::StatusOr<v1::Report>(const experiment::Experiment&, const run::Registry&, const RunToEndOptions&,
                                           observe::MessageLog*)>
      run_to_end;
};

}  // namespace fabrictwin::study
