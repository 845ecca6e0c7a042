// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/base/latency_histogram.h"
#include "fabrictwin/v1/hosts_report.pb.h"

namespace fabrictwin::traffic {

/// Writes a histogram for another process, and adds one that comes from there.
void pack_latencies(const LatencyHistogram& latencies, v1::LatencyCounts& counts);
void unpack_latencies(const v1::LatencyCounts& counts, LatencyHistogram& latencies);

}  // namespace fabrictwin::traffic
