// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/run_to_end.h"

#include <memory>
#include <optional>

#include "bridges/grpc_connector.h"
#include "cosim/cli/console.h"
#include "cosim/cli/interrupt.h"
#include "cosim/cli/parts.h"
#include "cosim/cli/progress_line.h"
#include "cosim/cli/run_choices.h"
#include "cosim/run/run.h"

namespace fabrictwin {

absl::StatusOr<v1::Report> run_to_end(const Experiment& experiment, const Registry& registry,
                                      const RunToEndOptions& options, MessageLog* log) {
  RunOptions how;
  how.watchdog = options.watchdog;
  how.executable = executable();
  how.messages = log;
  const absl::StatusOr<Plan> plan = plan_experiment(experiment);
  if (!plan.ok()) return plan.status();
  if (options.tell_plan) tell_plan(experiment, *plan);
  how.threads = options.threads > 0 ? options.threads : choose_threads(*plan);
  absl::StatusOr<std::unique_ptr<Run>> run = Run::create(experiment, registry, make_grpc_connector, how);
  if (!run.ok()) return run.status();

  absl::Status status;
  {
    const Interrupt interrupt;
    std::optional<ProgressLine> progress;
    if (!options.quiet) progress.emplace([&] { return (*run)->progress(); }, stderr, stderr_is_terminal());
    status = (*run)->execute(interrupt.token());
    if (interrupt.requested() && !status.ok()) return absl::CancelledError("interrupted");
  }
  if ((*run)->refused()) return status;
  // Whatever its code: what failed is the run, not what the user wrote.
  if (!status.ok()) {
    return status.code() == absl::StatusCode::kInternal ? status : absl::AbortedError(status.message());
  }
  tell_threads(options.threads, (*run)->report());
  return (*run)->report();
}

}  // namespace fabrictwin
