// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/flows/summary.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "cosim/base/jain_index.h"
#include "cosim/base/percentile.h"

namespace fabrictwin::flows {
namespace {

void add_bin(const v1::Report& report, uint64_t above, uint64_t up_to, v1::FlowSummary& summary) {
  std::vector<double> slowdowns;
  std::vector<double> times;
  for (const v1::FlowReport& flow : report.flows()) {
    if (flow.bytes() <= above || flow.bytes() > up_to || !flow.has_fct_seconds()) continue;
    times.push_back(flow.fct_seconds());
    if (flow.has_slowdown()) slowdowns.push_back(flow.slowdown());
  }
  if (times.empty()) return;
  std::sort(slowdowns.begin(), slowdowns.end());
  std::sort(times.begin(), times.end());
  v1::FlowBin& bin = *summary.add_bins();
  bin.set_above_bytes(above);
  bin.set_up_to_bytes(up_to);
  bin.set_flows(times.size());
  bin.set_fct_p50_seconds(percentile(times, 0.5));
  bin.set_fct_p95_seconds(percentile(times, 0.95));
  bin.set_fct_p99_seconds(percentile(times, 0.99));
  if (slowdowns.empty()) return;
  double sum = 0;
  for (const double slowdown : slowdowns) sum += slowdown;
  bin.set_slowdown_mean(sum / static_cast<double>(slowdowns.size()));
  bin.set_slowdown_p50(percentile(slowdowns, 0.5));
  bin.set_slowdown_p95(percentile(slowdowns, 0.95));
  bin.set_slowdown_p99(percentile(slowdowns, 0.99));
}

}  // namespace

Time end_of(const State& state, size_t flow) {
  const Outcome& outcome = state.outcomes[flow];
  return state.transport ? outcome.acknowledged : outcome.arrived;
}

Time shift_of(const State& state, size_t flow) {
  const Outcome& outcome = state.outcomes[flow];
  return state.transport ? outcome.shift : outcome.arrived_shift;
}

void report_flows(const State& state, Time end, v1::Report& report) {
  v1::FlowSummary& summary = *report.mutable_flow_summary();
  std::vector<double> goodputs;
  double times = 0;
  for (size_t number = 0; number < state.flows.size(); ++number) {
    const Flow& flow = state.flows[number];
    v1::FlowReport& line = *report.add_flows();
    line.set_source(flow.source);
    line.set_destination(flow.destination);
    line.set_bytes(flow.bytes);
    line.set_bytes_received(state.bytes[number]);
    const Time start = flow.start + shift_of(state, number);
    line.set_start_seconds(start.seconds());
    const Time over = end_of(state, number);
    const Time arrived = state.outcomes[number].arrived;
    // What a stopped flow has sent arrives before its end. One that repeats sends until the end of the run.
    const Time last = flow.repeats ? end : !arrived.is_never() ? arrived : std::min(over, end);
    if (last > flow.start)
      line.set_goodput_gbps(static_cast<double>(state.bytes[number]) * 8e-9 / (last - flow.start).seconds());
    if (start < end || state.bytes[number] > 0) goodputs.push_back(line.goodput_gbps());
    if (over.is_never()) continue;
    summary.set_finished(summary.finished() + 1);
    const double seconds = (over - start).seconds();
    // A flow that its stop has ended has no completion time.
    if (flow.bytes == 0 || state.bytes[number] < flow.bytes) continue;
    line.set_fct_seconds(seconds);
    times += seconds;
    summary.set_max_fct_seconds(std::max(summary.max_fct_seconds(), seconds));
    if (const Time alone = state.outcomes[number].alone; alone > Time::zero())
      line.set_slowdown(seconds / alone.seconds());
  }
  summary.set_flows(state.flows.size());
  if (const std::optional<double> index = jain_index(goodputs)) summary.set_jain_index(*index);
  add_bin(report, kSizeBounds.front(), kSizeBounds.back(), summary);
  if (summary.bins_size() > 0) summary.set_mean_fct_seconds(times / static_cast<double>(summary.bins(0).flows()));
  for (size_t i = 0; i + 1 < kSizeBounds.size(); ++i) add_bin(report, kSizeBounds[i], kSizeBounds[i + 1], summary);
}

}  // namespace fabrictwin::flows
