// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts with network interfaces beside input-queued routers.
#include "models/router/input_queued/fabric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "rapidcheck/gtest.h"
#include "tests/models/router/packet/packet_run.h"
#include "tests/models/router/packet/test_network.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int64_t kCycle = 1'000'000;  // 1 ns
constexpr int32_t kVcs = 2;

/// Sends packets of given bytes at given times, and writes down each call.
class Recorder final : public fabric::Client {
 public:
  struct Arrival {
    int64_t time = 0;
    int32_t source = 0;
    uint32_t message = 0;
    bool operator==(const Arrival&) const = default;
  };

  explicit Recorder(int32_t hosts) : arrivals(hosts), queues_(hosts) {}

  void send(int64_t at, int32_t source, int32_t destination, int32_t bytes) {
    nic::NicPacket packet;
    packet.source = source;
    packet.destination = destination;
    packet.wire_bytes = static_cast<uint16_t>(bytes);
    packet.message = sent_++;
    queues_[source].push_back({at, packet});
    edge->wake(source, 0, at);
  }

  Offer next_packet(int32_t host, int32_t, int64_t now, int32_t space, nic::NicPacket& packet) override {
    enter(now, 2);
    auto& queue = queues_[host];
    if (queue.empty()) return Offer::kNothing;
    if (queue.front().first > now) {
      edge->wake(host, 0, queue.front().first);
      return Offer::kNothing;
    }
    if (queue.front().second.wire_bytes > space) return Offer::kTooLarge;
    packet = queue.front().second;
    queue.pop_front();
    return queue.empty() ? Offer::kLast : Offer::kTaken;
  }
  int64_t packet_arrived(int64_t now, const nic::NicPacket& packet) override {
    enter(now, 0);
    arrivals[packet.destination].push_back({now, packet.source, packet.message});
    ++received;
    return now + hold;
  }
  void event(int64_t now, uint32_t id) override {
    enter(now, 0);
    events.emplace_back(now, id);
  }
  void settle(int64_t now) override { enter(now, 1); }
  bool stopped() override { return received == sent_; }

  fabric::HostEdge* edge = nullptr;
  int64_t hold = 0;  ///< How long an arrived packet occupies its buffer.
  uint32_t received = 0;
  std::string disorder;  ///< The first call that came too late in its time.
  std::vector<std::vector<Arrival>> arrivals;
  std::vector<std::pair<int64_t, uint32_t>> events;

 private:
  /// Arrivals and events of a time come first (0), then settle() (1), then packets that leave (2).
  void enter(int64_t now, int order) {
    if (std::tie(now, order) < std::tie(now_, order_) && disorder.empty())
      disorder = fmt::format("call {} of {} fs after call {} of {} fs", order, now, order_, now_);
    now_ = now;
    order_ = order;
  }

  uint32_t sent_ = 0;
  int64_t now_ = 0;
  int order_ = 0;
  std::vector<std::deque<std::pair<int64_t, nic::NicPacket>>> queues_;
};

