// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/many_runs.h"

#include <spdlog/spdlog.h>

#include <memory>
#include <utility>
#include <vector>

#include "bridges/caller/check_places.h"
#include "cosim/cli/support/memory_need.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/run_choices.h"
#include "cosim/study/baseline.h"

namespace fabrictwin::cli::support {
namespace {

/// A run and those of its baselines.
absl::StatusOr<v1::Report> run_with_baselines(const experiment::Experiment& experiment, run::RunOptions options,
                                              int threads, const std::stop_token& stop,
                                              run::metrics::StudyMetrics* study,
                                              const run::ConnectorFactory& connector) {
  options.threads = threads;
  if (threads == 0) {
    const absl::StatusOr<system::Plan> plan = plan_experiment(experiment);
    if (!plan.ok()) return plan.status();
    options.threads = choose_threads(*plan);
  }
  const auto alone = [&](const experiment::Experiment& baseline) {
    return run_with_baselines(baseline, options, threads, stop, study, connector);
  };
  const absl::StatusOr<std::vector<v1::Report>> baselines = study::run_baselines(experiment, alone);
  if (!baselines.ok()) return baselines.status();
  absl::StatusOr<std::unique_ptr<run::Run>> run =
      run::Run::create(experiment, all_parts(), connector, std::move(options));
  if (!run.ok()) return run.status();
  const run::metrics::WatchedRun watched(study, **run);
  if (absl::Status status = (*run)->execute(stop); !status.ok()) return status;
  v1::Report report = (*run)->report();
  study::add_baselines(experiment, *baselines, report);
  return report;
}

}  // namespace

absl::Status PlanCheck::check(const experiment::Experiment& experiment) {
  const MemoryUse use = here_ ? MemoryUse::kRun : MemoryUse::kPlan;
  if (absl::Status memory = check_memory(experiment, use); !memory.ok()) return memory;
  const absl::StatusOr<system::Plan> plan = plan_experiment(experiment);
  if (!plan.ok()) return plan.status();
  if (absl::Status places = bridges::caller::check_places(experiment, *plan, security_); !places.ok()) return places;
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& warning : plan_warnings(experiment, *plan)) {
      if (told_.insert(warning).second) spdlog::warn(warning);
    }
  }
  return check_workload(experiment, *plan);
}

absl::StatusOr<v1::Report> run_once(const experiment::Experiment& experiment, run::RunOptions options, int threads,
                                    const std::stop_token& stop, run::metrics::StudyMetrics* study,
                                    const run::ConnectorFactory& connector) {
  absl::StatusOr<v1::Report> report =
      run_with_baselines(experiment, std::move(options), threads, stop, study, connector);
  if (study != nullptr) study->run_ended(report.status());
  return report;
}

}  // namespace fabrictwin::cli::support
