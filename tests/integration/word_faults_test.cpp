// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Faults of links that carry words (docs/models/faults.md#words): nothing is lost that a protocol covers, and places,
// transports and threads do not show.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "tests/integration/digests.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

double number_in(const json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

json report_of(const std::string& file, const std::vector<std::string>& uses = {},
               const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"run", "--json", "--quiet", file};
  for (const std::string& use : uses) arguments.insert(arguments.end(), {"--use", use});
  arguments.insert(arguments.end(), more.begin(), more.end());
  const CliResult result = run_cli(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  json report = json::parse(result.out, nullptr, false);
  EXPECT_FALSE(report.is_discarded()) << result.out;
  return report;
}

/// A number of fault `index` in a report.
double of_fault(const json& report, const std::string& field, size_t index = 0) {
  return number_in(report.at("faults").at(index).at(field));
}

/// A metric in a report, of all places together.
double metric_of(const json& report, const std::string& name) {
  double sum = 0;
  bool found = false;
  for (const json& metric : report.at("metrics")) {
    if (metric.at("name") != name) continue;
    sum += number_in(metric.at("value"));
    found = true;
  }
  EXPECT_TRUE(found) << "no " << name;
  return sum;
}

/// What a run gives, with what its faults did.
std::string outcome(const json& report) {
  return report.at("timing_digest").dump() + report.at("payload_digest").dump() + report.at("faults").dump();
}

// --- Between boards: APElinks, behind which network interfaces send again ---

const std::string kErrors =
    "fault { link: \"qfdb[0].router.x+\" bit_error_rate: 2e-5 }\n"
    "fault { link: \"qfdb[0].router.x-\" bit_error_rate: 2e-5 }\n";
const std::string kAway = "fault { link: \"qfdb[0].router.x+\" at: \"20us\" until: \"60us\" }\n";

/// Two boards under some workload, with faults.
std::string boards(const TestFolder& folder, const std::string& workload, const std::string& faults) {
  return folder.write("boards.textproto", "topology { exanest { blades: 1 qfdbs: 2 } }\nworkload { " + workload +
                                              " }\nstop { at_workload_end: true after_simulated: \"500ms\" }\n" +
                                              "seed: 1\n" + faults);
}

/// Each of the eight MPSoCs to each other one: mailboxes alone, and with RDMA.
const std::string kEager = "osu { benchmark: ALLTOALL sizes: \"8B\" iterations: 8 warmup: 0 }";
const std::string kRdma = "osu { benchmark: ALLTOALL sizes: \"20KiB\" iterations: 1 warmup: 0 }";

/// The report with bit errors of a workload whose bytes all arrive.
json with_errors(const std::string& workload) {
  const TestFolder folder;
  const json without = report_of(boards(folder, workload, ""));
  json with = report_of(boards(folder, workload, kErrors));
  EXPECT_EQ(with.at("payload_digest"), without.at("payload_digest"));
  EXPECT_EQ(with.at("packets_delivered"), without.at("packets_delivered"));
  EXPECT_NE(with.at("timing_digest"), without.at("timing_digest"));
  EXPECT_EQ(of_fault(with, "held_words"), 0);
  return with;
}

TEST(WordFaultsOfNodes, BitErrorsLoseNoMessages) {
  const json report = with_errors(kEager);
  EXPECT_GT(of_fault(report, "damaged_packets") + of_fault(report, "damaged_packets", 1), 0);
}

TEST(WordFaultsOfNodes, BitErrorsLoseNoTransfers) {
  const json report = with_errors(kRdma);
  EXPECT_GT(of_fault(report, "damaged_packets"), 5);
  EXPECT_GT(of_fault(report, "lost_packets") + of_fault(report, "lost_packets", 1), 0);
}

TEST(WordFaultsOfNodes, BitErrorsLoseNothingOfMinife) {
  const json report = with_errors("mpi_trace { path: \"" + std::filesystem::current_path().string() +
                                  "/workloads/experiments/data/minife-8.fttrace\" }");
  EXPECT_GT(of_fault(report, "damaged_packets"), 5);
  EXPECT_GT(of_fault(report, "lost_packets"), 5);
}

TEST(WordFaultsOfNodes, WhatMeetsNoFaultIsAsWithoutOne) {
  const TestFolder folder;
  const json without = report_of(boards(folder, kRdma, ""));
  const json with = report_of(boards(folder, kRdma,
                                     "fault { link: \"qfdb[0].router.x+\" bit_error_rate: 1e-15 }\n"
                                     "fault { link: \"qfdb[0].router.x-\" at: \"100ms\" until: \"200ms\" }\n"));
  EXPECT_EQ(with.at("timing_digest"), without.at("timing_digest"));
  EXPECT_EQ(with.at("faults").size(), 2u);
  EXPECT_TRUE(without.at("faults").empty());
}

TEST(WordFaultsOfNodes, TheSeedDrawsTheErrors) {
  const TestFolder folder;
  const std::string file = boards(folder, kRdma, kErrors);
  EXPECT_EQ(outcome(report_of(file)), outcome(report_of(file)));
  EXPECT_NE(report_of(file, {}, {"--seed", "2"}).at("faults"), report_of(file).at("faults"));
}

TEST(WordFaultsOfNodes, WhatALinkThatFailsHasLostIsSentAgain) {
  const TestFolder folder;
  const json without = report_of(boards(folder, kRdma, ""));
  const json with = report_of(boards(folder, kRdma, kAway));
  EXPECT_EQ(with.at("payload_digest"), without.at("payload_digest"));
  EXPECT_EQ(with.at("packets_delivered"), without.at("packets_delivered"));
  EXPECT_GT(of_fault(with, "lost_packets"), 0);
  // What has begun when it fails is completed, in each direction and on each VC.
  EXPECT_LE(of_fault(with, "damaged_packets"), 4);
  // 128 words for each VC and direction are all that a sender sends before it waits for credits.
  EXPECT_LE(of_fault(with, "lost_words"), 512);
  EXPECT_EQ(of_fault(with, "wrong_bits"), 0);
  EXPECT_GT(number_in(with.at("simulated_seconds")), number_in(without.at("simulated_seconds")));
}

// --- A node that is reset: all its links to other boards are gone for a while ---

const std::string kReset = "fault { reset: \"qfdb[0].router\" at: \"20us\" until: \"60us\" }\n";

/// Whether all arrives in spite of a reset.
void expect_nothing_lost(const std::string& workload, const std::vector<std::string>& uses) {
  const TestFolder folder;
  const json without = report_of(boards(folder, workload, ""));
  const json with = report_of(boards(folder, workload, kReset), uses);
  EXPECT_EQ(with.at("payload_digest"), without.at("payload_digest"));
  EXPECT_EQ(with.at("packets_delivered"), without.at("packets_delivered"));
  EXPECT_GT(of_fault(with, "lost_packets"), 0);
  EXPECT_EQ(with.at("faults").size(), 1u);
  EXPECT_EQ(with.at("faults").at(0).at("link"), "qfdb[0].router");
  const std::string messages = "fabrictwin_repeated_messages_total";
  const std::string blocks = "fabrictwin_repeated_blocks_total";
  EXPECT_EQ(metric_of(without, messages), 0);
  EXPECT_EQ(metric_of(without, blocks), 0);
  EXPECT_GT(metric_of(with, messages) + metric_of(with, blocks), 0);
}

TEST(WordFaultsOfNodes, AResetLosesNoTransfers) {
  expect_nothing_lost(kRdma, {});
  expect_nothing_lost(kRdma, {"qfdb[0].router=RTL"});
}

TEST(WordFaultsOfNodes, AResetLosesNothingOfMinife) {
  expect_nothing_lost("mpi_trace { path: \"" + std::filesystem::current_path().string() +
                          "/workloads/experiments/data/minife-8.fttrace\" }",
                      {});
}

// Both of the links to the other board, as faults of each of them have it.
TEST(WordFaultsOfNodes, AResetIsThatOfAllLinks) {
  const TestFolder folder;
  const json reset = report_of(boards(folder, kEager, kReset));
  const json links = report_of(boards(folder, kEager,
                                      "fault { link: \"qfdb[0].router.x+\" at: \"20us\" until: \"60us\" }\n"
                                      "fault { link: \"qfdb[0].router.x-\" at: \"20us\" until: \"60us\" }\n"));
  EXPECT_EQ(reset.at("timing_digest"), links.at("timing_digest"));
  EXPECT_EQ(of_fault(reset, "lost_words"), of_fault(links, "lost_words") + of_fault(links, "lost_words", 1));
}

TEST(WordFaultsOfNodes, AResetTakesAsLongAsLinksToComeUp) {
  const TestFolder folder;
  const json report = report_of(boards(folder, kEager, "fault { reset: \"qfdb[1].router\" at: \"10us\" }\n"));
  EXPECT_NEAR(of_fault(report, "until_seconds"), 10e-6 + 32896 * 6.4e-9, 1e-9);
}

// Models of nodes are not RTL in each cycle, but every byte arrives with either.
class WordFaultsOfRtl : public ::testing::TestWithParam<std::string> {};

TEST_P(WordFaultsOfRtl, LoseNothing) {
  const TestFolder folder;
  const json models = report_of(boards(folder, kRdma, ""));
  for (const std::string& faults : {kErrors, kAway}) {
    const json with = report_of(boards(folder, kRdma, faults), {GetParam()});
    EXPECT_EQ(with.at("payload_digest"), models.at("payload_digest")) << faults;
    EXPECT_EQ(with.at("packets_delivered"), models.at("packets_delivered")) << faults;
    EXPECT_GT(of_fault(with, "damaged_packets"), 0) << faults;
    EXPECT_GT(of_fault(with, "lost_packets"), 0) << faults;
  }
}

INSTANTIATE_TEST_SUITE_P(Some, WordFaultsOfRtl, ::testing::Values("qfdb[*].router=RTL"));
INSTANTIATE_TEST_SUITE_P(Any, WordFaultsOfRtl, ::testing::Values("qfdb[0].router=RTL", "qfdb[*].*=RTL"));

// A single message on its way at a time: then the same words meet the same errors.
TEST(WordFaultsOfNodes, ErrorsAreThoseOfModelsInRtl) {
  const TestFolder folder;
  const std::string file =
      boards(folder, "osu { benchmark: LATENCY sizes: \"16B\" iterations: 6 warmup: 0 } placement { hosts: \"0,4\" }",
             "fault { link: \"qfdb[0].router.x+\" bit_error_rate: 0.001 }\n");
  const json models = report_of(file);
  const json rtl = report_of(file, {"qfdb[*].router=RTL"});
  EXPECT_GT(of_fault(models, "damaged_packets"), 3);
  EXPECT_GT(of_fault(models, "corrected_headers"), 0);
  // Frames with credits alone are others.
  for (const std::string field : {"wrong_bits", "corrected_headers", "damaged_packets", "lost_packets", "lost_words"})
    EXPECT_EQ(of_fault(rtl, field), of_fault(models, field)) << field;
  const std::string messages = "fabrictwin_repeated_messages_total";
  EXPECT_GT(metric_of(models, messages), 3);
  EXPECT_EQ(metric_of(rtl, messages), metric_of(models, messages));
  EXPECT_EQ(metric_of(report_of(file, {"qfdb[0].router=BOARD@soft", "qfdb[1].router=RTL"}), messages),
            metric_of(models, messages));
  EXPECT_EQ(metric_of(report_of(file, {"qfdb[0].router=RTL@worker:unix", "qfdb[1].router=BOARD@soft"}), messages),
            metric_of(models, messages));
}

// A file of metrics has what a sample of the run has.
TEST(WordFaultsOfNodes, SamplesCountWhatRtlSendsAgain) {
  const TestFolder folder;
  const std::string metrics = folder.file("metrics.om");
  const json report = report_of(boards(folder, kRdma, kErrors), {"qfdb[*].*=RTL"}, {"--metrics-file", metrics});
  const double blocks = metric_of(report, "fabrictwin_repeated_blocks_total");
  EXPECT_GT(blocks, 0);
  const std::string text = read_file(metrics);
  const size_t last = text.rfind("\nfabrictwin_repeated_blocks_total{");
  ASSERT_NE(last, std::string::npos);
  EXPECT_EQ(std::stod(text.substr(text.find("} ", last) + 2)), blocks);
}

/// Some traffic, until what was lost has been given back, but not all of it has been sent again.
std::string begun(const TestFolder& folder) {
  return folder.write("begun.textproto",
                      "topology { exanest { blades: 1 qfdbs: 2 } }\n"
                      "workload { traffic { load: 0.1 duration: \"5us\" } }\n"
                      "stop { at_workload_end: true after_simulated: \"45us\" }\nseed: 1\n"
                      "fault { link: \"qfdb[0].router.x+\" bit_error_rate: 1e-4 }\n"
                      "fault { link: \"qfdb[0].router.x+\" at: \"4us\" until: \"4500ns\" }\n"
                      "fault { link: \"qfdb[0].router.x-\" at: \"2us\" until: \"4us\" }\n"
                      "fault { reset: \"qfdb[1].router\" at: \"4600ns\" until: \"6us\" }\n");
}

TEST(WordFaultsOfNodes, PlacesAndThreadsDoNotShow) {
  const TestFolder folder;
  const std::string routers = "qfdb[*].router";
  const std::string file = begun(folder);
  const json report = report_of(file, {routers + "=RTL"});
  const std::string here = outcome(report);
  EXPECT_GT(of_fault(report, "damaged_packets"), 0);
  EXPECT_GT(of_fault(report, "lost_packets", 2), 0);
  EXPECT_EQ(outcome(report_of(file, {routers + "=RTL@worker:shm"})), here);
  EXPECT_EQ(outcome(report_of(file, {"qfdb[0].router=RTL@worker:unix", "qfdb[1].router=RTL"})), here);
  EXPECT_EQ(outcome(report_of(file, {"qfdb[0].router=BOARD@soft", "qfdb[1].router=RTL"})), here);
  EXPECT_EQ(outcome(report_of(file, {"qfdb[0].router=RTL@worker:shm", "qfdb[1].router=BOARD@soft"})), here);
  EXPECT_EQ(outcome(report_of(file, {routers + "=RTL"}, {"--threads", "3"})), here);
}

TEST(WordFaultsOfNodes, ModelsAreTheSameInAWorker) {
  const TestFolder folder;
  const std::string all = boards(folder, kRdma, kErrors + kAway);
  EXPECT_EQ(outcome(report_of(all, {"*=MODEL@worker:shm"})), outcome(report_of(all)));
  const std::string file = begun(folder);
  EXPECT_EQ(outcome(report_of(file, {"qfdb[1].*=MODEL@worker:unix"})), outcome(report_of(file)));
}

TEST(WordFaultsOfNodes, ALinkThatStaysAwayIsNamed) {
  const TestFolder folder;
  const CliResult result =
      run_cli({"run", "--quiet", boards(folder, kRdma, "fault { link: \"qfdb[0].router.x+\" at: \"20us\" }\n")});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("qfdb[0].router.x+ has failed at 20 us and does not return"));
}

