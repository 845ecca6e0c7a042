// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/water_filling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "rapidcheck/gtest.h"

namespace fabrictwin::congestion {
namespace {

/// Links by name, and flows through them.
struct Case {
  std::map<std::string, uint32_t> links;
  std::vector<double> capacities;
  std::vector<std::vector<uint32_t>> paths;
  std::vector<double> rates;

  uint32_t link(const std::string& name, double capacity) {
    const auto [found, fresh] = links.try_emplace(name, static_cast<uint32_t>(capacities.size()));
    if (fresh) capacities.push_back(capacity);
    return found->second;
  }
};

/// The links of a flow of one of the networks of data/maxmin.csv, whose links of hosts have 100 Gb/s.
std::vector<uint32_t> path_of(Case& network, const std::string& name, const std::string& flow) {
  const auto host = [&](const std::string& of) { return network.link(of, 100); };
  if (name.starts_with("park3")) {
    if (flow == "long") return {host("long out"), host("a b"), host("b c"), host("c d"), host("long in")};
    constexpr const char* kHops[] = {"a b", "b c", "c d"};
    return {host(flow + " out"), host(kHops[flow.back() - '0']), host(flow + " in")};
  }
  double rate = 0;
  if (name.starts_with("victim8")) {
    EXPECT_EQ(std::sscanf(name.c_str(), "victim8 trunk%lfG", &rate), 1);
    const uint32_t trunk = network.link("trunk", rate);
    return {host(flow), trunk, host(flow == "victim" ? "h10" : "h9")};
  }
  int from = 0;
  int to = 0;
  EXPECT_EQ(std::sscanf(name.c_str(), "tree16 uplink%lfG", &rate), 1) << name;
  EXPECT_EQ(std::sscanf(flow.c_str(), "f%*d h%d->h%d", &from, &to), 2) << flow;
  std::vector<uint32_t> path = {host("out " + std::to_string(from))};
  if (from / 4 != to / 4) {
    path.push_back(network.link("up " + std::to_string(from / 4), rate));
    path.push_back(network.link("down " + std::to_string(to / 4), rate));
  }
  path.push_back(host("in " + std::to_string(to)));
  return path;
}

// The file has rates that were computed in fractions by other code.
TEST(WaterFilling, MeetsRatesInFractions) {
  std::ifstream file("tests/models/congestion/data/maxmin.csv");
  ASSERT_TRUE(file) << "run it from the root of the project";
  std::map<std::string, Case> cases;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    ASSERT_EQ(cells.size(), 4u) << line;
    Case& network = cases[cells[0]];
    network.paths.push_back(path_of(network, cells[0], cells[1]));
    const size_t slash = cells[2].find('/');
    network.rates.push_back(slash == std::string::npos ? std::stod(cells[2])
                                                       : std::stod(cells[2]) / std::stod(cells[2].substr(slash + 1)));
  }
  EXPECT_EQ(cases.size(), 5u);
  for (const auto& [name, network] : cases) {
    const std::vector<double> rates = max_min_rates(network.capacities, network.paths);
    ASSERT_EQ(rates.size(), network.rates.size());
    for (size_t flow = 0; flow < rates.size(); ++flow)
      EXPECT_NEAR(rates[flow], network.rates[flow], 1e-9 * network.rates[flow]) << name << " " << flow;
  }
}

TEST(WaterFilling, AFlowWithoutLinksGetsNothing) {
  const std::vector<std::vector<uint32_t>> paths = {{}, {0}};
  EXPECT_EQ(max_min_rates(std::vector<double>{10}, paths), (std::vector<double>{0, 10}));
  EXPECT_TRUE(max_min_rates({}, {}).empty());
}

// Rates are max-min fair exactly if no link carries more than it can, and each flow has a link that is full and on
// which none is faster.
RC_GTEST_PROP(WaterFilling, EachFlowHasABottleneck, ()) {
  const auto links = *rc::gen::inRange<uint32_t>(1, 8);
  std::vector<double> capacities;
  for (uint32_t link = 0; link < links; ++link) capacities.push_back(*rc::gen::inRange(1, 100));
  std::vector<std::vector<uint32_t>> paths;
  const auto flows = *rc::gen::inRange(1, 20);
  for (int flow = 0; flow < flows; ++flow) {
    std::vector<uint32_t> path;
    for (uint32_t link = 0; link < links; ++link) {
      if (*rc::gen::inRange(0, 3) == 0) path.push_back(link);
    }
    if (path.empty()) path.push_back(*rc::gen::inRange<uint32_t>(0, links));
    paths.push_back(std::move(path));
  }
  const std::vector<double> rates = max_min_rates(capacities, paths);
  std::vector<double> sums(links);
  std::vector<double> fastest(links);
  for (size_t flow = 0; flow < paths.size(); ++flow) {
    for (const uint32_t link : paths[flow]) {
      sums[link] += rates[flow];
      fastest[link] = std::max(fastest[link], rates[flow]);
    }
  }
  for (uint32_t link = 0; link < links; ++link) RC_ASSERT(sums[link] <= capacities[link] * (1 + 1e-9));
  for (size_t flow = 0; flow < paths.size(); ++flow) {
    RC_ASSERT(std::ranges::any_of(paths[flow], [&](uint32_t link) {
      return sums[link] >= capacities[link] * (1 - 1e-9) && rates[flow] >= fastest[link] * (1 - 1e-9);
    }));
  }
}

}  // namespace
}  // namespace fabrictwin::congestion
