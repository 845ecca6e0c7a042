// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Mistakes in what an experiment says of flows and of congestion management.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cosim/base/text.h"
#include "tests/test_folder.h"
#include "tests/workloads/flows/made_flows.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// An experiment of three lines or more, the second of which is the router.
std::string with_router(const std::string& router, const std::string& rest) {
  return "topology { torus { dims: 4 } }\nrouter { " + router + " }\n" + rest + "\n";
}
std::string with_flows(const std::string& fields) {
  return with_router("model: PACKET", "workload { flows { " + fields + " } }");
}
std::string with_incast(const std::string& fields) {
  return with_router("model: PACKET", "workload { incast { " + fields + " } }");
}
/// The rest begins on line 4.
std::string beside_incast(const std::string& rest, const std::string& router = "model: PACKET") {
  return with_router(router, "workload { incast { sources: 2 bytes: \"1MB\" } }\n" + rest);
}

/// A machine of nodes with a scheme, which is on line 2.
std::string in_nodes(const std::string& scheme) {
  return "topology { exanest { } }\ncongestion { ib_cca { " + scheme +
         " } }\nworkload { osu { benchmark: ALLTOALL sizes: \"32KiB\" iterations: 1 warmup: 0 } }\n";
}

struct RefusalCase {
  const char* name;
  std::string text;
  const char* error;  ///< How the only diagnostic begins.
};

