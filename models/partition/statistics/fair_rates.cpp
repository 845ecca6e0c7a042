// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/statistics/fair_rates.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "models/congestion/water_filling.h"

namespace fabrictwin::partition::statistics {
namespace {

/// Ends are computed from goodputs, which are rounded.
constexpr double kRounding = 1e-9;

}  // namespace

std::vector<FlowLife> flow_lives(const v1::Report& report) {
  std::vector<FlowLife> lives;
  for (const v1::FlowReport& flow : report.flows()) {
    const double rate = flow.goodput_gbps() * 1e9;
    lives.push_back({flow.start_seconds(),
                     flow.start_seconds() + (rate > 0 ? static_cast<double>(flow.bytes_received()) * 8 / rate : 0)});
  }
  return lives;
}

std::vector<double> fair_rates(std::span<const double> capacities, std::span<const std::vector<uint32_t>> paths,
                               const v1::Report& report) {
  std::vector<FlowLife> lives = flow_lives(report);
  for (FlowLife& life : lives) {
    // A flow of which nothing has arrived is still there.
    if (life.end <= life.start) life.end = std::numeric_limits<double>::infinity();
  }
  std::vector<size_t> order(paths.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    return std::tie(paths[a], lives[a].start) < std::tie(paths[b], lives[b].start);
  });

  std::vector<std::vector<uint32_t>> together;  // As few of each path as are there at any one time.
  std::vector<size_t> share_of(paths.size());   // By flow: which of these it is.
  using Ended = std::pair<double, size_t>;
  std::priority_queue<Ended, std::vector<Ended>, std::greater<>> ends;
  for (size_t i = 0; i < order.size(); ++i) {
    const size_t flow = order[i];
    if (i > 0 && paths[flow] != paths[order[i - 1]]) ends = {};
    if (!ends.empty() && ends.top().first <= lives[flow].start * (1 + kRounding)) {
      share_of[flow] = ends.top().second;
      ends.pop();
    } else {
      share_of[flow] = together.size();
      together.push_back(paths[flow]);
    }
    ends.emplace(lives[flow].end, share_of[flow]);
  }
  const std::vector<double> shared_rates = congestion::max_min_rates(capacities, together);
  std::vector<double> rates(paths.size());
  for (size_t flow = 0; flow < rates.size(); ++flow) rates[flow] = shared_rates[share_of[flow]];
  return rates;
}

}  // namespace fabrictwin::partition::statistics
