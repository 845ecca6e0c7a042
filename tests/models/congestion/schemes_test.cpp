// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The schemes of an experiment, driven by hand.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "fmt/format.h"
#include "models/congestion/tenants.h"
#include "tests/models/congestion/scheme_driver.h"

namespace fabrictwin::congestion {
namespace {

const std::set<std::string> kNames{"dcqcn", "dctcp",   "timely",        "hpcc",      "ib_cca",
                                   "swift", "max_min", "back_pressure", "throttling"};

TEST(Schemes, AnExperimentHasTheOneThatItNames) {
  std::set<std::string> names;
  for (const std::string& name : kNames) {
    const experiment::Experiment experiment = experiment_with(fmt::format("{} {{ }}", name));
    ASSERT_NE(scheme_of(experiment), nullptr);
    names.emplace(scheme_of(experiment)->name());
  }
  EXPECT_EQ(names, kNames);
  EXPECT_EQ(names.size(), schemes().size()) << "a new scheme has a line here";
  experiment::Experiment without = experiment_with("dcqcn { }");
  without.congestion_spec.reset();
  EXPECT_EQ(scheme_of(without), nullptr);
}

TEST(Schemes, OnlySomeWantTelemetryAndPayForIt) {
  for (const std::string& name : kNames) {
    const experiment::Experiment experiment = experiment_with(fmt::format("{} {{ }}", name));
    const Scheme& scheme = *scheme_of(experiment);
    const bool asks = name == "hpcc" || name == "max_min";
    EXPECT_EQ(scheme.telemetry(), asks || name == "back_pressure" || name == "throttling") << name;
    EXPECT_EQ(scheme.extra_bytes(), name == "hpcc" ? 42 : (name == "max_min" ? 8 : 0)) << name;
    EXPECT_EQ(scheme.manages_hosts(), name == "max_min") << name;
    EXPECT_EQ(scheme.needs_one_path(), name == "max_min") << name;
  }
}

TEST(Schemes, OnlySomeSendNotices) {
  for (const std::string& name : kNames) {
    const experiment::Experiment experiment = experiment_with(fmt::format("{} {{ }}", name));
    ReceiverState receiver;
    EXPECT_FALSE(scheme_of(experiment)->notifies(receiver, false, 0));
    EXPECT_EQ(scheme_of(experiment)->notifies(receiver, true, 0), name == "dcqcn" || name == "ib_cca") << name;
  }
}

TEST(Schemes, ReceiversOfDcqcnLimitNotices) {
  const experiment::Experiment experiment = experiment_with("dcqcn { notice_interval: \"50us\" }");
  ReceiverState receiver;
  const Scheme& scheme = *scheme_of(experiment);
  EXPECT_TRUE(scheme.notifies(receiver, true, kMicro));
  EXPECT_FALSE(scheme.notifies(receiver, true, 51 * kMicro - 1));
  EXPECT_TRUE(scheme.notifies(receiver, true, 51 * kMicro));
}

// What waits behind a packet is whole packets, so nothing but an empty queue is below such a threshold.
TEST(Schemes, ThresholdsBelowAPacketMarkAsSoonAsOneWaits) {
  for (const char* text : {"dcqcn { kmin: \"1B\" kmax: \"1B\" }", "dctcp { threshold: \"1B\" }"}) {
    const experiment::Experiment experiment = experiment_with(text);
    const std::unique_ptr<SwitchSide> marking = scheme_of(experiment)->make_switch(0, 100'000'000'000);
    PortState port{.queue_bytes = 0, .bits_per_second = 100'000'000'000};
    EXPECT_FALSE(marking->marks(port)) << text;
    for (const int64_t packet : {32, 1048}) {
      port.queue_bytes = packet;
      EXPECT_TRUE(marking->marks(port)) << text << " " << packet;
    }
  }
}

TEST(Timely, RatesFollowRoundTripTimes) {
  const experiment::Experiment experiment = experiment_with("timely { }");
  const std::unique_ptr<FlowControl> flow = scheme_of(experiment)->make_flow(kLine);
  Acknowledger acks(*flow);
  acks.round_trip(10 * kMicro);
  EXPECT_EQ(flow->rate(), 100e9) << "it is at line rate";
  // Above the higher threshold: by 0.8 (1 - 500 / 1000).
  acks.round_trip(1000 * kMicro);
  EXPECT_DOUBLE_EQ(flow->rate(), 60e9);
  // Below the lower one, it rises by 100 Mbit/s, and after five times by 500.
  for (int i = 0; i < 5; ++i) acks.round_trip(10 * kMicro);
  EXPECT_DOUBLE_EQ(flow->rate(), 60.5e9);
  acks.round_trip(10 * kMicro);
  EXPECT_DOUBLE_EQ(flow->rate(), 61e9);
}

TEST(Timely, BetweenThresholdsTheGradientDecides) {
  const experiment::Experiment experiment = experiment_with("timely { gain: 1 }");
  const std::unique_ptr<FlowControl> flow = scheme_of(experiment)->make_flow(kLine);
  Acknowledger acks(*flow);
  acks.round_trip(100 * kMicro);
  // A rise of 10 us is half of the least round-trip time: 1 - 0.8 * 0.5.
  acks.round_trip(110 * kMicro);
  EXPECT_DOUBLE_EQ(flow->rate(), 60e9);
  acks.round_trip(110 * kMicro);
  EXPECT_DOUBLE_EQ(flow->rate(), 60.1e9) << "a constant time has no gradient";
  // 20 us are all of the least round-trip time, and 30 more would leave less than nothing.
  acks.round_trip(130 * kMicro);
  EXPECT_NEAR(flow->rate(), 0.2 * 60.1e9, 1);
  acks.round_trip(160 * kMicro);
  EXPECT_DOUBLE_EQ(flow->rate(), 100e6) << "the least rate";
}

TEST(Dctcp, CutsOnceInARoundTripByTheShareOfMarks) {
  const experiment::Experiment experiment = experiment_with("dctcp { gain: 1 }");
  const std::unique_ptr<FlowControl> flow = scheme_of(experiment)->make_flow(kLine);
  EXPECT_EQ(flow->window(), 100'000) << "what the path holds in a round trip";
  Acknowledger acks(*flow);
  // The first round trip ends with the first packet, whose mark is all that there was.
  acks.acknowledge(8 * kMicro, true);
  EXPECT_EQ(flow->rate(), 50e9);
  EXPECT_EQ(flow->window(), 50'000);
  for (int i = 0; i < 8; ++i) acks.acknowledge(8 * kMicro, true);
  EXPECT_EQ(flow->rate(), 50e9) << "no second cut before what was sent then is acknowledged";
  acks.acknowledge(8 * kMicro, true);
  EXPECT_EQ(flow->rate(), 25e9);
  // Round trips without marks add 1 Gbit/s each, and alpha is 0 with a gain of 1.
  for (int i = 0; i < 18; ++i) acks.acknowledge(8 * kMicro);
  EXPECT_EQ(flow->rate(), 27e9);
}

TEST(Dctcp, MarksBeyondTheThresholdOfThePort) {
  const experiment::Experiment experiment = experiment_with("dctcp { threshold: \"300kB\" }");
  const std::unique_ptr<SwitchSide> marking = scheme_of(experiment)->make_switch(0, 100'000'000'000);
  PortState port{.queue_bytes = 300'000, .bits_per_second = 100'000'000'000};
  EXPECT_FALSE(marking->marks(port));
  port.queue_bytes = 300'001;
  EXPECT_TRUE(marking->marks(port));
  port.bits_per_second = 400'000'000'000;
  EXPECT_FALSE(marking->marks(port));
}

/// Acknowledgements of a path with one hop, which sends at a share of its rate and has a queue.
class Telemetry {
 public:
  PathRecord& next(double share, int64_t queue) {
    record_.hops.resize(1);
    Hop& hop = record_.hops[0];
    hop.time += kMicro;
    hop.sent_bytes += static_cast<uint64_t>(share * 12'500);
    hop.queue_bytes = queue;
    hop.bits_per_second = 100'000'000'000;
    return record_;
  }

 private:
  PathRecord record_;
};

TEST(Hpcc, WindowsSettleAtTheTarget) {
  const experiment::Experiment experiment = experiment_with("hpcc { }");
  const std::unique_ptr<FlowControl> flow = scheme_of(experiment)->make_flow(kLine);
  EXPECT_EQ(flow->window(), 100'000);
  Acknowledger acks(*flow);
  Telemetry telemetry;
  // The link is as busy as the window is large, and nothing queues: the window comes to rest at 95 % of what the path
  // holds, and the additive increase, 40 bytes a round trip, moves it little.
  for (int i = 0; i < 2000; ++i) {
    const double share = std::min(1.0, static_cast<double>(flow->window()) / 100'000);
    acks.acknowledge(8 * kMicro, false, &telemetry.next(share, 0));
  }
  EXPECT_NEAR(static_cast<double>(flow->window()), 95'000, 500);
}

TEST(Hpcc, QueuesShrinkWindowsAtOnce) {
  const experiment::Experiment experiment = experiment_with("hpcc { }");
  const std::unique_ptr<FlowControl> flow = scheme_of(experiment)->make_flow(kLine);
  Acknowledger acks(*flow);
  Telemetry telemetry;
  acks.acknowledge(8 * kMicro, false, &telemetry.next(1, 100'000));
  const int64_t before = flow->window();
  // A queue of a whole round trip beside a busy link: twice what the path holds.
  for (int i = 0; i < 8; ++i) acks.acknowledge(8 * kMicro, false, &telemetry.next(1, 100'000));
  EXPECT_LT(flow->window(), before * 7 / 10);
}

TEST(Hpcc, AHopThatIsNewIsNotCompared) {
  const experiment::Experiment experiment = experiment_with("hpcc { }");
  const std::unique_ptr<FlowControl> flow = scheme_of(experiment)->make_flow(kLine);
  Acknowledger acks(*flow);
  Telemetry telemetry;
  acks.acknowledge(8 * kMicro, false, &telemetry.next(1, 0));
  PathRecord longer = telemetry.next(1, 0);
  longer.hops.resize(2);
  longer.hops[1].output = 1;
  const int64_t before = flow->window();
  acks.acknowledge(8 * kMicro, false, &longer);
  EXPECT_EQ(flow->window(), before);
}

}  // namespace
}  // namespace fabrictwin::congestion