const RefusalCase kRefusals[] = {
    {"FlowsOfFileAndSizes", with_flows(R"(file: "a.csv" sizes: "WEBSEARCH" load: 0.5)"),
     "e.textproto:3:12: error: flows come from a file or have sizes of a distribution; write file or sizes, not both"},
    {"FlowsOfNothing", with_flows(""), "e.textproto:3:12: error: the workload has no flows; write file: \"flows.csv\""},
    {"LoadTooHigh", with_flows(R"(sizes: "WEBSEARCH" load: 1.5)"),
     "e.textproto:3:45: error: load 1.5: flows with sizes need a load above 0 and below 1"},
    {"LoadOne", with_flows(R"(sizes: "WEBSEARCH" load: 1)"), "e.textproto:3:45: error: load 1: flows with sizes"},
    {"LoadNan", with_flows(R"(sizes: "WEBSEARCH" load: nan)"), "e.textproto:3:45: error: load nan: flows with sizes"},
    {"LoadMissing", with_flows(R"(sizes: "HADOOP")"), "e.textproto:3:12: error: load 0: flows with sizes need a load"},
    {"DurationZero", with_flows(R"(sizes: "HADOOP" load: 0.5 duration: "0ns")"),
     "e.textproto:3:56: error: duration 0: no flow would start; write a time such as \"10ms\""},
    {"DurationBeyondTheEnd", with_flows(R"(sizes: "HADOOP" load: 0.5 duration: "9001s")"),
     "e.textproto:3:56: error: duration 9001 s: simulated time ends at 9000 s; write a shorter one"},
    {"LoadOfAFile", with_flows(R"(load: 0.5 file: "workloads/experiments/congestion/victim.csv")"),
     "e.textproto:3:26: error: load is for sizes, and flows of a file have their own starts; leave it out"},
    {"DurationOfAFile", with_flows(R"(duration: "1ms" file: "workloads/experiments/congestion/victim.csv")"),
     "e.textproto:3:30: error: duration is for sizes, and flows of a file have their own starts; leave it out"},
    {"NoIncastSources", with_incast(R"(bytes: "1MB")"),
     "e.textproto:3:12: error: sources is not written; write sources: 8"},
    {"IncastSourcesZero", with_incast(R"(sources: 0 bytes: "1MB")"), "e.textproto:3:30: error: sources 0: write 1 to "},
    {"IncastBytesTooMany", with_incast(R"(sources: 2 bytes: "1025GiB")"),
     "e.textproto:3:39: error: bytes 1025 GiB: a flow has at most 1024GiB; write a smaller size"},
    {"NoIncastBytes", with_incast("sources: 2"),
     "e.textproto:3:12: error: the incast has no bytes; write what each source sends, bytes: \"1MB\""},
    {"IncastBytesZero", with_incast(R"(sources: 2 bytes: "0B")"),
     "e.textproto:3:39: error: bytes 0: nothing would be sent; write a size such as \"1MB\""},
    {"RoundsWithoutPeriod", with_incast(R"(sources: 2 bytes: "1MB" rounds: 2)"),
     "e.textproto:3:12: error: 2 rounds would all begin at once; write the time from one to the next"},
    {"RoundsWithPeriodZero", with_incast(R"(sources: 2 bytes: "1MB" rounds: 2 period: "0ns")"),
     "e.textproto:3:63: error: 2 rounds would all begin at once"},
    {"RoundsTooMany", with_incast(R"(sources: 2 bytes: "1MB" rounds: 20000000 period: "1ms")"),
     "e.textproto:3:53: error: rounds 20000000: write 1 to 1000000; the default is 1"},
    {"PeriodOfOneRound", with_incast(R"(sources: 2 bytes: "1MB" rounds: 1 period: "1ms")"),
     "e.textproto:3:63: error: period is the time from one round to the next, and there is one round"},
    {"StormWithoutOff", with_incast(R"(sources: 2 bytes: "1MB" rounds: 4 period: "1ms" on: "2ms")"),
     "e.textproto:3:73: error: storms have an on, for which rounds begin, and an off, for which none do; write both"},
    {"StormWithoutOn", with_incast(R"(sources: 2 bytes: "1MB" rounds: 4 period: "1ms" off: "2ms")"),
     "e.textproto:3:74: error: storms have an on, for which rounds begin, and an off, for which none do; write both"},
    {"StormOfNoTime", with_incast(R"(sources: 2 bytes: "1MB" rounds: 4 period: "1ms" on: "2ms" off: "0ms")"),
     "e.textproto:3:84: error: off 0: storms need a time; write one, or leave on and off out"},
    {"StormOfOneRound", with_incast(R"(sources: 2 bytes: "1MB" on: "2ms" off: "1ms")"),
     "e.textproto:3:49: error: storms have several rounds; write rounds and period, or leave on and off out"},
    {"StormsTooLate", with_incast(R"(sources: 1 bytes: "1B" rounds: 1000 period: "1ms" on: "1ms" off: "10s")"),
     "e.textproto:3:65: error: the last flow may begin at 9991 s, and simulated time ends at 9000 s"},
    {"RoundsZero", with_incast(R"(sources: 2 bytes: "1MB" rounds: 0)"),
     "e.textproto:3:53: error: rounds 0: write 1 to 1000000; the default is 1"},
    {"DestinationNegative", with_incast(R"(sources: 2 bytes: "1MB" destination: -1)"),
     "e.textproto:3:58: error: destination -1: write 0 to "},

    // An empty text is no quantity, and not the default.
    {"PeriodEmpty", with_incast(R"(sources: 2 bytes: "1MB" rounds: 2 period: "")"),
     "e.textproto:3:63: error: \"\" is not a time: it is empty; write it as in "},
    {"KminEmpty", beside_incast(R"(congestion { dcqcn { kmin: "" } })"),
     "e.textproto:4:28: error: \"\" is not a size: it is empty; write it as in "},
    {"KmaxEmpty", beside_incast(R"(congestion { dcqcn { kmin: "2MB" kmax: "" } })"),
     "e.textproto:4:40: error: \"\" is not a size: it is empty"},
    {"AdditiveIncreaseEmpty", beside_incast(R"(congestion { dcqcn { additive_increase: "" } })"),
     "e.textproto:4:41: error: \"\" is not a data rate: it is empty"},
    {"FlowRangeEmpty", beside_incast(R"(congestion { swift { flow_range: "" } })"),
     "e.textproto:4:34: error: \"\" is not a time: it is empty"},
    {"IntervalEmpty", beside_incast(R"(congestion { max_min { interval: "" } })"),
     "e.textproto:4:34: error: \"\" is not a time: it is empty"},
    {"LeastWindowEmpty", beside_incast(R"(congestion { back_pressure { least_window: "" } })"),
     "e.textproto:4:44: error: \"\" is not a size: it is empty"},
    {"LeastWindowNoSize", beside_incast(R"(congestion { back_pressure { least_window: "a" } })"),
     "e.textproto:4:44: error: \"a\" is not a size: it must begin with a number"},
    {"PfcBufferEmpty", beside_incast(R"(pfc { buffer: "" })"),
     "e.textproto:4:15: error: \"\" is not a size: it is empty"},

    {"KminAboveKmax", beside_incast(R"(congestion { dcqcn { kmin: "2MB" } })"),
     "e.textproto:4:28: error: kmin 2000000 B is above kmax 1600000 B (its default)"},
    {"KmaxBelowKmin", beside_incast(R"(congestion { dcqcn { kmax: "1kB" } })"),
     "e.textproto:4:28: error: kmin 400000 B (its default) is above kmax 1000 B: marking begins at kmin and is certain "
     "from kmax on; write a kmin of at most 1000 B, or a kmax of at least 400000 B"},
    {"KminAboveKmaxOfAByte", beside_incast(R"(congestion { dcqcn { kmin: "2B" kmax: "1B" } })"),
     "e.textproto:4:28: error: kmin 2 B is above kmax 1 B: marking begins at kmin and is certain from kmax on; write a "
     "kmin of at most 1 B, or a kmax of at least 2 B"},
    {"KmaxZero", beside_incast(R"(congestion { dcqcn { kmin: "2MB" kmax: "0B" } })"),
     "e.textproto:4:40: error: kmax 0: write a size above zero; the default is 1600kB"},
    {"PmaxTooHigh", beside_incast("congestion { dcqcn { pmax: 2 } }"),
     "e.textproto:4:28: error: pmax 2: write a number above 0, at most 1; the default is 0.2"},
    {"PmaxZero", beside_incast("congestion { dcqcn { pmax: 0 } }"), "e.textproto:4:28: error: pmax 0: write a number"},
    {"PmaxNan", beside_incast("congestion { dcqcn { pmax: nan } }"),
     "e.textproto:4:28: error: pmax nan: write a number"},
    {"AlphaTimerZero", beside_incast(R"(congestion { dcqcn { alpha_timer: "0ns" } })"),
     "e.textproto:4:35: error: alpha_timer 0 fs: write a time of at least 1 ns and at most 10 s; the default is 55us"},
    {"LeastRateZero", beside_incast(R"(congestion { dcqcn { least_rate: "0bps" } })"),
     "e.textproto:4:34: error: least_rate 0 bps: write a rate above zero"},
    {"LowAboveHigh", beside_incast(R"(congestion { timely { low: "600us" } })"),
     "e.textproto:4:28: error: low 600 us is above high 500 us (its default): rates increase below low and decrease "
     "above high; write a low of at most 500 us, or a high of at least 600 us"},
    {"HighBelowLow", beside_incast(R"(congestion { timely { high: "40us" } })"),
     "e.textproto:4:29: error: low 50 us (its default) is above high 40 us: rates increase below low"},
    {"HighZero", beside_incast(R"(congestion { timely { low: "600us" high: "0ns" } })"),
     "e.textproto:4:42: error: high 0 fs: write a time of at least 1 ns"},
    {"ThresholdZero", beside_incast(R"(congestion { dctcp { threshold: "0B" } })"),
     "e.textproto:4:33: error: threshold 0: write a size above zero; the default is 300kB"},
    {"TelemetryTooLong", beside_incast(R"(congestion { hpcc { telemetry: "2KiB" } })"),
     "e.textproto:4:32: error: telemetry 2 KiB: write at most 1024B"},

    {"CcaLimitBeyondTheTable", beside_incast("congestion { ib_cca { table: 0 table: 1 table: 3 limit: 3 } }"),
     "e.textproto:4:57: error: limit 3 is beyond the table, which has 3 entries; write a limit of at most 2, or 4 "
     "entries or more"},
    {"CcaDefaultLimitBeyondTheTable", beside_incast("congestion { ib_cca { table: [0, 1] } }"),
     "e.textproto:4:34: error: limit 127 (its default) is beyond the table, which has 2 entries; write a limit of at "
     "most 1, or 128 entries or more"},
    {"CcaTableOfOneEntry", beside_incast("congestion { ib_cca { table: 7 } }"),
     "e.textproto:4:30: error: limit 127 (its default) is beyond the table, which has 1 entry; write 128 entries or "
     "more"},
    {"CcaTimerZero", beside_incast("congestion { ib_cca { timer: 0 } }"),
     "e.textproto:4:30: error: timer 0: write 1 to 65535; the default is 150"},
    {"CcaThresholdTooHigh", beside_incast("congestion { ib_cca { threshold: 16 } }"),
     "e.textproto:4:34: error: threshold 16: write 0 to 15"},
    {"CcaBufferZero", beside_incast("congestion { ib_cca { buffer: \"0B\" } }"),
     "e.textproto:4:31: error: buffer 0: write a size above zero"},
    {"CcaLeastAboveLimit", beside_incast("congestion { ib_cca { least: 9 limit: 8 } }"),
     "e.textproto:4:30: error: least 9 is above limit 8: they bound the index into the table; write a least of at most "
     "8, or a limit of at least 9"},
    {"CcaLimitBelowLeast", beside_incast("congestion { ib_cca { least: 128 } }"),
     "e.textproto:4:30: error: least 128 is above limit 127 (its default)"},
    {"CcaTableEntryTooHigh", beside_incast("congestion { ib_cca { limit: 1 table: [0, 16384] } }"), "e.textproto:4:"},
    {"CcaShiftTooHigh", beside_incast("congestion { ib_cca { shift: 4 } }"),
     "e.textproto:4:30: error: shift 4: write 0 to 3"},
    {"CcaGapAsLongAsNodesWait", in_nodes("limit: 2 table: [0, 1, 7280]"),
     "e.textproto:2:46: error: table 7280: the gap behind a full cell would be 131040 cycles, and nodes give up a "
     "transfer of which nothing comes for 131072 (lifetime, 8192 ticks of 16); write at most 7279, or a larger shift"},
    {"CcaPartsOfAGapAsLongAsNodesWait", in_nodes("limit: 2 shift: 1 table: 0 table: 14560 table: 16383"),
     "e.textproto:2:57: error: table 14560: the gap behind a full cell would be 131040 cycles, and nodes give up a "
     "transfer of which nothing comes for 131072 (lifetime, 8192 ticks of 16); write at most 14559, or a larger shift"},
    {"SwiftBaseTargetZero", beside_incast("congestion { swift { base_target: \"0ns\" } }"),
     "e.textproto:4:35: error: base_target 0 fs: write a time of at least 1 ns"},
    {"SwiftDecreaseTooHigh", beside_incast("congestion { swift { decrease: 1.5 } }"),
     "e.textproto:4:32: error: decrease 1.5: write a number above 0, at most 1; the default is 0.8"},
    {"SwiftWindowNan", beside_incast("congestion { swift { least_window: nan } }"),
     "e.textproto:4:36: error: least_window nan: write a number from 0.0001 to 1000000; the default is 0.01"},
    {"SwiftWindowsInTheWrongOrder", beside_incast("congestion { swift { least_window: 9 most_window: 8 } }"),
     "e.textproto:4:36: error: least_window 9 is above most_window 8: the window stays between the two; write a "
     "least_window of at most 8, or a most_window of at least 9"},
    {"SwiftMostWindowBelowTheLeast", beside_incast("congestion { swift { most_window: 0.005 } }"),
     "e.textproto:4:35: error: least_window 0.01 (its default) is above most_window 0.005"},
    {"SwiftLeastWindowNegative", beside_incast("congestion { swift { least_window: -1 most_window: 0.005 } }"),
     "e.textproto:4:36: error: least_window -1: write a number from 0.0001 to 1000000"},
    {"SwiftFlowWindowsInTheWrongOrder", beside_incast("congestion { swift { least_flow_window: 200 } }"),
     "e.textproto:4:41: error: least_flow_window 200 is not below most_flow_window 100 (its default): the target falls "
     "from the one to the other; write a least_flow_window below 100, or a most_flow_window above 200"},
    {"SwiftMostFlowWindowBelowTheLeast", beside_incast("congestion { swift { most_flow_window: 0.1 } }"),
     "e.textproto:4:40: error: least_flow_window 0.1 (its default) is not below most_flow_window 0.1"},
    {"SwiftFlowWindowZero", beside_incast("congestion { swift { least_flow_window: 200 most_flow_window: 0 } }"),
     "e.textproto:4:63: error: most_flow_window 0: write a number from 0.0001"},
    {"MaxMinTargetZero", beside_incast("congestion { max_min { target: 0 } }"),
     "e.textproto:4:32: error: target 0: write a number above 0, at most 1; the default is 1"},
    {"MaxMinIntervalZero", beside_incast("congestion { max_min { interval: \"0ns\" } }"),
     "e.textproto:4:34: error: interval 0 fs: write a time of at least 1 ns"},
    {"MaxMinTelemetryTooLong", beside_incast("congestion { max_min { telemetry: \"2KiB\" } }"),
     "e.textproto:4:35: error: telemetry 2 KiB: write at most 1024B; the default is 8B"},
    {"BackPressureStopZero", beside_incast("congestion { back_pressure { stop: \"0B\" resume: \"1B\" } }"),
     "e.textproto:4:36: error: stop 0: write a size above zero; the default is 64KiB"},
    {"BackPressureResumeAboveStop", beside_incast("congestion { back_pressure { resume: \"1MB\" } }"),
     "e.textproto:4:38: error: resume 1000000 B is above stop 64 KiB"},
    {"ThrottlingResumeAboveStop", beside_incast("congestion { throttling { stop: \"1KiB\" } }"),
     "e.textproto:4:33: error: resume 32 KiB (its default) is above stop 1 KiB: a source stops above stop and goes on "
     "below resume; write a resume of at most 1 KiB, or a stop of at least 32 KiB"},
    {"ResumeAboveStopOfAByte", beside_incast("congestion { back_pressure { stop: \"1B\" resume: \"2B\" } }"),
     "e.textproto:4:49: error: resume 2 B is above stop 1 B"},
    {"ResumeZero", beside_incast("congestion { throttling { resume: \"0B\" } }"),
     "e.textproto:4:35: error: resume 0: write a size above zero; the default is 32KiB"},

    {"CongestionOfExanet", beside_incast("congestion { hpcc { } }", "model: EXANET"),
     "e.textproto:4:14: error: congestion is for routers of the model PACKET, and these are EXANET"},
    {"CongestionOfInputQueued", beside_incast("congestion { hpcc { } }", "model: INPUT_QUEUED"),
     "e.textproto:4:1: error: congestion is for routers of the model PACKET, and these are INPUT_QUEUED"},
    {"TransportOfExanet", beside_incast("transport { }", "model: EXANET"),
     "e.textproto:4:1: error: transport is for routers of the model PACKET, and these are EXANET"},
    {"PfcOfInputQueued", beside_incast("pfc { }", "model: INPUT_QUEUED"),
     "e.textproto:4:1: error: pfc is for routers of the model PACKET, and these are INPUT_QUEUED"},
    {"CongestionOfRdma", beside_incast("host { nic: RDMA }\ncongestion { dcqcn { } }"),
     "e.textproto:5:1: error: congestion needs network interfaces with a transport, PLAIN, and these are RDMA"},
    {"TransportOfRdma", beside_incast("host { nic: RDMA }\ntransport { }"),
     "e.textproto:5:1: error: transport needs network interfaces with a transport, PLAIN, and these are RDMA"},

    {"QueuesOfRtl",
     beside_incast("statistics { queues: true }\nuse { select: \"router[*]\" implementation: RTL }", "model: EXANET"),
     "e.textproto:4:22: error: queues of all routers are counted, in models of one depth only, and \"router[*]\" is "
     "something else"},
    {"PfcWithVcs", beside_incast("pfc { }", "model: PACKET vcs: 2"),
     "e.textproto:2:29: error: vcs 2: switches with pfc have one queue for data at each output, and no VCs"},
    {"PfcShareTooHigh", beside_incast("pfc { share: 2 }"),
     "e.textproto:4:14: error: share 2: it is a share of the free memory; write a number above 0, at most 1"},
    {"PfcShareZero", beside_incast("pfc { share: 0 }"), "e.textproto:4:14: error: share 0: it is a share"},
    {"PfcHeadroomZero", beside_incast(R"(pfc { headroom: "0B" })"),
     "e.textproto:4:17: error: headroom 0: what arrives after a pause would be lost"},
    {"PfcResumeBeyondTheMemory", beside_incast(R"(pfc { buffer: "1MiB" resume_offset: "2MiB" })"),
     "e.textproto:4:37: error: resume_offset 2 MiB: it is more than the memory of a switch (1 MiB)"},
    {"HeaderTooLong", beside_incast(R"(transport { header: "2KiB" })"),
     "e.textproto:4:21: error: header 2 KiB: write 1B to 1024B"},
    {"HeaderZero", beside_incast(R"(transport { header: "0B" })"), "e.textproto:4:21: error: header 0 B: write 1B to "},
    {"CongestionWithoutScheme", beside_incast("congestion { }"),
     "e.textproto:4:1: error: congestion names no scheme; write one of dcqcn, dctcp, timely, hpcc, ib_cca, swift, "
     "max_min, back_pressure, throttling in it"},
    {"PfcWithBuffersOfVcs", beside_incast("pfc { }", "model: PACKET vc_buffer_flits: 2048"),
     "e.textproto:2:41: error: vc_buffer_flits is for input buffers with credits, and switches with pfc have a memory"},
    {"PfcWithCreditDelay", beside_incast("pfc { }", "model: PACKET credit_delay: 1"),
     "e.textproto:2:38: error: credit_delay is for input buffers with credits"},
    {"AcknowledgementsWithDataAndCredits", beside_incast("transport { acknowledgements_with_data: true }"),
     "e.textproto:4:41: error: acknowledgements_with_data changes nothing without pfc"},
    {"AcknowledgementsWithDataAside",
     beside_incast("pfc { } transport { acknowledgement: \"0B\" acknowledgements_with_data: true }"),
     "e.textproto:4:71: error: acknowledgements_with_data changes nothing with acknowledgement 0B"},
    {"DelayOfAcknowledgementsOnLinks", beside_incast(R"(transport { acknowledgement_delay: "1us" })"),
     "e.textproto:4:36: error: acknowledgement_delay is for acknowledgements that go past the network, and these take "
     "its links; write acknowledgement: \"0B\" too, or leave it out"},
    {"DelayTooLong", beside_incast(R"(transport { acknowledgement: "0B" acknowledgement_delay: "2s" })"),
     "e.textproto:4:58: error: acknowledgement_delay 2 s: write 0ns to 1 s"},
    {"StartWithAnExponent", with_incast(R"(sources: 1 bytes: "1B" start: "1e30s")"),
     "e.textproto:3:51: error: \"1e30s\" is not a time: it has an exponent; write all digits and one of "},
    {"StartTooLate", with_incast(R"(sources: 1 bytes: "1B" start: "9200s")"),
     "e.textproto:3:51: error: the last flow may begin at 9200 s, and simulated time ends at 9000 s"},
    {"StartAtTheEnd", with_incast(R"(sources: 1 bytes: "1B" start: "9000s")"),
     "e.textproto:3:51: error: the last flow may begin at 9000 s, and simulated time ends at 9000 s"},
    {"RoundsTooLate", with_incast(R"(sources: 1 bytes: "1B" rounds: 1000000 period: "1s")"),
     "e.textproto:3:68: error: the last flow may begin at 999999 s, and simulated time ends at 9000 s"},
    {"AcknowledgementTooLong", beside_incast(R"(transport { acknowledgement: "2KiB" })"),
     "e.textproto:4:30: error: acknowledgement 2 KiB: write 0B to 1024B"},
};

