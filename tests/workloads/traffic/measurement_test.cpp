// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cosim/base/random.h"
#include "tests/workloads/traffic/default_spec.h"

namespace fabrictwin {
namespace {

using traffic::Measurement;
using traffic::TimeBase;

constexpr int32_t kHosts = 5;

traffic::TrafficSpec spec_of(bool sampled) {
  return test::default_spec(sampled ? "sample_cycles: 500" : "duration: \"10us\"");
}

traffic::DestinationPattern uniform() {
  auto pattern = traffic::DestinationPattern::create(test::default_spec(), {}, kHosts);
  EXPECT_TRUE(pattern.ok()) << pattern.status();
  return *pattern;
}

v1::Report report_of(const Measurement& measurement) {
  v1::Report report;
  measurement.report(report);
  return report;
}

/// A network of its own: hosts create packets in random cycles, each of which takes a random time.
class RandomNetwork {
 public:
  explicit RandomNetwork(Measurement& measurement, uint64_t seed)
      : measurement_(measurement), random_(seed, 0, RandomPurpose::kTest) {}

  /// Adds `latency` cycles to packets that are created from cycle `from` on.
  void slow_down(int64_t from, int64_t latency) {
    slow_from_ = from;
    slow_ = latency;
  }
  /// Lets hosts create packets before cycle `end`, and runs until the measurement is over.
  void run(int64_t end) {
    for (int64_t cycle = 0; !measurement_.over(); ++cycle) {
      ASSERT_LT(cycle, 1'000'000);
      const int64_t tick = measurement_.base().tick_of_cycle(cycle);
      while (measurement_.next_check() <= tick) check();
      arrive(cycle, tick);
      if (cycle < end) create(cycle, tick);
      if (cycle == end) measurement_.fall_silent();
    }
  }

 private:
  struct Packet {
    int64_t arrival = 0;
    int64_t created = 0;  ///< Tick.
    int32_t host = 0;
    bool measured = false;
  };

  void check() {
    const int64_t time = measurement_.next_check();
    double age = 0;
    for (const Packet& packet : packets_) age += static_cast<double>(time - packet.created);
    measurement_.check({{}, packets_.size(), age});
    if (measurement_.drain() == time) measurement_.fall_silent();
  }
  void arrive(int64_t cycle, int64_t tick) {
    for (const Packet& packet : packets_) {
      if (packet.arrival != cycle) continue;
      measurement_.reach(tick);
      measurement_.packet_arrived(packet.host, packet.created, tick, packet.measured);
    }
    std::erase_if(packets_, [&](const Packet& packet) { return packet.arrival == cycle; });
  }
  void create(int64_t cycle, int64_t tick) {
    for (int32_t host = 0; host < kHosts; ++host) {
      if (random_.next_unit() > 0.02) continue;
      const int64_t latency = 20 + static_cast<int64_t>(random_.next_below(60)) + (cycle >= slow_from_ ? slow_ : 0);
      measurement_.reach(tick);
      packets_.push_back({cycle + latency, tick, (host + 1) % kHosts, measurement_.packet_left(tick)});
      EXPECT_EQ(packets_.back().measured, measurement_.measures(tick));
    }
  }

