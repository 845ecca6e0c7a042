// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/slurm/launcher_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "cosim/base/suggest.h"
#include "cosim/base/text.h"
#include "cosim/cli/slurm/queue.h"
#include "cosim/cli/support/option_checks.h"
#include "cosim/cli/support/run_choices.h"

namespace fabrictwin::cli::slurm {
namespace {

constexpr std::array<std::string_view, 2> kLaunchers{"local", "slurm"};
constexpr int kMostTasks = 100'000;
constexpr int kMostRetries = 100;

/// What the launcher itself says to sbatch.
constexpr std::array<std::string_view, 8> kOwnOptions{"--array", "--chdir",    "--job-name", "--output",
                                                      "--error", "--parsable", "--wait",     "--wrap"};
constexpr std::string_view kOwnLetters = "aDJoeW";

/// The first option of Slurm that is given; empty if there is none.
std::string_view slurm_option_of(const support::LauncherArguments& arguments) {
  if (!arguments.dir.empty()) return "--slurm-dir";
  if (!arguments.options.empty()) return "--slurm-option";
  if (arguments.tasks.has_value()) return "--slurm-tasks";
  if (arguments.retries.has_value()) return "--slurm-retries";
  if (arguments.interval.has_value()) return "--slurm-interval";
  return {};
}

absl::Status check_option(const std::string& option) {
  const auto wrong = [&](std::string_view why) {
    return absl::InvalidArgumentError(fmt::format("--slurm-option={}: {}", option, why));
  };
  if (option.size() < 2 || option[0] != '-' || option == "--")
    return wrong(
        "this is no option of sbatch; write it with its value in one word, as in --slurm-option=--partition=x");
  const std::string_view name = std::string_view(option).substr(0, option.find('='));
  for (const std::string_view own : kOwnOptions) {
    if (name == own) return wrong("the launcher sets this option itself; leave it out");
  }
  if (option[1] != '-' && kOwnLetters.find(option[1]) != std::string_view::npos)
    return wrong("the launcher sets this option itself; leave it out");
  return absl::OkStatus();
}

}  // namespace

void add_launcher_options(CLI::App& command, support::LauncherArguments& arguments) {
  command
      .add_option("--launcher", arguments.launcher, "Where the runs of a study go on: local (this machine) or slurm")
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--slurm-dir", arguments.dir,
                  "Folder of tasks and results that all nodes share (default: slurm in that of --out, or NAME.slurm)")
      ->type_name("DIR")
      ->check(support::not_empty(support::kFolderWanted));
  command.add_option("--slurm-option", arguments.options, "Give sbatch an option, as in --slurm-option=--partition=x")
      ->type_name("OPTION")
      ->allow_extra_args(false);
  command.add_option("--slurm-tasks", arguments.tasks, "Tasks at the same time (default: as many as Slurm runs)")
      ->type_name("N")
      ->check(CLI::Range(1, kMostTasks));
  command
      .add_option("--slurm-retries", arguments.retries, "Submit a task that was lost so many times again (default: 2)")
      ->type_name("N")
      ->check(CLI::Range(0, kMostRetries));
  command.add_option("--slurm-interval", arguments.interval, "Ask Slurm for its queue this often (default: 10s)")
      ->type_name("TIME");
}

absl::Status check_launcher(const support::LauncherArguments& arguments, int jobs) {
  if (std::ranges::find(kLaunchers, arguments.launcher) == kLaunchers.end()) {
    return absl::InvalidArgumentError(fmt::format("--launcher {}: there is no such launcher{}; write local or slurm",
                                                  arguments.launcher, did_you_mean(arguments.launcher, kLaunchers)));
  }
  if (!arguments.is_slurm()) {
    const std::string_view option = slurm_option_of(arguments);
    if (option.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("{} is for tasks of Slurm; add --launcher slurm, or leave it out", option));
  }
  if (jobs > 0) {
    return absl::InvalidArgumentError(fmt::format(
        "--jobs {} is for runs at this machine; with --launcher slurm, --slurm-tasks says how many go on at "
        "the same time",
        jobs));
  }
  for (const std::string& option : arguments.options) {
    if (absl::Status status = check_option(option); !status.ok()) return status;
  }
  const absl::StatusOr<std::chrono::milliseconds> interval = interval_of(arguments);
  if (!interval.ok()) return interval.status();
  return Queue::check_commands();
}

absl::StatusOr<std::chrono::milliseconds> interval_of(const support::LauncherArguments& arguments) {
  absl::StatusOr<std::chrono::milliseconds> interval =
      support::parse_wall_time("--slurm-interval", arguments.interval.value_or("10s"));
  if (interval.ok() && interval->count() <= 0) {
    return absl::InvalidArgumentError(
        "--slurm-interval 0s: Slurm would be asked without end; write a time, as in --slurm-interval 10s");
  }
  return interval;
}

absl::Status check_no_launcher(const support::LauncherArguments& arguments) {
  const std::string_view option = arguments.launcher != "local" ? "--launcher" : slurm_option_of(arguments);
  if (option.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format(
      "{} is for many runs, and this is a single one; add --sweep or --saturation, or leave it out", option));
}

}  // namespace fabrictwin::cli::slurm
