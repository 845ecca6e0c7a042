// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/calibration/latency_errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "cosim/report/validation_text.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

/// Messages from host 0 to host 1 with these latencies in ns, one each microsecond.
observe::MessageLog log_of(const std::vector<int64_t>& latencies) {
  observe::MessageLog log(1000);
  for (size_t i = 0; i < latencies.size(); ++i) {
    const Time sent = Time::from_us(static_cast<int64_t>(i));
    log.sent(0, 1, 64, sent);
    if (latencies[i] >= 0) log.arrived(0, 1, sent + Time::from_ns(latencies[i]));
  }
  return log;
}

TEST(LatencyErrors, TellsHowFarModelsAreOff) {
  study::calibration::LatencyErrors errors;
  v1::ValidatedRun run;
  errors.add(7, log_of({100, 110, 95, 300}), log_of({100, 100, 100, 200}), run);
  EXPECT_EQ(run.compared(), 4u);
  EXPECT_EQ(run.only_in_model(), 0u);

  const v1::LatencyErrors summary = errors.summary(2);
  EXPECT_EQ(summary.messages(), 4u);
  EXPECT_EQ(summary.exact(), 1u);
  EXPECT_NEAR(summary.mean_model_seconds(), 151.25e-9, 1e-15);
  EXPECT_NEAR(summary.mean_reference_seconds(), 125e-9, 1e-15);
  EXPECT_NEAR(summary.error_of_mean(), 0.21, 1e-9);
  EXPECT_NEAR(summary.relative().mean(), (0 + 0.1 + 0.05 + 0.5) / 4, 1e-9);
  EXPECT_NEAR(summary.relative().p50(), 0.05, 1e-9);
  EXPECT_NEAR(summary.relative().p99(), 0.5, 1e-9);
  EXPECT_NEAR(summary.absolute_seconds().max(), 100e-9, 1e-15);

  uint64_t early = 0;
  uint64_t late = 0;
  for (const v1::ErrorBucket& bucket : summary.histogram()) {
    early += bucket.early();
    late += bucket.late();
    if (bucket.early() == 1) {
      EXPECT_LT(bucket.above(), 0.05);
      EXPECT_GE(bucket.up_to(), 0.05);
    }
  }
  EXPECT_EQ(early, 1u);
  EXPECT_EQ(late, 2u);
  EXPECT_FALSE(summary.histogram().rbegin()->has_up_to());

  ASSERT_EQ(summary.worst_size(), 2);
  EXPECT_EQ(summary.worst(0).seed(), 7u);
  EXPECT_EQ(summary.worst(0).number(), 3u);
  EXPECT_EQ(summary.worst(0).source(), 0);
  EXPECT_EQ(summary.worst(0).destination(), 1);
  EXPECT_EQ(summary.worst(0).model_arrived_fs(), 3'300'000'000);
  EXPECT_EQ(summary.worst(0).reference_arrived_fs(), 3'200'000'000);
  EXPECT_NEAR(summary.worst(1).relative(), 0.1, 1e-9);
}

TEST(LatencyErrors, PairsUpByNameWhateverTheOrder) {
  observe::MessageLog model(10);
  observe::MessageLog reference(10);
  model.sent(0, 1, 0, Time::zero());
  model.sent(2, 1, 0, Time::zero());
  model.arrived(0, 1, Time::from_ns(10));
  model.arrived(2, 1, Time::from_ns(20));
  reference.sent(2, 1, 0, Time::zero());
  reference.sent(0, 1, 0, Time::zero());
  reference.arrived(0, 1, Time::from_ns(10));
  reference.arrived(2, 1, Time::from_ns(20));
  study::calibration::LatencyErrors errors;
  v1::ValidatedRun run;
  errors.add(0, model, reference, run);
  EXPECT_EQ(errors.summary(10).exact(), 2u);
  EXPECT_EQ(errors.summary(10).worst_size(), 0);
}

TEST(LatencyErrors, CountsWhatArrivedInOneRunOnly) {
  study::calibration::LatencyErrors errors;
  v1::ValidatedRun run;
  errors.add(0, log_of({100, 100, -1}), log_of({100, -1, -1}), run);
  EXPECT_EQ(run.compared(), 1u);
  EXPECT_EQ(run.only_in_model(), 1u);
  EXPECT_EQ(run.only_in_reference(), 0u);
}

TEST(LatencyErrors, TellsMessagesOfAnIslandApart) {
  observe::MessageLog model(10);
  observe::MessageLog reference(10);
  const auto add = [](observe::MessageLog& log, int32_t from, int32_t to, int64_t latency) {
    log.sent(from, to, 64, Time::zero());
    log.arrived(from, to, Time::from_ns(latency));
  };
  // Hosts 0 and 1 are the island.
  for (const auto& [from, to, ours, theirs] : {std::tuple(0, 1, 100, 100), std::tuple(0, 2, 110, 100),
                                               std::tuple(2, 1, 150, 200), std::tuple(2, 3, 900, 100)}) {
    add(model, from, to, ours);
    add(reference, from, to, theirs);
  }
  study::calibration::LatencyErrors errors;
  v1::ValidatedRun run;
  errors.add(0, model, reference, run);
  const v1::IslandErrors island = errors.island({true, true, false, false});
  EXPECT_EQ(island.hosts(), 2);
  ASSERT_EQ(island.latencies_size(), 4);
  const v1::IslandLatencies& all = island.latencies(0);
  EXPECT_EQ(all.messages(), "all");
  EXPECT_EQ(all.count(), 3u);
  EXPECT_NEAR(all.model_seconds().mean(), 120e-9, 1e-15);
  EXPECT_NEAR(all.reference_seconds().p99(), 200e-9, 1e-15);
  EXPECT_NEAR(all.error_of_mean(), -0.1, 1e-9);
  EXPECT_NEAR(all.error_of_p50(), 0.1, 1e-9);
  EXPECT_NEAR(all.error_of_p99(), -0.25, 1e-9);
  EXPECT_EQ(island.latencies(1).messages(), "out");
  EXPECT_NEAR(island.latencies(1).error_of_mean(), 0.1, 1e-9);
  EXPECT_EQ(island.latencies(2).messages(), "in");
  EXPECT_EQ(island.latencies(3).messages(), "within");
  EXPECT_EQ(island.latencies(3).count(), 1u);
}

TEST(LatencyErrors, NothingToCompareIsNoError) {
  study::calibration::LatencyErrors errors;
  v1::ValidatedRun run;
  errors.add(0, log_of({}), log_of({}), run);
  EXPECT_EQ(errors.summary(10).messages(), 0u);
  v1::ValidationReport report;
  *report.mutable_errors() = errors.summary(10);
  EXPECT_THAT(report::validation_text(report), HasSubstr("latencies of 0 messages"));
}

TEST(ValidationText, NamesTheWorstMessages) {
  study::calibration::LatencyErrors errors;
  v1::ValidationReport report;
  errors.add(7, log_of({100, 300}), log_of({100, 200}), *report.add_runs());
  *report.mutable_errors() = errors.summary(10);
  report.set_tolerance(0.05);
  report.add_reference("router[*]=RTL");
  const std::string text = report::validation_text(report);
  EXPECT_THAT(text, HasSubstr("reference   router[*]=RTL"));
  EXPECT_THAT(text, HasSubstr("+50.00 %"));
  EXPECT_THAT(text, HasSubstr("1.3 us"));
  EXPECT_THAT(text, HasSubstr("mean relative error 25.00 %, tolerance 5 %: exceeded"));
}

}  // namespace
}  // namespace fabrictwin
