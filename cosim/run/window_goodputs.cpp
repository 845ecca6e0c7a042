// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/window_goodputs.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "cosim/base/jain_index.h"

namespace fabrictwin::run {
namespace {

/// Ends of flows are computed from goodputs, which are rounded.
constexpr double kRounding = 1e-9;

/// Whether a flow is there at some time of the window: one that repeats has its last start, and one of which nothing
/// has arrived still is there.
bool is_there(const v1::FlowReport& flow, uint64_t bytes, const v1::GoodputWindowReport& window) {
  if (bytes > 0) return true;
  if (flow.start_seconds() >= window.until_seconds()) return false;
  if (flow.goodput_gbps() <= 0) return true;
  const double end = flow.start_seconds() + static_cast<double>(flow.bytes_received()) * 8e-9 / flow.goodput_gbps();
  return end * (1 + kRounding) >= window.from_seconds();
}

}  // namespace

void add_window_goodputs(v1::Report& report) {
  if (!report.has_goodput_window()) return;
  const v1::GoodputWindowReport& window = report.goodput_window();
  const double scale = 8e-9 / (window.until_seconds() - window.from_seconds());
  for (int i = 0; i < std::min(report.classes_size(), window.class_bytes_size()); ++i)
    report.mutable_classes(i)->set_window_goodput_gbps(static_cast<double>(window.class_bytes(i)) * scale);
  if (window.flow_bytes_size() == 0) return;
  double sum = 0;
  std::vector<double> goodputs;
  std::optional<double> least_ratio;
  for (int i = 0; i < std::min(report.flows_size(), window.flow_bytes_size()); ++i) {
    v1::FlowReport& flow = *report.mutable_flows(i);
    const double goodput = static_cast<double>(window.flow_bytes(i)) * scale;
    flow.set_window_goodput_gbps(goodput);
    sum += static_cast<double>(window.flow_bytes(i));
    if (!is_there(flow, window.flow_bytes(i), window)) continue;
    goodputs.push_back(goodput);
    if (flow.max_min_gbps() <= 0) continue;
    const double ratio = goodput / flow.max_min_gbps();
    least_ratio = std::min(least_ratio.value_or(ratio), ratio);
  }
  v1::FlowSummary& summary = *report.mutable_flow_summary();
  summary.set_window_goodput_gbps(sum * scale);
  if (!goodputs.empty()) summary.set_window_least_goodput_gbps(*std::ranges::min_element(goodputs));
  if (const std::optional<double> index = jain_index(goodputs)) summary.set_window_jain_index(*index);
  if (least_ratio.has_value()) summary.set_window_min_over_max_min(*least_ratio);
}

}  // namespace fabrictwin::run