class CongestionRefusal : public ::testing::TestWithParam<RefusalCase> {};

TEST_P(CongestionRefusal, IsPlacedAndExplained) {
  const auto experiment = test::parse_experiment(GetParam().text, "e.textproto");
  ASSERT_FALSE(experiment.ok());
  EXPECT_EQ(experiment.status().code(), absl::StatusCode::kInvalidArgument);
  const std::string error(message_of(experiment.status()));
  EXPECT_THAT(error, StartsWith(GetParam().error));
  EXPECT_EQ(error.find(": error: "), error.rfind(": error: ")) << "there is more than one: " << error;
}

INSTANTIATE_TEST_SUITE_P(Table, CongestionRefusal, ::testing::ValuesIn(kRefusals),
                         [](const ::testing::TestParamInfo<RefusalCase>& info) { return info.param.name; });

// What is next to that is taken.
TEST(CongestionCheck, TakesTheEndsOfRanges) {
  for (const std::string& text :
       {with_flows(R"(sizes: "WEBSEARCH" load: 0.99)"), with_flows(R"(sizes: "HADOOP" load: 0.01 duration: "1fs")"),
        with_flows(R"(sizes: "HADOOP" load: 0.01 duration: "9000s")"),
        with_incast(R"(sources: 1 bytes: "1B" rounds: 1)"), with_incast(R"(sources: 1 bytes: "1B" start: "8999s")"),
        with_incast(R"(sources: 1 bytes: "1B" rounds: 2 period: "1fs")"),
        beside_incast(R"(congestion { dcqcn { kmin: "5kB" kmax: "5kB" pmax: 1 gain: 1 notice_interval: "0ns" } })"),
        // What waits is at least a packet, so these mark as soon as anything does.
        beside_incast(R"(congestion { dcqcn { kmin: "0B" kmax: "1B" } })"),
        beside_incast(R"(congestion { dcqcn { kmin: "1B" kmax: "1B" } })"),
        beside_incast(R"(congestion { dcqcn { cut_interval: "0ns" byte_counter: "0B" fast_recovery: 1 } })"),
        beside_incast(R"(congestion { timely { low: "9us" high: "9us" decrease: 1 } })"),
        beside_incast(R"(congestion { hpcc { telemetry: "1KiB" stages: 0 target: 1 } })"),
        beside_incast(R"(congestion { dctcp { threshold: "1B" } })"),
        beside_incast("congestion { ib_cca { threshold: 0 increase: 16383 limit: 1 least: 1 timer: 65535 shift: 3 } }"),
        beside_incast("congestion { ib_cca { limit: 16383 marking_rate: 65535 packet_size: 255 victim_mask: false } }"),
        beside_incast("congestion { ib_cca { limit: 1 table: [0, 16383] } }"),
        // Only nodes give transfers up, and not by entries that no index reaches, or as index 0, which is no gap.
        beside_incast("congestion { ib_cca { limit: 1 table: [0, 16383] } }", "model: EXANET"),
        in_nodes("limit: 1 table: [0, 7279, 16383]"), in_nodes("limit: 1 shift: 1 table: [16383, 14559]"),
        in_nodes("limit: 2 least: 2 shift: 2 table: [0, 16383, 16383]"),
        in_nodes("limit: 2 least: 2 table: [0, 16383, 7279]"),
        beside_incast(R"(congestion { swift { hop_target: "0ns" flow_range: "0ns" least_window: 1 most_window: 1 } })"),
        beside_incast(R"(congestion { max_min { telemetry: "0B" target: 1 interval: "1ns" } })"),
        beside_incast(R"(congestion { back_pressure { stop: "1B" resume: "1B" least_window: "1B" } })"),
        beside_incast(R"(congestion { throttling { stop: "1B" resume: "1B" } })"),
        beside_incast(R"(transport { header: "1KiB" acknowledgement: "1B" })"),
        beside_incast("pfc { } transport { acknowledgements_with_data: true }"),
        beside_incast(R"(pfc { share: 1 headroom: "1B" })"), beside_incast("pfc { }", "model: PACKET vcs: 1")}) {
    const auto experiment = test::parse_experiment(text, "e.textproto");
    EXPECT_TRUE(experiment.ok()) << text << experiment.status();
  }
}

