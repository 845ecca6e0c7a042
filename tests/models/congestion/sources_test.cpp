// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Schemes in which sources decide by what acknowledgements tell them: Swift, back-pressure, throttling.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "models/congestion/tenants.h"
#include "tests/models/congestion/scheme_driver.h"

namespace fabrictwin::congestion {
namespace {

/// A flow of a scheme, which outlives it.
struct Driven {
  explicit Driven(const std::string& congestion)
      : experiment(experiment_with(congestion)), flow(scheme_of(experiment)->make_flow(kLine)), acks(*flow) {}

  experiment::Experiment experiment;
  std::unique_ptr<FlowControl> flow;
  Acknowledger acks;
};

// Without flow scaling the target is 25 us and 1 us for each of two switches.
TEST(Swift, WindowsRiseBelowTheTargetByOnePacketInARoundTrip) {
  Driven swift("swift { flow_range: \"0ns\" most_window: 200 }");
  EXPECT_EQ(swift.flow->window() / 1000, 95) << "what the path holds when it is empty";
  for (int i = 0; i < 96; ++i) swift.acks.acknowledge(27 * kMicro - 1);
  EXPECT_EQ(swift.flow->window() / 1000, 96);
  EXPECT_EQ(swift.flow->rate(), 100e9) << "nothing is paced";
  for (int i = 0; i < 50'000; ++i) swift.acks.acknowledge(20 * kMicro);
  EXPECT_EQ(swift.flow->window(), 200'000);
}

TEST(Swift, WindowsFallByTheExcessOnceInARoundTrip) {
  Driven swift("swift { flow_range: \"0ns\" }");
  const auto before = static_cast<double>(swift.flow->window());
  swift.acks.acknowledge(30 * kMicro);
  // By 0.8 times 3 of 30 us.
  EXPECT_NEAR(static_cast<double>(swift.flow->window()), 0.92 * before, 1);
  swift.acks.acknowledge(30 * kMicro);
  EXPECT_NEAR(static_cast<double>(swift.flow->window()), 0.92 * before, 1) << "not again at once";
  swift.acks.wait(1000 * kMicro);
  swift.acks.acknowledge(1000 * kMicro);
  EXPECT_NEAR(static_cast<double>(swift.flow->window()), 0.46 * before, 1) << "by no more than a half";
}

TEST(Swift, WindowsBelowAPacketArePaced) {
  Driven swift("swift { flow_range: \"0ns\" }");
  for (int i = 0; i < 8; ++i) {
    swift.acks.acknowledge(1000 * kMicro);
    swift.acks.wait(1000 * kMicro);
  }
  // 95.4 packets, halved eight times, in a millisecond.
  EXPECT_EQ(swift.flow->window(), 1000);
  const double packets = 100e9 * 8e-6 / (8 * 1048) / 256;
  EXPECT_NEAR(swift.flow->rate(), packets * 8 * 1048 / 1e-3, 1e3);
}

TEST(Swift, SmallWindowsHaveALargerTarget) {
  // At a tenth of a packet the target is five times its base longer.
  Driven swift("swift { least_window: 0.1 most_window: 0.1 }");
  const double before = swift.flow->rate();
  swift.acks.acknowledge((25 + 2 + 125) * kMicro - kMicro / 10);
  EXPECT_LT(swift.flow->rate(), before) << "the same window in a longer round trip";
  Driven rising("swift { least_window: 0.1 additive_increase: 0.5 }");
  for (int i = 0; i < 16; ++i) {
    rising.acks.acknowledge(10'000 * kMicro);
    rising.acks.wait(10'000 * kMicro);
  }
  const double least = rising.flow->rate();
  rising.acks.acknowledge(151 * kMicro);
  EXPECT_GT(rising.flow->rate() * 151, least * 10'000) << "below the target it rises";
}

/// Acknowledges with a queue at the first and one at the last switch.
void acknowledge(Driven& driven, int64_t first, int64_t last) {
  PathRecord path;
  const std::unique_ptr<SwitchSide> made = scheme_of(driven.experiment)->make_switch(0, kLine.line_rate);
  made->record({.queue_bytes = first}, path);
  made->record({.queue_bytes = 1'000'000}, path);
  made->record({.queue_bytes = last, .to_host = true}, path);
  driven.acks.acknowledge(8 * kMicro, false, &path);
}

TEST(BackPressure, TheLastQueueLimitsAndReleasesASource) {
  Driven driven("back_pressure { stop: \"64kB\" resume: \"32kB\" }");
  const auto with = [&](int64_t queue) {
    for (int i = 0; i < 9; ++i) acknowledge(driven, 1'000'000, queue);
    return driven.flow->window();
  };
  EXPECT_EQ(driven.flow->window(), 100'000) << "what the path holds";
  EXPECT_EQ(with(64'000), 100'000);
  EXPECT_EQ(with(64'001), 50'000);
  EXPECT_EQ(with(70'000), 25'000) << "again in the next round trip";
  EXPECT_EQ(with(32'000), 25'000);
  EXPECT_EQ(with(31'999), 28'125);
  for (int i = 0; i < 8; ++i) with(70'000);
  EXPECT_LT(driven.flow->window(), 1000) << "one packet may always be on its way";
  for (int i = 0; i < 50; ++i) with(0);
  EXPECT_EQ(driven.flow->window(), 100'000);
}

TEST(BackPressure, LimitedSourcesKeepTheirLeastWindow) {
  Driven driven("back_pressure { least_window: \"3000B\" }");
  for (int i = 0; i < 100; ++i) acknowledge(driven, 0, 1'000'000);
  EXPECT_EQ(driven.flow->window(), 3000);
}

TEST(Throttling, TheFirstQueueStopsAndReleasesASource) {
  Driven driven("throttling { stop: \"64kB\" resume: \"32kB\" }");
  const auto with = [&](int64_t queue) {
    acknowledge(driven, queue, 1'000'000);
    return driven.flow->window();
  };
  EXPECT_EQ(with(64'000), FlowControl::kUnlimited);
  EXPECT_EQ(with(64'001), 0);
  EXPECT_EQ(with(32'000), 0);
  EXPECT_EQ(with(31'999), FlowControl::kUnlimited);
}

}  // namespace
}  // namespace fabrictwin::congestion
