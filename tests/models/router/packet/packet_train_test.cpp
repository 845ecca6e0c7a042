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

// Three full packets and a short one, which part behind the first link.
PacketTrain scattered(const PacketTrain::Link& parting, int64_t latency = 1000) {
  PacketTrain train({.packets = 3, .bytes = 100, .last = 40});
  train.take({.latency = latency}, fast);
  train.take(parting, slow);
  train.take({.latency = 1000, .pipeline = 50, .scattered = true}, fast);
  return train;
}

TEST(PacketTrain, PacketsThatPartShareOutTheLinksBetween) {
  // The first one begins to leave by the last link at 1000 + 50 + 16 and 1000 + 50 + 200 - 100 + 16 after that. They
  // take the last link one after the other.
  const PacketTrain shared = scattered({.latency = 1000, .pipeline = 50, .scattered = true});
  EXPECT_EQ(shared.first_arrival(), 1066 + 1166 + 100 + 1000);
  EXPECT_EQ(shared.arrival(), 1066 + 1166 + 340 + 1000);
  // They leave the router in which they part one after the other: the last one begins 600 after the first one, and has
  // 1000 + 50 + 80 - 40 + 16 and 40 to go.
  const PacketTrain one_by_one =
      scattered({.latency = 1000, .pipeline = 50, .scattered = true, .apart = 200, .apart_last = 80});
  EXPECT_EQ(one_by_one.first_arrival(), shared.first_arrival());
  EXPECT_EQ(one_by_one.arrival(), 1066 + 600 + 1106 + 40 + 1000);
}

TEST(PacketTrain, SoonerPathsCount) {
  PacketTrain train = scattered({.latency = 1000, .pipeline = 50, .scattered = true});
  const int64_t farther = train.arrival();
  train.join(scattered({.latency = 1000, .pipeline = 50, .scattered = true}, 600));
  EXPECT_EQ(train.arrival(), farther - 400);
  train.join(scattered({.latency = 1000, .pipeline = 50, .scattered = true}, 700));
  EXPECT_EQ(train.arrival(), farther - 400);
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

// Networks with several paths for the packets of a flow, by load, by chance, or both.
const std::vector<std::string> kSeveralPaths = {
    "topology { torus { dims: [4, 2] } } router { vc_buffer_flits: 1024 }",
    "topology { torus { dims: [4, 4] } } router { vcs: 3 } routing { algorithm: MINIMAL_ADAPTIVE }",
    "topology { torus { dims: [3, 3] } } router { vcs: 4 vc_buffer_flits: 1024 } routing { algorithm: VALIANT }",
    R"(topology { spine_leaf { spines: 3 leaves: 2 hosts_per_leaf: 4 link_rate: "50Gbps" host_rate: "100Gbps" } } pfc { })",
    R"(topology { spine_leaf { spines: 2 leaves: 2 hosts_per_leaf: 4 link_rate: "25Gbps" host_rate: "100Gbps" } }
       router { vc_buffer_flits: 1024 } routing { algorithm: RANDOM_UP })",
    "topology { fat_tree { down: [2, 2, 2] } } pfc { } routing { algorithm: RANDOM_UP }",
    "topology { dragonfly { groups: 3 rows: 2 columns: 2 hosts_per_router: 1 global_ports: 2 row_links: 1 "
    "column_links: 1 } } router { vc_buffer_flits: 1024 }"};

RC_GTEST_PROP(PacketTrain, NoFlowOnSeveralPathsIsFasterThanAlone, ()) {
  const std::string system = *rc::gen::elementOf(kSeveralPaths);
  const int payload = *rc::gen::element(64, 256, 1000);
  const int sources = *rc::gen::inRange(1, 7);
  const int bytes = *rc::gen::inRange(1, 20'000);
  const int seed = *rc::gen::inRange(0, 100);
  const v1::Report report =
      report_of(fmt::format("{}\nseed: {}\nworkload {{ incast {{ sources: {} bytes: \"{}B\" }} }}\n", system, seed,
                            sources, bytes),
                {fmt::format("router.packet_payload={}B", payload)});
  RC_ASSERT(report.complete());
  RC_ASSERT(report.flows_size() == sources);
  for (const v1::FlowReport& flow : report.flows()) RC_ASSERT(flow.slowdown() >= 1.0);
}

// Packets half around a ring go both ways, and two spines of half the rate of a host carry all that it sends.
TEST(PacketTrain, AFlowAloneHasAllPaths) {
  const v1::Report ring = report_of(
      "topology { torus { dims: 4 } } router { packet_payload: \"1000B\" vc_buffer_flits: 2048 }\n"
      "workload { incast { sources: 1 bytes: \"1MB\" destination: 2 } }",
      {});
  ASSERT_EQ(ring.flows(0).source(), 0);
  EXPECT_EQ(ring.flows(0).slowdown(), 1.0);
  const auto two_spines = [](const std::string& rate) {
    return report_of("topology { spine_leaf { spines: 2 leaves: 2 hosts_per_leaf: 1 link_rate: \"" + rate +
                         "\" host_rate: \"100Gbps\" } } router { packet_payload: \"1000B\" } pfc { }\n"
                         "workload { incast { sources: 1 bytes: \"1MB\" } }",
                     {})
        .flows(0)
        .slowdown();
  };
  for (const char* rate : {"50Gbps", "100Gbps"}) {
    EXPECT_GE(two_spines(rate), 1.0) << rate;
    EXPECT_LT(two_spines(rate), 1.01) << rate;
  }
}

}  // namespace
}  // namespace fabrictwin
