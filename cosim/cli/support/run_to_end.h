// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One complete run from its experiment to its report, for commands that process the report further.
#pragma once

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/observe/message_log.h"
#include "cosim/run/metrics/study_metrics.h"
#include "cosim/run/registry.h"
#include "cosim/study/runner.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::cli::support {

/// Runs an experiment to its end and records its messages in `log` if that is given. Cancelled if the user interrupts,
/// Aborted if it fails after simulation has started; earlier errors have their own codes, from which
/// exit_code_of_input() tells whether the input is to blame. The run is seen in the metrics of `study`, which does not
/// count it; it may be null. If `partial` is given, it is what the run had come to where the user interrupted it.
absl::StatusOr<v1::Report> run_to_end(const experiment::Experiment& experiment, const run::Registry& registry,
                                      const study::RunToEndOptions& options, observe::MessageLog* log = nullptr,
                                      run::metrics::StudyMetrics* study = nullptr, v1::Report* partial = nullptr);

/// Runs as above, and `study` counts the run.
absl::StatusOr<v1::Report> counted_run_to_end(const experiment::Experiment& experiment, const run::Registry& registry,
                                              const study::RunToEndOptions& options, observe::MessageLog* log,
                                              run::metrics::StudyMetrics* study, v1::Report* partial = nullptr);

}  // namespace fabrictwin::cli::support
