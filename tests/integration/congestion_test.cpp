// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Congestion management through the command line, beside closed forms and what the ns-3 model of HPCC's authors (commit
// 9f4be2a) gives for the same flows: docs/congestion.md. Tolerances are those of docs/models/*.md, not what fits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "tests/integration/congestion_report.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using nlohmann::json;

struct Incast {
  const char* set;
  double last_us, last_error;
  double queue_kb, queue_error;
};

class IncastOfEight : public ::testing::TestWithParam<Incast> {};

// 8 x 1000 packets of 1048 bytes at 100 Gbit/s take 670.7 us, and the round trip of the last one 4 us.
TEST_P(IncastOfEight, MeetsNs3) {
  const Incast& expected = GetParam();
  const std::vector<std::string> sets =
      *expected.set == '\0' ? std::vector<std::string>() : std::vector<std::string>{expected.set};
  const json report = run_report(kExperiments + "incast8.textproto", sets);
  EXPECT_EQ(number(report.at("flow_summary").at("finished")), 8);
  const double last = number(report.at("flow_summary").at("max_fct_seconds")) * 1e6;
  EXPECT_NEAR(last, expected.last_us, expected.last_us * expected.last_error);
  const double queue = number(report.at("queues").at("max_bytes")) / 1e3;
  EXPECT_NEAR(queue, expected.queue_kb, expected.queue_kb * expected.queue_error);
  EXPECT_EQ(number(report.value("pauses", json(0))), 0);
}

INSTANTIATE_TEST_SUITE_P(Schemes, IncastOfEight,
                         ::testing::Values(Incast{"", 674.7, 0.01, 7337, 0.01},
                                           Incast{"congestion.dcqcn.pmax=0.2", 674.7, 0.03, 7058, 0.05},
                                           Incast{"congestion.hpcc.stages=5", 771, 0.1, 400, 0.25},
                                           Incast{"congestion.timely.gain=0.875", 676.1, 0.01, 7393, 0.02},
                                           Incast{"congestion.dctcp.gain=0.0625", 674.7, 0.01, 384, 0.05}));

TEST(Victim, SuffersFromPausesAndIsSpared) {
  const auto victim = [](const std::vector<std::string>& sets, json* report = nullptr) {
    const json run = run_report(kExperiments + "victim.textproto", sets);
    if (report != nullptr) *report = run;
    return goodputs(run, 20, 40).at(8);
  };
  EXPECT_NEAR(victim({}), 11.9, 0.05 * 11.9);
  EXPECT_GE(victim({"congestion.dcqcn.pmax=0.2"}), 93);
  json report;
  const double hpcc = victim({"congestion.hpcc.stages=5"}, &report);
  EXPECT_GE(hpcc, 82);
  EXPECT_LE(hpcc, 90);
  EXPECT_EQ(number(report.value("pauses", json(0))), 0);
}

TEST(ParkingLot, LongFlowsArePenalized) {
  const auto flows = [](const std::vector<std::string>& sets, const std::string& seed) {
    return run_report(kExperiments + "parking-lot.textproto", sets, {"--seed", seed});
  };
  const json none = flows({}, "0");
  for (const json& flow : none.at("flows")) EXPECT_NEAR(number(flow.at("window_goodput_gbps")), 47.7, 0.03 * 47.7);
  // The window of the experiment has what the points of its series have.
  const std::vector<double> series = goodputs(none, 20, 40);
  for (size_t flow = 0; flow < series.size(); ++flow)
    EXPECT_NEAR(number(none.at("flows").at(flow).at("window_goodput_gbps")), series[flow], 1e-6);
  const auto long_flow = [&flows](const std::string& set, const std::string& seed) {
    return number(flows({set}, seed).at("flows").at(0).at("window_goodput_gbps"));
  };
  std::vector<double> of_seeds;
  for (const std::string& seed : kSeeds) of_seeds.push_back(long_flow("congestion.dcqcn.pmax=0.2", seed));
  const double dcqcn = median(of_seeds);
  EXPECT_GE(dcqcn, 7);
  EXPECT_LE(dcqcn, 14);
  const double hpcc = long_flow("congestion.hpcc.stages=5", "0");
  EXPECT_GE(hpcc, 14);
  EXPECT_LE(hpcc, 21);
}

