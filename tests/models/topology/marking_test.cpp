// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Congestion management with routers that only mark: what an experiment says, and what its graph tells routers.
#include "models/topology/marking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cosim/base/text.h"
#include "models/network/topology.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using ::testing::StartsWith;

/// Line 1 is the topology, line 2 is `rest`, and what ib_cca says begins at 2:24.
std::string with_cca(const std::string& fields, const std::string& topology = "torus { dims: [4, 4, 4] }") {
  return "topology { " + topology + " }\ncongestion { ib_cca { " + fields +
         " } }\nworkload { traffic { load: 0.1 } }\n";
}

absl::StatusOr<system::SystemGraph> graph_of(const std::string& text) {
  const absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(text, "e.textproto");
  if (!experiment.ok()) return experiment.status();
  return network::build_topology(*experiment);
}

link::PacketMarking marking_of(const std::string& text) {
  const auto graph = graph_of(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return graph.ok() ? graph->marking : link::PacketMarking{};
}

TEST(PacketMarking, DefaultsAreASixteenthOfAllBuffersAndFullPackets) {
  const link::PacketMarking marking = marking_of(with_cca(""));
  EXPECT_EQ(marking.threshold_words, 56) << "7 ports x 2 VCs x 64 words / 16";
  EXPECT_EQ(marking.marking_rate, 20);
  EXPECT_EQ(marking.least_words, 16);
  EXPECT_TRUE(marking.hosts);
  EXPECT_EQ(marking_of(with_cca("", "torus { dims: [4, 4] }")).threshold_words, 40);
  // A network FPGA: 4 ports with 64 words, 6 with 128.
  EXPECT_EQ(marking_of(with_cca("", "exanest { blades: 8 qfdbs: 4 }")).threshold_words, (4 * 128 + 6 * 256) / 16);
}

TEST(PacketMarking, IsWhatFieldsSay) {
  const link::PacketMarking marking =
      marking_of(with_cca(R"(threshold: 10 buffer: "1000B" marking_rate: 0 packet_size: 1 victim_mask: false)"));
  EXPECT_EQ(marking.threshold_words, 23) << "1000 x 6 / 16 / 16 = 23.4";
  EXPECT_EQ(marking.marking_rate, 0);
  EXPECT_EQ(marking.least_words, 4);
  EXPECT_FALSE(marking.hosts);
  EXPECT_EQ(marking_of(with_cca(R"(buffer: "1B" marking_rate: 65535 packet_size: 0)")),
            (link::PacketMarking{.threshold_words = 1, .marking_rate = 65535, .least_words = 0, .hosts = true}));
  EXPECT_EQ(marking_of(with_cca("threshold: 0")), link::PacketMarking{});
}

TEST(PacketMarking, ExperimentsWithoutASchemeMarkNothing) {
  EXPECT_EQ(marking_of("topology { torus { dims: 4 } }\nworkload { traffic { load: 0.1 } }"), link::PacketMarking{});
  const link::PacketMarking packet = marking_of("router { model: PACKET }\n" + with_cca("", "torus { dims: 4 }"));
  EXPECT_EQ(packet, link::PacketMarking{}) << "switches of PACKET have a scheme of their own";
}

TEST(PacketMarking, ReactionsHaveTheIntegersOfTheirFields) {
  const auto experiment = test::parse_experiment(
      with_cca("increase: 3 limit: 2 least: 1 timer: 7 table: [0, 5, 16383] shift: 2"), "e.textproto");
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  ASSERT_TRUE(experiment->hardware_congestion.has_value());
  EXPECT_FALSE(experiment->congestion_spec.has_value());
  EXPECT_FALSE(experiment->transport.has_value());
  const experiment::GapReaction& reaction = experiment->hardware_congestion->reaction;
  EXPECT_EQ(reaction, (experiment::GapReaction{
                          .increase = 3, .limit = 2, .least = 1, .timer = 7, .table = {0, 5, 16383}, .shift = 2}));
  EXPECT_EQ(reaction.gap(18, 1), 22) << "18 x 5 / 4 = 22.5";
  const auto defaults = test::parse_experiment(with_cca(""), "e.textproto");
  ASSERT_TRUE(defaults.ok()) << defaults.status();
  EXPECT_EQ(defaults->hardware_congestion->reaction.table.size(), 128u);
  EXPECT_EQ(defaults->hardware_congestion->reaction.gap(18, 127), 18 * 127);
}

struct Refusal {
  const char* name;
  std::string text;
  const char* error;  ///< How the only diagnostic begins.
};

const Refusal kRefusals[] = {
    {"PacketSizeOfNoPacket", with_cca("packet_size: 5"),
     "e.textproto:2:36: error: packet_size 5: no packet of these routers has 320 bytes; write at most 4"},
    {"PacketSizeTooHigh", with_cca("packet_size: 256"), "e.textproto:2:36: error: packet_size 256: write 0 to 255"},
    {"LimitBeyondTheTable", with_cca("limit: 128"), "e.textproto:2:30: error: limit 128: write 1 to 127"},
    {"IncreaseBeyondTheTable", with_cca("increase: 128"), "e.textproto:2:33: error: increase 128: write 1 to 127"},
    {"LeastAboveLimit", with_cca("least: 9 limit: 8"), "e.textproto:2:30: error: least 9 is above limit 8"},
    {"TableTooShort", with_cca("table: [0, 1] limit: 2"),
     "e.textproto:2:44: error: limit 2 is beyond the table, which has 2 entries"},
    {"TableShorterThanTheDefault", with_cca("table: [0, 1]"),
     "e.textproto:2:34: error: limit 127 (its default) is beyond the table, which has 2 entries; write a limit of at "
     "most 1, or 128 entries or more"},
    {"TableEntryTooHigh", with_cca("limit: 1 table: [0, 16384]"), "e.textproto:2:43: error: table 16384: write 0 to "},
    {"TimerZero", with_cca("timer: 0"), "e.textproto:2:30: error: timer 0: write 1 to 65535"},
    {"MarkingRateTooHigh", with_cca("marking_rate: 65536"),
     "e.textproto:2:37: error: marking_rate 65536: write 0 to 65535"},
    {"ShiftTooHigh", with_cca("shift: 4"), "e.textproto:2:30: error: shift 4: write 0 to 3"},
    {"ThresholdTooHigh", with_cca("threshold: 16"), "e.textproto:2:34: error: threshold 16: write 0 to 15"},
    {"BufferZero", with_cca(R"(buffer: "0B")"), "e.textproto:2:31: error: buffer 0: write a size above zero"},
    {"BufferAboveAllBuffers", with_cca(R"(buffer: "1MiB")"),
     "e.textproto:2:31: error: 1/16 of a buffer of 1 MiB are 4096 words, and an output has more than 895 waiting for "
     "it at no time; write a buffer of at most 229120B"},
    {"BufferAboveTheRegister", "router { buffer_words: 4096 }\n" + with_cca("threshold: 1", "dragonfly { }"),
     "e.textproto:3:14: error: 15/16 of a buffer of "},
    {"OtherSchemes", "topology { torus { dims: 4 } }\ncongestion { dcqcn { } }\nworkload { traffic { load: 0.1 } }",
     "e.textproto:2:14: error: congestion is for routers of the model PACKET, and these are EXANET, which only mark "
     "packets, as ib_cca wants; write congestion { ib_cca { } } or router { model: PACKET }, or leave congestion out"},
    {"RdmaInterfaces", "host { nic: RDMA } " + with_cca("", "torus { dims: 4 }"),
     "e.textproto:2:1: error: beside routers of the model EXANET, congestion needs network interfaces that answer "
     "marks "
     "by gaps, PLAIN, and these are RDMA; leave nic out, or congestion"},
    {"TofuInterfaces", "host { nic: TOFU } " + with_cca("", "tofu { }"),
     "e.textproto:2:1: error: beside routers of the model EXANET, congestion needs network interfaces that answer "
     "marks "
     "by gaps, PLAIN, and these are TOFU"},
    {"Transport", with_cca("") + "transport { }",
     "e.textproto:4:1: error: transport is for routers of the model PACKET, and these are EXANET"},
};

class MarkingRefusal : public ::testing::TestWithParam<Refusal> {};

TEST_P(MarkingRefusal, IsPlacedAndExplained) {
  const auto graph = graph_of(GetParam().text);
  ASSERT_FALSE(graph.ok());
  EXPECT_EQ(graph.status().code(), absl::StatusCode::kInvalidArgument);
  const std::string error(message_of(graph.status()));
  EXPECT_THAT(error, StartsWith(GetParam().error));
  EXPECT_EQ(error.find(": error: "), error.rfind(": error: ")) << "there is more than one: " << error;
}

INSTANTIATE_TEST_SUITE_P(Table, MarkingRefusal, ::testing::ValuesIn(kRefusals),
                         [](const ::testing::TestParamInfo<Refusal>& info) { return info.param.name; });

}  // namespace
}  // namespace fabrictwin