TEST(CongestionCheck, GivesHostsOfFlowsATransport) {
  const auto incast = test::parse_experiment(beside_incast(R"(transport { header: "48B" })"), "e.textproto");
  ASSERT_TRUE(incast.ok()) << incast.status();
  ASSERT_TRUE(incast->transport.has_value());
  EXPECT_EQ(incast->transport->header, 48);
  EXPECT_EQ(incast->transport->acknowledgement, 64);
  EXPECT_EQ(incast->transport->arbitration, v1::Transport::ROUND_ROBIN);
  EXPECT_FALSE(incast->transport->acknowledgements_with_data);

  const auto plain = test::parse_experiment(beside_incast(""), "e.textproto");
  ASSERT_TRUE(plain.ok()) << plain.status();
  ASSERT_TRUE(plain->transport.has_value()) << "flows have one without being asked";
  EXPECT_FALSE(plain->transport->header.has_value());
  for (const char* other : {"model: EXANET", "model: INPUT_QUEUED"}) {
    const auto experiment = test::parse_experiment(beside_incast("", other), "e.textproto");
    ASSERT_TRUE(experiment.ok()) << experiment.status();
    EXPECT_FALSE(experiment->transport.has_value()) << other;
  }

  const std::string exchange = "workload { exchange { } }";
  const auto none = test::parse_experiment(with_router("model: PACKET", exchange), "e.textproto");
  ASSERT_TRUE(none.ok()) << none.status();
  EXPECT_FALSE(none->transport.has_value());
  const auto asked = test::parse_experiment(with_router("model: PACKET", exchange + " transport { }"), "e.textproto");
  ASSERT_TRUE(asked.ok()) << asked.status();
  ASSERT_TRUE(asked->transport.has_value());
  EXPECT_EQ(asked->transport->arbitration, v1::Transport::OLDEST_FIRST);
}

