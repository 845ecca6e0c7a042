// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cosim/base/text.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kTorus = "topology { torus { dims: 4 } }\nworkload { traffic { load: 0.3 } }\n";

absl::StatusOr<experiment::Experiment> parse(const std::string& text, std::vector<std::string> sets = {}) {
  experiment::Overrides overrides;
  overrides.sets = std::move(sets);
  return test::parse_experiment(text, "e.textproto", overrides);
}

experiment::StatisticsSpec statistics(const std::string& fields, const std::vector<std::string>& sets = {}) {
  const absl::StatusOr<experiment::Experiment> experiment = parse(kTorus + "statistics { " + fields + " }\n", sets);
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  return experiment.ok() ? experiment->statistics : experiment::StatisticsSpec();
}

std::string error_of(const std::string& fields, const std::vector<std::string>& sets = {}) {
  return std::string(message_of(parse(kTorus + "statistics { " + fields + " }\n", sets).status()));
}

TEST(StatisticsCheck, NothingIsMeasuredWithoutBeingAskedFor) {
  for (const experiment::StatisticsSpec& spec : {parse(kTorus)->statistics, statistics("")}) {
    EXPECT_FALSE(spec.latency_histogram);
    EXPECT_FALSE(spec.per_node);
    EXPECT_EQ(spec.occupancy_interval, Time::zero());
    EXPECT_FALSE(spec.packet_trace.has_value());
    EXPECT_FALSE(spec.message_matrix);
    EXPECT_FALSE(spec.rank_timeline);
    EXPECT_EQ(spec.link_interval, Time::zero());
  }
}

TEST(StatisticsCheck, SaysWhatRoutersHaveNoMetersOf) {
  const auto error_with = [](const std::vector<std::string>& sets) {
    return error_of("series_interval: \"1us\"", sets);
  };
  for (const char* model : {"EXANET", "INPUT_QUEUED", "PACKET"})
    EXPECT_EQ(error_with({std::string("router.model=") + model}), "") << model;
  for (const char* model : {"EXANET", "INPUT_QUEUED", "PACKET"})
    EXPECT_EQ(error_of("queues: true", {std::string("router.model=") + model}), "") << model;
  EXPECT_THAT(error_of("queues: true", {"router.model=EXTERNAL"}),
              HasSubstr("queues is for routers of the model EXANET or INPUT_QUEUED or PACKET"));
  EXPECT_THAT(error_of("tree_at: \"1us\"", {"router.model=INPUT_QUEUED"}),
              HasSubstr("tree_at is for routers of the model PACKET"));
}

// Nobody looks into RTL, and a series is the same whatever is RTL.
TEST(StatisticsCheck, ASeriesAsksForQueuesOfModelsOnly) {
  EXPECT_FALSE(statistics("series_interval: \"1us\"").queues);
  EXPECT_TRUE(statistics("queues: true").queues);
  for (const char* model : {"INPUT_QUEUED", "PACKET"})
    EXPECT_TRUE(statistics("series_interval: \"1us\"", {std::string("router.model=") + model}).queues) << model;
}

TEST(StatisticsCheck, QueuesAreThoseOfAllRouters) {
  for (const char* rule :
       {"implementation: RTL", "implementation: BOARD board: \"soft\"", "implementation: MODEL depth: PACKET"}) {
    const std::string use = std::string(" } use { select: \"router[1]\" ") + rule;
    EXPECT_THAT(error_of("queues: true" + use),
                HasSubstr("3:22: error: queues of all routers are counted, in models of one depth only, and "
                          "\"router[1]\" is something else; leave out that rule or queues"))
        << rule;
    EXPECT_EQ(error_of("series_interval: \"1us\"" + use), "") << rule;
  }
  EXPECT_EQ(error_of("queues: true } use { select: \"router[1]\" implementation: MODEL place: \"worker:shm\""), "");
}