TEST(WordFaultsOfNodes, TheReportIsATable) {
  const TestFolder folder;
  const CliResult result = run_cli({"run", "--quiet", boards(folder, kRdma, kErrors)});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("corrected  damaged     lost"));
  EXPECT_THAT(result.out, HasSubstr("qfdb[0].router.x-   0 s  the end   2e-05"));
  EXPECT_THAT(result.out, Not(HasSubstr("held")));
}

// --- Between routers: packets wait ---

/// Eight routers under traffic, of which some links fail for a while.
std::string torus(const TestFolder& folder, const std::string& faults, const std::string& more = "") {
  return folder.write("torus.textproto",
                      "topology { torus { dims: [2, 2, 2] } }\n"
                      "workload { traffic { load: 0.2 payload: \"256B\" duration: \"30us\" } }\n"
                      "stop { at_workload_end: true }\nseed: 1\n" +
                          more + faults);
}
const std::string kFails =
    "fault { link: \"router[0].x+\" at: \"5us\" until: \"15us\" }\n"
    "fault { link: \"router[6].y-\" at: \"8us\" until: \"12us\" one_way: true }\n";

TEST(WordFaultsOfRouters, PacketsWaitAndAllArrive) {
  const TestFolder folder;
  const json without = report_of(torus(folder, ""));
  const json with = report_of(torus(folder, kFails));
  EXPECT_EQ(with.at("payload_digest"), without.at("payload_digest"));
  EXPECT_NE(with.at("timing_digest"), without.at("timing_digest"));
  EXPECT_GT(of_fault(with, "held_words"), 18);
  EXPECT_EQ(of_fault(with, "lost_packets"), 0);
}

