// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The RTL and the router model are two implementations of one page: under any load every word and every credit leaves
// either at the same time.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <vector>

#include "models/exanet_router.h"
#include "models/routing/table_routing.h"
#include "models/torus_routing.h"
#include "tests/rtl/router_network.h"

namespace fabrictwin::test {
namespace {

/// The router model behind the same channels as a RouterTransactor.
class ModelRouter : public Partition, private RouterLinks {
 public:
  explicit ModelRouter(const RouterConfig& config) : config_(config), router_(model_config(config), *this) {}

  absl::Status advance(Time until) override {
    for (int p = 0; p < kRouterPorts; ++p) {
      if (config_.ports[p].enabled) take_records(p, until);
    }
    const int64_t end = config_.router_clock.edge_at_or_after(until);
    while (router_.next_cycle() < end) {
      router_.step(router_.next_cycle());
      ++steps_;
    }
    return router_.failure().empty() ? absl::OkStatus() : absl::DataLossError(router_.failure());
  }
  Time next_event() const override {
    return router_.next_cycle() == ExanetRouter::kNever ? Time::never()
                                                        : config_.router_clock.edge(router_.next_cycle());
  }
  uint64_t events() const override { return steps_; }
  uint64_t stall_cycles(int port) const { return router_.credit_stall_cycles(port); }

 private:
  static std::shared_ptr<const Routing> routing(const RouterConfig& config) {
    if (config.routes.empty()) {
      return std::make_shared<TorusRouting>(std::vector<int32_t>(config.dims.begin(), config.dims.end()),
                                            std::vector<int32_t>(config.coordinates.begin(), config.coordinates.end()));
    }
    auto table = std::make_shared<RouteTable>(std::vector<int32_t>{kRouterPorts}, config.route_hosts);
    for (int32_t i = 0; i < static_cast<int32_t>(config.routes.size()); ++i)
      table->set(0, i / config.route_hosts, i % config.route_hosts, config.routes[i]);
    return std::make_shared<TableRouting>(std::move(table), 0);
  }

  static ExanetRouter::Config model_config(const RouterConfig& config) {
    ExanetRouter::Config model;
    model.name = config.name;
    model.routing = routing(config);
    model.clock = config.router_clock;
    for (const RouterPortConfig& port : config.ports)
      model.ports.push_back({port.enabled, port.word_clock, port.initial_credits});
    return model;
  }

  void take_records(int port, Time until) {
    ChannelReceiver& receiver = *config_.ports[port].receiver;
    const ChannelSpec& spec = receiver.spec();
    for (const Record* record = receiver.front(); record != nullptr && record->time() < until;
         record = receiver.front()) {
      if (record->kind == RecordKind::kCredit) {
        router_.receive_credit(port, record->time(), record->vc, record->count);
      } else {
        const int64_t slot = receiver.first_slot(*record);
        for (int i = 0; i < record->count; ++i) {
          uint8_t flags = 0;
          if (i == 0) flags |= record->flags & kStartOfPacket;
          if (i + 1 == record->count) flags |= record->flags & kEndOfPacket;
          router_.receive_word(port, spec.word_clock.edge(slot + i + 1) + spec.latency, record->vc, flags,
                               record->words[i]);
        }
      }
      receiver.pop();
    }
  }

  void transmit(int32_t, int32_t port, int64_t slot, uint8_t vc, uint8_t flags, const Word& word) override {
    config_.ports[port].sender->send_word(slot, vc, flags, word);
  }
  void return_credit(int32_t, int32_t port, int64_t cycle, uint8_t vc, uint8_t count) override {
    config_.ports[port].sender->send_credit(config_.router_clock.edge(cycle), vc, count);
  }

  RouterConfig config_;
  ExanetRouter router_;
  uint64_t steps_ = 0;
};

absl::StatusOr<std::unique_ptr<Partition>> make_model_router(const RouterConfig& config) {
  return std::make_unique<ModelRouter>(config);
}

constexpr Time kEnd = Time::from_us(120);

/// Runs the same traffic through RTL, through the model, and through both mixed, and compares.
void compare(NetworkOptions options, int packets, int64_t slots) {
  RouterNetwork rtl(options);
  options.make_router = make_model_router;
  RouterNetwork model(options);
  options.make_router = [made = 0](const RouterConfig& config) mutable -> absl::StatusOr<std::unique_ptr<Partition>> {
    // Neighbours differ.
    const int node = made++;
    if ((node + node / 2) % 2 == 0) return make_model_router(config);
    return RouterTransactor::create(config);
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
    for (int p = 0; p < kRouterPorts; ++p) {
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

TEST(ModelEquivalence, AtClocksThatDoNotDivideEachOther) {
  NetworkOptions options;
  options.dims = {2, 3, 2};
  options.router_clock = Frequency{425'000'000};
  options.link_rate = Bandwidth{54'400'000'000};
  options.tile_rate = Bandwidth{37'000'000'000};
  compare(options, 60, 600);
}

RC_GTEST_PROP(ModelEquivalence, Always, (uint16_t seed)) {
  NetworkOptions options;
  options.seed = seed;
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