/// A line of routers with one host each; links take two cycles.
router::input_queued::FabricConfig line(int32_t routers, router::input_queued::Switching switching, int32_t buffer) {
  router::input_queued::FabricConfig config;
  config.clock = Clock(Frequency{1'000'000'000});
  config.network.router.vcs = kVcs;
  config.network.router.buffer_flits = buffer;
  config.network.router.switching = switching;
  config.network.hold_packets = switching == router::input_queued::Switching::kVirtualCutThrough;
  config.network.routers = config.network.hosts = routers;
  config.network.routing = std::make_shared<MeshRouting>(std::vector<int32_t>{routers}, kVcs, false);
  for (int32_t i = 0; i < routers; ++i) config.network.links.push_back({.ends = {{i, -1}, {i, 0}}, .latency = 2});
  for (int32_t i = 0; i + 1 < routers; ++i)
    config.network.links.push_back({.ends = {{i, 1}, {i + 1, 2}}, .latency = 2});
  for (const router::input_queued::Link& link : config.network.links) {
    config.sources.push_back(link.ends[0]);
    config.sources.push_back(link.ends[1]);
  }
  return config;
}

using router::input_queued::Switching;

// A flit takes 1 + 2 cycles over a link, and 1 + 1 + 1 + 1 cycles through a router, of which the last is the first on
// the link; the other flits of the packet follow in one cycle each.
TEST(HostedFabric, ALonePacketTakesWhatItsHopsTake) {
  for (const int32_t hops : {1, 2, 3}) {
    Recorder client(4);
    router::input_queued::HostedFabric fabric(line(4, Switching::kVirtualCutThrough, 36), client, 1);
    client.edge = &fabric;
    client.send(10 * kCycle, 0, hops, 5 * 16);
    fabric.run(Time::never());
    ASSERT_TRUE(fabric.stopped());
    const int64_t links = hops + 2;
    const int64_t cycles = 10 + links * 3 + (hops + 1) * 3 + 4;
    EXPECT_THAT(client.arrivals[hops], ElementsAre(Recorder::Arrival{cycles * kCycle, 0, 0}));
    std::vector<link::LinkCounters> counters(14);
    fabric.update_counters(Time::never(), counters);
    EXPECT_EQ(counters[0].words.get(), 5u);
    EXPECT_EQ(counters[0].packets.get(), 1u);
    EXPECT_EQ(fabric.packet_hops(), static_cast<uint64_t>(links));
  }
}

// Bytes fill whole flits, and a packet that a host may send between two edges leaves at the next one.
TEST(HostedFabric, PacketsBeginAtEdgesAndFillFlits) {
  Recorder client(2);
  router::input_queued::HostedFabric fabric(line(2, Switching::kCreditPerFlit, 8), client, 1);
  client.edge = &fabric;
  client.send(10 * kCycle + 1, 0, 1, 17);
  fabric.run(Time::never());
  EXPECT_THAT(client.arrivals[1], ElementsAre(Recorder::Arrival{(11 + 9 + 6 + 1) * kCycle, 0, 0}));
  EXPECT_EQ(fabric.duration(0, 0, 17), 2 * kCycle);
}

TEST(HostedFabric, EventsComeAtTheirOwnTimes) {
  Recorder client(2);
  router::input_queued::HostedFabric fabric(line(2, Switching::kCreditPerFlit, 8), client, 1);
  client.edge = &fabric;
  fabric.schedule(1, 2'500'000, 7);
  fabric.schedule(0, 2'500'000, 8);
  fabric.schedule(0, 1'000'001, 9);
  client.send(5 * kCycle, 0, 1, 16);
  fabric.run(Time::never());
  EXPECT_THAT(client.events, ElementsAre(std::pair(1'000'001, 9u), std::pair(2'500'000, 8u), std::pair(2'500'000, 7u)));
  EXPECT_EQ(client.disorder, "");
}

// A packet waits for the buffer of the one before it at the receiving host, as long as that holds it.
TEST(HostedFabric, AHostThatHoldsPacketsHoldsUpItsSender) {
  const auto last_arrival = [](int64_t hold) {
    Recorder client(2);
    client.hold = hold;
    // A buffer takes one packet, so that each VC has one packet on the way.
    router::input_queued::HostedFabric fabric(line(2, Switching::kVirtualCutThrough, 4), client, 1);
    client.edge = &fabric;
    for (int i = 0; i < 2 * kVcs + 1; ++i) client.send(0, 0, 1, 64);
    fabric.run(Time::never());
    EXPECT_TRUE(fabric.stopped());
    EXPECT_EQ(fabric.packets_in_flight(), 0u);
    return client.arrivals[1].back().time;
  };
  // The last packet needs the third buffer of a VC, so two others were held before.
  EXPECT_GE(last_arrival(1000 * kCycle), last_arrival(0) + 2 * 990 * kCycle);
}

// Whatever is sent arrives once, in the same way however the run is advanced, and calls of a time keep their order.
RC_GTEST_PROP(HostedFabricTest, StepsOfTimeMakeNoDifference, ()) {
  const auto switching =
      *rc::gen::element(Switching::kCreditPerFlit, Switching::kWormhole, Switching::kVirtualCutThrough);
  const auto packets =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<std::tuple<int64_t, int32_t, int32_t, int32_t>>>(
          rc::gen::tuple(rc::gen::inRange<int64_t>(0, 60 * kCycle), rc::gen::inRange(0, 3), rc::gen::inRange(0, 3),
                         rc::gen::inRange(1, 160))));
  const auto hold = *rc::gen::inRange<int64_t>(0, 20 * kCycle);
  const auto run = [&](int64_t step) {
    Recorder client(3);
    client.hold = hold;
    router::input_queued::HostedFabric fabric(line(3, switching, 10), client, 1);
    client.edge = &fabric;
    for (const auto& [at, from, to, bytes] : packets) client.send(at, from, to, bytes);
    for (int64_t until = step; !fabric.stopped() && !fabric.next_time().is_never(); until += step)
      fabric.run(Time::from_fs(until));
    RC_ASSERT(fabric.failure().empty());
    RC_ASSERT(client.received == packets.size());
    RC_ASSERT(client.disorder == "");
    return client.arrivals;
  };
  RC_ASSERT(run(7'300'001) == run(1'000'000'000));
}

constexpr const char* kHpcg =
    "topology { torus { dims: [2, 2, 2] link_rate: \"16Gbps\" tile_rate: \"16Gbps\" } }\n"
    "router { clock: \"125MHz\" }\n"
    "workload { skeleton { ranks: 8 hpcg { local: \"16x16x16\" reference_iterations: 1 } } }\n";

// The law across implementations: what ranks receive does not depend on the model of the routers.
TEST(InputQueuedRun, ReplaysATraceWithThePayloadOfOtherModels) {
  const auto packet = run_models(kHpcg, {"router.model=PACKET"});
  ASSERT_TRUE(packet.ok()) << packet.status();
  for (const std::string switching : {"CREDIT_PER_FLIT", "WORMHOLE", "VIRTUAL_CUT_THROUGH"}) {
    const auto flits = run_models(kHpcg, {"router.model=INPUT_QUEUED", "router.switching=" + switching});
    ASSERT_TRUE(flits.ok()) << flits.status();
    EXPECT_TRUE(flits->complete());
    EXPECT_EQ(flits->payload_digest(), packet->payload_digest());
    EXPECT_EQ(flits->packets_delivered(), packet->packets_delivered());
    EXPECT_EQ(flits->bytes_delivered(), packet->bytes_delivered());
    // Wormhole switching gives a VC on only when its buffer is empty; the others differ little from whole packets.
    const auto expected = static_cast<double>(packet->simulated_fs());
    if (switching != "WORMHOLE") EXPECT_NEAR(static_cast<double>(flits->simulated_fs()), expected, 0.1 * expected);
  }
}

TEST(InputQueuedRun, StepsOfTimeMakeNoDifferenceToATrace) {
  const std::vector<std::string> sets = {"router.model=INPUT_QUEUED"};
  const auto whole = run_models(kHpcg, sets);
  const auto stepped = run_models(kHpcg, sets, Time::from_fs(50'000'001));
  ASSERT_TRUE(whole.ok() && stepped.ok());
  EXPECT_EQ(stepped->timing_digest(), whole->timing_digest());
  EXPECT_EQ(stepped->simulated_fs(), whole->simulated_fs());
}

// Network interfaces with descriptors are those of PACKET; where nothing else is in the network, a short Put takes what
// it takes there, within a few cycles of the router.
TEST(InputQueuedRun, NetworkInterfacesAreThoseOfPacketNetworks) {
  for (const std::string nic : {"TOFU", "RDMA"}) {
    const std::string text = fmt::format(
        "topology {{ tofu {{ x: 2 y: 2 z: 2 tnis: 1 }} }}\nhost {{ nic: {} }}\n"
        "workload {{ puts {{ sizes: [\"8B\", \"64KiB\"] count: 4 destinations: 50 }} }}\n",
        nic);
    const auto packet = run_models(text, {"router.model=PACKET"});
    const auto flits = run_models(text, {"router.model=INPUT_QUEUED"});
    ASSERT_TRUE(packet.ok()) << packet.status();
    ASSERT_TRUE(flits.ok()) << flits.status();
    EXPECT_EQ(flits->payload_digest(), packet->payload_digest());
    for (int i = 0; i < 2; ++i) {
      const double expected = packet->puts().results(i).mean_latency_seconds();
      EXPECT_NEAR(flits->puts().results(i).mean_latency_seconds(), expected, 0.05 * expected) << nic << ' ' << i;
    }
  }
}

TEST(InputQueuedRun, TellsThatHostsUseOneOfTheirPorts) {
  const std::string text =
      "topology { tofu { } }\nrouter { model: INPUT_QUEUED }\nworkload { puts { sizes: \"8B\" } }\nhost { nic: TOFU "
      "}\n";
  const auto report = run_models(text);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(fmt::format("{}", fmt::join(report->warnings(), "; ")), HasSubstr("use the first of their 6 ports"));
}

}  // namespace
}  // namespace fabrictwin
