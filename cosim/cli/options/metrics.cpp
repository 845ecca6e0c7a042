// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/options/metrics.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/cli/options/checks.h"
#include "cosim/cli/support/interrupt.h"
#include "cosim/cli/support/provenance.h"
#include "cosim/cli/support/run_choices.h"
#include "cosim/run/metrics/exit_status.h"
#include "dashboards/metrics/endpoint.h"
#include "dashboards/metrics/listen_address.h"

namespace fabrictwin::cli::options {
namespace {

using dashboards::metrics::MetricsServer;

constexpr const char* kBusiest = "busiest";
constexpr const char* kAllSeries = "all";

absl::Status of_option(std::string_view option, const absl::Status& status) {
  return absl::Status(status.code(), fmt::format("{}: {}", option, message_of(status)));
}

absl::StatusOr<std::chrono::milliseconds> patience_of(const MetricsArguments& arguments) {
  return support::parse_wall_time("--metrics-linger", arguments.linger);
}

void add_address_options(CLI::App& command, MetricsArguments& arguments) {
  CLI::Option* metrics =
      command.add_option("--metrics", arguments.address, "Serve Prometheus metrics, as at 127.0.0.1:9464")
          ->type_name("ADDR:PORT")
          ->check(not_empty("name an address, as in --metrics 127.0.0.1:9464"));
  command
      .add_option("--metrics-linger", arguments.linger,
                  "After the end, serve metrics until they have been scraped once more, for at most this long")
      ->type_name("TIME")
      ->capture_default_str()
      ->needs(metrics);
}

}  // namespace

run::metrics::SeriesSelection selected_series(const MetricsArguments& arguments) {
  constexpr size_t kAll = std::numeric_limits<size_t>::max();
  run::metrics::SeriesSelection selection;
  if (arguments.links != kBusiest) {
    selection.busiest = 0;
    selection.all_up_to = arguments.links == kAllSeries ? kAll : 0;
  }
  if (arguments.partitions != kBusiest) {
    selection.busiest_partitions = 0;
    selection.all_partitions_up_to = arguments.partitions == kAllSeries ? kAll : 0;
  }
  return selection;
}

void add_metrics_options(CLI::App& command, MetricsArguments& arguments) {
  add_address_options(command, arguments);
  command
      .add_option("--metrics-links", arguments.links,
                  "Links with series of their own: busiest (all of a small machine), all or none")
      ->check(CLI::IsMember({kBusiest, kAllSeries, "none"}))
      ->capture_default_str();
  command
      .add_option("--metrics-partitions", arguments.partitions,
                  "Partitions with series of their own: busiest (all if there are few), all or none")
      ->check(CLI::IsMember({kBusiest, kAllSeries, "none"}))
      ->capture_default_str();
  command
      .add_option("--metrics-push", arguments.push,
                  "Push the final metrics to the Pushgateway there, as at http://127.0.0.1:9091")
      ->type_name("URL")
      ->check(not_empty("name a Pushgateway, as in --metrics-push http://127.0.0.1:9091"));
}

void add_service_metrics_options(CLI::App& command, MetricsArguments& arguments) {
  add_address_options(command, arguments);
}

absl::Status check_metrics(const MetricsArguments& arguments, const std::string& file) {
  if (absl::Status patience = patience_of(arguments).status(); !patience.ok()) return patience;
  const bool links = arguments.links != MetricsArguments().links;
  if (!arguments.wanted() && file.empty() && (links || arguments.partitions != MetricsArguments().partitions)) {
    return absl::InvalidArgumentError(
        fmt::format("{} chooses among metrics, and none are asked for; add --metrics, --metrics-push or, for a single "
                    "run, --metrics-file",
                    links ? "--metrics-links" : "--metrics-partitions"));
  }
  if (!arguments.push.empty()) {
    const absl::Status url = dashboards::metrics::gateway_url(arguments.push, "run").status();
    if (!url.ok()) return of_option("--metrics-push", url);
  }
  if (arguments.address.empty()) return absl::OkStatus();
  const absl::Status address = dashboards::metrics::parse_listen_address(arguments.address).status();
  return address.ok() ? address : of_option("--metrics", address);
}

/// What is measured, and how the command ends. Thread-safe.
struct ServedMetrics::Source {
  explicit Source(Measure of_command) : measure(std::move(of_command)) {}

  void give(metric::Sink& sink) {
    // One at a time: the server asks from its threads, and who pushes from his. So a code is seen with the values after
    // which it was told.
    const std::lock_guard lock(mutex);
    measure(sink);
    if (code.has_value()) run::metrics::measure_exit_status(static_cast<int>(*code), sink);
  }