  Measurement& measurement_;
  RandomStream random_;
  std::vector<Packet> packets_;
  int64_t slow_from_ = 0;
  int64_t slow_ = 0;
};

// What happens is the same, so that both must tell of the same, whatever they count time in.
TEST(Measurement, IsTheSameByCycleAndByTime) {
  const traffic::DestinationPattern pattern = uniform();
  for (const int64_t hertz : {int64_t{156'250'000}, int64_t{300'000'000}}) {
    const Clock clock(Frequency{hertz});
    for (const bool sampled : {false, true}) {
      for (uint64_t seed = 1; seed <= 5; ++seed) {
        v1::TrafficReport reports[2];
        for (const bool by_cycle : {false, true}) {
          experiment::StatisticsSpec statistics;
          statistics.per_node = true;
          Measurement measurement(spec_of(sampled), statistics, std::span(&pattern, 1), kHosts,
                                  by_cycle ? TimeBase::by_cycle(clock, 1) : TimeBase::by_time(clock, clock));
          RandomNetwork network(measurement, seed);
          network.run(sampled ? 1'000'000 : clock.edge_at_or_after(Time::from_us(10)));
          EXPECT_EQ(measurement.done() > 0.5, true);
          reports[by_cycle ? 1 : 0] = report_of(measurement).traffic();
        }
        const auto& [by_time, by_cycle] = reports;
        EXPECT_EQ(by_time.has_saturated(), sampled);
        EXPECT_EQ(by_time.saturated(), by_cycle.saturated());
        EXPECT_GT(by_time.measured_packets(), 50u);
        EXPECT_EQ(by_time.measured_packets(), by_cycle.measured_packets());
        EXPECT_EQ(by_time.measured_cycles(), by_cycle.measured_cycles());
        EXPECT_EQ(by_time.packets_sent(), by_cycle.packets_sent());
        EXPECT_EQ(by_time.packets_received(), by_cycle.packets_received());
        EXPECT_EQ(by_time.accepted_load(), by_cycle.accepted_load());
        EXPECT_EQ(by_time.accepted_load_min_node(), by_cycle.accepted_load_min_node());
        EXPECT_EQ(by_time.jain_index(), by_cycle.jain_index());
        EXPECT_THAT(by_time.accepted_load_by_node(), testing::ElementsAreArray(by_cycle.accepted_load_by_node()));
        EXPECT_EQ(by_time.accepted_load_confidence(), by_cycle.accepted_load_confidence());
        EXPECT_NEAR(by_time.latency_cycles().mean(), by_cycle.latency_cycles().mean(), 1e-5);
        EXPECT_NEAR(by_time.latency_cycles().max(), by_cycle.latency_cycles().max(), 1e-5);
        EXPECT_EQ(by_time.latency_cycles().has_confidence(), by_cycle.latency_cycles().has_confidence());
        EXPECT_NEAR(by_time.latency_cycles().confidence(), by_cycle.latency_cycles().confidence(), 1e-4);
        EXPECT_NEAR(by_time.latency_seconds().mean() / by_cycle.latency_seconds().mean(), 1, 1e-6);
        EXPECT_EQ(by_time.latency_seconds().count(), by_cycle.latency_seconds().count());
        EXPECT_FALSE(by_time.has_mean_hops());
        EXPECT_FALSE(by_time.latency_cycles().has_network_mean());
      }
    }
  }
}

// Samples end at exact edges: a packet at an edge belongs to the sample that begins there.
TEST(Measurement, SamplesEndAtExactEdges) {
  const traffic::DestinationPattern pattern = uniform();
  const Clock clock(Frequency{300'000'000});
  Measurement measurement(spec_of(true), {}, std::span(&pattern, 1), kHosts, TimeBase::by_time(clock, clock));
  for (int64_t sample = 1; sample <= 3; ++sample) {
    EXPECT_EQ(measurement.next_check(), clock.edge(500 * sample).fs());
    EXPECT_FALSE(measurement.measures(clock.edge(1500).fs()));
    measurement.check({});
  }
  EXPECT_TRUE(measurement.measures(clock.edge(1500).fs()));
  EXPECT_FALSE(measurement.measures(clock.edge(1500).fs() - 1));
  EXPECT_TRUE(measurement.packet_left(clock.edge(1500).fs()));
}

TEST(Measurement, TellsThatTheNetworkIsSaturated) {
  const traffic::DestinationPattern pattern = uniform();
  const Clock clock(Frequency{156'250'000});
  for (const bool by_cycle : {false, true}) {
    traffic::TrafficSpec spec = spec_of(true);
    spec.latency_limit_cycles = 400;
    Measurement measurement(spec, {}, std::span(&pattern, 1), kHosts,
                            by_cycle ? TimeBase::by_cycle(clock, 1) : TimeBase::by_time(clock, clock));
    RandomNetwork network(measurement, 3);
    network.slow_down(2000, 100'000);
    network.run(1'000'000);
    const v1::Report report = report_of(measurement);
    EXPECT_TRUE(report.traffic().saturated());
    EXPECT_FALSE(report.traffic().latency_cycles().has_confidence());
  }
}

// Of a fixed time all packets are measured, and what arrives before its end is accepted.
TEST(Measurement, OfAFixedTimeCountsEverything) {
  const traffic::DestinationPattern pattern = uniform();
  const Clock clock(Frequency{156'250'000});
  traffic::TrafficSpec spec = spec_of(false);
  spec.duration = clock.edge(1000);
  Measurement measurement(spec, {}, std::span(&pattern, 1), kHosts, TimeBase::by_time(clock, clock));
  const auto at = [&](int64_t cycle) { return clock.edge(cycle).fs(); };
  EXPECT_THAT(report_of(measurement).warnings(), testing::ElementsAre(testing::HasSubstr("let it run longer")));
  EXPECT_EQ(report_of(measurement).traffic().measured_cycles(), 0);
  EXPECT_TRUE(measurement.packet_left(at(10)));
  EXPECT_TRUE(measurement.packet_left(at(990)));
  EXPECT_TRUE(measurement.packet_arrived(2, at(10), at(60), true));
  measurement.reach(at(100));
  EXPECT_DOUBLE_EQ(report_of(measurement).traffic().accepted_load(), 18.0 / 100 / kHosts) << "so far";
  EXPECT_DOUBLE_EQ(measurement.done(), 0.1);
  measurement.check({});
  measurement.fall_silent();
  EXPECT_FALSE(measurement.over());
  EXPECT_TRUE(measurement.packet_arrived(1, at(990), at(1040), true));
  EXPECT_TRUE(measurement.over());
  const v1::TrafficReport traffic = report_of(measurement).traffic();
  EXPECT_DOUBLE_EQ(traffic.accepted_load(), 18.0 / 1000 / kHosts);
  EXPECT_EQ(traffic.measured_packets(), 2u);
  EXPECT_EQ(traffic.measured_cycles(), 1000);
  EXPECT_DOUBLE_EQ(traffic.latency_cycles().mean(), 50);
  EXPECT_DOUBLE_EQ(traffic.mean_latency_seconds(), 50 * 6.4e-9);
  EXPECT_FALSE(traffic.has_saturated());
  EXPECT_FALSE(traffic.has_accepted_load_confidence());
}

}  // namespace
}  // namespace fabrictwin
