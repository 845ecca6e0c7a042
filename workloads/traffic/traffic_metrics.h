// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The metrics that all kinds of traffic have.
#pragma once

#include <cstdint>

#include "cosim/metric/sink.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::traffic {

/// Adds what `traffic` tells, and the latencies of packets in seconds. Loads and fairness that have not been measured
/// yet add no series.
void measure_traffic(const v1::TrafficReport& traffic, const metric::Distribution& latencies, metric::Sink& sink);
/// Adds what `of_class` tells of one of several classes, the bytes of payload that have arrived of it, and the
/// latencies of its packets in seconds. `measured`: its accepted load has been measured, and is not 0 for want of that.
void measure_class(const v1::ClassReport& of_class, bool measured, uint64_t bytes,
                   const metric::Distribution& latencies, metric::Sink& sink);

}  // namespace fabrictwin::traffic
