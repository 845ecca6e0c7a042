// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What Prometheus calls the standard metrics of a process.
#pragma once

#include <prometheus/metric_family.h>

#include <vector>

namespace fabrictwin::dashboards::metrics {

/// process_cpu_seconds_total, process_resident_memory_bytes and process_start_time_seconds of this process, as
/// https://prometheus.io/docs/instrumenting/writing_clientlibs names them. What /proc does not tell is left out.
/// Thread-safe.
std::vector<prometheus::MetricFamily> process_metrics();

}  // namespace fabrictwin::dashboards::metrics
