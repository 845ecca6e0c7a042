// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The options --metrics, --metrics-linger, --metrics-links, --metrics-partitions and --metrics-push of all commands
// that simulate.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/server/service_metrics.h"
#include "cosim/cli/support/exit_code.h"
#include "cosim/run/metrics/run_metrics.h"
#include "cosim/run/metrics/study_metrics.h"
#include "cosim/run/run.h"
#include "dashboards/metrics/metrics_server.h"

namespace fabrictwin::cli::options {

struct MetricsArguments {
  std::string address;  ///< Empty if no metrics are served.
  std::string linger = "0s";
  std::string links = "busiest";
  std::string partitions = "busiest";
  std::string push;  ///< Empty if no metrics are pushed.

  bool wanted() const { return !address.empty() || !push.empty(); }
};

/// Adds the options; `arguments` must live as long as the command.
void add_metrics_options(CLI::App& command, MetricsArguments& arguments);
/// Adds --metrics and --metrics-linger only, for processes that have no runs of their own.
void add_service_metrics_options(CLI::App& command, MetricsArguments& arguments);

/// InvalidArgument for an address or a time that is none, and for a choice of links or partitions that nothing has
/// metrics of; to be asked before anything is simulated. `file` is that of --metrics-file, for commands that have it.
absl::Status check_metrics(const MetricsArguments& arguments, const std::string& file = {});

/// The links and partitions that --metrics-links and --metrics-partitions name.
run::metrics::SeriesSelection selected_series(const MetricsArguments& arguments);

/// The metrics that a command serves, from create() to its end. Thread-safe but for end().
class ServedMetrics {
 public:
  using Measure = dashboards::metrics::MetricsServer::Measure;

  /// Serves what `measure` gives, which may come from another thread, and says where; serves nothing if no address is
  /// given. At the end it is pushed as that of `run`. InvalidArgument, Unavailable or PermissionDenied, with the name
  /// of the option, if that is not possible.
  static absl::StatusOr<ServedMetrics> create(const MetricsArguments& arguments, std::string_view run, Measure measure);
  /// Serves the metrics of a run, which must outlive this.
  static absl::StatusOr<ServedMetrics> create(const MetricsArguments& arguments, const run::Run& run);

  /// Lets scrapes wait while it exists: for what samples the run from another thread than theirs.
  [[nodiscard]] std::unique_lock<std::mutex> hold() const;

  /// Everything is written, and the command ends with `code`: from now on that is among the values. Pushes them if that
  /// is asked for; that it fails is a warning. Keeps them until they have been scraped, for at most the time of
  /// --metrics-linger or until a stop is requested, and serves no more then.
  void end(support::ExitCode code, const std::stop_token& stop);
  /// Keeps the final values until the user interrupts; ends at once if `interrupted`, as whoever interrupts a command
  /// wants it to end.
  void end(support::ExitCode code, bool interrupted);

 private:
  struct Source;

  void push(const std::stop_token& stop) const;

  std::shared_ptr<Source> source_;                              ///< Null if nothing is served or pushed.
  std::string push_url_;                                        ///< Empty if nothing is pushed.
  std::unique_ptr<dashboards::metrics::MetricsServer> server_;  ///< Null if nothing is served.
  std::chrono::milliseconds patience_{0};
};

/// Serves what a worker or a board tells of itself; as ServedMetrics::create(). `metrics` must outlive the result.
absl::StatusOr<ServedMetrics> serve_service(const MetricsArguments& arguments,
                                            bridges::server::ServiceMetrics& metrics);

/// The metrics of a command that does many runs.
class ServedStudy {
 public:
  /// As ServedMetrics::create(). `command` is what users know the study by.
  static absl::StatusOr<ServedStudy> create(const MetricsArguments& arguments, std::string command);

  /// To which the runs tell of themselves; null if nothing is served.
  run::metrics::StudyMetrics* study() const { return study_.get(); }
  /// Says how many runs there will be.
  void expect(size_t runs) const {
    if (study_ != nullptr) study_->expect(runs);
  }
  /// No run follows: serves the final values as ServedMetrics::end() does.
  void end(support::ExitCode code, bool complete, bool interrupted);

 private:
  std::unique_ptr<run::metrics::StudyMetrics> study_;
  ServedMetrics served_;  ///< Destroyed first.
};

}  // namespace fabrictwin::cli::options
