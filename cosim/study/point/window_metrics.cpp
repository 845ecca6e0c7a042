// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/point/window_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace fabrictwin::study::point {
namespace {

/// These have one in the window, and so has what each host receives.
constexpr std::string_view kOverTheRun[] = {"goodput_gbps", "goodput_least_gbps", "jain_index", "min_over_max_min",
                                            "jain_over_max_min"};

/// A field of the summary of flows, if it is there.
template <bool (v1::FlowSummary::*has)() const, double (v1::FlowSummary::*get)() const>
std::optional<double> of_summary(const v1::Report& report) {
  const v1::FlowSummary& summary = report.flow_summary();
  return (summary.*has)() ? std::optional((summary.*get)()) : std::nullopt;
}

std::optional<double> received_by(const v1::Report& report, int32_t host) {
  std::optional<double> sum;
  for (const v1::FlowReport& flow : report.flows()) {
    if (flow.destination() == host && flow.has_window_goodput_gbps())
      sum = sum.value_or(0) + flow.window_goodput_gbps();
  }
  return sum;
}

std::optional<double> received_of(const v1::Report& report, std::string_view name) {
  for (const v1::ClassReport& of : report.classes()) {
    if (of.name() == name && of.has_window_goodput_gbps()) return of.window_goodput_gbps();
  }
  return std::nullopt;
}

}  // namespace

void add_window_metrics(std::span<const v1::Report* const> reports, std::vector<RunMetric>& metrics) {
  if (std::ranges::none_of(reports, [](const v1::Report* report) { return report->has_goodput_window(); })) return;
  using Flows = v1::FlowSummary;
  for (RunMetric& metric : metrics) {
    if (std::ranges::find(kOverTheRun, metric.key) != std::end(kOverTheRun) || metric.key.starts_with("goodput_to_"))
      metric.in_table = false;
  }
  metrics.push_back({"window_goodput_gbps", "window Gbit/s", 2, 1,
                     of_summary<&Flows::has_window_goodput_gbps, &Flows::window_goodput_gbps>});
  metrics.push_back({"window_goodput_least_gbps", "least", 2, 1,
                     of_summary<&Flows::has_window_least_goodput_gbps, &Flows::window_least_goodput_gbps>});
  std::set<int32_t> hosts;
  std::set<std::string> classes;
  for (const v1::Report* report : reports) {
    for (const v1::FlowReport& flow : report->flows()) hosts.insert(flow.destination());
    for (const v1::ClassReport& of : report->classes()) classes.insert(of.name());
  }
  if (hosts.size() >= 2 && hosts.size() <= kMostApart) {
    for (const int32_t host : hosts) {
      metrics.push_back({fmt::format("window_goodput_to_host_{}_gbps", host), fmt::format("to host {}", host), 2, 1,
                         [host](const v1::Report& report) { return received_by(report, host); }});
    }
  }
  metrics.push_back(
      {"window_jain_index", "Jain", 4, 1, of_summary<&Flows::has_window_jain_index, &Flows::window_jain_index>});
  metrics.push_back({"window_min_over_max_min", "min/fair", 3, 1,
                     of_summary<&Flows::has_window_min_over_max_min, &Flows::window_min_over_max_min>});
  if (classes.size() > kMostApart) return;
  for (const std::string& name : classes) {
    metrics.push_back({fmt::format("class_{}_window_goodput_gbps", name), name + " Gbit/s", 2, 1,
                       [name](const v1::Report& report) { return received_of(report, name); }});
  }
}

}  // namespace fabrictwin::study::point
