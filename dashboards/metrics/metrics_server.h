// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Serves the metrics of a run to Prometheus while it goes on.
#pragma once

#include <prometheus/metric_family.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "cosim/metric/sink.h"
#include "cosim/run/metrics/run_metrics.h"
#include "cosim/run/run.h"
#include "dashboards/metrics/listen_address.h"

namespace prometheus {
class Exposer;
}  // namespace prometheus

namespace fabrictwin::dashboards::metrics {

class SourceCollectable;

/// An HTTP server with the page /metrics. Values are read from the run's own counters at each scrape, so the simulation
/// is not involved.
///
///   auto server = MetricsServer::create("127.0.0.1:9464", run);
///   if (!server.ok()) return server.status();
///   run.execute(stop);
class MetricsServer {
 public:
  /// Returns the metric families. It is called at each scrape from the server's threads, for one scrape at a time.
  using Source = absl::AnyInvocable<std::vector<prometheus::MetricFamily>() const>;

  /// Gives metrics to a sink; called as a Source is.
  using Measure = absl::AnyInvocable<void(metric::Sink&) const>;

  /// Serves the metrics of `run`, those that its parts declare, and process_metrics() at `address`, "ADDR:PORT"; port 0
  /// takes any free one. `run` must outlive the server. Errors say what to do: InvalidArgument for an invalid address,
  /// Unavailable or PermissionDenied if the port is not available. An address that other machines can reach is logged
  /// as a warning: there is no access control.
  static absl::StatusOr<std::unique_ptr<MetricsServer>> create(std::string_view address, const run::Run& run,
                                                               run::metrics::RunIdentity identity,
                                                               run::metrics::SeriesSelection series);

  /// Serves what `measure` gives, and process_metrics().
  static absl::StatusOr<std::unique_ptr<MetricsServer>> create(std::string_view address, Measure measure);

  /// Serves the families of any other source at `address`.
  static absl::StatusOr<std::unique_ptr<MetricsServer>> create(std::string_view address, Source source);

  /// Waits for the scrapes in progress, then closes the port.
  ~MetricsServer();
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;

  /// The address at which it listens, with the actual port.
  const ListenAddress& address() const { return address_; }
  /// Waits until a scrape has ended that began after this call, for at most `patience`, or until a stop is requested.
  /// A scrape before that told of the end (fabrictwin_exit_status) will do, too. True if there was such a scrape:
  /// whoever scrapes then knows the final values.
  bool linger(std::chrono::milliseconds patience, const std::stop_token& stop);

  /// The URL of the page: "http://127.0.0.1:9464/metrics".
  std::string url() const;

 private:
  MetricsServer(ListenAddress address, std::shared_ptr<SourceCollectable> collectable,
                std::unique_ptr<prometheus::Exposer> exposer);

  ListenAddress address_;
  std::shared_ptr<SourceCollectable> collectable_;
  std::unique_ptr<prometheus::Exposer> exposer_;
};

/// What `measure` gives, and process_metrics().
std::vector<prometheus::MetricFamily> families_of(const MetricsServer::Measure& measure);
/// The metrics as the page that a scrape gets.
std::string page_of(const MetricsServer::Measure& measure);

/// Measures a run, which must outlive this, and those of its parts that measure something.
MetricsServer::Measure measure_of(const run::Run& run, run::metrics::RunIdentity identity,
                                  run::metrics::SeriesSelection series);

}  // namespace fabrictwin::dashboards::metrics
