// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/options/experiment.h"
#include "cosim/cli/options/html.h"
#include "cosim/cli/options/metrics.h"
#include "cosim/cli/options/record.h"
#include "cosim/cli/options/run_arguments.h"
#include "cosim/cli/slurm/launcher_options.h"
#include "cosim/cli/slurm/slurm_study.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/interrupt.h"
#include "cosim/cli/support/many_runs.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/provenance.h"
#include "cosim/cli/support/run_choices.h"
#include "cosim/run/run.h"
#include "cosim/study/sweep/sweep.h"
#include "dashboards/pages/result_page.h"

namespace fabrictwin::cli {
namespace {

constexpr double kDefaultPrecision = 0.01;

/// Refuses arguments that apply only to a single run.
absl::Status check_arguments(const options::RunArguments& arguments) {
  const auto refuse = [](std::string_view option) {
    return absl::InvalidArgumentError(
        fmt::format("{} is for a single run, and --sweep and --saturation make many; leave one of them out", option));
  };
  if (arguments.experiment.split != 1) return refuse("--split");
  if (!arguments.metrics_file.empty()) return refuse("--metrics-file");
  if (!arguments.perfetto.empty()) return refuse("--perfetto");
  if (!arguments.waves.empty()) return refuse("--wave");
  return absl::OkStatus();
}

std::string settings_text(const study::sweep::Result& result) {
  std::string text;
  for (const study::sweep::Result::Point& point : result.points)
    text +=
        (point.settings.empty() ? "the experiment as it is" : study::sweep::point_name(result.axes, point.settings)) +
        "\n";
  return text;
}

/// The base name of the result files, without the extension.
std::string base_name(bool saturation) { return saturation ? "saturation" : "sweep"; }

absl::Status write_results(const std::string& folder, const study::sweep::Result& result, const std::string& json,
                           const std::string& text) {
  if (absl::Status status = support::make_folder(folder); !status.ok()) return status;
  const std::string path = folder + "/" + base_name(result.precision.has_value());
  absl::Status status = support::write_file(path + ".json", json);
  if (status.ok()) status = support::write_file(path + ".txt", text);
  if (status.ok()) status = support::write_file(path + ".csv", study::sweep::to_csv(result));
  if (!status.ok()) return status;
  const absl::StatusOr<std::optional<std::string>> svg = study::sweep::to_svg(result);
  if (!svg.ok()) return svg.status();
  if (svg->has_value()) return support::write_file(path + ".svg", **svg);
  spdlog::info("no plot: no field was swept whose values are numbers");
  return absl::OkStatus();
}

absl::Status write_page(const std::string& file, const study::sweep::Result& result, const v1::Provenance& provenance,
                        const std::string& text) {
  if (file.empty()) return absl::OkStatus();
  std::vector<dashboards::html::Chart> charts = study::sweep::to_charts(result);
  std::vector<dashboards::pages::ResultPicture> pictures;
  // Maps of two parameters, and what has no charts, are pictures only.
  if (charts.empty() || result.axes.size() > 1) {
    absl::StatusOr<std::optional<std::string>> svg = study::sweep::to_svg(result);
    if (!svg.ok()) return svg.status();
    if (svg->has_value()) pictures.push_back({"Results", **std::move(svg)});
  }
  const std::string alert =
      result.ended() ? "" : fmt::format("Interrupted after {}; the result is partial.", result.progress());
  return options::write_html(file, dashboards::pages::result_page({.title = "FabricTwin sweep",
                                                                   .alert = alert,
                                                                   .provenance = provenance,
                                                                   .charts = std::move(charts),
                                                                   .pictures = std::move(pictures),
                                                                   .text = text}));
}

/// The provenance of a sweep whose first point is this experiment.
v1::Provenance provenance_of(const experiment::Experiment& experiment, const options::RunArguments& arguments) {
  v1::Provenance made = support::make_provenance(experiment);
  // The other points are part of what is compared with other sweeps.
  for (const std::string& sweep : arguments.sweeps) *made.mutable_experiment() += fmt::format("# --sweep {}\n", sweep);
  if (arguments.saturation) *made.mutable_experiment() += "# --saturation\n";
  return made;
}

/// Prints and writes the result.
support::ExitCode tell(const options::RunArguments& arguments, const study::sweep::Result& result,
                       const v1::Provenance& provenance) {
  const std::string json = support::with_provenance(study::sweep::to_json(result), provenance);
  const std::string text = study::sweep::to_table(result);
  const absl::Status printed = support::print_data(arguments.json ? json : text);
  const absl::Status written =
      arguments.out.empty() ? absl::OkStatus() : write_results(arguments.out, result, json, text);
  support::ExitCode code = support::ExitCode::kOk;
  const absl::Status shown = write_page(arguments.html, result, provenance, text);
  const absl::Status recorded = result.complete() ? options::record(arguments.record, json) : absl::OkStatus();
  if (arguments.record.record && !result.complete()) spdlog::warn("the result is partial, and is not recorded");
  for (const absl::Status& output : {printed, written, shown, recorded}) {
    if (!output.ok()) code = fail(support::ExitCode::kRunFailed, message_of(output));
  }
  for (const study::sweep::Result::Point& point : result.points) {
    if (!point.done || point.status.ok()) continue;
    if (!point.settings.empty()) spdlog::error("{}:", study::sweep::point_name(result.axes, point.settings));
    const bool internal = absl::IsInternal(point.status);
    code = fail(
        internal || code == support::ExitCode::kInternal ? support::ExitCode::kInternal : support::ExitCode::kRunFailed,
        message_of(point.status));
  }
  if (!result.ended()) {
    return fail(support::ExitCode::kInterrupted,
                fmt::format("interrupted after {}; the result is partial", result.progress()));
  }
  return code;
}

study::sweep::Request request_of(const options::RunArguments& arguments) {
  study::sweep::Request request;
  request.file = arguments.experiment.file;
  request.overrides = arguments.experiment.overrides;
  request.sweeps = arguments.sweeps;
  request.jobs = arguments.jobs.value_or(1);
  if (arguments.saturation) request.precision = arguments.precision.value_or(kDefaultPrecision);
  return request;
}

/// Checks all options before anything is loaded.
absl::StatusOr<run::RunOptions> check_options(const options::RunArguments& arguments) {
  if (absl::Status status = check_arguments(arguments); !status.ok()) return status;
  if (absl::Status status = options::check_metrics(arguments.metrics); !status.ok()) return status;
  if (absl::Status status = slurm::check_launcher(arguments.launcher, arguments.jobs.value_or(0), arguments.dry_run);
      !status.ok())
    return status;
  return options::run_options(arguments);
}

/// InvalidArgument for an output that cannot be written, before there is something to write.
absl::Status check_outputs(const options::RunArguments& arguments,
                           std::span<const experiment::Experiment> experiments) {
  if (!arguments.out.empty()) {
    if (absl::Status status = support::check_folder(arguments.out, base_name(arguments.saturation) + ".json");
        !status.ok())
      return status;
  }
  if (absl::Status status = options::check_html(arguments.html, arguments.out); !status.ok()) return status;
  if (absl::Status status = options::check_record(arguments.record); !status.ok()) return status;
  std::vector<support::NamedFile> written{{"--html", arguments.html}, options::recorded_file(arguments.record)};
  const std::string name = base_name(arguments.saturation);
  support::add_files_of_out(arguments.out, {name + ".json", name + ".txt", name + ".csv", name + ".svg"}, written);
  std::vector<support::NamedFile> read{{"the experiment", arguments.experiment.file}};
  support::add_files_read(support::input_files(experiments), read);
  return support::check_distinct(written, read);
}

/// Runs all points here or by Slurm, until they have ended or the user interrupts. An error: nothing was run.
absl::Status run_points(const options::RunArguments& arguments, study::sweep::Sweep& sweep,
                        run::metrics::StudyMetrics* metrics) {
  const study::sweep::Result& result = sweep.result();
  const auto name = [&](size_t index) {
    const study::sweep::Settings& settings = result.points[index].settings;
    return settings.empty() ? std::string() : study::sweep::point_name(result.axes, settings);
  };
  std::atomic<size_t> ended{0};
  const auto tell_ended = [&](size_t index) {
    spdlog::info("{} of {} done{}{}", ++ended, result.points.size(), name(index).empty() ? "" : ": " + name(index),
                 result.points[index].status.ok() ? "" : " (failed)");
  };
  const support::Interrupt interrupt;
  if (!arguments.launcher.is_slurm()) {
    sweep.run(interrupt.token(), tell_ended);
    return absl::OkStatus();
  }
  slurm::StudyRequest request;
  request.experiments = sweep.experiments();
  request.name = [&](size_t index) { return name(index).empty() ? result.experiment : name(index); };
  request.settings.precision = result.precision;
  request.settings.threads = arguments.threads;
  request.settings.watchdog = arguments.watchdog;
  request.settings.pin = arguments.pin;
  request.settings.security = arguments.security;
  request.out = arguments.out;
  const std::string& file = arguments.experiment.file;
  request.fallback = (file == "-" ? "sweep" : std::filesystem::path(file).stem().string()) + ".slurm";
  return slurm::run_by_slurm(request, arguments.launcher, interrupt.token(), metrics,
                             [&](size_t index, study::point::Outcome outcome) {
                               sweep.take(index, std::move(outcome));
                               tell_ended(index);
                             });
}

}  // namespace

support::ExitCode run_sweep(const options::RunArguments& arguments) {
  const absl::StatusOr<run::RunOptions> options = check_options(arguments);
  if (!options.ok()) return fail(support::ExitCode::kUsage, message_of(options.status()));
  const int threads = arguments.threads == 0 && arguments.jobs.value_or(1) > 1 ? 1 : arguments.threads;
  study::sweep::Parts parts;
  support::PlanCheck plans(options->security, !arguments.launcher.is_slurm());
  // The experiment may lack what the sweep sets: that of the first point does not.
  std::optional<v1::Provenance> provenance;
  parts.check = [&](const experiment::Experiment& experiment) {
    if (!provenance.has_value()) provenance = provenance_of(experiment, arguments);
    return plans.check(experiment);
  };
  parts.tenants = support::all_parts().tenants;
  run::metrics::StudyMetrics* seen = nullptr;
  parts.run = [&](const experiment::Experiment& experiment, const std::stop_token& stop) {
    return support::run_once(experiment, *options, threads, stop, seen);
  };
  absl::StatusOr<study::sweep::Sweep> sweep = study::sweep::Sweep::create(request_of(arguments), std::move(parts));
  if (!sweep.ok()) return fail(support::exit_code_of_input(sweep.status()), message_of(sweep.status()));
  options::tell_overrides(arguments.experiment);
  const study::sweep::Result& result = sweep->result();
  if (arguments.dry_run) {
    const absl::Status printed =
        support::print_data(arguments.json ? study::sweep::points_json(result) : settings_text(result));
    return printed.ok() ? support::ExitCode::kOk : fail(support::ExitCode::kRunFailed, message_of(printed));
  }
  if (absl::Status status = check_outputs(arguments, sweep->experiments()); !status.ok())
    return fail(support::ExitCode::kUsage, message_of(status));
  absl::StatusOr<options::ServedStudy> metrics =
      options::ServedStudy::create(arguments.metrics, arguments.saturation ? "run --saturation" : "run --sweep");
  if (!metrics.ok()) return fail(support::ExitCode::kUsage, message_of(metrics.status()));
  seen = metrics->study();
  // How many loads a search tries is not known before; by Slurm, whole searches are counted.
  if (!arguments.saturation || arguments.launcher.is_slurm()) metrics->expect(result.points.size());
  const absl::Status launched = run_points(arguments, *sweep, seen);
  const bool complete = launched.ok() && result.ended();
  const support::ExitCode code = launched.ok() ? tell(arguments, result, provenance.value_or(v1::Provenance()))
                                               : fail(support::exit_code_of_input(launched), message_of(launched));
  metrics->end(code, complete, !complete);
  return code;
}

}  // namespace fabrictwin::cli
