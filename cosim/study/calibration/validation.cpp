// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/calibration/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/study/calibration/latency_errors.h"

namespace fabrictwin::study::calibration {
namespace {

bool only_models(const experiment::Experiment& experiment) {
  return std::all_of(experiment.uses.begin(), experiment.uses.end(),
                     [](const experiment::UseSpec& use) { return use.implementation == v1::MODEL; });
}

/// Whether a rule says how deep its elements are.
bool has_depths(const experiment::Experiment& experiment) {
  return std::any_of(experiment.uses.begin(), experiment.uses.end(), [](const experiment::UseSpec& use) {
    return use.implementation == v1::MODEL && use.depth != v1::ROUTER_MODEL_UNSPECIFIED;
  });
}

/// What is compared with the reference: models in this process. Rules for models keep their depths, and what others
/// select is as deep as the experiment's routers.
absl::StatusOr<experiment::Experiment> load_models(const experiment::Input& options,
                                                   const experiment::Tenants& tenants) {
  absl::StatusOr<experiment::Experiment> experiment = options.load(tenants);
  if (!experiment.ok()) return experiment;
  if (!has_depths(*experiment)) return with_models_only(*std::move(experiment));
  for (experiment::UseSpec& use : experiment->uses) {
    use.implementation = v1::MODEL;
    use.place = "inproc";
  }
  for (v1::Use& use : *experiment->message.mutable_use()) {
    use.set_implementation(v1::MODEL);
    use.clear_place();
    use.clear_board();
  }
  return experiment;
}

std::string rule_text(const v1::Use& use) {
  const std::string& place = use.implementation() == v1::BOARD ? use.board() : use.place();
  const bool depth = use.depth() != v1::ROUTER_MODEL_UNSPECIFIED;
  return fmt::format("{}={}{}{}{}{}", use.select(), v1::Implementation_Name(use.implementation()), depth ? "/" : "",
                     depth ? v1::RouterModel_Name(use.depth()) : "", place.empty() ? "" : "@", place);
}

void set_digests(const v1::Report& report, v1::RunDigests& digests) {
  digests.set_timing_digest(report.timing_digest());
  digests.set_payload_digest(report.payload_digest());
  digests.set_simulated_seconds(report.simulated_seconds());
  digests.set_wall_seconds(report.wall_seconds());
}

}  // namespace

experiment::Experiment with_models_only(experiment::Experiment experiment) {
  experiment.uses.clear();
  experiment.message.clear_use();
  return experiment;
}

absl::StatusOr<experiment::Experiment> load_reference(const experiment::Input& options,
                                                      const experiment::Tenants& tenants) {
  absl::StatusOr<experiment::Experiment> experiment = options.load(tenants);
  if (!experiment.ok()) return experiment;
  if (experiment->router.model != v1::EXANET) {
    return absl::InvalidArgumentError(experiment::format_diagnostic(
        experiment->router_location,
        "there is no RTL of routers of this model, so nothing to compare them with; write model: EXANET"));
  }
  if (!only_models(*experiment)) return experiment;
  experiment::Input all = options;
  all.overrides.uses.push_back(experiment->topology_traits.nodes ? "qfdb[*].*=RTL" : "router[*]=RTL");
  return all.load(tenants);
}

absl::StatusOr<Validation> validate(const experiment::Input& experiment, const Runner& runner,
                                    const RunToEndOptions& options, int runs, size_t limit, size_t worst) {
  const absl::StatusOr<experiment::Experiment> first = load_reference(experiment, runner.parts.tenants);
  if (!first.ok()) return first.status();
  Validation validation;
  v1::ValidationReport& report = validation.report;
  report.set_experiment(first->file);
  for (const v1::Use& use : first->message.use()) report.add_reference(rule_text(use));

  LatencyErrors errors;
  for (int i = 0; i < runs; ++i) {
    experiment::Input seeded = experiment;
    seeded.overrides.seed = first->seed + static_cast<uint64_t>(i);
    const absl::StatusOr<experiment::Experiment> reference = load_reference(seeded, runner.parts.tenants);
    if (!reference.ok()) return reference.status();
    absl::StatusOr<experiment::Experiment> models = load_models(seeded, runner.parts.tenants);
    if (!models.ok()) return models.status();
    observe::MessageLog model_log(limit);
    observe::MessageLog reference_log(limit);
    RunToEndOptions again = options;
    again.tell_plan = false;
    // All runs would give the same warnings.
    const absl::StatusOr<v1::Report> theirs =
        runner.run_to_end(*reference, runner.parts, i == 0 ? options : again, &reference_log);
    if (absl::IsCancelled(theirs.status()) && i > 0) {
      validation.interrupted = true;
      break;
    }
    if (!theirs.ok()) return theirs.status();
    const absl::StatusOr<v1::Report> ours = runner.run_to_end(*std::move(models), runner.parts, again, &model_log);
    if (absl::IsCancelled(ours.status()) && i > 0) {
      validation.interrupted = true;
      break;
    }
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

}  // namespace fabrictwin::study::calibration
