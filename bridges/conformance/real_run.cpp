// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/conformance/real_run.h"

#include <memory>
#include <utility>

#include "bridges/caller/place_tap.h"
#include "bridges/conformance/recorder.h"
#include "bridges/protocol/plan_config.h"
#include "cosim/experiment/experiment.h"
#include "cosim/run/run.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::conformance {
namespace {

absl::StatusOr<experiment::Experiment> experiment_of(const Options& options, const Subject& subject,
                                                     const std::string& implementation, const std::string& place) {
  experiment::Overrides overrides;
  overrides.sets = subject.sets;
  overrides.uses = {fmt::format("{}={}@{}", subject.select, implementation, place)};
  return experiment::parse_experiment(subject.text, subject.file, options.registry.tenants, overrides);
}

}  // namespace

absl::StatusOr<RealRun> run_at(const Options& options, const Subject& subject, const std::string& implementation,
                               const std::string& place, Findings* findings) {
  absl::StatusOr<experiment::Experiment> experiment = experiment_of(options, subject, implementation, place);
  if (!experiment.ok()) return experiment.status();
  run::RunOptions how;
  how.watchdog = options.timeout;
  how.executable = options.executable;
  how.security = options.security;
  Recorder recorder(findings, options.timeout);
  absl::StatusOr<std::unique_ptr<run::Run>> run =
      run::Run::create(*std::move(experiment), options.registry, caller::tapped_connector(recorder), how);
  if (!run.ok()) return run.status();
  RealRun result;
  result.status = (*run)->execute(options.stop);
  if (options.stop.stop_requested()) return absl::CancelledError("interrupted");
  result.timing_digest = (*run)->report().timing_digest();
  if (result.status.ok() && !(*run)->report().complete())
    result.status = absl::AbortedError(fmt::format("the run has ended early: {}", (*run)->report().reason()));
  run->reset();
  result.conversation = recorder.conversation();
  return result;
}

absl::StatusOr<v1::ConfigureRequest> configure_for(const Options& options, const Subject& subject,
                                                   const std::string& implementation, const std::string& place) {
  absl::StatusOr<experiment::Experiment> experiment = experiment_of(options, subject, implementation, place);
  if (!experiment.ok()) return experiment.status();
  absl::StatusOr<system::SystemGraph> graph = options.registry.topology(*experiment);
  if (!graph.ok()) return graph.status();
  const absl::StatusOr<system::Plan> plan = system::make_plan(*experiment, *std::move(graph));
  if (!plan.ok()) return plan.status();
  return protocol::make_configure(*experiment, *plan, 1, "conformance", 1, {});
}

}  // namespace fabrictwin::bridges::conformance