TEST(WebSearch, SlowdownsMeetNs3) {
  struct Expected {
    std::string set;
    double p50, p99;
  };
  double before = 0;
  for (const Expected& expected : {Expected{"congestion.hpcc.stages=5", 1.43, 6.8},
                                   Expected{"congestion.dcqcn.pmax=0.2", 1.70, 13.0}, Expected{"", 1.95, 98.9}}) {
    // Switches of ns-3 keep acknowledgements in the queues of data.
    std::vector<std::string> sets{"transport.acknowledgements_with_data=true"};
    if (!expected.set.empty()) sets.push_back(expected.set);
    const bool random = expected.set.starts_with("congestion.dcqcn");
    std::vector<double> p50s;
    std::vector<double> p99s;
    for (const std::string& seed : random ? kSeeds : std::vector<std::string>{"0"}) {
      const json report = run_report(kExperiments + "websearch.textproto", sets, {"--seed", seed});
      EXPECT_EQ(number(report.at("flow_summary").at("finished")), 568);
      if (!expected.set.empty()) {
        EXPECT_EQ(number(report.value("pauses", json(0))), 0) << expected.set;
      }
      const json& all = report.at("flow_summary").at("bins").at(0);
      p50s.push_back(number(all.at("slowdown_p50")));
      p99s.push_back(number(all.at("slowdown_p99")));
    }
    EXPECT_NEAR(median(p50s), expected.p50, 0.25 * expected.p50) << expected.set;
    const double p99 = median(p99s);
    EXPECT_NEAR(p99, expected.p99, 0.25 * expected.p99) << expected.set;
    EXPECT_GT(p99, before);
    before = p99;
  }
}

/// Runs WebSearch with one thread and with two.
void expect_threads_do_not_show(const std::string& set) {
  const json one = run_report(kExperiments + "websearch.textproto", {set}, {"--threads", "1"});
  const json two = run_report(kExperiments + "websearch.textproto", {set}, {"--threads", "2"});
  EXPECT_EQ(number(two.at("run").at("threads")), 2);
  for (const char* field : {"timing_digest", "payload_digest", "flows", "queues", "control"})
    EXPECT_EQ(one.at(field), two.at(field)) << set << " " << field;
  EXPECT_EQ(one.value("pauses", json()), two.value("pauses", json()));
}

TEST(CongestionLaw, ThreadsDoNotShow) {
  const auto victim = [](const char* threads) {
    return run_report(kExperiments + "victim.textproto", {"congestion.dcqcn.pmax=0.2"}, {"--threads", threads});
  };
  const json alone = victim("1");
  const json together = victim("2");
  for (const char* field : {"timing_digest", "payload_digest", "series", "pauses", "queues"})
    EXPECT_EQ(alone.at(field), together.at(field));
  expect_threads_do_not_show("congestion.dcqcn.pmax=0.2");
}

// Flows without an end, and those that the end of the run cuts, are in the digest with what has arrived of them.
TEST(CongestionLaw, FlowsThatAreCutAreInThePayload) {
  const auto victim = [](const std::string& end, const std::vector<std::string>& more = {}) {
    return run_report(kExperiments + "victim.textproto", {"stop.after_simulated=" + end}, more).at("payload_digest");
  };
  const json first = victim("300us");
  EXPECT_NE(first, victim("310us"));
  EXPECT_EQ(first, victim("300us", {"--threads", "2"}));
  EXPECT_EQ(first, victim("300us", {"--split", "2"}));
  EXPECT_EQ(first, victim("300us", {"--use", "left=MODEL@worker:shm"}));
}

// Rounds that are over before the next one begins do not share the link with it: each flow has an eighth.
TEST(Congestion, FairRatesAreThoseOfARound) {
  const json report =
      run_report(kExperiments + "incast8.textproto",
                 {"workload.incast.bytes=100kB", "workload.incast.rounds=4", "workload.incast.period=1ms"});
  ASSERT_EQ(report.at("flows").size(), 32u);
  for (const json& flow : report.at("flows")) EXPECT_NEAR(number(flow.at("max_min_gbps")), 95.42 / 8, 0.01);
  const double least = number(report.at("flow_summary").at("min_over_max_min"));
  EXPECT_GT(least, 0.9);
  EXPECT_LT(least, 1.05);
}

TEST(CongestionLaw, ThreadsDoNotShowWithOtherSchemes) {
  for (const char* set : {"congestion.hpcc.stages=5", "transport.acknowledgement=0B"}) expect_threads_do_not_show(set);
}

TEST(CongestionLaw, TheSeedShowsInMarksOnly) {
  const auto digests = [](const std::string& set, const std::string& seed) {
    const json report = run_report(kExperiments + "incast8.textproto", {set}, {"--seed", seed});
    return std::pair(report.at("timing_digest"), report.at("payload_digest"));
  };
  EXPECT_EQ(digests("congestion.hpcc.stages=5", "1"), digests("congestion.hpcc.stages=5", "2"));
  EXPECT_NE(digests("congestion.dcqcn.pmax=0.2", "1").first, digests("congestion.dcqcn.pmax=0.2", "2").first);
  EXPECT_EQ(digests("congestion.dcqcn.pmax=0.2", "1").second, digests("congestion.dcqcn.pmax=0.2", "2").second);
}

