// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/run_to_end.h"

#include <memory>
#include <optional>

#include "bridges/caller/check_places.h"
#include "bridges/caller/grpc_connector.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/interrupt.h"
#include "cosim/cli/support/memory_need.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/progress_line.h"
#include "cosim/cli/support/run_choices.h"
#include "cosim/run/run.h"

namespace fabrictwin::cli::support {

absl::StatusOr<v1::Report> run_to_end(const experiment::Experiment& experiment, const run::Registry& registry,
                                      const study::RunToEndOptions& options, observe::MessageLog* log,
                                      run::metrics::StudyMetrics* study, v1::Report* partial) {
  run::RunOptions how;
  how.watchdog = options.watchdog;
  how.executable = executable();
  how.security = options.security;
  how.messages = log;
  if (absl::Status memory = check_memory(experiment, MemoryUse::kRun); !memory.ok()) return memory;
  const absl::StatusOr<system::Plan> plan = plan_experiment(experiment);
  if (!plan.ok()) return plan.status();
  if (absl::Status places = bridges::caller::check_places(experiment, *plan, how.security); !places.ok()) return places;
  if (absl::Status workload = check_workload(experiment, *plan); !workload.ok()) return workload;
  if (options.tell_plan) tell_plan(experiment, *plan);
  how.threads = options.threads > 0 ? options.threads : choose_threads(*plan);
  absl::StatusOr<std::unique_ptr<run::Run>> run =
      run::Run::create(experiment, registry, bridges::caller::make_grpc_connector, how);
  if (!run.ok()) return run.status();

  absl::Status status;
  {
    const run::metrics::WatchedRun watched(study, **run);
    const Interrupt interrupt;
    std::optional<ProgressLine> progress;
    if (!options.quiet) progress.emplace([&] { return (*run)->progress(); }, stderr, stderr_is_terminal());
    status = (*run)->execute(interrupt.token());
    if (interrupt.requested() && !status.ok()) {
      if (partial != nullptr) *partial = (*run)->report();
      return absl::CancelledError("interrupted");
    }
  }
  if ((*run)->refused()) return status;
  // Whatever the code is: the run has failed, and the user's input is not to blame.
  if (!status.ok()) {
    return status.code() == absl::StatusCode::kInternal ? status : absl::AbortedError(status.message());
  }
  tell_threads(options.threads, (*run)->report());
  return (*run)->report();
}

absl::StatusOr<v1::Report> counted_run_to_end(const experiment::Experiment& experiment, const run::Registry& registry,
                                              const study::RunToEndOptions& options, observe::MessageLog* log,
                                              run::metrics::StudyMetrics* study, v1::Report* partial) {
  absl::StatusOr<v1::Report> report = run_to_end(experiment, registry, options, log, study, partial);
  if (study != nullptr) study->run_ended(report.status());
  return report;
}

}  // namespace fabrictwin::cli::support
