// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/metrics_server.h"

#include <fmt/format.h>
#include <prometheus/collectable.h>
#include <prometheus/exposer.h>
#include <prometheus/text_serializer.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <utility>

#include "dashboards/metrics/process_metrics.h"
#include "dashboards/metrics/prometheus_sink.h"

namespace fabrictwin::dashboards::metrics {
namespace {

/// The number of threads that answer scrapes; more than one, so that a stuck client does not block Prometheus.
constexpr size_t kServerThreads = 2;

/// True if the families say how the command has ended, after which no value changes any more.
bool tell_the_end(const std::vector<prometheus::MetricFamily>& families) {
  return std::any_of(families.begin(), families.end(), [](const prometheus::MetricFamily& family) {
    return family.name == "fabrictwin_exit_status" && !family.metric.empty();
  });
}

}  // namespace

class SourceCollectable : public prometheus::Collectable {
 public:
  explicit SourceCollectable(MetricsServer::Source source) : source_(std::move(source)) {}

  std::vector<prometheus::MetricFamily> Collect() const override {
    const std::lock_guard lock(mutex_);
    const bool final = final_;
    // Threads of the HTTP server have stacks of 100 KiB, and other processes are asked by gRPC.
    std::vector<prometheus::MetricFamily> families =
        std::async(std::launch::async | std::launch::deferred, std::cref(source_)).get();
    // Who sees the end before linger() is called does not come again.
    if (final || tell_the_end(families)) {
      scraped_ = true;
      changed_.notify_all();
    }
    return families;
  }

  bool linger(std::chrono::milliseconds patience, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    final_ = true;
    return changed_.wait_for(lock, stop, patience, [this] { return scraped_; });
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable_any changed_;
  bool final_ = false;            ///< Values change no more.
  mutable bool scraped_ = false;  ///< They have been scraped since.
  MetricsServer::Source source_;
};

absl::StatusOr<std::unique_ptr<MetricsServer>> MetricsServer::create(std::string_view address, const run::Run& run,
                                                                     run::metrics::RunIdentity identity,
                                                                     run::metrics::SeriesSelection series) {
  return create(address, measure_of(run, std::move(identity), series));
}

absl::StatusOr<std::unique_ptr<MetricsServer>> MetricsServer::create(std::string_view address, Measure measure) {
  return create(address, [measure = std::move(measure)] { return families_of(measure); });
}

absl::StatusOr<std::unique_ptr<MetricsServer>> MetricsServer::create(std::string_view address, Source source) {
  absl::StatusOr<ListenAddress> parsed = parse_listen_address(address);
  if (!parsed.ok()) return parsed.status();
  // The exposer says only that it failed; this says why.
  if (absl::Status status = check_listen(*parsed); !status.ok()) return status;

  std::unique_ptr<prometheus::Exposer> exposer;
  try {
    exposer = std::make_unique<prometheus::Exposer>(parsed->text(), kServerThreads);
  } catch (const std::exception& error) {
    return absl::UnavailableError(
        parsed->ipv6
            ? fmt::format(
                  "cannot serve metrics at {}: the library of this endpoint may have been built without IPv6, as "
                  "that of Debian is ({}); write 127.0.0.1:{}",
                  parsed->text(), error.what(), parsed->port)
            : fmt::format("cannot serve metrics at {}: {}; choose another port, or port 0 for any free one",
                          parsed->text(), error.what()));
  }
  if (const std::vector<int> ports = exposer->GetListeningPorts(); !ports.empty()) {
    parsed->port = static_cast<uint16_t>(ports.front());
  }
  if (!parsed->loopback()) {
    spdlog::warn(
        "metrics at {} can be read by every machine that reaches this address; use 127.0.0.1 to keep them here",
        parsed->text());
  }
  auto collectable = std::make_shared<SourceCollectable>(std::move(source));
  exposer->RegisterCollectable(collectable);
  return std::unique_ptr<MetricsServer>(
      new MetricsServer(*std::move(parsed), std::move(collectable), std::move(exposer)));
}

MetricsServer::MetricsServer(ListenAddress address, std::shared_ptr<SourceCollectable> collectable,
                             std::unique_ptr<prometheus::Exposer> exposer)
    : address_(std::move(address)), collectable_(std::move(collectable)), exposer_(std::move(exposer)) {}

MetricsServer::~MetricsServer() {
  // The HTTP server checks its stop flag only when its poll of the port ends, every two seconds or when a client
  // connects. The end of a run should not wait for that.
  std::future<void> stopped =
      std::async(std::launch::async, [exposer = std::move(exposer_)]() mutable { exposer.reset(); });
  while (stopped.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) knock(address_);
}

bool MetricsServer::linger(std::chrono::milliseconds patience, const std::stop_token& stop) {
  return collectable_->linger(patience, stop);
}

std::string MetricsServer::url() const { return fmt::format("http://{}/metrics", address_.text()); }

std::vector<prometheus::MetricFamily> families_of(const MetricsServer::Measure& measure) {
  PrometheusSink sink;
  measure(sink);
  std::vector<prometheus::MetricFamily> families = std::move(sink).families();
  for (prometheus::MetricFamily& family : process_metrics()) families.push_back(std::move(family));
  return families;
}

std::string page_of(const MetricsServer::Measure& measure) {
  return prometheus::TextSerializer().Serialize(families_of(measure));
}

MetricsServer::Measure measure_of(const run::Run& run, run::metrics::RunIdentity identity,
                                  run::metrics::SeriesSelection series) {
  auto metrics = std::make_shared<run::metrics::RunMetrics>(run.experiment(), run.plan(), std::move(identity), series);
  return [&run, metrics](metric::Sink& sink) {
    // The sample is taken first, because that also fetches the link counters of other processes.
    const run::RunSample sample = run.sample();
    metrics->measure(sample, run.link_counters(), sink);
  };
}

}  // namespace fabrictwin::dashboards::metrics