// A threshold that no queue reaches, and acknowledgements that take no bandwidth: a trace takes the same time, packet
// by packet, as without a transport.
TEST(Congestion, OffIsOff) {
  const auto run = [](const std::vector<std::string>& more) {
    std::vector<std::string> sets{"router.model=packet",
                                  "workload.mpi_trace.path=workloads/experiments/data/hpcg-8.fttrace"};
    sets.insert(sets.end(), more.begin(), more.end());
    return run_report("workloads/experiments/all-model.textproto", sets);
  };
  const json off = run({});
  const json never = run({"congestion.dcqcn.kmin=1GB", "congestion.dcqcn.kmax=2GB", "transport.acknowledgement=0B"});
  EXPECT_EQ(off.at("payload_digest"), never.at("payload_digest"));
  EXPECT_EQ(number(never.at("control").value("marks", json(0))), 0);
  EXPECT_EQ(off.at("timing_digest"), never.at("timing_digest"));
  EXPECT_EQ(off.at("simulated_fs"), never.at("simulated_fs"));
}

// With input buffers and credits, what waits for an output is counted in all inputs.
TEST(Congestion, MarksWithoutPause) {
  const TestFolder folder;
  const std::string file = folder.write("credits.textproto", R"(
    topology { fat_tree { down: 9 host_rate: "100Gbps" host_latency: "1us" } }
    router { model: PACKET packet_payload: "1000B" vc_buffer_flits: 4000 }
    transport { header: "48B" }
    congestion { dctcp { threshold: "100kB" } }
    workload { incast { sources: 8 bytes: "1MB" destination: 8 } })");
  const json report = run_report(file, {});
  EXPECT_GT(number(report.at("control").at("marks")), 100);
  EXPECT_EQ(number(report.at("flow_summary").at("finished")), 8);
  // Buffers hold at most 64000 bytes each.
  EXPECT_LE(number(report.at("queues").at("max_bytes")), 8 * 64'000);
  EXPECT_GE(number(report.at("queues").at("max_bytes")), 100'000);
}

// A list in which a flow ends before its stop, and another one does not.
TEST(Congestion, FlowsWithBytesAndAStopEndWithTheFirst) {
  const TestFolder folder;
  folder.write("flows.csv", "source,destination,bytes,start,stop\n,,B,us,us\n0,2,10000,0,500\n1,2,100000000,0,50\n");
  const json report = run_report(folder.write("stops.textproto", R"(
    topology { fat_tree { down: 3 host_rate: "100Gbps" host_latency: "1us" } }
    router { model: PACKET packet_payload: "1000B" }
    pfc { } transport { header: "48B" }
    workload { flows { file: "flows.csv" } })"),
                                 {});
  EXPECT_EQ(number(report.at("flow_summary").at("finished")), 2);
  const json& flows = report.at("flows");
  EXPECT_EQ(number(flows.at(0).at("bytes_received")), 10'000);
  EXPECT_LT(number(flows.at(0).at("fct_seconds")), 10e-6);
  EXPECT_LT(number(flows.at(1).at("bytes_received")), 50e-6 * 100e9 / 8);
  EXPECT_FALSE(flows.at(1).contains("fct_seconds")) << "not all of it has arrived";
}

// The place is that of the name.
TEST(CongestionCheck, ASchemeThatThereIsNotHasThePlaceOfItsName) {
  const TestFolder folder;
  const std::string file = folder.write("scheme.textproto", R"(topology { fat_tree { down: 3 } }
router { model: PACKET }
congestion { dqcnc { } }
workload { incast { sources: 2 bytes: "1kB" } }
)");
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"check", file}, {"run", "--quiet", file}}) {
    const CliResult result = run_cli(command);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, ::testing::StartsWith(file + ":3:14: error: unknown field \"dqcnc\" in Congestion (did you "
                                                         "mean \"dcqcn\"?); its fields are dcqcn, dctcp, "));
    EXPECT_THAT(result.err, ::testing::HasSubstr("\ncongestion { dqcnc { } }\n             ^"));
  }
}

