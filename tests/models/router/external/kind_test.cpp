// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Mistakes in what an experiment says of a user's own routers.
#include <gmock/gmock.h>

#include "cosim/system/plan.h"
#include "models/network/builder.h"
#include "tests/cosim/experiment/check/experiment_errors.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

const std::string kHeader =
    "header { name: DESTINATION bits: 4 } header { name: SOURCE lsb: 4 bits: 4 }\n"
    "header { name: PAYLOAD_BYTES lsb: 8 bits: 10 } header { name: SEQUENCE lsb: 18 bits: 8 }";

std::string with_words(const std::string& words, const std::string& fields = "") {
  return kTopology + kWorkload + "router { model: EXTERNAL " + fields + "\nwords { " + words + " } }\n";
}

std::string error_of(const std::string& text) {
  const auto experiment = test::parse_experiment(text, "e.textproto");
  if (!experiment.ok()) return std::string(message_of(experiment.status()));
  absl::StatusOr<system::SystemGraph> graph = network::build_system(*experiment);
  if (!graph.ok()) return std::string(message_of(graph.status()));
  const absl::StatusOr<system::Plan> plan = system::make_plan(*experiment, *std::move(graph));
  return plan.ok() ? std::string() : std::string(message_of(plan.status()));
}

class ExternalKindTest : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(ExternalKindTest, IsPlacedAndExplained) { expect_error(GetParam()); }