// Models of these routers are RTL in each cycle, so all implementations have the same times.
TEST(WordFaultsOfRouters, ImplementationsAndPlacesDoNotShow) {
  const TestFolder folder;
  const std::string file = torus(folder, kFails);
  const std::string models = outcome(report_of(file));
  EXPECT_EQ(outcome(report_of(file, {"router[*]=RTL"}, {"--threads", "2"})), models);
  EXPECT_EQ(outcome(report_of(file, {"router[0]=RTL", "router[6]=RTL@worker:unix"})), models);
  EXPECT_EQ(outcome(report_of(file, {"router[0]=BOARD@soft", "router[6]=RTL@worker:shm"})), models);
  EXPECT_EQ(outcome(report_of(file, {"router[1]=BOARD@soft"})), models);
  EXPECT_EQ(outcome(report_of(file, {"router[0]=BOARD@shell"})), models);
  EXPECT_EQ(outcome(report_of(file, {"router[0..3]=MODEL@worker:unix"})), models);
}

TEST(WordFaultsOfRouters, AResetIsTheSameEverywhere) {
  const TestFolder folder;
  const std::string file = torus(folder, "fault { reset: \"router[3]\" at: \"5us\" until: \"12us\" }\n");
  const json report = report_of(file);
  EXPECT_EQ(report.at("payload_digest"), report_of(torus(folder, "")).at("payload_digest"));
  EXPECT_GT(of_fault(report, "held_words"), 18);
  const std::string again = torus(folder, "fault { reset: \"router[3]\" at: \"5us\" until: \"12us\" }\n");
  EXPECT_EQ(outcome(report_of(again, {"router[3]=RTL"})), outcome(report));
  EXPECT_EQ(outcome(report_of(again, {"router[3]=BOARD@soft", "router[1]=RTL@worker:shm"})), outcome(report));
}