// A mistake that depends on the network is found by all that look at an experiment, at its place, before anything runs.
TEST(CongestionCheck, EveryCommandFindsWhatARunWouldRefuse) {
  const TestFolder folder;
  const auto write = [&folder](const char* name, const std::string& rest, const std::string& router = "") {
    return folder.write(name, R"(topology { spine_leaf { spines: 2 leaves: 2 hosts_per_leaf: 2 } }
router { model: PACKET )" + router +
                                  " }\nworkload { incast { sources: 3 bytes: \"100kB\" } }\n" + rest);
  };
  const std::pair<std::string, std::string> mistakes[] = {
      {write("headroom.textproto", "pfc {\n  headroom: \"1kB\" }\n"), ":5:13: error: pfc: 1000 bytes of headroom"},
      {write("buffer.textproto", "pfc { buffer: \"1kB\" }\n"), ":4:15: error: pfc: reserve and headroom"},
      {write("queues.textproto", "queues { scheme: VOQSW }\n"),
       ":4:18: error: with VOQSW a packet waits in a queue for one output"},
      {write("header.textproto", "transport { header: \"1KiB\" }\n", "vc_buffer_flits: 32"),
       ":2:41: error: the buffer of a VC has 32 flits"},
      {write("ways.textproto", "congestion { max_min { } }\n"), ":4:14: error: max_min needs one path"},
  };
  for (const auto& [file, error] : mistakes) {
    const std::vector<std::string> out{"--out", folder.file("out")};
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{{"check", file},
                                               {"run", "--quiet", file, out[0], out[1]},
                                               {"run", "--dry-run", file},
                                               {"run", "--sweep", "seed=1,2", file, out[0], out[1]},
                                               {"compare", file, "--schemes", "none,dcqcn", out[0], out[1]}}) {
      const CliResult result = run_cli(command);
      EXPECT_EQ(result.exit_code, 2) << file << result.out;
      EXPECT_THAT(result.err, ::testing::HasSubstr(file + error)) << command[0] << command[1];
      EXPECT_EQ(result.out, "") << command[0];
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder.file("out")));
}

/// So many flows to one host that last until a time.
json long_flows(int flows, const std::string& scheme, int until_ms) {
  const TestFolder folder;
  std::string list = "source,destination,start,stop\n,,ms,ms\n";
  for (int flow = 0; flow < flows; ++flow) list += fmt::format("{},{},0,{}\n", flow, flows, until_ms);
  folder.write("flows.csv", list);
  const std::string text = fmt::format(
      R"(topology {{ fat_tree {{ down: {} host_rate: "100Gbps" host_latency: "1us" }} }}
         router {{ model: PACKET packet_payload: "1000B" }}
         pfc {{ }} transport {{ header: "48B" }} congestion {{ {} {{ }} }}
         workload {{ flows {{ file: "flows.csv" }} }}
         statistics {{ series_interval: "10us" goodput_window {{ from: "20ms" until: "40ms" }} }})",
      flows + 1, scheme);
  return run_report(folder.write("long.textproto", text), {});
}

// Bursts of many flows take their rates down at once, so that a part of the link is idle.
TEST(Timely, ManyFlowsLoseAsMuchAsInNs3) {
  const json report = long_flows(16, "timely", 40);
  const json& summary = report.at("flow_summary");
  EXPECT_NEAR(number(summary.at("window_goodput_gbps")), 60.5, 0.1 * 60.5);
  EXPECT_GE(number(summary.at("window_jain_index")), 0.98);
  EXPECT_NEAR(mean_queue(report, 20, 40) / 1e3, 332, 0.15 * 332);
}

class LongFlows : public ::testing::TestWithParam<std::pair<int, double>> {};

// Mean queues of ns-3, and the fixed point of Zhu, Ghobadi, Misra and Padhye (CoNEXT 2016).
TEST_P(LongFlows, ShareALinkWithDcqcn) {
  const auto [flows, queue_kb] = GetParam();
  const json report = long_flows(flows, "dcqcn", 60);
  const double from = flows < 32 ? 20 : 30;
  const double to = flows < 32 ? 40 : 60;
  const std::vector<double> each = goodputs(report, from, to);
  double sum = 0;
  double squares = 0;
  for (const double goodput : each) {
    sum += goodput;
    squares += goodput * goodput;
  }
  EXPECT_NEAR(sum, 95.42, 0.42);
  EXPECT_GE(sum * sum / (flows * squares), 0.97);
  const double queue = mean_queue(report, from, to) / 1e3;
  EXPECT_NEAR(queue, queue_kb, 0.25 * queue_kb);
}

INSTANTIATE_TEST_SUITE_P(Flows, LongFlows,
                         ::testing::Values(std::pair(8, 381.0), std::pair(16, 416.0), std::pair(32, 507.0)));

}  // namespace
}  // namespace fabrictwin
