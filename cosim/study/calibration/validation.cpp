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
#include "cosim/system/plan.h"

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

/// Runs the experiment with one seed after the other, and compares.
class Validator {
 public:
  Validator(const experiment::Input& input, const Runner& runner, const RunToEndOptions& options, size_t limit,
            std::vector<bool> island, Validation& validation)
      : input_(input),
        runner_(runner),
        options_(options),
        limit_(limit),
        island_(std::move(island)),
        validation_(validation) {}

  /// Adds the runs with a seed. Cancelled if the user interrupts one of them; then none is added.
  absl::Status add(uint64_t seed) {
    experiment::Input seeded = input_;
    seeded.overrides.seed = seed;
    const absl::StatusOr<experiment::Experiment> reference = load_reference(seeded, runner_.parts.tenants);
    if (!reference.ok()) return reference.status();
    const absl::StatusOr<experiment::Experiment> models = load_models(seeded, runner_.parts.tenants);
    if (!models.ok()) return models.status();
    observe::MessageLog model_log(limit_);
    observe::MessageLog reference_log(limit_);
    observe::MessageLog word_log(limit_);
    const absl::StatusOr<v1::Report> theirs = run(*reference, reference_log);
    if (!theirs.ok()) return theirs.status();
    const absl::StatusOr<v1::Report> ours = run(*models, model_log);
    if (!ours.ok()) return ours.status();
    absl::StatusOr<v1::Report> words;
    if (!island_.empty()) {
      words = run(with_models_only(*models), word_log);
      if (!words.ok()) return words.status();
    }

    v1::ValidationReport& report = validation_.report;
    compare(seed, {*ours, model_log}, {*theirs, reference_log}, errors_, *report.add_runs());
    if (!island_.empty())
      compare(seed, {*ours, model_log}, {*words, word_log}, depth_errors_, *report.mutable_island()->add_runs());
    report.set_topology(ours->run().topology());
    return absl::OkStatus();
  }

  /// Reports the errors of all runs.
  void finish(size_t worst) {
    v1::ValidationReport& report = validation_.report;
    *report.mutable_errors() = errors_.summary(worst);
    if (!island_.empty()) report.mutable_island()->MergeFrom(depth_errors_.island(island_));
  }

 private:
  struct Ended {
    const v1::Report& report;
    const observe::MessageLog& log;
  };

  absl::StatusOr<v1::Report> run(const experiment::Experiment& experiment, observe::MessageLog& log) {
    absl::StatusOr<v1::Report> report = runner_.run_to_end(experiment, runner_.parts, options_, &log);
    // All runs would give the same warnings.
    options_.tell_plan = false;
    return report;
  }

  void compare(uint64_t seed, const Ended& ours, const Ended& theirs, LatencyErrors& errors, v1::ValidatedRun& run) {
    run.set_seed(seed);
    set_digests(ours.report, *run.mutable_model());
    set_digests(theirs.report, *run.mutable_reference());
    validation_.complete = validation_.complete && ours.report.complete() && theirs.report.complete();
    run.set_same_payload(ours.report.payload_digest() == theirs.report.payload_digest());
    run.set_same_timing(ours.report.timing_digest() == theirs.report.timing_digest());
    errors.add(seed, ours.log, theirs.log, run);
  }

  const experiment::Input& input_;
  const Runner& runner_;
  RunToEndOptions options_;
  size_t limit_;
  std::vector<bool> island_;
  Validation& validation_;
  LatencyErrors errors_;
  LatencyErrors depth_errors_;  ///< Of coarser routers, against routers of words.
};

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

absl::StatusOr<std::vector<bool>> island_hosts(const experiment::Input& experiment, const Runner& runner) {
  const absl::StatusOr<experiment::Experiment> models = load_models(experiment, runner.parts.tenants);
  if (!models.ok()) return models.status();
  std::vector<bool> island;
  if (!has_depths(*models)) return island;
  absl::StatusOr<system::SystemGraph> graph = runner.parts.topology(*models);
  if (!graph.ok()) return graph.status();
  const absl::StatusOr<system::Plan> plan = system::make_plan(*models, *std::move(graph));
  if (!plan.ok()) return plan.status();
  for (system::ElementId host = 0; host < plan->graph.host_count(); ++host)
    island.push_back(plan->moves_words(plan->graph.host_router(host)));
  const auto inside = std::count(island.begin(), island.end(), true);
  if (inside == 0 || inside == std::ssize(island)) island.clear();
  return island;
}

absl::StatusOr<Validation> validate(const experiment::Input& experiment, const Runner& runner,
                                    const RunToEndOptions& options, int runs, size_t limit, size_t worst) {
  const absl::StatusOr<experiment::Experiment> first = load_reference(experiment, runner.parts.tenants);
  if (!first.ok()) return first.status();
  absl::StatusOr<std::vector<bool>> island = island_hosts(experiment, runner);
  if (!island.ok()) return island.status();
  Validation validation;
  validation.report.set_experiment(first->file);
  for (const v1::Use& use : first->message.use()) validation.report.add_reference(rule_text(use));

  Validator validator(experiment, runner, options, limit, *std::move(island), validation);
  for (int i = 0; i < runs; ++i) {
    const absl::Status status = validator.add(first->seed + static_cast<uint64_t>(i));
    if (absl::IsCancelled(status) && i > 0) {
      validation.interrupted = true;
      break;
    }
    if (!status.ok()) return status;
  }
  validator.finish(worst);
  return validation;
}

}  // namespace fabrictwin::study::calibration
