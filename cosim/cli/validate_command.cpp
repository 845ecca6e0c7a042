// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bridges/caller/check_places.h"
#include "cosim/base/text.h"
#include "cosim/base/version.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/options/checks.h"
#include "cosim/cli/options/experiment.h"
#include "cosim/cli/options/html.h"
#include "cosim/cli/options/metrics.h"
#include "cosim/cli/options/record.h"
#include "cosim/cli/options/security.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/provenance.h"
#include "cosim/cli/support/run_choices.h"
#include "cosim/cli/support/run_to_end.h"
#include "cosim/report/message_json.h"
#include "cosim/report/validation_text.h"
#include "cosim/study/calibration/calibration.h"
#include "cosim/study/calibration/validation.h"
#include "dashboards/pages/validation_page.h"
#include "models/network/mixed_calibration.h"

namespace fabrictwin::cli {
namespace {

constexpr int kMaxRuns = 1000;
constexpr uint64_t kMaxMessages = 100'000'000;

struct ValidateArguments {
  experiment::Input experiment;
  study::RunToEndOptions options;
  std::string watchdog = "30s";
  int runs = 1;
  double tolerance = 5;
  uint64_t limit = 1'000'000;
  int worst = 10;
  std::string calibrate;
  std::string out;
  std::string html;
  options::SecurityArguments security;
  options::RecordArguments record;
  options::MetricsArguments metrics;
  bool json = false;
};

absl::Status write_reports(const std::string& folder, const std::string& json, const std::string& text) {
  if (absl::Status status = support::make_folder(folder); !status.ok()) return status;
  if (absl::Status status = support::write_file(folder + "/validation.json", json); !status.ok()) return status;
  return support::write_file(folder + "/validation.txt", text);
}

/// The seed of a pair of runs in which hosts received other bytes, if there is one.
std::optional<uint64_t> other_payload(const v1::ValidationReport& report) {
  for (const auto* runs : {&report.runs(), &report.island().runs()}) {
    for (const v1::ValidatedRun& run : *runs) {
      if (!run.same_payload()) return run.seed();
    }
  }
  return std::nullopt;
}

/// Whether the models are within the tolerance; if not, tells it.
support::ExitCode judge(const v1::ValidationReport& report, double tolerance) {
  if (!report.within_tolerance()) {
    return fail(support::ExitCode::kRegression,
                fmt::format("the mean relative error of latencies is {:.2f} %, more than {:g} %",
                            report.errors().relative().mean() * 100, tolerance));
  }
  if (!report.has_island() || report.island().within_tolerance()) return support::ExitCode::kOk;
  return fail(support::ExitCode::kRegression,
              fmt::format("coarser routers change the mean latency of the island's messages by {:+.2f} %, more than "
                          "{:g} %",
                          report.island().latencies(0).error_of_mean() * 100, tolerance));
}

/// Prints the report, and returns whether the models are within the tolerance.
support::ExitCode tell(const ValidateArguments& arguments, const study::calibration::Validation& validation) {
  const v1::ValidationReport& report = validation.report;
  std::string json = report::message_json(report) + "\n";
  if (validation.interrupted) json = support::as_partial(json, "interrupted");
  const std::string text = report::validation_text(report);
  for (const absl::Status& output :
       {support::print_data(arguments.json ? json : text),
        arguments.out.empty() ? absl::OkStatus() : write_reports(arguments.out, json, text),
        arguments.html.empty()
            ? absl::OkStatus()
            : options::write_html(arguments.html, dashboards::pages::validation_page(
                                                      report,
                                                      validation.interrupted ? "Interrupted; the result is partial."
                                                      : validation.complete  ? ""
                                                                             : "The result is partial.",
                                                      text)),
        validation.complete && !validation.interrupted ? options::record(arguments.record, json) : absl::OkStatus()}) {
    if (!output.ok()) return fail(support::ExitCode::kRunFailed, message_of(output));
  }
  // In runs that were stopped, different messages may have arrived.
  if (const auto seed = other_payload(report); validation.complete && seed.has_value()) {
    return fail(support::ExitCode::kRegression,
                fmt::format("seed {}: what hosts received in the two runs differs, whatever its times", *seed));
  }
  if (validation.interrupted) {
    return fail(support::ExitCode::kInterrupted,
                fmt::format("interrupted; the result is partial: {} of {} pairs of runs{}", report.runs_size(),
                            arguments.runs, arguments.record.record ? ", and not recorded" : ""));
  }
  if (!validation.complete)
    spdlog::info("runs were stopped before their workload ended; what arrived in both is compared");
  if (report.errors().messages() == 0) return fail(support::ExitCode::kRunFailed, "no message arrived in both runs");
  return judge(report, arguments.tolerance);
}

study::Runner runner(run::metrics::StudyMetrics* seen) {
  return {.parts = support::all_parts(),
          .run_to_end = [seen](const experiment::Experiment& experiment, const run::Registry& registry,
                               const study::RunToEndOptions& options, observe::MessageLog* log) {
            return support::counted_run_to_end(experiment, registry, options, log, seen);
          }};
}

/// Calibrates and writes the file.
absl::StatusOr<v1::ModelCalibration> fit(const ValidateArguments& arguments, run::metrics::StudyMetrics* seen) {
  const absl::StatusOr<experiment::Experiment> experiment = support::load(arguments.experiment);
  if (!experiment.ok()) return experiment.status();
  const absl::StatusOr<system::Plan> plan = support::plan_experiment(*experiment);
  if (!plan.ok()) return plan.status();
  // The calibration needs no places, but the runs after it do.
  if (absl::Status places = bridges::caller::check_places(*experiment, *plan, arguments.options.security); !places.ok())
    return places;
  absl::StatusOr<v1::ModelCalibration> calibration =
      study::calibration::calibrate(*experiment, runner(seen), arguments.options);
  if (!calibration.ok()) return calibration;
  // The file may be in the folder of the reports, which come later.
  if (!arguments.out.empty()) {
    if (absl::Status status = support::make_folder(arguments.out); !status.ok()) return status;
  }
  if (absl::Status status =
          support::write_file(arguments.calibrate, study::calibration::calibration_file(*calibration));
      !status.ok())
    return status;
  return calibration;
}

/// Warns if the calibration does not fit: it determines the timing of models of nodes, and one of another machine does
/// not model this RTL.
void warn_of_calibration(const experiment::Input& options) {
  const absl::StatusOr<experiment::Experiment> experiment =
      study::calibration::load_reference(options, support::all_parts().tenants);
  if (!experiment.ok() || !experiment->topology_traits.nodes) return;
  const absl::StatusOr<system::Plan> plan = support::plan_experiment(*experiment);
  // The plan itself warns about models of nodes beside RTL in the same run.
  if (!plan.ok() || !network::mixed_calibration(*experiment, *plan).empty()) return;
  const std::string differing = network::calibrated_otherwise(*experiment);
  if (experiment->calibration.has_value() && differing.empty()) return;
  const std::string why = differing.empty()
                              ? std::string("without a calibration, which leave out accesses to registers")
                              : fmt::format("calibrated ({}) to something else than their RTL: {}",
                                            experiment->message.calibration(), differing);
  spdlog::warn(
      "models of nodes {}; that of the RTL is data/exanest-calibration.textproto of workloads/experiments, and "
      "--calibrate FILE fits one",
      why);
}

/// Calibrates if that is asked for, then does the runs; `metrics` shows them.
absl::StatusOr<study::calibration::Validation> validate(ValidateArguments& arguments,
                                                        const options::ServedStudy& metrics) {
  std::optional<v1::ModelCalibration> calibration;
  if (!arguments.calibrate.empty()) {
    absl::StatusOr<v1::ModelCalibration> fitted = fit(arguments, metrics.study());
    if (!fitted.ok()) return fitted.status();
    calibration = *std::move(fitted);
    // The models of the run use the new calibration.
    arguments.experiment.overrides.sets.push_back("calibration=" + arguments.calibrate);
  } else {
    warn_of_calibration(arguments.experiment);
    // With models, with RTL and, where there is an island, with words only. How many runs a calibration takes is not
    // known before.
    const auto island = study::calibration::island_hosts(arguments.experiment, runner(metrics.study()));
    metrics.expect((island.ok() && !island->empty() ? 3 : 2) * static_cast<size_t>(arguments.runs));
  }
  absl::StatusOr<study::calibration::Validation> validation =
      study::calibration::validate(arguments.experiment, runner(metrics.study()), arguments.options, arguments.runs,
                                   arguments.limit, static_cast<size_t>(arguments.worst));
  if (!validation.ok()) return validation;
  v1::ValidationReport& report = validation->report;
  report.set_version(kVersion);
  const absl::StatusOr<experiment::Experiment> experiment = support::load(arguments.experiment);
  if (experiment.ok()) *report.mutable_provenance() = support::make_provenance(*experiment);
  if (calibration.has_value()) *report.mutable_calibration() = *std::move(calibration);
  report.set_tolerance(arguments.tolerance / 100);
  report.set_within_tolerance(report.errors().messages() > 0 &&
                              report.errors().relative().mean() <= report.tolerance());
  if (report.has_island()) {
    v1::IslandErrors& island = *report.mutable_island();
    island.set_tolerance(report.tolerance());
    island.set_within_tolerance(island.latencies().empty() ||
                                std::abs(island.latencies(0).error_of_mean()) <= report.tolerance());
  }
  return validation;
}

/// InvalidArgument for an output that cannot be written, or that would replace what is read, before there is something
/// to write.
absl::Status check_outputs(const ValidateArguments& arguments) {
  if (!arguments.out.empty()) {
    if (absl::Status status = support::check_folder(arguments.out, "validation.json"); !status.ok()) return status;
  }
  if (!arguments.calibrate.empty()) {
    if (absl::Status status = support::check_file(arguments.calibrate, arguments.out); !status.ok()) return status;
  }
  if (absl::Status status = options::check_html(arguments.html, arguments.out); !status.ok()) return status;
  if (absl::Status status = options::check_record(arguments.record); !status.ok()) return status;
  std::vector<support::NamedFile> written{{"--html", arguments.html}, options::recorded_file(arguments.record)};
  support::add_files_of_out(arguments.out, {"validation.json", "validation.txt"}, written);
  std::vector<support::NamedFile> read{{"the experiment", arguments.experiment.file}};
  std::vector<support::NamedFile> read_besides = read;
  // Mistakes of the experiment are told when it is run.
  if (absl::StatusOr<experiment::Experiment> experiment = support::load(arguments.experiment); experiment.ok()) {
    support::add_files_read(support::input_files({&*experiment, 1}), read);
    experiment->message.clear_calibration();
    support::add_files_read(support::input_files({&*experiment, 1}), read_besides);
  }
  if (absl::Status status = support::check_distinct(written, read); !status.ok()) return status;
  // The calibration that the experiment names may be fitted anew.
  written.push_back({"--calibrate", arguments.calibrate});
  return support::check_distinct(written, read_besides);
}

support::ExitCode execute(ValidateArguments& arguments) {
  const absl::StatusOr<std::chrono::milliseconds> watchdog = support::parse_watchdog(arguments.watchdog);
  if (!watchdog.ok()) return fail(support::ExitCode::kUsage, message_of(watchdog.status()));
  arguments.options.watchdog = *watchdog;
  absl::StatusOr<ConnectionSecurity> security = options::read_security(arguments.security);
  if (!security.ok()) return fail(support::ExitCode::kUsage, message_of(security.status()));
  arguments.options.security = *std::move(security);
  if (absl::Status status = options::check_metrics(arguments.metrics); !status.ok())
    return fail(support::ExitCode::kUsage, message_of(status));
  if (absl::Status status = check_outputs(arguments); !status.ok())
    return fail(support::ExitCode::kUsage, message_of(status));
  absl::StatusOr<options::ServedStudy> metrics = options::ServedStudy::create(arguments.metrics, "validate");
  if (!metrics.ok()) return fail(support::ExitCode::kUsage, message_of(metrics.status()));
  options::tell_overrides(arguments.experiment);
  const absl::StatusOr<study::calibration::Validation> validation = validate(arguments, *metrics);
  const bool interrupted = absl::IsCancelled(validation.status()) || (validation.ok() && validation->interrupted);
  const support::ExitCode code =
      validation.ok() ? tell(arguments, *validation)
                      : fail(support::exit_code_of_input(validation.status()), message_of(validation.status()));
  metrics->end(code, validation.ok() && !interrupted, interrupted);
  return code;
}

}  // namespace

void add_validate_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand(
      "validate", "Run an experiment with models and with RTL, and compare the latencies of its messages");
  auto arguments = std::make_shared<ValidateArguments>();
  options::add_experiment_options(*command, arguments->experiment);
  options::add_security_options(*command, arguments->security);
  options::add_no_shm_option(*command, arguments->security);
  command->add_option("--runs", arguments->runs, "Pairs of runs, with the seeds from the experiment's on")
      ->check(CLI::Range(1, kMaxRuns))
      ->capture_default_str();
  command
      ->add_option("--tolerance", arguments->tolerance,
                   "Largest mean of the relative errors, and error of the mean latency of an island, in per cent; "
                   "beyond it, the "
                   "exit code is 3")
      ->type_name("PERCENT")
      ->check(options::real_range(0, 1e6))
      ->capture_default_str();
  command->add_option("--limit", arguments->limit, "Messages of a run that are recorded at most, about 100 bytes each")
      ->type_name("N")
      ->check(CLI::Range(uint64_t{1}, kMaxMessages))
      ->capture_default_str();
  command->add_option("--worst", arguments->worst, "Messages with the largest errors that are named")
      ->type_name("N")
      ->check(CLI::Range(0, 10'000))
      ->capture_default_str();
  command
      ->add_option("--threads", arguments->options.threads,
                   "Threads of this process (default: as many as its partitions can use)")
      ->type_name("N")
      ->check(CLI::Range(1, support::kMaxThreads));
  command
      ->add_option("--calibrate", arguments->calibrate,
                   "Fit the timing of models of ExaNeSt nodes to single messages in RTL and write it into this file; "
                   "the experiment's models then use it")
      ->type_name("FILE")
      ->check(options::not_empty(options::kFileWanted));
  command->add_option("--out", arguments->out, "Write validation.json and validation.txt into this folder")
      ->type_name("DIR")
      ->check(options::not_empty(options::kFolderWanted));
  options::add_html_option(*command, arguments->html);
  options::add_record_option(*command, arguments->record);
  options::add_metrics_options(*command, arguments->metrics);
  command->add_flag("--json", arguments->json, "Print the report as one JSON object");
  command->add_option("--watchdog", arguments->watchdog, "End a run in which nothing moves for this long (0s: never)")
      ->type_name("TIME")
      ->capture_default_str();
  command->add_flag("--quiet", arguments->options.quiet, "No progress, only warnings and errors");
  command->callback([arguments, &exit_code] {
    if (arguments->options.quiet) spdlog::set_level(spdlog::level::warn);
    exit_code = execute(*arguments);
  });
}

}  // namespace fabrictwin::cli
