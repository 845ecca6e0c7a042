// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/cli/calibration.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/console.h"
#include "cosim/cli/experiment_options.h"
#include "cosim/cli/option_checks.h"
#include "cosim/cli/parts.h"
#include "cosim/cli/run_choices.h"
#include "cosim/cli/validation.h"
#include "cosim/run/message_json.h"
#include "cosim/run/validation_text.h"
#include "cosim/run/version.h"
#include "models/mixed_calibration.h"

namespace fabrictwin {
namespace {

constexpr int kMaxRuns = 1000;
constexpr uint64_t kMaxMessages = 100'000'000;

struct ValidateArguments {
  ExperimentOptions experiment;
  RunToEndOptions options;
  std::string watchdog = "30s";
  int runs = 1;
  double tolerance = 5;
  uint64_t limit = 1'000'000;
  int worst = 10;
  std::string calibrate;
  std::string out;
  bool json = false;
};

absl::Status write_reports(const std::string& folder, const std::string& json, const std::string& text) {
  if (absl::Status status = make_folder(folder); !status.ok()) return status;
  if (absl::Status status = write_file(folder + "/validation.json", json); !status.ok()) return status;
  return write_file(folder + "/validation.txt", text);
}

/// The report, and whether it says that models are good enough.
ExitCode tell(const ValidateArguments& arguments, const Validation& validation) {
  const v1::ValidationReport& report = validation.report;
  const std::string json = message_json(report) + "\n";
  const std::string text = validation_text(report);
  for (const absl::Status& output :
       {print_data(arguments.json ? json : text),
        arguments.out.empty() ? absl::OkStatus() : write_reports(arguments.out, json, text)}) {
    if (!output.ok()) return fail(ExitCode::kRunFailed, message_of(output));
  }
  for (const v1::ValidatedRun& run : report.runs()) {
    // Of runs that were stopped, other messages may have arrived by then.
    if (validation.complete && !run.same_payload()) {
      return fail(ExitCode::kRegression,
                  fmt::format("seed {}: what hosts received in the two runs differs, whatever its times", run.seed()));
    }
  }
  if (!validation.complete)
    spdlog::info("runs were stopped before their workload ended; what arrived in both is compared");
  if (report.errors().messages() == 0) return fail(ExitCode::kRunFailed, "no message arrived in both runs");
  if (report.within_tolerance()) return ExitCode::kOk;
  return fail(ExitCode::kRegression, fmt::format("the mean relative error of latencies is {:.2f} %, more than {:g} %",
                                                 report.errors().relative().mean() * 100, arguments.tolerance));
}

/// Calibrates and writes the file.
absl::StatusOr<v1::ModelCalibration> fit(const ValidateArguments& arguments) {
  const absl::StatusOr<Experiment> experiment = arguments.experiment.load();
  if (!experiment.ok()) return experiment.status();
  // Before work is done for what has no place to go.
  if (absl::Status status = check_file(arguments.calibrate); !status.ok()) return status;
  absl::StatusOr<v1::ModelCalibration> calibration = calibrate(*experiment, arguments.options);
  if (!calibration.ok()) return calibration;
  if (absl::Status status = write_file(arguments.calibrate, calibration_file(*calibration)); !status.ok())
    return status;
  return calibration;
}

/// Models of whole nodes are as fast as their calibration says; one of another machine is no model of this RTL.
void warn_of_calibration(const ExperimentOptions& options) {
  const absl::StatusOr<Experiment> experiment = load_reference(options);
  if (!experiment.ok() || experiment->topology != v1::Topology::kExanest) return;
  const absl::StatusOr<Plan> plan = plan_experiment(*experiment);
  // Of nodes beside RTL in the same run, the plan tells as much.
  if (!plan.ok() || !mixed_calibration(*experiment, *plan).empty()) return;
  const std::string differing = calibrated_otherwise(*experiment);
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

ExitCode execute(ValidateArguments& arguments) {
  const absl::StatusOr<std::chrono::milliseconds> watchdog = parse_watchdog(arguments.watchdog);
  if (!watchdog.ok()) return fail(ExitCode::kUsage, message_of(watchdog.status()));
  arguments.options.watchdog = *watchdog;
  if (!arguments.out.empty()) {
    if (absl::Status status = check_folder(arguments.out, "validation.json"); !status.ok())
      return fail(ExitCode::kUsage, message_of(status));
  }
  arguments.experiment.tell_overrides();
  std::optional<v1::ModelCalibration> calibration;
  if (!arguments.calibrate.empty()) {
    absl::StatusOr<v1::ModelCalibration> fitted = fit(arguments);
    if (!fitted.ok()) return fail(exit_code_of_input(fitted.status()), message_of(fitted.status()));
    calibration = *std::move(fitted);
    // The models of the run use it.
    arguments.experiment.overrides.sets.push_back("calibration=" + arguments.calibrate);
  } else {
    warn_of_calibration(arguments.experiment);
  }
  absl::StatusOr<Validation> validation = validate(arguments.experiment, arguments.options, arguments.runs,
                                                   arguments.limit, static_cast<size_t>(arguments.worst));
  if (!validation.ok()) return fail(exit_code_of_input(validation.status()), message_of(validation.status()));
  v1::ValidationReport& report = validation->report;
  report.set_version(kVersion);
  if (calibration.has_value()) *report.mutable_calibration() = *std::move(calibration);
  report.set_tolerance(arguments.tolerance / 100);
  report.set_within_tolerance(report.errors().messages() > 0 &&
                              report.errors().relative().mean() <= report.tolerance());
  return tell(arguments, *validation);
}

}  // namespace

void add_validate_command(CLI::App& app, ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand(
      "validate", "Run an experiment with models and with RTL, and compare the latencies of its messages");
  auto arguments = std::make_shared<ValidateArguments>();
  arguments->experiment.add_to(*command);
  command->add_option("--runs", arguments->runs, "Pairs of runs, with the seeds from the experiment's on")
      ->check(CLI::Range(1, kMaxRuns))
      ->capture_default_str();
  command
      ->add_option("--tolerance", arguments->tolerance,
                   "Largest mean of the relative errors in per cent; beyond it, the exit code is 3")
      ->type_name("PERCENT")
      ->check(real_range(0, 1e6))
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
      ->check(CLI::Range(1, kMaxThreads));
  command
      ->add_option("--calibrate", arguments->calibrate,
                   "Fit the timing of models of ExaNeSt nodes to single messages in RTL and write it into this file; "
                   "the experiment's models then use it")
      ->type_name("FILE")
      ->check(not_empty(kFileWanted));
  command->add_option("--out", arguments->out, "Write validation.json and validation.txt into this folder")
      ->type_name("DIR")
      ->check(not_empty(kFolderWanted));
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

}  // namespace fabrictwin