TEST(StatisticsCheck, ReadsEveryField) {
  const experiment::StatisticsSpec spec = statistics(
      "latency_histogram: true per_node: true occupancy_interval: \"1us\" "
      "packet_trace { sample: 0.5 max_packets: 7 file: \"life.json\" }");
  EXPECT_TRUE(spec.latency_histogram);
  EXPECT_TRUE(spec.per_node);
  EXPECT_EQ(spec.occupancy_interval, Time::from_us(1));
  ASSERT_TRUE(spec.packet_trace.has_value());
  EXPECT_EQ(spec.packet_trace->sample, 0.5);
  EXPECT_EQ(spec.packet_trace->max_packets, 7);
  EXPECT_EQ(spec.packet_trace->file, "life.json");
}

TEST(StatisticsCheck, AWindowOfGoodputIsATimeOfTheRun) {
  const experiment::StatisticsSpec spec = statistics("goodput_window { from: \"20us\" until: \"40us\" }");
  ASSERT_TRUE(spec.goodput_window.has_value());
  EXPECT_EQ(spec.goodput_window->from, Time::from_us(20));
  EXPECT_EQ(spec.goodput_window->until, Time::from_us(40));
  EXPECT_EQ(statistics("goodput_window { until: \"1us\" }").goodput_window->from, Time::zero());
  EXPECT_FALSE(statistics("").goodput_window.has_value());
  EXPECT_THAT(error_of("goodput_window { }"), HasSubstr("the goodput_window has no end; write until: \"40ms\""));
  for (const char* until : {"1us", "2us"}) {
    EXPECT_THAT(error_of(std::string("goodput_window { from: \"2us\" until: \"") + until + "\" }"),
                HasSubstr("error: the goodput_window is empty: it begins at 2 us and ends at "));
  }
  const std::string stops = "goodput_window { until: \"2us\" } } stop { after_simulated: ";
  EXPECT_THAT(error_of(stops + "\"1us\""), HasSubstr("3:38: error: the goodput_window ends at 2 us, and "
                                                     "stop.after_simulated ends the run at 1 us"));
  EXPECT_EQ(error_of(stops + "\"2us\""), "");
  EXPECT_THAT(error_of("goodput_window { until: \"soon\" }"), HasSubstr("soon"));
  const std::string ranks = "topology { torus { dims: 4 } } workload { skeleton { ranks: 4 minife { } } } ";
  EXPECT_THAT(std::string(message_of(parse(ranks + "statistics { goodput_window { until: \"1us\" } }").status())),
              HasSubstr("a goodput_window is for flows and traffic, and the workload has neither; leave it out"));
}

TEST(StatisticsCheck, IsSetFromTheCommandLine) {
  const experiment::StatisticsSpec spec = statistics(
      "",
      {"statistics.packet_trace.sample=1", "statistics.occupancy_interval=2us", "statistics.latency_histogram=true"});
  EXPECT_TRUE(spec.latency_histogram);
  EXPECT_EQ(spec.occupancy_interval, Time::from_us(2));
  ASSERT_TRUE(spec.packet_trace.has_value());
  EXPECT_EQ(spec.packet_trace->max_packets, 1000);
  EXPECT_EQ(spec.packet_trace->file, "packets.perfetto.json");
}

TEST(StatisticsCheck, PointsAtMistakes) {
  EXPECT_EQ(error_of("packet_trace { sample: 1.5 }"),
            "e.textproto:3:37: error: sample 1.5: it is a share of the packets, above 0 and at most 1\n"
            "statistics { packet_trace { sample: 1.5 } }\n"
            "                                    ^");
  EXPECT_EQ(error_of("", {"statistics.occupancy_interval=1ns"}),
            "--set:1:31: error: occupancy_interval 1 ns: routers change at the edges of their clock only; write at "
            "least 6.4 ns, one cycle\n"
            "statistics.occupancy_interval=1ns\n"
            "                              ^");
}

