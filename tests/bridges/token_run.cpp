// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bridges/token_run.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "bridges/caller/grpc_connector.h"
#include "cosim/run/partition_timeline.h"
#include "cosim/run/run.h"
#include "tests/bridges/counting_connector.h"
#include "tests/bridges/self_process.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

constexpr const char* kExperiment = R"(
topology { torus { dims: 4 } }
workload { traffic { pattern: UNIFORM load: 0.1 } }
)";

}  // namespace

TokenOutcome run_tokens(const TokenRunOptions& options) {
  TokenOutcome outcome;
  experiment::Overrides overrides;
  overrides.uses = options.uses;
  overrides.sets = options.sets;
  absl::StatusOr<experiment::Experiment> experiment =
      test::parse_experiment(kExperiment, "tokens.textproto", overrides);
  if (!experiment.ok()) return {.status = experiment.status()};
  run::RunOptions run_options;
  run_options.executable = self_executable();
  run_options.threads = options.threads;
  run_options.watchdog = options.watchdog;
  run_options.security.share_memory = options.share_memory;
  const run::Run* going_on = nullptr;
  run::PartitionTimeline timeline;
  int answered = 0;
  const std::function<void()> polled = [&] {
    // Once more, so that there is a time between two answers.
    if (answered >= 2) return;
    const run::RunLook look = going_on->ask();
    timeline.add(look);
    const bool all = std::ranges::all_of(
        look.partitions, [](const run::PartitionLook& partition) { return partition.busy_ns.value_or(0) > 0; });
    if (all) ++answered;
  };
  const auto connector = [&](const run::ConnectorOptions& connector_options) -> std::unique_ptr<run::PlaceConnector> {
    std::unique_ptr<run::PlaceConnector> inner =
        options.ranks == nullptr ? bridges::caller::make_grpc_connector(connector_options)
                                 : bridges::caller::rank_connector(*options.ranks)(connector_options);
    return std::make_unique<CountingConnector>(std::move(inner), outcome.transports, &outcome.live,
                                               &outcome.live_metrics, options.watched ? polled : nullptr);
  };
  absl::StatusOr<std::unique_ptr<run::Run>> run =
      run::Run::create(*std::move(experiment), token_registry(options.load), connector, run_options);
  if (!run.ok()) return {.status = run.status()};
  going_on = run->get();
  outcome.status = (*run)->execute(std::stop_token());
  outcome.report = (*run)->report();
  timeline.add((*run)->ask());
  outcome.timeline = timeline.timeline((*run)->plan());
  outcome.waited_for = (*run)->progress().waited_for;
  outcome.sampled = (*run)->sample().partitions;
  return outcome;
}

const v1::Report& local_token_report() {
  static const v1::Report* const kReport = [] {
    TokenRunOptions options;
    options.uses = {"router[1]=RTL", "router[2]=RTL"};
    return new v1::Report(run_tokens(options).report);
  }();
  return *kReport;
}

}  // namespace fabrictwin
