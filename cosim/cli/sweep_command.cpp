// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "bridges/grpc_connector.h"
#include "cosim/base/text.h"
#include "cosim/cli/console.h"
#include "cosim/cli/interrupt.h"
#include "cosim/cli/parts.h"
#include "cosim/cli/run_arguments.h"
#include "cosim/cli/run_choices.h"
#include "cosim/cli/sweep.h"
#include "cosim/run/run.h"

namespace fabrictwin {
namespace {

constexpr double kDefaultPrecision = 0.01;

/// Warnings of points, each told once. Points are checked by several threads.
struct ToldWarnings {
  std::mutex mutex;
  std::set<std::string> texts;
};

/// What can be known of a point before it is run.
absl::Status check_plan(const Experiment& experiment, ToldWarnings& told) {
  const absl::StatusOr<Plan> plan = plan_experiment(experiment);
  if (!plan.ok()) return plan.status();
  {
    const std::lock_guard lock(told.mutex);
    for (const std::string& warning : plan_warnings(experiment, *plan)) {
      if (told.texts.insert(warning).second) spdlog::warn(warning);
    }
  }
  return check_workload(experiment, plan->graph);
}

/// One run, to its report. A run that fails or is stopped has none.
absl::StatusOr<v1::Report> run_once(const Experiment& experiment, RunOptions options, int threads,
                                    const std::stop_token& stop) {
  options.threads = threads;
  if (threads == 0) {
    const absl::StatusOr<Plan> plan = plan_experiment(experiment);
    if (!plan.ok()) return plan.status();
    options.threads = choose_threads(*plan);
  }
  absl::StatusOr<std::unique_ptr<Run>> run =
      Run::create(experiment, all_parts(), make_grpc_connector, std::move(options));
  if (!run.ok()) return run.status();
  if (absl::Status status = (*run)->execute(stop); !status.ok()) return status;
  return (*run)->report();
}

/// What belongs to a single run.
absl::Status check_arguments(const RunArguments& arguments) {
  const auto refuse = [](std::string_view option) {
    return absl::InvalidArgumentError(
        fmt::format("{} is for a single run, and --sweep and --saturation make many; leave one of them out", option));
  };
  if (!arguments.metrics.empty()) return refuse("--metrics");
  if (!arguments.waves.empty()) return refuse("--wave");
  return absl::OkStatus();
}

std::string settings_text(const SweepResult& result) {
  std::string text;
  for (const SweepResult::Point& point : result.points)
    text += (point.settings.empty() ? "the experiment as it is" : point_name(result.axes, point.settings)) + "\n";
  return text;
}

/// Of the files with the result, without what comes after the dot.
std::string base_name(bool saturation) { return saturation ? "saturation" : "sweep"; }

absl::Status write_results(const std::string& folder, const SweepResult& result, const std::string& json,
                           const std::string& text) {
  if (absl::Status status = make_folder(folder); !status.ok()) return status;
  const std::string path = folder + "/" + base_name(result.precision.has_value());
  absl::Status status = write_file(path + ".json", json);
  if (status.ok()) status = write_file(path + ".txt", text);
  if (status.ok()) status = write_file(path + ".csv", sweep_csv(result));
  if (!status.ok()) return status;
  const absl::StatusOr<std::optional<std::string>> svg = sweep_svg(result);
  if (!svg.ok()) return svg.status();
  if (svg->has_value()) return write_file(path + ".svg", **svg);
  spdlog::info("no plot: no field was swept whose values are numbers");
  return absl::OkStatus();
}

/// Prints and writes what was found.
ExitCode tell(const RunArguments& arguments, const SweepResult& result) {
  const std::string json = sweep_json(result);
  const std::string text = sweep_table(result);
  const absl::Status printed = print_data(arguments.json ? json : text);
  const absl::Status written =
      arguments.out.empty() ? absl::OkStatus() : write_results(arguments.out, result, json, text);
  ExitCode code = ExitCode::kOk;
  for (const absl::Status& output : {printed, written}) {
    if (!output.ok()) code = fail(ExitCode::kRunFailed, message_of(output));
  }
  for (const SweepResult::Point& point : result.points) {
    if (!point.done || point.status.ok()) continue;
    if (!point.settings.empty()) spdlog::error("{}:", point_name(result.axes, point.settings));
    const bool internal = absl::IsInternal(point.status);
    code = fail(internal || code == ExitCode::kInternal ? ExitCode::kInternal : ExitCode::kRunFailed,
                message_of(point.status));
  }
  if (!result.ended()) {
    return fail(ExitCode::kInterrupted, fmt::format("interrupted after {}; the result is partial", result.progress()));
  }
  return code;
}

}  // namespace

ExitCode run_sweep(const RunArguments& arguments) {
  absl::Status checked = check_arguments(arguments);
  const absl::StatusOr<RunOptions> options = run_options(arguments);
  if (checked.ok()) checked = options.status();
  if (!checked.ok()) return fail(ExitCode::kUsage, message_of(checked));

  SweepRequest request;
  request.file = arguments.experiment.file;
  request.overrides = arguments.experiment.overrides;
  request.sweeps = arguments.sweeps;
  request.jobs = arguments.jobs;
  if (arguments.saturation) request.precision = arguments.precision.value_or(kDefaultPrecision);
  const int threads = arguments.threads == 0 && arguments.jobs > 1 ? 1 : arguments.threads;
  SweepParts parts;
  ToldWarnings told;
  parts.check = [&told](const Experiment& experiment) { return check_plan(experiment, told); };
  parts.run = [&](const Experiment& experiment, const std::stop_token& stop) {
    return run_once(experiment, *options, threads, stop);
  };
  absl::StatusOr<Sweep> sweep = Sweep::create(request, std::move(parts));
  if (!sweep.ok()) return fail(exit_code_of_input(sweep.status()), message_of(sweep.status()));
  arguments.experiment.tell_overrides();
  const SweepResult& result = sweep->result();
  if (arguments.dry_run) {
    const absl::Status printed = print_data(arguments.json ? sweep_points_json(result) : settings_text(result));
    return printed.ok() ? ExitCode::kOk : fail(ExitCode::kRunFailed, message_of(printed));
  }
  if (!arguments.out.empty()) {
    if (absl::Status status = check_folder(arguments.out, base_name(arguments.saturation) + ".json"); !status.ok())
      return fail(ExitCode::kUsage, message_of(status));
  }

  {
    const Interrupt interrupt;
    std::atomic<size_t> ended{0};
    sweep->run(interrupt.token(), [&](size_t index) {
      const SweepResult::Point& point = result.points[index];
      const std::string name = point.settings.empty() ? "" : ": " + point_name(result.axes, point.settings);
      spdlog::info("{} of {} done{}{}", ++ended, result.points.size(), name, point.status.ok() ? "" : " (failed)");
    });
  }
  return tell(arguments, result);
}

}  // namespace fabrictwin
