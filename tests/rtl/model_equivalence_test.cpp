// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The RTL and the router model are two implementations of one page: under any load every word and every credit leaves
// either at the same time.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>

#include "tests/rtl/model_router.h"
#include "tests/rtl/router_network.h"
#include "tests/rtl/star_network.h"

namespace fabrictwin::test {
namespace {

constexpr Time kEnd = Time::from_us(120);

/// Runs the same traffic through RTL, through the model, and through both mixed, and compares.
void compare(NetworkOptions options, int packets, int64_t slots) {
  RouterNetwork rtl(options);
  options.make_router = make_model_router;
  RouterNetwork model(options);
  options.make_router =
      [made = 0](const rtl::router::Config& config) mutable -> absl::StatusOr<std::unique_ptr<engine::Partition>> {
    // Neighbours differ.
    const int node = made++;
    if ((node + node / 2) % 2 == 0) return make_model_router(config);
    return rtl::router::Transactor::create(config);
  };
  RouterNetwork mixed(options);
  for (RouterNetwork* network : {&rtl, &model, &mixed}) {
    network->add_random_traffic(packets, slots);
    const absl::Status status = network->run(Time::from_ns(60), kEnd);
    ASSERT_TRUE(status.ok()) << status;
  }
  for (int n = 0; n < rtl.nodes(); ++n) {
    ASSERT_TRUE(rtl.tile(n).all_sent());
    for (RouterNetwork* other : {&model, &mixed}) {
      ASSERT_EQ(rtl.tile(n).words(), other->tile(n).words());
      ASSERT_EQ(rtl.tile(n).credits(), other->tile(n).credits());
    }
    for (int p = 0; p < rtl::router::kRouterPorts; ++p) {
      ASSERT_EQ(rtl.counters(n, p).credit_stall_cycles.get(),
                static_cast<ModelRouter&>(model.partition(n)).stall_cycles(p))
          << "node " << n << " port " << p;
    }
  }
}

TEST(ModelEquivalence, AtLowLoad) { compare({}, 20, 3000); }

TEST(ModelEquivalence, AtSaturation) {
  NetworkOptions options;
  options.dims = {3, 3, 3};
  compare(options, 60, 60);
}

TEST(ModelEquivalence, ByTables) {
  NetworkOptions options;
  options.dims = {3, 4, 2};
  options.route_tables = true;
  options.longest_hold = Time::from_ns(1500);
  compare(options, 40, 300);
}

// The same packets take other ways than by coordinates, so the tables are looked at.
TEST(ModelEquivalence, TablesAreNotCoordinates) {
  NetworkOptions options;
  options.dims = {3, 3, 1};
  RouterNetwork by_coordinates(options);
  options.route_tables = true;
  RouterNetwork by_tables(options);
  for (RouterNetwork* network : {&by_coordinates, &by_tables}) {
    network->add_random_traffic(30, 600);
    ASSERT_TRUE(network->run(Time::from_ns(60), kEnd).ok());
  }
  uint64_t x_words = 0;
  uint64_t x_words_by_table = 0;
  size_t words = 0;
  size_t words_by_table = 0;
  for (int n = 0; n < by_tables.nodes(); ++n) {
    x_words += by_coordinates.counters(n, 1).words.get();
    x_words_by_table += by_tables.counters(n, 1).words.get();
    words += by_coordinates.tile(n).words().size();
    words_by_table += by_tables.tile(n).words().size();
  }
  EXPECT_EQ(words, words_by_table);
  EXPECT_EQ(x_words, x_words_by_table);
  for (int n = 0; n < by_tables.nodes(); ++n) {
    if (by_coordinates.counters(n, 1).words.get() != by_tables.counters(n, 1).words.get()) return;
  }
  FAIL() << "every router forwards as much along X as with Z first";
}

TEST(ModelEquivalence, WithSlowReceivers) {
  NetworkOptions options;
  options.dims = {4, 2, 1};
  options.longest_hold = Time::from_ns(4000);
  compare(options, 60, 60);
}

/// Footers of which a router has changed the mark: packets are made with one whose upper half is the complement of the
/// lower.
template <class Network>
int marked(Network& network, int tiles) {
  int marks = 0;
  for (int t = 0; t < tiles; ++t) {
    for (const ArrivedWord& word : network.tile(t).words())
      marks += (word.flags & link::kEndOfPacket) != 0 && (word.word.hi ^ ~word.word.lo) == link::kMarkBit;
  }
  return marks;
}

// Footers differ only by marks from those of a run without, which compare() has shown to be alike.
TEST(ModelEquivalence, WithMarks) {
  NetworkOptions options;
  options.dims = {3, 3, 2};
  options.longest_hold = Time::from_ns(1500);
  options.marking = {.threshold_words = 24, .marking_rate = 2, .least_words = 6, .hosts = false};
  compare(options, 60, 60);
  options.marking = {.threshold_words = 60};
  compare(options, 60, 60);
}

TEST(ModelEquivalence, WhatIsMarked) {
  NetworkOptions options;
  options.dims = {3, 3, 1};
  const auto run = [&](const link::PacketMarking& marking) {
    options.marking = marking;
    RouterNetwork network(options);
    network.add_random_traffic(60, 60);
    EXPECT_TRUE(network.run(Time::from_ns(60), kEnd).ok());
    return marked(network, network.nodes());
  };
  EXPECT_EQ(run({}), 0);
  const int all = run({.threshold_words = 20});
  const int some = run({.threshold_words = 20, .marking_rate = 4});
  EXPECT_GT(some, 10);
  EXPECT_GT(all, 2 * some);
}

TEST(ModelEquivalence, AtClocksThatDoNotDivideEachOther) {
  NetworkOptions options;
  options.dims = {2, 3, 2};
  options.router_clock = Frequency{425'000'000};
  options.link_rate = Bandwidth{54'400'000'000};
  options.tile_rate = Bandwidth{37'000'000'000};
  compare(options, 60, 600);
}

/// Compares one router, each port of which carries traffic.
void compare_stars(NetworkOptions options, int packets, int64_t slots, int ports = rtl::router::kWideRouterPorts) {
  StarNetwork rtl(options, ports);
  options.make_router = make_model_router;
  StarNetwork model(options, ports);
  for (StarNetwork* network : {&rtl, &model}) {
    network->add_random_traffic(packets, slots);
    const absl::Status status = network->run(Time::from_ns(60), kEnd);
    ASSERT_TRUE(status.ok()) << status;
  }
  for (int p = 0; p < ports; ++p) {
    ASSERT_TRUE(rtl.tile(p).all_sent());
    ASSERT_EQ(rtl.tile(p).words(), model.tile(p).words());
    ASSERT_EQ(rtl.tile(p).credits(), model.tile(p).credits());
    ASSERT_EQ(rtl.counters(p).credit_stall_cycles.get(), static_cast<ModelRouter&>(model.router()).stall_cycles(p));
  }
}

TEST(WideModelEquivalence, AtLowLoad) { compare_stars({}, 40, 3000); }

TEST(WideModelEquivalence, AtSaturation) { compare_stars({}, 100, 100); }

TEST(WideModelEquivalence, WithMarks) {
  NetworkOptions options;
  options.longest_hold = Time::from_ns(1500);
  options.marking = {.threshold_words = 100, .marking_rate = 1, .hosts = false};
  compare_stars(options, 60, 60);
  StarNetwork network(options);
  network.add_random_traffic(60, 60);
  ASSERT_TRUE(network.run(Time::from_ns(60), kEnd).ok());
  EXPECT_GT(marked(network, network.ports()), 10);
}

TEST(WideModelEquivalence, WithSlowReceivers) {
  NetworkOptions options;
  options.longest_hold = Time::from_ns(1500);
  compare_stars(options, 60, 60);
}

// What comes out is what went in, where and in the VC that the table says.
TEST(WideModelEquivalence, GoesByTheTable) {
  StarNetwork network({});
  constexpr int kPackets = 50;
  network.add_random_traffic(kPackets, 500);
  ASSERT_TRUE(network.run(Time::from_ns(60), kEnd).ok());
  int headers = 0;
  for (int p = 0; p < network.ports(); ++p) {
    for (const ArrivedWord& word : network.tile(p).words()) {
      if ((word.flags & link::kStartOfPacket) == 0) continue;
      const link::PacketHeader header = link::PacketHeader::decode(word.word);
      const system::RouteTable::Entry zero =
          network.route(static_cast<int>(header.source), 0, static_cast<int>(header.destination));
      const system::RouteTable::Entry one =
          network.route(static_cast<int>(header.source), 1, static_cast<int>(header.destination));
      const system::RouteTable::Entry here = system::RouteTable::entry(p, word.vc);
      EXPECT_TRUE(here == zero || here == one) << "port " << p;
      ++headers;
    }
  }
  EXPECT_EQ(headers, kPackets * network.ports());
}

TEST(LargeModelEquivalence, AtLowLoad) { compare_stars({}, 10, 2000, rtl::router::kLargeRouterPorts); }

TEST(LargeModelEquivalence, WithMarks) {
  NetworkOptions options;
  options.marking = {.threshold_words = 100, .marking_rate = 1, .hosts = false};
  compare_stars(options, 20, 20, rtl::router::kLargeRouterPorts);
}

TEST(LargeModelEquivalence, AtSaturation) { compare_stars({}, 40, 40, rtl::router::kLargeRouterPorts); }

// As many ports as a router of an Aries has, and the ones behind them closed.
TEST(LargeModelEquivalence, WithSlowReceivers) {
  for (const uint64_t seed : {1, 2, 3}) {
    NetworkOptions options;
    options.seed = seed;
    options.eagerness = 60;
    options.longest_hold = Time::from_ns(1500);
    compare_stars(options, 20, 20, 44);
  }
}

link::PacketMarking random_marking() {
  return {*rc::gen::inRange(0, 200), *rc::gen::inRange(0, 4), *rc::gen::inRange(0, 19), *rc::gen::arbitrary<bool>()};
}

RC_GTEST_PROP(WideModelEquivalence, Always, (uint16_t seed)) {
  NetworkOptions options;
  options.seed = seed;
  options.marking = random_marking();
  options.eagerness = *rc::gen::inRange(20, 101);
  options.longest_hold = Time::from_ns(*rc::gen::inRange(0, 1500));
  options.router_clock = Frequency{*rc::gen::element(156'250'000, 300'000'000)};
  options.tile_rate = Bandwidth{*rc::gen::element<int64_t>(10'000'000'000, 19'200'000'000)};
  compare_stars(options, 15, *rc::gen::inRange(15, 600));
  RC_ASSERT(!testing::Test::HasFailure());
}

RC_GTEST_PROP(ModelEquivalence, Always, (uint16_t seed)) {
  NetworkOptions options;
  options.seed = seed;
  options.marking = random_marking();
  options.dims = {*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 4), *rc::gen::inRange(1, 3)};
  options.route_tables = *rc::gen::arbitrary<bool>();
  options.eagerness = *rc::gen::inRange(20, 101);
  options.longest_hold = Time::from_ns(*rc::gen::inRange(0, 1500));
  options.router_clock = Frequency{*rc::gen::element(150'000'000, 156'250'000, 300'000'000)};
  options.link_rate = Bandwidth{*rc::gen::element<int64_t>(10'000'000'000, 16'000'000'000, 19'200'000'000)};
  options.tile_rate = Bandwidth{*rc::gen::element<int64_t>(10'000'000'000, 19'200'000'000)};
  compare(options, 15, *rc::gen::inRange(15, 600));
  RC_ASSERT(!testing::Test::HasFailure());
}

}  // namespace
}  // namespace fabrictwin::test
