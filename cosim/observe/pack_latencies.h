// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Histograms of latencies that are added up over processes.
#pragma once

#include "cosim/base/latency_histogram.h"
#include "fabrictwin/v1/hosts_report.pb.h"

namespace fabrictwin::observe {

/// Whether counts from another process can be those of a histogram.
bool is_sound(const v1::LatencyCounts& counts);
/// Writes a histogram for another process, and adds one that comes from there and is sound.
void pack_latencies(const LatencyHistogram& latencies, v1::LatencyCounts& counts);
void unpack_latencies(const v1::LatencyCounts& counts, LatencyHistogram& latencies);

}  // namespace fabrictwin::observe