/// What is said of a workload that fits into an experiment, but not onto its hosts.
std::string made_flows_error(const std::string& text, const std::string& file = "e.textproto") {
  const auto list = test::make_flows(text, file);
  EXPECT_FALSE(list.ok());
  return std::string(message_of(list.status()));
}

TEST(FlowsRefusal, NamesMissingFiles) {
  const TestFolder folder;
  const std::string file = folder.file("e.textproto");
  EXPECT_THAT(made_flows_error(with_flows("file: \"none.csv\""), file),
              StartsWith(file + ":3:26: error: there is no file " + folder.file("none.csv") +
                         "; write one with the columns source,destination,bytes,start\n"));
  EXPECT_THAT(made_flows_error(with_flows("sizes: \"WEBSERCH\" load: 0.5"), file),
              StartsWith(file + ":3:27: error: there is no file " + folder.file("WEBSERCH") +
                         "; write WEBSEARCH, HADOOP, or a file with the columns bytes,percent\n"));
}

TEST(FlowsRefusal, PlacesMistakesInFilesThere) {
  const TestFolder folder;
  const std::string file = folder.file("e.textproto");
  folder.write("list.csv", "source,destination,bytes\n0,4,1\n");
  folder.write("sizes.csv", "bytes,percent\n0,0\n10,99\n");
  EXPECT_THAT(made_flows_error(with_flows("file: \"list.csv\""), file),
              StartsWith(folder.file("list.csv") + ":2:3: error: \"4\" is not the number of a host; write 0 to 3"));
  EXPECT_THAT(
      made_flows_error(with_flows("sizes: \"sizes.csv\" load: 0.5"), file),
      StartsWith(folder.file("sizes.csv") + ":3:4: error: the last line has 99 percent, and no flow is larger"));
}

