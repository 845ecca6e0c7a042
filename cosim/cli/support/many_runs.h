// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What commands that do many runs have in common.
#pragma once

#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/caller/grpc_connector.h"
#include "cosim/base/connection_security.h"
#include "cosim/experiment/experiment.h"
#include "cosim/run/metrics/study_metrics.h"
#include "cosim/run/run.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::cli::support {

/// Checks experiments before any of them is run, and logs each warning once. Thread-safe.
class PlanCheck {
 public:
  /// `security` is how runs connect to places that listen already. `here` says whether they go on at this machine,
  /// whose memory then has to be enough.
  explicit PlanCheck(ConnectionSecurity security, bool here = true) : security_(std::move(security)), here_(here) {}

  /// Checks everything that can be known of an experiment before it is run.
  absl::Status check(const experiment::Experiment& experiment);

 private:
  const ConnectionSecurity security_;
  const bool here_;
  std::mutex mutex_;
  std::set<std::string> told_;
};

/// Does one run, those of its baselines first, and returns its report; 0 threads choose the number. A run that fails or
/// is stopped has none. All these runs are seen in the metrics of `study`, which counts the one; it may be null.
/// `connector` reaches other places.
absl::StatusOr<v1::Report> run_once(const experiment::Experiment& experiment, run::RunOptions options, int threads,
                                    const std::stop_token& stop, run::metrics::StudyMetrics* study = nullptr,
                                    const run::ConnectorFactory& connector = bridges::caller::make_grpc_connector);

}  // namespace fabrictwin::cli::support