const ErrorCase kWordsCases[] = {
    {"NoWords", kTopology + kWorkload + "router { model: EXTERNAL }\n",
     R"(e.textproto:3:1: error: routers of the model EXTERNAL have words and headers of their own; write words { word_bits: 64 header { name: DESTINATION lsb: 0 bits: 16 } ... }
router { model: EXTERNAL }
^)"},
    {"WordsOfOtherModels", kTopology + kWorkload + "router { words { word_bits: 64 } }\n",
     R"(e.textproto:3:10: error: words is for routers of the model EXTERNAL, and these are EXANET; write model: EXTERNAL, or leave words out
router { words { word_bits: 64 } }
         ^)"},
    {"OddWords", with_words("word_bits: 48 " + kHeader),
     R"(e.textproto:4:20: error: word_bits 48: write 32, 64 or 128
words { word_bits: 48 header { name: DESTINATION bits: 4 } header { name: SOURCE lsb: 4 bits: 4 }
                   ^)"},
    {"FieldsThatOverlap", with_words(kHeader + "\nheader { name: X lsb: 25 bits: 2 }"),
     R"(e.textproto:6:1: error: X is at bits 25 to 26, and bits 18 to 25 have another field; move one of them
header { name: X lsb: 25 bits: 2 } } }
^)"},
    {"AFieldTwice", with_words(kHeader + "\nheader { name: SOURCE lsb: 26 bits: 2 }"),
     R"(e.textproto:6:1: error: SOURCE is in the header twice; leave one out
header { name: SOURCE lsb: 26 bits: 2 } } }
^)"},
    {"AFieldWithoutBits", with_words(kHeader + "\nheader { name: X lsb: 26 }"),
     R"(e.textproto:6:1: error: X has 0 bits; write 1 to 8
header { name: X lsb: 26 } } }
^)"},
    {"AFieldWithoutAName", with_words(kHeader + "\nheader { lsb: 26 bits: 1 }"),
     R"(e.textproto:6:1: error: a field of the header without a name; write name: DESTINATION, SOURCE, SEQUENCE, PAYLOAD_BYTES, X, Y, Z or TIES
header { lsb: 26 bits: 1 } } }
^)"},
    {"AFieldBeyondTheHeader", with_words(kHeader + "\nheader { name: TIES lsb: 250 bits: 8 }"),
     R"(e.textproto:6:1: error: TIES is at bits 250 to 257, and a header has bits 0 to 255; write a smaller lsb
header { name: TIES lsb: 250 bits: 8 } } }
^)"},
    {"AFieldFarBeyondTheHeader", with_words(kHeader + "\nheader { name: TIES lsb: 2147483640 bits: 8 }"),
     R"(e.textproto:6:1: error: TIES is at bits 2147483640 to 2147483647, and a header has bits 0 to 255; write a smaller lsb
header { name: TIES lsb: 2147483640 bits: 8 } } }
^)"},
    {"SmallBuffer", with_words("word_bits: 64 credit_words: 4 " + kHeader, "buffer_words: 34"),
     R"(e.textproto:3:40: error: buffer_words 34: hosts send a packet when there is space for all of it, and the largest takes 36 words; write a multiple of 4 from 36 to 4096
router { model: EXTERNAL buffer_words: 34
                                       ^)"},
    {"LargePayload", with_words(kHeader, "packet_payload: \"1KiB\" buffer_words: 100"),
     R"(e.textproto:3:42: error: packet_payload 1024B: PAYLOAD_BYTES has 10 bits, which hold at most 1023; write more bits, or a smaller packet_payload
router { model: EXTERNAL packet_payload: "1KiB" buffer_words: 100
                                         ^)"},
};

INSTANTIATE_TEST_SUITE_P(Words, ExternalKindTest, ::testing::ValuesIn(kWordsCases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ExternalKindTest, AHeaderWithoutASequenceIsRefused) {
  EXPECT_THAT(error_of(with_words("header { name: DESTINATION bits: 4 } header { name: SOURCE lsb: 4 bits: 4 }\n"
                                  "header { name: PAYLOAD_BYTES lsb: 8 bits: 10 }")),
              HasSubstr("the header has no SEQUENCE, without which hosts cannot put messages together"));
}

TEST(ExternalKindTest, OtherNetworkInterfacesAreRefused) {
  EXPECT_THAT(error_of(with_words(kHeader) + "host { nic: RDMA }\n"),
              HasSubstr("network interfaces beside routers of the model EXTERNAL are PLAIN, and these are RDMA"));
}

TEST(ExternalKindTest, ThereIsNoModel) {
  EXPECT_THAT(error_of(with_words(kHeader)),
              HasSubstr("e.textproto:3:1: error: router[0] would be a model, and there "
                        "is none of routers of the model EXTERNAL; write a rule that makes it RTL"));
  const std::string rule = "use { select: \"router[1]\" implementation: RTL place: \"unix:/a\" }\n";
  EXPECT_THAT(error_of(with_words(kHeader) + rule), HasSubstr("router[0] would be a model"));
}

TEST(ExternalKindTest, RtlHereNeedsALibrary) {
  EXPECT_THAT(error_of(with_words(kHeader) + "use { select: \"router[*]\" implementation: RTL }\n"),
              HasSubstr("e.textproto:6:15: error: \"router[*]\" would be RTL at inproc, and no library has the RTL of "
                        "these EXTERNAL routers; write router { library: \"FILE.so\" }"));
  EXPECT_EQ(error_of(with_words(kHeader) + "use { select: \"router[*]\" implementation: RTL place: \"unix:/a\" }\n"),
            "");
}

TEST(ExternalKindTest, SoftBoardsHoldOtherRouters) {
  EXPECT_THAT(
      error_of(with_words(kHeader) + "use { select: \"router[*]\" implementation: BOARD board: \"soft\" }\n"),
      HasSubstr("\"router[*]\" selects boards that the run starts, which hold EXANET routers, and these are EXTERNAL"));
}

TEST(ExternalKindTest, PacketsDoNotBecomeTheirWords) {
  EXPECT_THAT(error_of(with_words(kHeader) + "use { select: \"router[*]\" implementation: RTL place: \"unix:/a\" }\n"
                                             "use { select: \"router[0]\" implementation: MODEL depth: PACKET }\n"),
              HasSubstr("where packets become words, they are those of ExaNet"));
}

TEST(ExternalKindTest, HeadersNameAllHosts) {
  const std::string text =
      "topology { torus { dims: [4, 5] } }\n" + kWorkload + "router { model: EXTERNAL\nwords { " + kHeader + " } }\n";
  EXPECT_THAT(error_of(text), HasSubstr("e.textproto:3:1: error: SOURCE of the header has 4 bits, which tell 16 apart, "
                                        "and torus 4x5 has 20 hosts; write more bits, or a smaller network"));
}

TEST(ExternalKindTest, HostsWithSeveralPortsNumberManyMessages) {
  const std::string text =
      "topology { tofu { x: 1 y: 1 z: 1 tnis: 2 } }\n" + kWorkload + "router { model: EXTERNAL\nwords { " +
      "header { name: DESTINATION bits: 8 } header { name: SOURCE lsb: 8 bits: 8 }\n"
      "header { name: PAYLOAD_BYTES lsb: 16 bits: 10 } header { name: SEQUENCE lsb: 32 bits: 15 } } }\n";
  EXPECT_THAT(error_of(text), HasSubstr("SEQUENCE of the header has 15 bits, which tell 32768 apart"));
}

TEST(ExternalKindTest, RoutersRoutePackets) {
  EXPECT_THAT(error_of(with_words(kHeader) + "routing { algorithm: DIMENSION_ORDER }\n"),
              HasSubstr("e.textproto:6:22: error: routers of the model EXTERNAL route packets themselves; leave "
                        "routing out"));
}

}  // namespace
}  // namespace fabrictwin
