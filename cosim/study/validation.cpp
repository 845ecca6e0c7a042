// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/cli/parts.h"
#include "cosim/cli/run_to_end.h"
#include "cosim/run/latency_errors.h"

namespace fabrictwin {
namespace {

bool only_models(const Experiment& experiment) {
  return std::all_of(experiment.uses.begin(), experiment.uses.end(),
                     [](const UseSpec& use) { return use.implementation == v1::MODEL; });
}

void set_digests(const v1::Report& report, v1::RunDigests& digests) {
  digests.set_timing_digest(report.timing_digest());
  digests.set_payload_digest(report.payload_digest());
  digests.set_simulated_seconds(report.simulated_seconds());
  digests.set_wall_seconds(report.wall_seconds());
}

}  // namespace

Experiment with_models_only(Experiment experiment) {
  experiment.uses.clear();
  experiment.message.clear_use();
  return experiment;
}

absl::StatusOr<Experiment> load_reference(const ExperimentOptions& options) {
  absl::StatusOr<Experiment> experiment = options.load();
  if (!experiment.ok()) return experiment;
  if (experiment->router.model != v1::EXANET) {
    return absl::InvalidArgumentError(format_diagnostic(
        experiment->router_place,
        "there is no RTL of routers of this model, so nothing to compare them with; write model: EXANET"));
  }
  if (!only_models(*experiment)) return experiment;
  ExperimentOptions all = options;
  all.overrides.uses.push_back(experiment->topology == v1::Topology::kExanest ? "qfdb[*].*=RTL" : "router[*]=RTL");
  return all.load();
}

absl::StatusOr<Validation> validate(const ExperimentOptions& experiment, const RunToEndOptions& options, int runs,
                                    size_t limit, size_t worst) {
  const absl::StatusOr<Experiment> first = load_reference(experiment);
  if (!first.ok()) return first.status();
  Validation validation;
  v1::ValidationReport& report = validation.report;
  report.set_experiment(first->file);
  for (const v1::Use& use : first->message.use()) {
    const std::string& place = use.implementation() == v1::BOARD ? use.board() : use.place();
    report.add_reference(fmt::format("{}={}{}{}", use.select(), v1::Implementation_Name(use.implementation()),
                                     place.empty() ? "" : "@", place));
  }

  LatencyErrors errors;
  for (int i = 0; i < runs; ++i) {
    ExperimentOptions seeded = experiment;
    seeded.overrides.seed = first->seed + static_cast<uint64_t>(i);
    const absl::StatusOr<Experiment> reference = load_reference(seeded);
    if (!reference.ok()) return reference.status();
    MessageLog model_log(limit);
    MessageLog reference_log(limit);
    RunToEndOptions again = options;
    again.tell_plan = false;
    // All runs would tell the same.
    const absl::StatusOr<v1::Report> theirs =
        run_to_end(*reference, all_parts(), i == 0 ? options : again, &reference_log);
    if (!theirs.ok()) return theirs.status();
    const absl::StatusOr<v1::Report> ours = run_to_end(with_models_only(*reference), all_parts(), again, &model_log);
    if (!ours.ok()) return ours.status();

    v1::ValidatedRun& run = *report.add_runs();
    run.set_seed(reference->seed);
    set_digests(*ours, *run.mutable_model());
    set_digests(*theirs, *run.mutable_reference());
    validation.complete = validation.complete && ours->complete() && theirs->complete();
    run.set_same_payload(ours->payload_digest() == theirs->payload_digest());
    run.set_same_timing(ours->timing_digest() == theirs->timing_digest());
    errors.add(reference->seed, model_log, reference_log, run);
    report.set_topology(ours->run().topology());
  }
  *report.mutable_errors() = errors.summary(worst);
  return validation;
}

}  // namespace fabrictwin
