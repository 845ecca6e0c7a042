// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cosim/base/latency_histogram.h"
#include "fabrictwin/v1/hosts_report.pb.h"

namespace fabrictwin::traffic {

/// Whether counts from another process can be those of traffic to `hosts` hosts.
bool is_sound(const v1::TrafficCounts& counts, int32_t hosts);
/// Writes a histogram for another process, and adds one that comes from there and is sound.
void pack_latencies(const LatencyHistogram& latencies, v1::LatencyCounts& counts);
void unpack_latencies(const v1::LatencyCounts& counts, LatencyHistogram& latencies);

}  // namespace fabrictwin::traffic
