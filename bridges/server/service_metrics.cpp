// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/server/service_metrics.h"

#include "cosim/run/metrics/partition_metrics.h"

namespace fabrictwin::bridges::server {
namespace {

const metric::Gauge kServiceInfo{
    {.name = "fabrictwin_service_info",
     .help = "Always 1; its labels say what simulates for other processes, and in which run it takes part now",
     .labels = {"service", "run"},
     .order = 700,
     .in_report = false}};
const metric::Counter kServiceRuns{{.name = "fabrictwin_service_runs_total",
                                    .help = "Runs of other processes in which a worker or board has taken part",
                                    .order = 710,
                                    .in_report = false}};

}  // namespace

void ServiceMetrics::measure(metric::Sink& sink) {
  const std::lock_guard lock(mutex_);
  if (source_) last_ = source_();
  sink.add(kServiceInfo, 1, {service_, last_.run});
  sink.add(kServiceRuns, static_cast<double>(last_.runs));
  for (const v1::PartitionReport& partition : last_.partitions) run::metrics::measure_partition(partition, sink);
}

MeasuredService::MeasuredService(ServiceMetrics* metrics, ServiceMetrics::Source source) : metrics_(metrics) {
  if (metrics_ == nullptr) return;
  const std::lock_guard lock(metrics_->mutex_);
  metrics_->source_ = std::move(source);
}

MeasuredService::~MeasuredService() {
  if (metrics_ == nullptr) return;
  const std::lock_guard lock(metrics_->mutex_);
  metrics_->last_ = metrics_->source_();
  metrics_->source_ = nullptr;
}

}  // namespace fabrictwin::bridges::server
