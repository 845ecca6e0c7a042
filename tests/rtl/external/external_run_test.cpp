// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs with a router of a shared library: words, headers and credits of all kinds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>
#include <stop_token>
#include <string>

#include "cosim/run/run.h"
#include "fmt/format.h"
#include "models/network/builder.h"
#include "models/partition/factory.h"
#include "rtl/partition.h"
#include "tests/experiments.h"
#include "tests/test_folder.h"
#include "workloads/workload_factory.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Outcome {
  absl::Status status;
  v1::Report report;
};

Outcome run_text(const std::string& text) {
  absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(text, "external.textproto");
  if (!experiment.ok()) return {experiment.status(), {}};
  run::Registry registry;
  registry.tenants = workloads::tenants();
  registry.topology = network::build_system;
  registry.model = [](const run::PartitionContext& context) {
    return partition::create_model_partition(context, workloads::make_workload);
  };
  registry.rtl = rtl::make_rtl_partition;
  auto run = run::Run::create(*std::move(experiment), std::move(registry), {}, {});
  if (!run.ok()) return {run.status(), {}};
  const absl::Status status = (*run)->execute(std::stop_token());
  return {status, (*run)->report()};
}

/// What routers and hosts have to agree on.
struct Words {
  int32_t word_bits = 64;
  int32_t credit_words = 1;
  int32_t vcs = 4;
  int32_t payload = 128;
  int32_t sequence_bits = 8;
  int32_t buffer_words = 128;
};

std::string text_of(const Words& words, const std::string& workload, const std::string& library = STAR_ROUTER) {
  return fmt::format(
      R"(topology {{ torus {{ dims: 1 hosts_per_router: 4 link_rate: "2Gbps" tile_rate: "2Gbps" }} }}
router {{ model: EXTERNAL vcs: {} buffer_words: {} packet_payload: "{}B" library: "{}"
  words {{ word_bits: {} credit_words: {}
    header {{ name: DESTINATION lsb: 0 bits: 8 }} header {{ name: SOURCE lsb: 20 bits: 5 }}
    header {{ name: PAYLOAD_BYTES lsb: 30 bits: 13 }} header {{ name: SEQUENCE lsb: 50 bits: {} }} }} }}
use {{ select: "router[*]" implementation: RTL }}
workload {{ {} }}
seed: 7
)",
      words.vcs, words.buffer_words, words.payload, library, words.word_bits, words.credit_words, words.sequence_bits,
      workload);
}

RC_GTEST_PROP(ExternalRunTest, MessagesArriveWhateverTheWordsAre, ()) {
  Words words;
  words.word_bits = *rc::gen::element(32, 64, 128);
  words.credit_words = *rc::gen::inRange(1, 6);
  words.vcs = *rc::gen::inRange(1, 9);
  words.payload = *rc::gen::inRange(64, 400);
  words.sequence_bits = *rc::gen::inRange(3, 33);
  // At least a packet.
  words.buffer_words = words.credit_words * *rc::gen::inRange(120, 200);
  // Messages of several packets; the hosts compare each byte with what its key says.
  const Outcome outcome = run_text(text_of(words, R"(traffic { load: 0.15 payload: "250B" duration: "60us" })"));
  RC_LOG() << outcome.status.ToString();
  RC_ASSERT(outcome.status.ok());
  RC_ASSERT(outcome.report.complete());
  RC_ASSERT(outcome.report.traffic().packets_sent() > 8u);
  RC_ASSERT(outcome.report.traffic().packets_received() == outcome.report.traffic().packets_sent());
}

TEST(ExternalRunTest, CountsBytesOfItsWords) {
  Words words;
  const Outcome outcome = run_text(text_of(words, R"(traffic { load: 0.2 payload: "64B" duration: "20us" })"));
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  uint64_t packets = 0, bytes = 0;
  for (const v1::LinkReport& link : outcome.report.links()) {
    packets += link.packets();
    bytes += link.bytes();
    EXPECT_LE(link.utilization(), 1);
  }
  ASSERT_GT(packets, 0u);
  // A header of 58 bits, eight words of payload and a footer.
  EXPECT_EQ(bytes, packets * 10 * 8);
}

TEST(ExternalRunTest, ALoadIsThatOfItsWords) {
  const Outcome outcome = run_text(text_of({}, R"(traffic { load: 0.3 payload: "64B" duration: "400us" })"));
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  double used = 0;
  for (const v1::LinkReport& link : outcome.report.links()) used += link.utilization();
  // The network drains for a little while after the load has ended.
  EXPECT_NEAR(used / outcome.report.links_size(), 0.3, 0.02);
}

TEST(ExternalRunTest, LibrariesThatCannotBeUsedAreNamed) {
  const TestFolder folder;
  const std::string workload = "traffic { load: 0.1 }";
  const std::string text = folder.file("text.so");
  std::ofstream(text) << "no library\n";
  EXPECT_THAT(
      std::string(run_text(text_of({}, workload, text)).status.message()),
      AllOf(HasSubstr("external.textproto:2:"), HasSubstr("error: router[0]: " + text + ": cannot be loaded (")));
  EXPECT_THAT(std::string(run_text(text_of({}, workload, OTHER_LIBRARY)).status.message()),
              HasSubstr("is no library with a router; define what rtl/external/router.h declares"));
  Words many;
  many.vcs = 32;
  EXPECT_THAT(std::string(run_text(text_of(many, workload)).status.message()),
              HasSubstr("cannot make it: 32 VCs are too many"));
  EXPECT_THAT(std::string(run_text(text_of({}, workload, OLD_LIBRARY)).status.message()),
              HasSubstr("is for interface 99 of routers, and this program has 1; compile it anew"));
  many.vcs = 31;
  EXPECT_THAT(std::string(run_text(text_of(many, workload)).status.message()), HasSubstr("has no such router"));
  EXPECT_THAT(std::string(run_text(text_of({}, workload, "/none.so")).status.message()),
              HasSubstr("there is no file /none.so; build it"));
}

}  // namespace
}  // namespace fabrictwin