TEST(StatisticsCheck, RefusesWhatCannotBe) {
  EXPECT_THAT(error_of("packet_trace { }"), AllOf(HasSubstr("3:14: error: no packet"), HasSubstr("sample: 0.01")));
  EXPECT_THAT(error_of("packet_trace { sample: -0.1 }"), HasSubstr("sample -0.1"));
  EXPECT_THAT(error_of("packet_trace { sample: 0 }"), HasSubstr("sample 0:"));
  EXPECT_THAT(error_of("packet_trace { sample: nan }"), HasSubstr("sample nan"));
  EXPECT_THAT(error_of("packet_trace { sample: 1 max_packets: 0 }"), HasSubstr("write 1 to 100000"));
  EXPECT_THAT(error_of("packet_trace { sample: 1 max_packets: 100001 }"), HasSubstr("max_packets 100001"));
  EXPECT_THAT(error_of("packet_trace { sample: 1 file: \"../x\" }"), HasSubstr("a name without folders"));
  EXPECT_THAT(error_of("packet_trace { sample: 1 file: \"..\" }"), HasSubstr("a name without folders"));
  EXPECT_THAT(error_of("packet_trace { sample: 1 file: \"report.json\" }"), HasSubstr("write another"));
  EXPECT_THAT(error_of("packet_trace { sample: 1 file: \"a\\000b\" }"), HasSubstr("a name without folders"));
  EXPECT_THAT(error_of("occupancy_interval: \"0s\""), HasSubstr("occupancy_interval 0"));
  EXPECT_THAT(error_of("occupancy_interval: \"\""), HasSubstr("3:34: error:"));
  EXPECT_THAT(error_of("occupancy_interval: \"1 furlong\""), HasSubstr("furlong"));
  EXPECT_THAT(error_of("packet_trace { sample: 1 } } use { select: \"router[1]\" implementation: RTL"),
              HasSubstr("\"router[1]\" is something else"));
  EXPECT_THAT(std::string(message_of(parse("topology { exanest { } }\nworkload { traffic { load: 0.3 } }\n"
                                           "statistics { packet_trace { sample: 1 } }")
                                         .status())),
              HasSubstr("3:14: error: packets are followed through the routers of a torus"));
  experiment::Overrides overrides;
  overrides.check_files = false;
  const auto replay = test::parse_experiment(
      "topology { torus { dims: 4 } }\nworkload { mpi_trace { path: \"x.fttrace\" } }\n"
      "statistics { per_node: true }",
      "e.textproto", overrides);
  EXPECT_THAT(std::string(message_of(replay.status())), HasSubstr("3:24: error: per_node is the accepted load"));
}

TEST(StatisticsCheck, RanksAreFollowedWhereThereAreSome) {
  experiment::Overrides overrides;
  overrides.check_files = false;
  const auto replay = test::parse_experiment(
      "topology { torus { dims: 4 } }\nworkload { mpi_trace { path: \"x.fttrace\" } }\n"
      "statistics { message_matrix: true rank_timeline: true link_interval: \"1us\" }",
      "e.textproto", overrides);
  ASSERT_TRUE(replay.ok()) << replay.status();
  EXPECT_TRUE(replay->statistics.message_matrix);
  EXPECT_TRUE(replay->statistics.rank_timeline);
  EXPECT_EQ(replay->statistics.link_interval, Time::from_us(1));
  EXPECT_THAT(error_of("message_matrix: true"),
              HasSubstr("3:30: error: message_matrix tells of the ranks of MPI jobs"));
  EXPECT_THAT(error_of("rank_timeline: true"), HasSubstr("rank_timeline tells of the ranks of MPI jobs"));
  EXPECT_THAT(error_of("link_interval: \"1ns\""), HasSubstr("write at least 6.4 ns, one cycle"));
}

TEST(StatisticsCheck, PacketNetworksMeasureAllOfIt) {
  const std::vector<std::string> packet = {"router.model=PACKET"};
  EXPECT_TRUE(statistics("latency_histogram: true", packet).latency_histogram);
  EXPECT_EQ(statistics("occupancy_interval: \"1us\"", packet).occupancy_interval, Time::from_us(1));
  EXPECT_TRUE(statistics("packet_trace { sample: 0.5 }", packet).packet_trace.has_value());
}

}  // namespace
}  // namespace fabrictwin
