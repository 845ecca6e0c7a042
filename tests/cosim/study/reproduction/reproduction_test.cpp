// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/reproduction/reproduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>

namespace fabrictwin {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(ReproductionTables, SayWhatIsMissing) {
  const std::vector<study::reproduction::MissingFigure> missing = study::reproduction::exanest_reproduction().missing;
  ASSERT_FALSE(missing.empty());
  EXPECT_THAT(study::reproduction::to_text({}, missing), HasSubstr("not expressible\n  " + missing[0].what));
  EXPECT_THAT(study::reproduction::to_markdown({}, missing), HasSubstr("| not expressible | why |"));
}

TEST(AllreduceReproduction, StandsBesideSoftwareWithTheSameVectorsAndRanks) {
  const study::reproduction::Reproduction machine = study::reproduction::allreduce_reproduction();
  // Of 16, 32, 64 and 128 ranks, software first.
  ASSERT_EQ(machine.runs.size(), 8u);
  study::reproduction::Predictions predictions;
  size_t shown = 0;
  for (size_t i = 0; i < machine.runs.size(); ++i) {
    v1::Report report;
    for (const uint64_t bytes : {4, 64, 256, 512, 1024, 2048, 4096}) {
      v1::OsuResult& result = *report.mutable_osu()->add_results();
      result.set_bytes(bytes);
      result.set_value(static_cast<double>(1000 * i + bytes));
    }
    for (const study::reproduction::PublishedFigure& figure : machine.runs[i].figures) {
      predictions[figure.id] = figure.predicted(report, predictions);
      EXPECT_EQ(figure.shown, i % 2 == 1) << figure.id;
      if (!figure.shown) continue;
      ++shown;
      EXPECT_EQ(predictions[figure.id] - figure.equation(predictions), 1000) << figure.id;
    }
  }
  EXPECT_EQ(shown, 28u);
  EXPECT_EQ(predictions.at("allreduce.16_4B"), 1004);
  EXPECT_EQ(predictions.at("allreduce.128_4KiB"), 7000 + 4096);
}

TEST(NanetReproduction, AStopEndsItsMeasurements) {
  std::stop_source stop;
  stop.request_stop();
  const study::reproduction::Reproduction machine = study::reproduction::nanet_reproduction();
  ASSERT_FALSE(machine.runs.empty());
  for (const study::reproduction::Run& run : machine.runs) {
    ASSERT_TRUE(run.measure);
    EXPECT_TRUE(absl::IsCancelled(run.measure(stop.get_token()).status()));
  }
}

TEST(PublishedOsu, GroupsFiguresByTheirHosts) {
  const std::vector<study::reproduction::PublishedOsu> latency =
      study::reproduction::published_osu(v1::Topology::kExanest, "latency");
  ASSERT_EQ(latency.size(), 4u);
  EXPECT_EQ(latency[1].what, "one hop in a QFDB");
  EXPECT_THAT(latency[1].points, ElementsAre(Pair(0, 1.293), Pair(32, 1.32), Pair(64, 5.157), Pair(4 << 20, 2689.4)));
}

TEST(PublishedOsu, HasTheUnitOfTheBenchmark) {
  const std::vector<study::reproduction::PublishedOsu> bandwidth =
      study::reproduction::published_osu(v1::Topology::kExanest, "bw");
  ASSERT_EQ(bandwidth.size(), 2u);
  // 13 Gb/s in MB/s.
  EXPECT_THAT(bandwidth[0].points, ElementsAre(Pair(4 << 20, DoubleNear(1625, 1e-9))));
  EXPECT_THAT(study::reproduction::published_osu(v1::Topology::kExanest, "one_way_lat").at(0).points,
              ElementsAre(Pair(0, DoubleNear(0.47, 1e-12))));
}

TEST(PublishedOsu, LeavesOutWhatFollowsFromPredictions) {
  const std::vector<study::reproduction::PublishedOsu> broadcast =
      study::reproduction::published_osu(v1::Topology::kExanest, "BCAST");
  ASSERT_EQ(broadcast.size(), 1u);
  ASSERT_EQ(broadcast[0].points.size(), 1u);
  EXPECT_EQ(broadcast[0].points[0].first, 1u);
}

TEST(PublishedOsu, IsThereForTheMachineOnly) {
  EXPECT_TRUE(study::reproduction::published_osu(v1::Topology::kTorus, "latency").empty());
  EXPECT_TRUE(study::reproduction::published_osu(v1::Topology::kExanest, "alltoall").empty());
}

}  // namespace
}  // namespace fabrictwin
