// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/statistics/flow_measures.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/jain_index.h"
#include "fmt/format.h"
#include "models/partition/statistics/fair_rates.h"

namespace fabrictwin::partition::statistics {
namespace {

constexpr double kCloseToFair = 0.1;
/// Points of the series that a time with the same flows must have.
constexpr int kLeastPoints = 10;

uint64_t false_marks(const FlowPaths& paths, std::span<const fabric::FlowSigns> signs) {
  const auto congested = [&](uint32_t number) { return paths.all[number].congested; };
  uint64_t marks = 0;
  for (size_t flow = 0; flow < paths.outputs.size(); ++flow) {
    if (signs[flow].marks > 0 && std::ranges::none_of(paths.outputs[flow], congested)) marks += signs[flow].marks;
  }
  return marks;
}

/// The last time, of at least `least` seconds, in which the same flows are active, at least two. Its end is not after
/// its beginning if there is none.
FlowLife last_period(const std::vector<FlowLife>& lives, double least) {
  std::vector<std::pair<double, int>> changes;
  for (const FlowLife& life : lives) {
    if (life.end <= life.start) continue;
    changes.emplace_back(life.start, 1);
    changes.emplace_back(life.end, -1);
  }
  std::sort(changes.begin(), changes.end());
  int active = 0;
  FlowLife found;
  for (size_t i = 0; i + 1 < changes.size(); ++i) {
    active += changes[i].second;
    if (active >= 2 && changes[i + 1].first - changes[i].first >= least)
      found = {changes[i].first, changes[i + 1].first};
  }
  return found;
}

/// Whether all of some flows have their fair shares in an interval.
bool is_fair(const v1::Report& report, const v1::SeriesPoint& point, const std::vector<int>& active) {
  double bytes = 0;
  double fair = 0;
  for (const int flow : active) {
    bytes += static_cast<double>(point.flow_bytes(flow));
    fair += report.flows(flow).max_min_gbps();
  }
  if (bytes == 0 || fair == 0) return false;
  return std::ranges::all_of(active, [&](int flow) {
    const double share = bytes * report.flows(flow).max_min_gbps() / fair;
    return std::abs(static_cast<double>(point.flow_bytes(flow)) - share) <= kCloseToFair * share;
  });
}

}  // namespace

std::optional<double> convergence_seconds(const v1::Report& report) {
  const v1::SeriesReport& series = report.series();
  // Of many flows, a series has the sum.
  if (report.flows_size() < 2 || series.points_size() == 0 || series.points(0).flow_bytes_size() != report.flows_size())
    return std::nullopt;
  const std::vector<FlowLife> lives = flow_lives(report);
  const double interval = series.interval_seconds();
  const FlowLife period = last_period(lives, kLeastPoints * interval);
  if (period.end <= period.start) return std::nullopt;
  std::vector<int> active;
  for (int flow = 0; flow < report.flows_size(); ++flow) {
    const FlowLife& life = lives[static_cast<size_t>(flow)];
    if (life.start <= period.start && life.end >= period.end) active.push_back(flow);
  }
  std::optional<double> since;
  int fair_points = 0;
  for (const v1::SeriesPoint& point : series.points()) {
    const double begin = point.seconds() - interval;
    // A point may be a hair off its time.
    if (begin < period.start - interval * 1e-6 || point.seconds() > period.end) continue;
    if (!is_fair(report, point, active)) {
      since.reset();
      fair_points = 0;
      continue;
    }
    if (!since.has_value()) since = std::max(begin - period.start, 0.0);
    ++fair_points;
  }
  return fair_points >= kLeastPoints ? since : std::nullopt;
}

FlowPaths flow_paths(const router::packet::sharded::ShardedNetwork& network, std::span<const fabric::FlowSigns> signs,
                     const v1::Report& report) {
  FlowPaths paths;
  if (report.flows_size() > kMostFairFlows || static_cast<size_t>(report.flows_size()) != signs.size()) return paths;
  paths.outputs.resize(static_cast<size_t>(report.flows_size()));
  for (size_t flow = 0; flow < paths.outputs.size(); ++flow) {
    const v1::FlowReport& line = report.flows(static_cast<int>(flow));
    const bool started = signs[flow].source >= 0;
    if (line.source() == line.destination() || !started) continue;
    router::packet::FlowRoute route =
        network.flow_route(line.source(), signs[flow].port, line.destination(), signs[flow].queue_pair);
    if (!route.only) {
      paths.no_paths = several_paths(line.source(), line.destination());
      return paths;
    }
    paths.outputs[flow] = std::move(route.outputs);
  }
  for (uint32_t output = 0; output < network.output_count(); ++output) paths.all.push_back(network.output(output));
  return paths;
}

std::string several_paths(int32_t source, int32_t destination) {
  return fmt::format("routing has several paths from host {} to {}", source, destination);
}

void measure_flows(const FlowPaths& paths, std::span<const fabric::FlowSigns> signs, double payload_share,
                   v1::Report& report) {
  if (report.flows_size() == 0 || static_cast<size_t>(report.flows_size()) != signs.size()) return;
  for (int flow = 0; flow < report.flows_size(); ++flow) {
    report.mutable_flows(flow)->set_marks(signs[static_cast<size_t>(flow)].marks);
    report.mutable_flows(flow)->set_notices(signs[static_cast<size_t>(flow)].notices);
  }
  v1::FlowSummary& summary = *report.mutable_flow_summary();
  if (report.flows_size() > kMostFairFlows)
    return summary.set_no_max_min(fmt::format("they are for at most {} flows", kMostFairFlows));
  if (!paths.no_paths.empty()) return summary.set_no_max_min(paths.no_paths);
  if (report.has_control()) report.mutable_control()->set_false_marks(false_marks(paths, signs));
  std::vector<double> capacities(paths.all.size());
  for (uint32_t output = 0; output < capacities.size(); ++output)
    capacities[output] = static_cast<double>(paths.all[output].bits_per_second) * payload_share * 1e-9;
  const std::vector<double> rates = fair_rates(capacities, paths.outputs, report);
  double least = std::numeric_limits<double>::infinity();
  std::vector<double> ratios;
  for (int flow = 0; flow < report.flows_size(); ++flow) {
    v1::FlowReport& line = *report.mutable_flows(flow);
    const double rate = rates[static_cast<size_t>(flow)];
    line.set_max_min_gbps(rate);
    if (rate <= 0) continue;
    ratios.push_back(line.goodput_gbps() / rate);
    least = std::min(least, ratios.back());
  }
  if (std::isfinite(least)) summary.set_min_over_max_min(least);
  if (const std::optional<double> index = jain_index(ratios); index.has_value()) summary.set_jain_over_max_min(*index);
  if (const std::optional<double> seconds = convergence_seconds(report); seconds.has_value())
    summary.set_convergence_seconds(*seconds);
}

}  // namespace fabrictwin::partition::statistics
