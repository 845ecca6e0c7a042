// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/max_min.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fabrictwin::congestion {
namespace {

constexpr int64_t kGbps = 1'000'000'000;
constexpr int64_t kTrip = 8'000'000'000;
constexpr MaxMinSpec kAll{.target = 1, .telemetry = 8, .interval = 0};

/// Outputs and flows without a network: in a round trip each flow asks its outputs once, one flow after the other.
class Fluid {
 public:
  struct Flow {
    std::string name;
    std::vector<uint32_t> path;
    double exact = 0;  ///< In 10^9 bits per second.
    std::unique_ptr<MaxMinFlow> control;
    PathRecord record;
  };

  void set_rate(uint32_t output, int64_t rate) { rates_[output] = rate; }
  void add(const std::string& name, const std::vector<uint32_t>& path, double exact) {
    FlowControl::Path of{.line_rate = 100 * kGbps, .round_trip = kTrip, .max_packet = 1048};
    of.network_round_trip = kTrip;
    flows_.push_back({name, path, exact, std::make_unique<MaxMinFlow>(kAll, of), {}});
  }
  std::vector<Flow>& flows() { return flows_; }

  /// All flows ask, then all hear the answers.
  void round_trip() {
    int64_t step = 0;
    for (Flow& flow : flows_) {
      flow.control->begin(flow.record);
      pass(flow, ++step);
    }
    for (Flow& flow : flows_)
      flow.control->acknowledged({.now = now_ + kTrip, .round_trip = kTrip, .bytes = 1000, .path = &flow.record});
    now_ += kTrip;
  }
  void leave(Flow& flow) {
    ASSERT_TRUE(flow.control->leaves());
    flow.control->begin(flow.record);
    pass(flow, 0);
  }

 private:
  void pass(Flow& flow, int64_t step) {
    for (const uint32_t output : flow.path) {
      const auto rate = rates_.find(output);
      shares_.record({.now = now_ + step * 1000,
                      .bits_per_second = rate == rates_.end() ? 100 * kGbps : rate->second,
                      .output = output},
                     flow.record);
    }
  }

  FairShares shares_{kAll};
  std::map<uint32_t, int64_t> rates_;
  std::vector<Flow> flows_;
  int64_t now_ = 0;
};

/// Outputs: host `h` of `hosts` sends by h, and receives by 100 + h. Inside of the network they have numbers from 200.
void add_flow(Fluid& fluid, const std::string& net, const std::string& flow, double exact) {
  int number = 0;
  int to = 0;
  if (net.starts_with("park3")) {
    if (std::sscanf(flow.c_str(), "cross%d", &number) == 1) {
      fluid.add(flow, {static_cast<uint32_t>(number), 200 + static_cast<uint32_t>(number)}, exact);
    } else {
      fluid.add(flow, {10, 200, 201, 202}, exact);
    }
  } else if (net.starts_with("victim8")) {
    ASSERT_EQ(std::sscanf(net.c_str(), "victim8 trunk%dG", &to), 1);
    fluid.set_rate(200, to * kGbps);
    const bool incast = std::sscanf(flow.c_str(), "incast%d", &number) == 1;
    fluid.add(flow, {incast ? static_cast<uint32_t>(number) : 8, 200, incast ? 109u : 110u}, exact);
  } else {
    int from = 0;
    ASSERT_EQ(std::sscanf(net.c_str(), "tree16 uplink%dG", &number), 1) << net;
    for (uint32_t link = 200; link < 208; ++link) fluid.set_rate(link, number * kGbps);
    ASSERT_EQ(std::sscanf(flow.c_str(), "f%d h%d->h%d", &number, &from, &to), 3) << flow;
    std::vector<uint32_t> path{static_cast<uint32_t>(from)};
    if (from / 4 != to / 4) {
      path.push_back(200 + static_cast<uint32_t>(from) / 4);
      path.push_back(204 + static_cast<uint32_t>(to) / 4);
    }
    path.push_back(100 + static_cast<uint32_t>(to));
    fluid.add(flow, path, exact);
  }
}

// data/maxmin.csv has exact rates, by water-filling in fractions, made by other code.
TEST(MaxMin, MeetsExactRatesInTwentyRoundTrips) {
  std::ifstream file("tests/models/congestion/data/maxmin.csv");
  ASSERT_TRUE(file) << "run it from the root of the project";
  std::map<std::string, Fluid> nets;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const size_t first = line.find(',');
    const size_t second = line.find(',', first + 1);
    const std::string net = line.substr(0, first);
    add_flow(nets[net], net, line.substr(first + 1, second - first - 1), std::stod(line.substr(line.rfind(',') + 1)));
  }
  EXPECT_EQ(nets.size(), 5u);
  for (auto& [name, net] : nets) {
    int settled = 0;
    for (int trip = 1; trip <= 200; ++trip) {
      net.round_trip();
      for (const Fluid::Flow& flow : net.flows()) {
        if (std::abs(flow.control->rate() / 1e9 / flow.exact - 1) > 1e-6) settled = trip + 1;
      }
    }
    EXPECT_LE(settled, 20) << name << " does not rest";
    RecordProperty("round_trips", settled);
  }
}

/// Exact rates: all flows grow alike, and those of an output that is full stop.
std::vector<double> water_filling(const std::vector<std::vector<uint32_t>>& paths, std::map<uint32_t, double> free) {
  std::vector<double> rates(paths.size(), -1);
  for (;;) {
    std::map<uint32_t, int> growing;
    for (size_t flow = 0; flow < paths.size(); ++flow) {
      for (const uint32_t output : paths[flow]) growing[output] += rates[flow] < 0 ? 1 : 0;
    }
    uint32_t tightest = 0;
    double least = 1e9;
    for (const auto& [output, flows] : growing) {
      if (flows == 0 || free[output] / flows >= least) continue;
      least = free[output] / flows;
      tightest = output;
    }
    if (least == 1e9) return rates;
    for (size_t flow = 0; flow < paths.size(); ++flow) {
      if (rates[flow] >= 0 || std::count(paths[flow].begin(), paths[flow].end(), tightest) == 0) continue;
      rates[flow] = least;
      for (const uint32_t output : paths[flow]) free[output] -= least;
    }
  }
}

