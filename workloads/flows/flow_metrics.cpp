// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/flows/flow_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>

#include "cosim/base/latency_histogram.h"
#include "cosim/metric/metric.h"
#include "workloads/flows/summary.h"

namespace fabrictwin::flows {
namespace {

/// With more flows, none has series of its own.
constexpr size_t kMostApart = 64;
/// Slowdowns are counted in these.
constexpr double kSlowdownUnit = 1e-6;

/// By bin, the sizes between kSizeBounds.
constexpr std::array<std::string_view, kSizeBounds.size() - 1> kSizes{"to 10 kB", "to 100 kB", "to 1 MB", "to 10 MB",
                                                                      "above 10 MB"};

const metric::Gauge kFlows{{.name = "fabrictwin_flows",
                            .help = "Flows of the workload, at the place of their destinations",
                            .order = 466,
                            .in_report = false}};
const metric::Counter kComplete{
    {.name = "fabrictwin_flows_complete_total",
     .help = "Flows of which all bytes have arrived, with a transport as far as their sources know",
     .order = 467,
     .in_report = false}};
const metric::Summary kCompletion{
    {.name = "fabrictwin_flow_completion_seconds",
     .unit = "seconds",
     .help = "Simulated time from the start of a flow to its completion, of complete flows by their size",
     .labels = {"size"},
     .order = 468,
     .in_report = false}};
const metric::Summary kSlowdown{
    {.name = "fabrictwin_flow_slowdown_ratio",
     .help = "Completion time of a flow over what it would be in an empty network, of complete flows by their size",
     .labels = {"size"},
     .order = 469,
     .in_report = false}};
const metric::Counter kBytes{{.name = "fabrictwin_flow_bytes_total",
                              .unit = "bytes",
                              .help = "Bytes of all flows that have arrived, without headers",
                              .order = 470,
                              .in_report = false}};
const metric::Counter kBytesOfOne{
    {.name = "fabrictwin_flow_received_bytes_total",
     .unit = "bytes",
     .help = "Bytes of one flow that have arrived, without headers; of workloads of at most 64 flows",
     .labels = {"flow", "source", "destination"},
     .order = 470,
     .in_report = false}};

const metric::Counter kBytesOfJob{{.name = "fabrictwin_flow_job_received_bytes_total",
                                   .unit = "bytes",
                                   .help = "Bytes of all flows of a job that have arrived, without headers",
                                   .labels = {"mpi_job"},
                                   .order = 470,
                                   .in_report = false}};

struct Bin {
  LatencyHistogram times;
  LatencyHistogram slowdowns;
};

size_t bin_of(uint64_t bytes) {
  size_t bin = 0;
  while (bytes > kSizeBounds[bin + 1]) ++bin;
  return bin;
}

}  // namespace

void measure_flows(const State& state, const std::vector<bool>& here, metric::Sink& sink) {
  if (state.flows.empty()) return;
  const auto is_here = [&](int32_t host) { return here[static_cast<size_t>(host)]; };
  std::array<Bin, kSizes.size()> bins;
  uint64_t complete = 0;
  uint64_t bytes = 0;
  uint64_t flows = 0;
  for (size_t number = 0; number < state.flows.size(); ++number) {
    const Flow& flow = state.flows[number];
    bytes += state.bytes[number];
    const bool arrives_here = is_here(flow.destination);
    if (arrives_here) ++flows;
    if (state.flows.size() <= kMostApart && arrives_here) {
      sink.add(kBytesOfOne, static_cast<double>(state.bytes[number]),
               {std::to_string(number), std::to_string(flow.source), std::to_string(flow.destination)});
    }
    // Whoever learns of the end of a flow tells of it.
    if (!is_here(state.transport ? flow.source : flow.destination)) continue;
    const Time end = end_of(state, number);
    // Only its destination knows whether the stop of a flow has cut it short.
    const bool cut_short = arrives_here ? state.bytes[number] < flow.bytes : !flow.stop.is_never();
    if (end.is_never() || flow.bytes == 0 || cut_short) continue;
    ++complete;
    Bin& bin = bins[bin_of(flow.bytes)];
    const Time time = end - flow.start - shift_of(state, number);
    bin.times.add(time.fs());
    if (const Time alone = state.outcomes[number].alone; alone > Time::zero())
      bin.slowdowns.add(std::llround(time.seconds() / alone.seconds() / kSlowdownUnit));
  }
  sink.add(kFlows, static_cast<double>(flows));
  sink.add(kComplete, static_cast<double>(complete));
  sink.add(kBytes, static_cast<double>(bytes));
  for (size_t bin = 0; bin < bins.size(); ++bin) {
    sink.add(kCompletion, bins[bin].times, 1e-15, {kSizes[bin]});
    sink.add(kSlowdown, bins[bin].slowdowns, kSlowdownUnit, {kSizes[bin]});
  }
}

void measure_job(std::string_view name, std::span<const uint64_t> bytes, metric::Sink& sink) {
  sink.add(kBytesOfJob, static_cast<double>(std::accumulate(bytes.begin(), bytes.end(), uint64_t{0})), {name});
}

}  // namespace fabrictwin::flows
