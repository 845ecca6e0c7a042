// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/slurm/task_command.h"

#include <fmt/format.h>
#include <sched.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/cli/options/run_arguments.h"
#include "cosim/cli/slurm/study_file.h"
#include "cosim/cli/slurm/study_folder.h"
#include "cosim/cli/support/many_runs.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/provenance.h"
#include "cosim/cli/support/run_choices.h"
#include "cosim/study/sweep/result.h"

namespace fabrictwin::cli::slurm {
namespace {

struct TaskArguments {
  std::string folder;
  size_t point = 0;
};

absl::StatusOr<run::RunOptions> options_of(const TaskSettings& settings) {
  options::RunArguments arguments;
  arguments.watchdog = settings.watchdog;
  arguments.security = settings.security;
  arguments.pin = settings.pin;
  return options::run_options(arguments);
}

/// Loads the experiment of a point under the name of its file. Its paths can be opened from the working directory, so
/// they must not be taken as those of a file in another folder.
absl::StatusOr<experiment::Experiment> load_point(const StudyPoint& point) {
  absl::StatusOr<experiment::Experiment> experiment = experiment::parse_experiment(
      point.text, std::filesystem::path(point.experiment).filename().string(), support::all_parts().tenants);
  if (experiment.ok()) experiment->file = point.experiment;
  return experiment;
}

/// The outcome of the point, whatever it is.
study::point::Outcome run_task(const TaskSettings& settings, const StudyPoint& point) {
  study::point::Outcome outcome;
  const absl::StatusOr<run::RunOptions> options = options_of(settings);
  const absl::StatusOr<experiment::Experiment> experiment = load_point(point);
  outcome.status = options.status();
  outcome.status.Update(experiment.status());
  if (!outcome.status.ok()) return outcome;
  // Whether the memory is enough is known here only.
  outcome.status = support::PlanCheck(options->security).check(*experiment);
  if (!outcome.status.ok()) return outcome;
  const int threads = threads_of_task(settings.threads);
  return study::point::run_point(
      *experiment, settings.precision, [&](const experiment::Experiment& changed) -> absl::StatusOr<v1::Report> {
        absl::StatusOr<v1::Report> report = support::run_once(changed, *options, threads, std::stop_token());
        if (!report.ok() || settings.whole_reports) return report;
        return study::sweep::without_lists(*std::move(report));
      });
}

support::ExitCode execute(const TaskArguments& arguments) {
  const std::string file = study_file(arguments.folder);
  const absl::StatusOr<StudyHeader> header = read_study_header(file);
  if (!header.ok()) return fail(support::ExitCode::kUsage, message_of(header.status()));
  if (const std::string here = support::build_identity(); here != header->identity.program) {
    return fail(
        support::ExitCode::kUsage,
        fmt::format("the tasks of {} are those of another build of this program ({}, and this is {}); leave the "
                    "program as it is while tasks wait",
                    arguments.folder, header->identity.program, here));
  }
  const absl::StatusOr<StudyPoint> point = read_study_point(file, arguments.point);
  if (!point.ok()) return fail(support::ExitCode::kUsage, message_of(point.status()));
  // One that has failed is run again: somebody wants it, or Slurm has requeued the task.
  if (const auto there = read_result(arguments.folder, header->identity, arguments.point);
      there.ok() && there->status.ok()) {
    spdlog::info("{}: the result is there already", point->name);
    return support::ExitCode::kOk;
  }
  std::error_code error;
  std::filesystem::current_path(header->settings.directory, error);
  if (error) {
    return fail(support::ExitCode::kRunFailed,
                fmt::format("cannot enter {}: {}", header->settings.directory, error.message()));
  }
  spdlog::info("{}: {} point {}, {}", arguments.folder, point->experiment, arguments.point, point->name);
  const study::point::Outcome outcome = run_task(header->settings, *point);
  if (!outcome.status.ok()) spdlog::error("{}", message_of(outcome.status));
  const absl::Status written = write_result(arguments.folder, header->identity, arguments.point, outcome);
  if (!written.ok()) return fail(support::ExitCode::kRunFailed, message_of(written));
  // A run that has failed would fail again, and some clusters submit what has ended with another code.
  return support::ExitCode::kOk;
}

}  // namespace

int threads_of_task(int wanted) {
  int threads = wanted;
  // Slurm says how many cores a task has if it was asked for a number.
  const char* text = std::getenv("SLURM_CPUS_PER_TASK");
  if (threads == 0 && (text == nullptr || !parse_number(text, threads) || threads < 1)) threads = 1;
  // More threads than cores would wait for each other. Slurm may have bound the task to fewer than it says.
  cpu_set_t allowed;
  const int cores = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : support::kMaxThreads;
  if (wanted > cores) {
    spdlog::warn("--threads {}: this task may use {} of the cores of its node, and runs with so many threads", wanted,
                 cores);
  }
  return std::min({threads, cores, support::kMaxThreads});
}

void add_task_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("slurm-task", "Run one point of a study, as a task of Slurm");
  command->group("");
  auto arguments = std::make_shared<TaskArguments>();
  command->add_option("DIR", arguments->folder, "The folder of the study")->required();
  command->add_option("POINT", arguments->point, "The number of the point, from 0")->required();
  command->callback([arguments, &exit_code] { exit_code = execute(*arguments); });
}

}  // namespace fabrictwin::cli::slurm