// Flows with a link of their own at the host, and one to four others.
RC_GTEST_PROP(MaxMin, MeetsWaterFilling, ()) {
  const auto flows = *rc::gen::inRange<uint32_t>(1, 40);
  const auto outputs = *rc::gen::inRange<uint32_t>(4, 20);
  std::map<uint32_t, double> rates;
  Fluid fluid;
  for (uint32_t output = 0; output < outputs; ++output) {
    const int64_t rate = *rc::gen::element<int64_t>(25, 50, 100, 200, 400);
    rates[output] = static_cast<double>(rate);
    fluid.set_rate(output, rate * kGbps);
  }
  std::vector<std::vector<uint32_t>> paths;
  for (uint32_t flow = 0; flow < flows; ++flow) {
    rates[100 + flow] = 100;
    auto& path = paths.emplace_back(1, 100 + flow);
    const auto others = *rc::gen::unique<std::vector<uint32_t>>(4, rc::gen::inRange<uint32_t>(0, outputs));
    const auto length = *rc::gen::inRange<size_t>(1, 5);
    path.insert(path.end(), others.begin(), others.begin() + static_cast<std::ptrdiff_t>(length));
  }
  const std::vector<double> exact = water_filling(paths, rates);
  for (uint32_t flow = 0; flow < flows; ++flow) fluid.add("", paths[flow], exact[flow]);
  int settled = 0;
  for (int trip = 1; trip <= 60; ++trip) {
    fluid.round_trip();
    for (const Fluid::Flow& flow : fluid.flows()) {
      if (std::abs(flow.control->rate() / 1e9 / flow.exact - 1) > 1e-6) settled = trip + 1;
    }
  }
  RC_ASSERT(settled <= 20);
}

TEST(MaxMin, AFlowAsksWithOnePacketAtATime) {
  Fluid fluid;
  fluid.add("a", {0, 100}, 0);
  MaxMinFlow& flow = *fluid.flows()[0].control;
  EXPECT_TRUE(flow.records());
  EXPECT_LE(flow.window(), 1) << "it waits for an answer before it sends more";
  PathRecord record;
  flow.begin(record);
  EXPECT_FALSE(flow.records());
  flow.acknowledged({.now = kTrip, .bytes = 1000});
  EXPECT_FALSE(flow.records()) << "another packet";
  record.allotments.outputs = {{.rate = 30 * kGbps, .share = 30 * kGbps}, {.rate = 20 * kGbps, .share = 50 * kGbps}};
  flow.acknowledged({.now = kTrip, .bytes = 1000, .path = &record});
  EXPECT_TRUE(flow.records());
  EXPECT_EQ(flow.rate(), 20e9);
  EXPECT_EQ(flow.window(), FlowControl::kUnlimited);
}

TEST(MaxMin, FlowsThatLeaveGiveBackWhatTheyHad) {
  Fluid fluid;
  for (uint32_t i = 0; i < 4; ++i) fluid.add(std::to_string(i), {i, 100}, 0);
  for (int i = 0; i < 5; ++i) fluid.round_trip();
  EXPECT_NEAR(fluid.flows()[0].control->rate(), 25e9, 1);
  fluid.leave(fluid.flows()[3]);
  EXPECT_FALSE(fluid.flows()[3].control->leaves()) << "it has nothing any more";
  fluid.flows().pop_back();
  for (int i = 0; i < 3; ++i) fluid.round_trip();
  EXPECT_NEAR(fluid.flows()[0].control->rate(), 100e9 / 3, 1);
}

TEST(MaxMin, FlowsThatVanishAreForgotten) {
  Fluid fluid;
  for (uint32_t i = 0; i < 4; ++i) fluid.add(std::to_string(i), {i, 100}, 0);
  for (int i = 0; i < 5; ++i) fluid.round_trip();
  fluid.flows().pop_back();
  // A flow takes another way from now on.
  fluid.flows()[2].path = {2, 101};
  for (int i = 0; i < 70; ++i) fluid.round_trip();
  EXPECT_NEAR(fluid.flows()[0].control->rate(), 50e9, 1);
  EXPECT_NEAR(fluid.flows()[2].control->rate(), 100e9, 1);
}

TEST(MaxMin, LongQueuesDrain) {
  FairShares shares(kAll);
  const auto share = [&](int64_t queue) {
    PathRecord record;
    record.allotments.max_packet = 1048;
    record.allotments.interval = kTrip;
    shares.record({.now = 0, .queue_bytes = queue, .bits_per_second = 100 * kGbps, .output = 7}, record);
    record.allotments.passed = 0;
    record.allotments.leaving = true;
    const int64_t given = record.allotments.outputs[0].share;
    shares.record({.now = 0, .bits_per_second = 100 * kGbps, .output = 7}, record);
    return given;
  };
  EXPECT_EQ(share(0), 100 * kGbps);
  EXPECT_EQ(share(4 * 1048), 100 * kGbps) << "two packets for each flow, and for one that comes";
  // 80 kB more than that, in eight round trips of 8 us.
  EXPECT_EQ(share(4 * 1048 + 80'000), 90 * kGbps);
  EXPECT_EQ(share(100'000'000), 50 * kGbps);
}

}  // namespace
}  // namespace fabrictwin::congestion