TEST(FlowsRefusal, IsOfStopsWithoutTransport) {
  const TestFolder folder;
  folder.write("list.csv", "source,destination,stop\n0,1,1\n");
  for (const char* model : {"model: EXANET", "model: INPUT_QUEUED"}) {
    EXPECT_THAT(
        made_flows_error(with_router(model, "workload { flows { file: \"list.csv\" } }"), folder.file("e.textproto")),
        AllOf(StartsWith(folder.file("e.textproto") + ":3:26: error: "),
              HasSubstr("flows with a stop need hosts with a transport; write router { model: PACKET }")))
        << model;
  }
}

TEST(FlowsRefusal, IsOfNoFlows) {
  EXPECT_THAT(made_flows_error(with_flows("sizes: \"WEBSEARCH\" load: 0.5 duration: \"1ns\"")),
              AllOf(StartsWith("e.textproto:3:59: error: no flow starts within 1 ns: with load 0.5 and sizes of "
                               "1711250 B there is one each "),
                    HasSubstr(" on average; write a longer duration or a higher load")));
  EXPECT_THAT(made_flows_error(with_flows("sizes: \"WEBSEARCH\" load: 1e-300 duration: \"1ms\"")),
              HasSubstr("no flow starts within 1 ms: with load 1e-300"));
}