TEST(WordFaultsOfRouters, ALinkThatStaysAwayIsNamed) {
  const TestFolder folder;
  const std::string file = torus(folder, "fault { link: \"router[0].x+\" at: \"5us\" }\n");
  const std::string said = "router[0].x+ has failed at 5 us and does not return";
  const CliResult models = run_cli({"run", "--quiet", file});
  EXPECT_EQ(models.exit_code, 1) << models.err;
  EXPECT_THAT(models.err, HasSubstr(said));
  // Clocks of RTL go on.
  const CliResult endless = run_cli({"run", "--quiet", file, "--use", "router[1]=RTL"});
  EXPECT_EQ(endless.exit_code, 2) << endless.err;
  EXPECT_THAT(endless.err, HasSubstr(":5:15: error: router[0].x+ does not return, and the clocks of RTL"));
  const CliResult rtl =
      run_cli({"run", "--quiet", file, "--use", "router[1]=RTL", "--set", "stop.after_simulated=50us"});
  EXPECT_EQ(rtl.exit_code, 0) << rtl.err;
  EXPECT_THAT(rtl.out, HasSubstr(said));
}

// --- Mistakes ---

struct Mistake {
  const char* name;
  const char* topology;
  const char* fault;
  const char* said;
};

class WordFaultMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(WordFaultMistakes, ArePlacedAndExplained) {
  const TestFolder folder;
  const std::string file =
      folder.write("mistake.textproto", fmt::format("topology {{ {} }}\nworkload {{ traffic {{ load: 0.1 }} }}\n{}\n",
                                                    GetParam().topology, GetParam().fault));
  const CliResult result = run_cli({"check", file});
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr(GetParam().said));
}

