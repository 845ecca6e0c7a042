// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bridges/token_run.h"

#include "bridges/grpc_connector.h"
#include "cosim/run/run.h"
#include "tests/bridges/counting_connector.h"
#include "tests/bridges/self_process.h"

namespace fabrictwin {
namespace {

constexpr const char* kExperiment = R"(
topology { torus { dims: 4 } }
workload { traffic { pattern: UNIFORM load: 0.1 } }
)";

}  // namespace

TokenOutcome run_tokens(const TokenRunOptions& options) {
  TokenOutcome outcome;
  Overrides overrides;
  overrides.uses = options.uses;
  overrides.sets = options.sets;
  absl::StatusOr<Experiment> experiment = parse_experiment(kExperiment, "tokens.textproto", overrides);
  if (!experiment.ok()) return {experiment.status(), {}, {}};
  RunOptions run_options;
  run_options.executable = self_executable();
  run_options.threads = options.threads;
  const auto connector = [&](const ConnectorOptions& connector_options) -> std::unique_ptr<PlaceConnector> {
    return std::make_unique<CountingConnector>(make_grpc_connector(connector_options), outcome.transports);
  };
  absl::StatusOr<std::unique_ptr<Run>> run =
      Run::create(*std::move(experiment), token_registry(options.load), connector, run_options);
  if (!run.ok()) return {run.status(), {}, {}};
  outcome.status = (*run)->execute(std::stop_token());
  outcome.report = (*run)->report();
  return outcome;
}

}  // namespace fabrictwin