TEST(FlowsRefusal, IsOfTooManyFlows) {
  EXPECT_THAT(made_flows_error(with_flows("sizes: \"HADOOP\" load: 0.5 duration: \"5000s\"")),
              AllOf(StartsWith("e.textproto:3:56: error: this would be "),
                    HasSubstr(" flows, and a run has at most 10000000; write a shorter duration")));
  EXPECT_THAT(made_flows_error("topology { torus { dims: [4, 4] } }\nrouter { model: PACKET }\n"
                               "workload { incast { sources: 11 bytes: \"1B\" rounds: 1000000 period: \"1ns\" } }"),
              StartsWith("e.textproto:3:53: error: 1000000 rounds of 11 flows are more than 10000000; write fewer"));
}

TEST(FlowsRefusal, IsOfIncastsThatNeedMoreHosts) {
  EXPECT_THAT(made_flows_error(with_incast("sources: 4 bytes: \"1MB\"")),
              StartsWith("e.textproto:3:30: error: an incast from 4 hosts to another one needs more than the 4 hosts "
                         "that there are; write at most 3 sources"));
  EXPECT_THAT(made_flows_error(with_incast("sources: 2 bytes: \"1MB\" destination: 4")),
              StartsWith("e.textproto:3:58: error: destination 4: there are hosts 0 to 3; write one of them"));
  // The job has its flows on hosts of its own, of which it numbers two.
  EXPECT_THAT(
      made_flows_error("topology { torus { dims: 4 } }\nrouter { model: PACKET }\nworkload { jobs {\n"
                       "job { name: \"a\" incast { sources: 1 bytes: \"1MB\"\n destination: 2 } placement { hosts: "
                       "\"0..1\" } } } }"),
      StartsWith("e.textproto:5:15: error: destination 2: there are hosts 0 to 1; write one of them"));
  EXPECT_THAT(made_flows_error("topology { torus { dims: 1 } }\nrouter { model: PACKET }\n"
                               "workload { flows { sizes: \"HADOOP\" load: 0.5 } }"),
              StartsWith("e.textproto:3:1: error: flows need at least two hosts"));
}

}  // namespace
}  // namespace fabrictwin
