// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/slurm/slurm_study.h"

#include <fmt/format.h>
#include <google/protobuf/text_format.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>

#include "cosim/cli/slurm/launcher_options.h"
#include "cosim/cli/slurm/study_folder.h"
#include "cosim/cli/support/provenance.h"
#include "cosim/cli/support/run_choices.h"

namespace fabrictwin::cli::slurm {
namespace {

Study make_study(const StudyRequest& request) {
  Study study;
  study.settings = request.settings;
  std::error_code error;
  study.settings.directory = std::filesystem::current_path(error).string();
  for (size_t i = 0; i < request.experiments.size(); ++i) {
    StudyPoint point{request.name(i), request.experiments[i].file, {}};
    google::protobuf::TextFormat::PrintToString(request.experiments[i].message, &point.text);
    study.points.push_back(std::move(point));
  }
  study.identity.program = support::build_identity();
  // The options that results depend on; the others may change between two calls.
  const std::string precision =
      request.settings.precision.has_value() ? fmt::format("{}", *request.settings.precision) : "";
  study.identity.fingerprint = support::fingerprint(
      request.experiments,
      fmt::format("{} {} {}", study.settings.directory, precision, request.settings.whole_reports));
  return study;
}

std::string folder_of(const StudyRequest& request, const options::LauncherArguments& arguments) {
  if (!arguments.dir.empty()) return arguments.dir;
  return request.out.empty() ? request.fallback : request.out + "/slurm";
}

/// A wait that ends early when a stop is requested.
Launcher::Wait wait_for(std::chrono::milliseconds interval) {
  return [interval](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    wake.wait_for(lock, stop, interval, [] { return false; });
  };
}

}  // namespace

absl::Status run_by_slurm(const StudyRequest& request, const options::LauncherArguments& arguments,
                          const std::stop_token& stop, run::metrics::StudyMetrics* metrics,
                          const Launcher::Ended& ended) {
  const absl::StatusOr<std::chrono::milliseconds> interval = interval_of(arguments);
  if (!interval.ok()) return interval.status();
  const absl::StatusOr<std::unique_ptr<StudyFolder>> folder =
      StudyFolder::open(folder_of(request, arguments), make_study(request), support::executable());
  if (!folder.ok()) return folder.status();
  LauncherOptions options;
  options.sbatch = sbatch_options(arguments, request.settings.threads);
  options.at_a_time = arguments.tasks.value_or(0);
  options.retries = arguments.retries.value_or(options.retries);
  Launcher launcher(**folder, std::move(options), wait_for(*interval),
                    [&](size_t point, study::point::Outcome outcome) {
                      if (metrics != nullptr) metrics->run_ended(outcome.status);
                      ended(point, std::move(outcome));
                    });
  absl::Status status = launcher.run(stop);
  if (!launcher.may_have_tasks()) (*folder)->discard();
  return status;
}

}  // namespace fabrictwin::cli::slurm
