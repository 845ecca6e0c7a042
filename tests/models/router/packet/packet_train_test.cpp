// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/packet_train.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "fmt/format.h"
#include "tests/models/router/packet/packet_run.h"

namespace fabrictwin {
namespace {

using fabric::TransportEdge;
using router::packet::PacketTrain;

// Links that take a femtosecond for a byte, or two.
int64_t fast(int32_t bytes) { return bytes; }
int64_t slow(int32_t bytes) { return 2 * bytes; }

int64_t arrival(const TransportEdge::Train& packets, const std::vector<int64_t (*)(int32_t)>& links,
                PacketTrain::Link of = {.latency = 1000, .pipeline = 50}) {
  PacketTrain train(packets);
  for (size_t i = 0; i < links.size(); ++i) {
    PacketTrain::Link link = of;
    if (i == 0) link.pipeline = link.turnaround = 0;
    train.take(link, links[i]);
  }
  return train.arrival();
}

TEST(PacketTrain, CutsThroughRoutersAtTheRateOfTheSlowestLink) {
  const auto one = TransportEdge::Train::of_one(100);
  EXPECT_EQ(arrival(one, {fast}), 1100);
  EXPECT_EQ(arrival(one, {fast, fast}), 1000 + 16 + 50 + 1100);
  EXPECT_EQ(arrival(one, {fast, slow}), 1000 + 16 + 50 + 1200);
  // A faster link begins late, so that its last word follows the last one that comes.
  EXPECT_EQ(arrival(one, {slow, fast}), 1000 + 200 - 100 + 16 + 50 + 1100);
  EXPECT_EQ(arrival(one, {slow, fast}, {.latency = 1000, .pipeline = 50, .stored = true}), 1000 + 200 + 50 + 1100);
}

TEST(PacketTrain, OthersFollowAtTheRateOfTheSlowestLink) {
  const TransportEdge::Train packets{.packets = 3, .bytes = 100, .last = 40};
  EXPECT_EQ(arrival(packets, {fast}), 340 + 1000);
  EXPECT_EQ(arrival(packets, {slow, fast}), 3 * 200 + 1000 + 80 - 40 + 16 + 50 + 40 + 1000);
  EXPECT_EQ(arrival(packets, {fast, slow}), 1000 + 16 + 50 + 3 * 200 + 80 + 1000);
  EXPECT_EQ(arrival(packets, {fast, fast}, {.latency = 1000, .pipeline = 50, .turnaround = 7}),
            1000 + 16 + 50 + 3 * 107 + 40 + 1000);
}

std::string text_of(const std::vector<std::string>& rates, const std::vector<int>& latencies, const std::string& rest) {
  std::string text = "topology { graph {\n";
  const size_t routers = rates.size() - 1;
  for (size_t i = 0; i < routers; ++i) text += fmt::format("router {{ name: \"r{}\" }}\n", i);
  text += fmt::format("host {{ router: \"r{}\" rate: \"{}\" latency: \"{}ns\" }}\n", 0, rates.back(), latencies.back());
  text +=
      fmt::format("host {{ router: \"r{}\" rate: \"{}\" latency: \"{}ns\" }}\n", routers - 1, rates[0], latencies[0]);
  for (size_t i = 1; i < routers; ++i)
    text += fmt::format("link {{ from: \"r{}\" to: \"r{}\" rate: \"{}\" latency: \"{}ns\" }}\n", i - 1, i,
                        rates[rates.size() - 1 - i], latencies[rates.size() - 1 - i]);
  return text + "} }\ntransport { header: \"48B\" }\nseed: 1\n" + rest;
}

TEST(PacketTrain, EndsNotBeforeItBeginsWhereItGoesOnBeyondSimulatedTime) {
  const TransportEdge::Train packets{.packets = int64_t{1} << 40, .bytes = 64, .last = 1};
  EXPECT_GT(arrival(packets, {[](int32_t bytes) { return int64_t{8'000'000} * bytes; }, slow}), Time::never().fs() / 2);
}

// A flow that is alone takes what PacketTrain says, to the femtosecond, whatever the rates of its links: so its
// slowdown is 1.
RC_GTEST_PROP(PacketTrain, SaysWhatAFlowAloneTakes, ()) {
  const auto links = *rc::gen::inRange<size_t>(2, 6);
  const auto rates = *rc::gen::container<std::vector<std::string>>(
      links, rc::gen::element<std::string>("10Gbps", "25Gbps", "40Gbps", "100Gbps", "400Gbps"));
  const auto latencies = *rc::gen::container<std::vector<int>>(links, rc::gen::inRange(1, 2000));
  const bool pause = *rc::gen::arbitrary<bool>();
  const int payload = *rc::gen::element(64, 256, 1000, 4096);
  const auto clock = *rc::gen::element<std::string>("156.25MHz", "250MHz", "1GHz");
  const int bytes = *rc::gen::inRange(1, 40'000);
  const std::string text =
      text_of(rates, latencies,
              fmt::format("router {{ model: PACKET clock: \"{}\" packet_payload: \"{}B\" {} }}\n{}\n"
                          "workload {{ incast {{ sources: 1 bytes: \"{}B\" }} }}\n",
                          clock, payload, pause ? "" : "vcs: 1 vc_buffer_flits: 4096",
                          pause ? "pfc { buffer: \"64MiB\" }" : "", bytes));
  const v1::Report report = report_of(text, {});
  RC_ASSERT(report.complete());
  RC_ASSERT(report.flows_size() == 1);
  RC_ASSERT(report.flows(0).slowdown() == 1.0);
}

}  // namespace
}  // namespace fabrictwin
