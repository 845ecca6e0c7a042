// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bridges/token_run.h"

#include "bridges/grpc_connector.h"
#include "cosim/run/run.h"
#include "tests/bridges/self_process.h"

namespace fabrictwin {
namespace {

constexpr const char* kExperiment = R"(
topology { torus { dims: 4 } }
workload { traffic { pattern: UNIFORM load: 0.1 } }
)";

/// Lets a test see how much travelled: the counters are gone once the run has ended.
class CountingConnector final : public PlaceConnector {
 public:
  CountingConnector(std::unique_ptr<PlaceConnector> inner, std::vector<TransportCounters>& seen)
      : inner_(std::move(inner)), seen_(seen) {}
  absl::Status connect(const Experiment& experiment, Plan& plan) override { return inner_->connect(experiment, plan); }
  absl::Status attach(RunMemory& memory) override { return inner_->attach(memory); }
  Pump* pump() override { return inner_->pump(); }
  int local_threads() const override { return inner_->local_threads(); }
  absl::Status finish(std::span<LinkCounters> counters, v1::Report& report) override {
    seen_ = inner_->transports();
    return inner_->finish(counters, report);
  }
  void sample(std::span<LinkCounters> counters) override { inner_->sample(counters); }
  std::vector<TransportCounters> transports() const override { return inner_->transports(); }

 private:
  std::unique_ptr<PlaceConnector> inner_;
  std::vector<TransportCounters>& seen_;
};

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
