// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include "cosim/base/random.h"
#include "rtl/transactor/router/transactor.h"
#include "tests/rtl/router_network.h"

namespace fabrictwin::test {
namespace {

using testing::HasSubstr;

PacketToSend packet_to(const RouterNetwork& network, int destination, int payload_bytes, int64_t slot = 0) {
  PacketToSend packet;
  packet.slot = slot;
  packet.header.coordinates = network.coordinates(destination);
  packet.header.payload_bytes = static_cast<uint16_t>(payload_bytes);
  packet.fill = 42;
  return packet;
}

std::vector<Time> times_of(const std::vector<ArrivedWord>& words) {
  std::vector<Time> times;
  for (const ArrivedWord& word : words) times.push_back(word.time);
  return times;
}

TEST(RouterTransactor, KeepsTheTimesOfThePage) {
  NetworkOptions options;
  options.dims = {1, 1, 1};
  options.tile_rate = Bandwidth{10'000'000'000};  // A word each 12.8 ns; the router ticks each 6.4 ns.
  options.tile_latency = Time::from_ns(120);
  RouterNetwork network(options);
  network.tile(0).send(packet_to(network, 0, 16));
  ASSERT_TRUE(network.run(Time::from_ns(100), Time::from_us(2)).ok());
  // Header: slot 0, arrives at 132.8 ns, sampled at edge 21, accepted at edge 25 = 160 ns, slot 13, arrives at 14
  // * 12.8 + 120 ns. The later words arrive each 12.8 ns, are sampled at edges 23 and 25 and accepted at 27 and 29 (two
  // words wait for the header): slots 14 and 15.
  EXPECT_THAT(times_of(network.tile(0).words()),
              testing::ElementsAre(Time::from_ps(299'200), Time::from_ps(312'000), Time::from_ps(324'800)));
  // The footer is accepted at edge 29, so it was loaded at 28; pending goes to the register at 29, which leaves at edge
  // 30 = 192 ns.
  EXPECT_THAT(network.tile(0).credits(), testing::ElementsAre(ArrivedCredit{Time::from_ns(312), 0, 3}));
  EXPECT_EQ(network.counters(0, 0).words.get(), 3u);
  EXPECT_EQ(network.counters(0, 0).packets.get(), 1u);
  EXPECT_EQ(network.counters(0, 0).credit_stall_cycles.get(), 0u);
  EXPECT_TRUE(network.router(0).next_event().is_never());
}

TEST(RouterTransactor, CountsCyclesThatWaitForCredits) {
  NetworkOptions options;
  options.dims = {1, 1, 1};
  options.longest_hold = Time::from_ns(5000);
  RouterNetwork network(options);
  for (int i = 0; i < 20; ++i) network.tile(0).send(packet_to(network, 0, 256));
  // Whole packets fit three times into 64 words; the fourth waits for the first credits that the slow tile returns.
  ASSERT_TRUE(network.run(Time::from_ns(60), Time::from_us(1)).ok());
  EXPECT_GT(network.counters(0, 0).credit_stall_cycles.get(), 10u);
  EXPECT_THAT(network.router(0).waits(),
              testing::ElementsAre(HasSubstr("waits for credits on router[0].tile->host[0].tile")));
  ASSERT_TRUE(network.run(Time::from_ns(60), Time::from_us(100)).ok());
  EXPECT_EQ(network.counters(0, 0).packets.get(), 20u);
  EXPECT_TRUE(network.router(0).waits().empty());
}

/// Everything that came out of a network.
struct Outcome {
  std::vector<std::vector<ArrivedWord>> words;
  std::vector<std::vector<ArrivedCredit>> credits;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(const NetworkOptions& options, Time quantum, int packets, int64_t slots) {
  RouterNetwork network(options);
  network.add_random_traffic(packets, slots);
  const absl::Status status = network.run(quantum, Time::from_us(60));
  EXPECT_TRUE(status.ok()) << status;
  Outcome outcome;
  for (int n = 0; n < network.nodes(); ++n) {
    EXPECT_TRUE(network.tile(n).all_sent());
    EXPECT_TRUE(network.router(n).next_event().is_never() || !options.idle_skip);
    outcome.words.push_back(network.tile(n).words());
    outcome.credits.push_back(network.tile(n).credits());
  }
  return outcome;
}

/// Each packet arrives once, whole, at its destination, and packets of a flow arrive in order.
void check_delivery(const Outcome& outcome, int packets) {
  int headers = 0;
  std::map<std::tuple<uint32_t, uint32_t>, int64_t> last;
  for (size_t n = 0; n < outcome.words.size(); ++n) {
    std::array<int, link::kVcs> left{};
    for (const ArrivedWord& word : outcome.words[n]) {
      int& rest = left[word.vc];
      if (rest == 0) {
        ASSERT_NE(word.flags & link::kStartOfPacket, 0);
        const link::PacketHeader header = link::PacketHeader::decode(word.word);
        EXPECT_EQ(header.destination, n);
        rest = header.packet_words();
        ++headers;
      }
      --rest;
      EXPECT_EQ((word.flags & link::kEndOfPacket) != 0, rest == 0);
    }
    EXPECT_EQ(left[0] + left[1], 0);
  }
  EXPECT_EQ(headers, packets * static_cast<int>(outcome.words.size()));
}

TEST(RouterTransactor, DoesTheSameInQuantaOfAnySize) {
  NetworkOptions options;
  options.eagerness = 80;
  const Outcome reference = outcome_of(options, Time::from_ns(60), 40, 1000);
  check_delivery(reference, 40);
  for (int64_t ps : {1'000, 6'400, 6'401, 17'777, 51'200})
    EXPECT_EQ(outcome_of(options, Time::from_ps(ps), 40, 1000), reference) << ps << " ps";
}

TEST(RouterTransactor, RunsAtClocksThatDoNotDivideEachOther) {
  NetworkOptions options;
  options.dims = {3, 2, 1};
  options.router_clock = Frequency{425'000'000};
  options.link_rate = Bandwidth{16'000'000'000};
  options.tile_rate = Bandwidth{54'400'000'000};  // One word a router clock: the fastest there can be.
  options.eagerness = 60;
  const Outcome reference = outcome_of(options, Time::from_ns(60), 60, 1500);
  check_delivery(reference, 60);
  EXPECT_EQ(outcome_of(options, Time::from_ps(7'001), 60, 1500), reference);
}

TEST(RouterTransactor, SaysWhatItGotWrong) {
  NetworkOptions options;
  options.dims = {2, 1, 1};
  {
    RouterNetwork network(options);
    network.towards_router(0, 1).send_credit(Time::from_ns(10), 0, 3);
    const absl::Status status = network.run(Time::from_ns(60), Time::from_us(1));
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(status.message()), HasSubstr("router[0] at 134.4 ns"));
    EXPECT_THAT(std::string(status.message()), HasSubstr("router[1].x-"));
  }
  {
    RouterNetwork network(options);
    network.towards_router(1, 0).send_word(3, 1, 0, link::Word{1, 2});
    const absl::Status status = network.run(Time::from_ns(60), Time::from_us(1));
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(status.message()), HasSubstr("host[1].tile->router[1].tile"));
  }
}

TEST(RouterTransactor, IsAsWideAsItsPortsAndRoutes) {
  rtl::router::Config config;
  config.name = "router[9]";
  config.router_clock = Clock(Frequency{156'250'000});
  const auto make = [&] { return rtl::router::make_router_transactor(config).value(); };
  EXPECT_NE(dynamic_cast<rtl::router::Transactor*>(make().get()), nullptr);
  config.route_destinations = 2;
  config.routes.assign(2 * link::kVcs * 7, system::RouteTable::kNoRoute);
  EXPECT_NE(dynamic_cast<rtl::router::Transactor*>(make().get()), nullptr);
  config.routes.assign(2 * link::kVcs * 8, system::RouteTable::kNoRoute);
  EXPECT_NE(dynamic_cast<rtl::router::WideTransactor*>(make().get()), nullptr);
  config.routes.assign(2 * link::kVcs * 17, system::RouteTable::kNoRoute);
  EXPECT_NE(dynamic_cast<rtl::router::LargeTransactor*>(make().get()), nullptr);
  config.routes.assign(2 * link::kVcs * 65, system::RouteTable::kNoRoute);
  EXPECT_THAT(
      std::string(rtl::router::make_router_transactor(config).status().message()),
      HasSubstr(
          "260 routes to 2 destinations; the RTL router has a table of up to 1024 destinations for each of its 128"));
}

TEST(RouterTransactor, RefusesWhatTheRtlCannotDo) {
  rtl::router::Config config;
  config.name = "router[9]";
  config.router_clock = Clock(Frequency{156'250'000});
  const auto message = [&] { return std::string(rtl::router::Transactor::create(config).status().message()); };
  EXPECT_TRUE(rtl::router::Transactor::create(config).ok());
  config.coordinates[1] = 1;
  EXPECT_THAT(message(), HasSubstr("router[9]: coordinate 1 of 1 in dimension 1"));
  config.coordinates[1] = 0;
  config.dims[2] = 257;
  EXPECT_THAT(message(), HasSubstr("coordinate 0 of 257"));
  config.dims[2] = 1;
  config.ports[3].enabled = true;
  EXPECT_THAT(message(), HasSubstr("port 3 has no channel"));
  link::ChannelSpec spec;
  spec.latency = Time::from_ns(1);
  void* memory = std::aligned_alloc(64, link::ring_bytes(16));
  std::memset(memory, 0, link::ring_bytes(16));
  link::RingMemory* ring = link::initialize_ring(memory, 16);
  link::ChannelSender sender(spec, ring);
  link::ChannelReceiver receiver(spec, ring);
  config.ports[3].sender = &sender;
  config.ports[3].receiver = &receiver;
  config.ports[3].word_clock = Clock(Frequency{78'125'000});
  config.ports[3].initial_credits = 17;
  EXPECT_THAT(message(), HasSubstr("port 3 starts with 17 credits"));
  config.ports[3].initial_credits = 64;
  EXPECT_TRUE(rtl::router::Transactor::create(config).ok());
  config.ports[3].word_clock = Clock(Frequency{200'000'000});
  EXPECT_THAT(message(), HasSubstr("carries a word each 5 ns"));
  config.ports[3].enabled = false;
  config.ports[9] = config.ports[3];
  config.ports[9].enabled = true;
  EXPECT_THAT(message(), HasSubstr("router[9]: has no port 9; the RTL router has 7"));
  std::free(memory);
}

}  // namespace
}  // namespace fabrictwin::test
