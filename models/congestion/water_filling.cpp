// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/water_filling.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace fabrictwin::congestion {
namespace {

/// A link, and its flows whose rates are not known yet.
struct FilledLink {
  double left = 0;  ///< What flows with known rates leave of its capacity.
  uint32_t open = 0;
  std::vector<uint32_t> flows;

  double share() const { return std::max(left, 0.0) / open; }
};

}  // namespace

// The link with the least share of its open flows is the bottleneck of all of them. Shares of other links never fall
// when these flows are taken away, so a link that is found with a share of the past is looked at again later.
std::vector<double> max_min_rates(std::span<const double> capacities, std::span<const std::vector<uint32_t>> paths) {
  std::vector<FilledLink> links(capacities.size());
  for (size_t link = 0; link < links.size(); ++link) links[link].left = capacities[link];
  for (uint32_t flow = 0; flow < paths.size(); ++flow) {
    for (const uint32_t link : paths[flow]) {
      ++links[link].open;
      links[link].flows.push_back(flow);
    }
  }
  using Entry = std::pair<double, uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> shares;
  for (uint32_t link = 0; link < links.size(); ++link) {
    if (links[link].open > 0) shares.emplace(links[link].share(), link);
  }
  std::vector<double> rates(paths.size());
  std::vector<bool> known(paths.size());
  while (!shares.empty()) {
    const auto [past, number] = shares.top();
    shares.pop();
    if (links[number].open == 0) continue;
    const double share = links[number].share();
    if (share > past) {
      shares.emplace(share, number);
      continue;
    }
    for (const uint32_t flow : links[number].flows) {
      if (known[flow]) continue;
      known[flow] = true;
      rates[flow] = share;
      for (const uint32_t link : paths[flow]) {
        links[link].left -= share;
        --links[link].open;
      }
    }
  }
  return rates;
}

}  // namespace fabrictwin::congestion
