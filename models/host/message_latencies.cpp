// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/message_latencies.h"

#include "cosim/observe/latency_report.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::host {
namespace {

const metric::Summary kMessageLatency{
    {.name = "fabrictwin_message_latency_seconds",
     .unit = "seconds",
     .help = "Simulated time from a host's giving a message to its network interface until all of it has arrived",
     .order = 310,
     .in_report = false}};

}  // namespace

void MessageLatencies::measure(metric::Sink& sink) const {
  sink.add(kMessageLatency, metric::Distribution::of(latencies_, 1e-15));
}

void MessageLatencies::report(v1::Report& report) const {
  observe::report_latencies(latencies_, true, *report.mutable_message_latency_seconds());
}

}  // namespace fabrictwin::host
