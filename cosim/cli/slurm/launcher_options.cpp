// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/slurm/launcher_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <utility>

#include "cosim/base/suggest.h"
#include "cosim/base/text.h"
#include "cosim/cli/options/checks.h"
#include "cosim/cli/slurm/queue.h"
#include "cosim/cli/support/run_choices.h"

namespace fabrictwin::cli::slurm {
namespace {

constexpr std::array<std::string_view, 2> kLaunchers{"local", "slurm"};
constexpr int kMostTasks = 100'000;
constexpr int kMostRetries = 100;

/// An option of sbatch that must not be given, and why.
struct Forbidden {
  std::string_view name;
  char letter = 0;
  std::string_view why;
};

constexpr std::string_view kSetsItself = "the launcher sets this option itself; leave it out";
constexpr std::string_view kOneCluster =
    "tasks are followed in the queue of one cluster, that of this machine; run this at a machine of the other cluster, "
    "or leave it out";

constexpr std::array<Forbidden, 11> kForbidden{{
    {"--array", 'a', kSetsItself},
    {"--chdir", 'D', kSetsItself},
    {"--job-name", 'J', kSetsItself},
    {"--output", 'o', kSetsItself},
    {"--error", 'e', kSetsItself},
    {"--parsable", 0, kSetsItself},
    {"--wait", 'W', kSetsItself},
    {"--wrap", 0, kSetsItself},
    {"--clusters", 'M', kOneCluster},
    {"--test-only", 0, "no job would be submitted; leave it out, or write --dry-run to see the runs"},
    {"--dependency", 'd', "--slurm-tasks sets this option itself, as jobs follow each other; leave one of the two out"},
}};

/// Letters of options without a value, behind which other letters may follow.
constexpr std::string_view kFlags = "HIkOQsv";

/// Whether sbatch reads `option` as this one. It takes the beginnings of names, too.
bool is_option(std::string_view option, const Forbidden& forbidden) {
  if (option.starts_with("--")) return forbidden.name.starts_with(option.substr(0, option.find('=')));
  const size_t letter = option.find_first_not_of(kFlags, 1);
  return forbidden.letter != 0 && letter != option.npos && option[letter] == forbidden.letter;
}

/// The first option of Slurm that is given; empty if there is none.
std::string_view slurm_option_of(const options::LauncherArguments& arguments) {
  if (!arguments.dir.empty()) return "--slurm-dir";
  if (!arguments.options.empty()) return "--slurm-option";
  if (arguments.tasks.has_value()) return "--slurm-tasks";
  if (arguments.retries.has_value()) return "--slurm-retries";
  if (arguments.interval.has_value()) return "--slurm-interval";
  return {};
}

absl::Status check_option(const std::string& option, bool limited) {
  const auto wrong = [&](std::string_view why) {
    return absl::InvalidArgumentError(fmt::format("--slurm-option={}: {}", option, why));
  };
  if (option.size() < 2 || option[0] != '-' || option == "--" || option.starts_with("--="))
    return wrong(
        "this is no option of sbatch; write it with its value in one word, as in --slurm-option=--partition=x");
  for (const Forbidden& forbidden : kForbidden) {
    if (forbidden.name == "--dependency" && !limited) continue;
    if (is_option(option, forbidden)) return wrong(forbidden.why);
  }
  return absl::OkStatus();
}

/// InvalidArgument if sbatch would submit to another cluster than that whose queue is looked at.
absl::Status check_environment() {
  for (const char* name : {"SBATCH_CLUSTERS", "SLURM_CLUSTERS"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    return absl::InvalidArgumentError(fmt::format("{}={} in the environment: {}", name, value, kOneCluster));
  }
  return absl::OkStatus();
}

}  // namespace

void add_launcher_options(CLI::App& command, options::LauncherArguments& arguments) {
  command
      .add_option("--launcher", arguments.launcher, "Where the runs of a study go on: local (this machine) or slurm")
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--slurm-dir", arguments.dir,
                  "Folder of tasks and results that all nodes share (default: slurm in that of --out, or NAME.slurm)")
      ->type_name("DIR")
      ->check(options::not_empty(options::kFolderWanted));
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

absl::Status check_launcher(const options::LauncherArguments& arguments, int jobs, bool dry_run) {
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
    if (absl::Status status = check_option(option, arguments.tasks.has_value()); !status.ok()) return status;
  }
  const absl::StatusOr<std::chrono::milliseconds> interval = interval_of(arguments);
  if (!interval.ok()) return interval.status();
  if (absl::Status status = check_environment(); !status.ok()) return status;
  return dry_run ? absl::OkStatus() : Queue::check_commands();
}

std::vector<std::string> sbatch_options(const options::LauncherArguments& arguments, int threads) {
  std::vector<std::string> options;
  // The last one counts of options that are there twice.
  if (threads > 0) options.push_back(fmt::format("--cpus-per-task={}", threads));
  options.insert(options.end(), arguments.options.begin(), arguments.options.end());
  return options;
}

absl::StatusOr<std::chrono::milliseconds> interval_of(const options::LauncherArguments& arguments) {
  absl::StatusOr<std::chrono::milliseconds> interval =
      support::parse_wall_time("--slurm-interval", arguments.interval.value_or("10s"));
  if (interval.ok() && interval->count() <= 0) {
    return absl::InvalidArgumentError(
        "--slurm-interval 0s: Slurm would be asked without end; write a time, as in --slurm-interval 10s");
  }
  return interval;
}

absl::Status check_no_launcher(const options::LauncherArguments& arguments) {
  const std::string_view option = arguments.launcher != "local" ? "--launcher" : slurm_option_of(arguments);
  if (option.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format(
      "{} is for many runs, and this is a single one; add --sweep or --saturation, or leave it out", option));
}

}  // namespace fabrictwin::cli::slurm