constexpr const char* kTorus = "torus { dims: [2, 2] }";
constexpr const char* kBoards = "exanest { blades: 1 qfdbs: 2 }";

INSTANTIATE_TEST_SUITE_P(
    All, WordFaultMistakes,
    ::testing::Values(
        Mistake{"Element", kTorus, "fault { link: \"router[4].x+\" }", ":3:15: error: there is no \"router[4]\""},
        Mistake{"Port", kBoards, "fault { link: \"qfdb[0].router.w+\" }",
                ":3:15: error: qfdb[0].router has no port \"w+\""},
        Mistake{"NoPort", kBoards, "fault { link: \"qfdb[0].router\" }", "qfdb[0].router has 10 ports"},
        Mistake{"NoLink", kBoards, "fault { link: \"qfdb[0].router.z+\" }", "port z+ of qfdb[0].router has no link"},
        Mistake{"Host", kTorus, "fault { link: \"host[0]\" }", ":3:15: error: host[0] leads to host[0], and faults"},
        Mistake{"Within", kBoards, "fault { link: \"qfdb[0].router.f2\" bit_error_rate: 1e-9 }",
                ":3:15: error: qfdb[0].router.f2 is a link within a board"},
        Mistake{"Plain", kTorus, "fault { link: \"router[0].x+\" bit_error_rate: 1e-9 }",
                ":3:15: error: network interfaces here do not repeat"},
        Mistake{"Often", kBoards, "fault { link: \"qfdb[0].router.x+\" bit_error_rate: 0.5 }",
                ":3:51: error: bit_error_rate 0.5: it is the probability"},
        Mistake{"Negative", kBoards, "fault { link: \"qfdb[0].router.x+\" bit_error_rate: -1e-9 }",
                "error: bit_error_rate -1e-09: it is"},
        Mistake{"Rate", kBoards, "fault { link: \"qfdb[0].router.x+\" rate: 0.5 }",
                ":3:41: error: rate 0.5: links between routers of the model EXANET keep their rate; leave it out for a "
                "link that "
                "fails, or write bit_error_rate"},
        Mistake{"Packets", kTorus, "router { model: PACKET } fault { link: \"router[0].x+\" bit_error_rate: 1e-9 }",
                "error: bit_error_rate is for links that carry words"},
        Mistake{"Depth", kTorus,
                "use { select: \"router[0]\" implementation: MODEL depth: PACKET } fault { link: \"router[0].x+\" }",
                "is a link of router[0], which a rule makes less deep"},
        Mistake{
            "TwoBoards", kTorus,
            "use { select: \"router[0..1]\" implementation: BOARD board: \"soft\" } fault { link: \"router[0].x+\" }",
            "both ends of router[0].x+ are boards"},
        Mistake{"ResetDepth", kTorus,
                "use { select: \"router[1]\" implementation: MODEL depth: PACKET } fault { reset: \"router[0]\" }",
                "error: router[0].x+->router[1].x- is a link of router[1], which a rule makes less deep"},
        Mistake{"ResetTwoBoards", kTorus,
                "use { select: \"router[0..1]\" implementation: BOARD board: \"soft\" } fault { reset: \"router[0]\" }",
                "error: both ends of router[0].x+->router[1].x- are boards"},
        Mistake{"ResetElement", kBoards, "fault { reset: \"qfdb[7].router\" }",
                ":3:16: error: there is no \"qfdb[7].router\" in this network"},
        Mistake{"ResetHost", kTorus, "fault { reset: \"host[0]\" }",
                ":3:16: error: host[0] has no link to another router, so nobody sees its reset"},
        Mistake{"ResetPlain", kBoards, "fault { reset: \"qfdb[0].switch[1]\" }",
                "qfdb[0].switch[1] has no link to another board"},
        Mistake{"ResetRate", kBoards, "fault { reset: \"qfdb[0].router\" bit_error_rate: 1e-9 }",
                ":3:49: error: bit_error_rate is for faults of one link"},
        Mistake{"ResetLink", kBoards, "fault { reset: \"qfdb[0].router\" link: \"qfdb[0].router.x+\" }",
                "error: link is for faults of one link"},
        Mistake{"Overlap", kBoards,
                "fault { link: \"qfdb[0].router.x+\" bit_error_rate: 1e-9 } "
                "fault { link: \"qfdb[1].router.x-\" bit_error_rate: 1e-6 }",
                "and a link has one fault at a time"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace fabrictwin