  std::mutex mutex;  ///< Guards `code`.
  const Measure measure;
  std::optional<support::ExitCode> code;  ///< Known once the command has written its results.
};

absl::StatusOr<ServedMetrics> ServedMetrics::create(const MetricsArguments& arguments, std::string_view run,
                                                    Measure measure) {
  ServedMetrics served;
  if (!arguments.wanted()) return served;
  served.source_ = std::make_shared<Source>(std::move(measure));
  if (!arguments.push.empty()) {
    absl::StatusOr<std::string> url = dashboards::metrics::gateway_url(arguments.push, run);
    if (!url.ok()) return of_option("--metrics-push", url.status());
    served.push_url_ = *std::move(url);
  }
  if (arguments.address.empty()) return served;
  const absl::StatusOr<std::chrono::milliseconds> patience = patience_of(arguments);
  if (!patience.ok()) return patience.status();
  served.patience_ = *patience;
  absl::StatusOr<std::unique_ptr<MetricsServer>> server = MetricsServer::create(
      arguments.address, Measure([all = served.source_](metric::Sink& sink) { all->give(sink); }));
  if (!server.ok()) return of_option("--metrics", server.status());
  served.server_ = *std::move(server);
  spdlog::info("serving metrics at {}", served.server_->url());
  return served;
}

absl::StatusOr<ServedMetrics> ServedMetrics::create(const MetricsArguments& arguments, const run::Run& run) {
  if (!arguments.wanted()) return ServedMetrics();
  run::metrics::RunIdentity identity = support::run_identity();
  const std::string name = identity.run;
  return create(arguments, name, dashboards::metrics::measure_of(run, std::move(identity), selected_series(arguments)));
}

std::unique_lock<std::mutex> ServedMetrics::hold() const {
  return source_ == nullptr ? std::unique_lock<std::mutex>() : std::unique_lock(source_->mutex);
}

void ServedMetrics::push(const std::stop_token& stop) const {
  if (push_url_.empty()) return;
  const std::string page = dashboards::metrics::page_of([this](metric::Sink& sink) { source_->give(sink); });
  const absl::Status pushed = dashboards::metrics::put_page(push_url_, page, stop);
  if (pushed.ok()) {
    spdlog::info("metrics pushed to {}", push_url_);
  } else {
    spdlog::warn("--metrics-push: {}; the final metrics are not kept there", message_of(pushed));
  }
}

void ServedMetrics::end(support::ExitCode code, const std::stop_token& stop) {
  if (source_ != nullptr) {
    const std::unique_lock<std::mutex> held = hold();
    source_->code = code;
  }
  push(stop);
  if (server_ != nullptr && patience_ > std::chrono::milliseconds(0) && !stop.stop_requested()) {
    spdlog::info("the end is reached; its metrics are served until they are scraped once more (Ctrl-C: no longer)");
    if (!server_->linger(patience_, stop))
      spdlog::warn("nobody has scraped the final metrics: the last ones that were scraped lack the end");
  }
  server_.reset();
}

void ServedMetrics::end(support::ExitCode code, bool interrupted) {
  if (interrupted) server_.reset();
  if (server_ == nullptr && push_url_.empty()) return;
  // That a run was interrupted is pushed, too; whoever interrupts once more does not want to wait for it.
  const support::Interrupt interrupt;
  end(code, interrupt.token());
}

absl::StatusOr<ServedMetrics> serve_service(const MetricsArguments& arguments,
                                            bridges::server::ServiceMetrics& metrics) {
  return ServedMetrics::create(arguments, "", [&metrics](metric::Sink& sink) { metrics.measure(sink); });
}

absl::StatusOr<ServedStudy> ServedStudy::create(const MetricsArguments& arguments, std::string command) {
  ServedStudy served;
  if (!arguments.wanted()) return served;
  const run::metrics::RunIdentity identity = support::run_identity();
  served.study_ =
      std::make_unique<run::metrics::StudyMetrics>(std::move(command), identity, selected_series(arguments));
  absl::StatusOr<ServedMetrics> metrics = ServedMetrics::create(
      arguments, identity.run, [study = served.study_.get()](metric::Sink& sink) { study->measure(sink); });
  if (!metrics.ok()) return metrics.status();
  served.served_ = *std::move(metrics);
  return served;
}

void ServedStudy::end(support::ExitCode code, bool complete, bool interrupted) {
  if (study_ != nullptr) study_->finish(complete);
  served_.end(code, interrupted);
}

}  // namespace fabrictwin::cli::options
