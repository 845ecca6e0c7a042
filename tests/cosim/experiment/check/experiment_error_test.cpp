// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "tests/cosim/experiment/check/experiment_errors.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

class ExperimentErrorTest : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(ExperimentErrorTest, IsPlacedAndExplained) { expect_error(GetParam()); }

const ErrorCase kCases[] = {
    {"Empty", R"()",
     R"(e.textproto:1:1: error: no topology: an experiment needs a network; write topology { torus { dims: 2 dims: 2 dims: 2 } }

^
e.textproto:1:1: error: no workload: nothing would run on the network; write workload { mpi_trace { path: "hpcg-8.fttrace" } } or workload { traffic { load: 0.3 } }

^)"},
    {"NoWorkload", R"(topology { torus { dims: 2 } }
)",
     R"(e.textproto:1:1: error: no workload: nothing would run on the network; write workload { mpi_trace { path: "hpcg-8.fttrace" } } or workload { traffic { load: 0.3 } }
topology { torus { dims: 2 } }
^)"},
    {"EmptyTopology", R"(topology { }
workload { traffic { load: 0.3 } }
)",
     R"(e.textproto:1:1: error: the topology is empty; write topology { torus { dims: 2 dims: 2 dims: 2 } }
topology { }
^)"},
    {"EmptyWorkload", R"(topology { torus { dims: 2 } }
workload { }
)",
     R"(e.textproto:2:1: error: the workload is empty; write mpi_trace { path: "hpcg-8.fttrace" } or traffic { load: 0.3 } in it
workload { }
^)"},
    {"NotText", R"(<xml/>)",
     R"(e.textproto:1:1: error: expected identifier, got: <; an experiment is protobuf text format, see docs/experiment-file.md
<xml/>
^)"},
    {"UnclosedBrace", R"(topology {
  torus { dims: 2 }
)",
     R"(e.textproto:2:19: error: the text ends in the middle of a message; is a "}" missing?
  torus { dims: 2 }
                  ^)"},
    {"ExtraBrace", R"(topology { torus { dims: 2 } } }
)",
     R"(e.textproto:1:32: error: there is a "}" without its "{"; remove it
topology { torus { dims: 2 } } }
                               ^)"},
    {"UnclosedString", R"(topology { torus { dims: 2 link_rate: "10Gbps } }
)",
     R"(e.textproto:1:50: error: string literals cannot cross line boundaries; an experiment is protobuf text format, see docs/experiment-file.md
topology { torus { dims: 2 link_rate: "10Gbps } }
                                                 ^)"},
    {"TabsBeforeTheMistake", R"(topology {
	torus {	dims: 0 }
}
workload { traffic { load: 0.3 } }
)",
     R"(e.textproto:2:16: error: dims 0: the size of a dimension is 1 to 256
	torus {	dims: 0 }
	       	      ^)"},
    {"Utf8BeforeTheMistake", rule(R"(select: "größe[1]" implementation: RTLX)"),
     R"(e.textproto:3:44: error: unknown implementation "RTLX" (did you mean "RTL"?); write one of MODEL, RTL, BOARD
use { select: "größe[1]" implementation: RTLX }
                                         ^)"},
    {"UnknownFields", torus(R"(link_rat: "1Gbps" tile_latancy: "1ns")"),
     R"(e.textproto:1:28: error: unknown field "link_rat" in Torus (did you mean "link_rate"?); its fields are dims, link_rate, link_latency, tile_rate, tile_latency, link_latency_cycles, tile_latency_cycles, wrap, hosts_per_router
topology { torus { dims: 2 link_rat: "1Gbps" tile_latancy: "1ns" } }
                           ^
e.textproto:1:46: error: unknown field "tile_latancy" in Torus (did you mean "tile_latency"?); its fields are dims, link_rate, link_latency, tile_rate, tile_latency, link_latency_cycles, tile_latency_cycles, wrap, hosts_per_router
topology { torus { dims: 2 link_rat: "1Gbps" tile_latancy: "1ns" } }
                                             ^)"},
    {"UnknownMessage", kTopology + kWorkload + R"(worklod { traffic { lod: 1 } })",
     R"(e.textproto:3:1: error: unknown field "worklod" in Experiment (did you mean "workload"?); its fields are topology, use, workload, stop, seed, router, host, routing, statistics, congestion, transport, pfc, queues, fault, calibration
worklod { traffic { lod: 1 } }
^)"},
    {"UnknownEnum", with_traffic(R"(pattern: UNIFROM load: 0.3)"),
     R"(e.textproto:2:31: error: unknown pattern "UNIFROM" (did you mean "UNIFORM"?); write one of UNIFORM, TORNADO, TRANSPOSE, BITCOMP, BITREV, SHUFFLE, NEIGHBOR, HOTSPOT, INCAST, ALL_TO_ALL, PERMUTATION, GROUP_NEXT
workload { traffic { pattern: UNIFROM load: 0.3 } }
                              ^)"},
    {"TwoUnknownEnums", kTopology + kWorkload + R"(use { select: "*" implementation: RTLL }
stop { at_workload_end: maybe })",
     R"(e.textproto:3:35: error: unknown implementation "RTLL" (did you mean "RTL"?); write one of MODEL, RTL, BOARD
use { select: "*" implementation: RTLL }
                                  ^
e.textproto:4:25: error: "maybe" is not a value of at_workload_end; write true or false
stop { at_workload_end: maybe }
                        ^)"},
    {"FieldTwice", kTopology + kWorkload + R"(seed: 1 seed: 2)",
     R"(e.textproto:3:9: error: "seed" is given twice; it has only one value, so remove one of them
seed: 1 seed: 2
        ^)"},
    {"TwoWorkloads", R"(topology { torus { dims: 2 } }
workload { traffic { load: 0.3 } mpi_trace { path: "x" } })",
     R"(e.textproto:2:34: error: "mpi_trace" and "traffic" exclude each other; remove one of them
workload { traffic { load: 0.3 } mpi_trace { path: "x" } }
                                 ^)"},
    {"MissingQuotes", torus(R"(link_rate: 10Gbps)"),
     R"(e.textproto:1:39: error: this value must be in quotes, as in "10Gbps" or "router[1]"
topology { torus { dims: 2 link_rate: 10Gbps } }
                                      ^)"},
    {"NumberInQuotes", with_traffic(R"(load: "0.3")"),
     R"(e.textproto:2:28: error: this value is not a number; write one, without quotes
workload { traffic { load: "0.3" } }
                           ^)"},
    {"NegativeSeed", kTopology + kWorkload + R"(seed: -1)",
     R"(e.textproto:3:7: error: this number must not be negative
seed: -1
      ^)"},
    {"SeedTooLarge", kTopology + kWorkload + R"(seed: 99999999999999999999)",
     R"(e.textproto:3:7: error: this number is out of range; write a smaller one that is not negative
seed: 99999999999999999999
      ^)"},
    {"NoTracePath", R"(topology { torus { dims: 2 } }
workload { mpi_trace { } })",
     R"(e.textproto:2:12: error: the trace has no path; write path: "FILE.fttrace" (make one with `fabrictwin trace import`)
workload { mpi_trace { } }
           ^)"},
    {"TraceIsMissing", R"(topology { torus { dims: 2 } }
workload { mpi_trace { path: "/no/such.fttrace" } })",
     R"(e.textproto:2:30: error: there is no file /no/such.fttrace; make it with `fabrictwin trace import --from ti DIR --out /no/such.fttrace`, or name another
workload { mpi_trace { path: "/no/such.fttrace" } }
                             ^)"},
    {"TraceIsAFolder", R"(topology { torus { dims: 2 } }
workload { mpi_trace { path: "/" } })",
     R"(e.textproto:2:30: error: / is not a file; name a .fttrace file
workload { mpi_trace { path: "/" } }
                             ^)"},
    {"ComputeScaleInfinite", R"(topology { torus { dims: 2 } }
workload { mpi_trace { path: "/no/such.fttrace" compute_scale: inf eager_limit: "3" } })",
     R"(e.textproto:2:30: error: there is no file /no/such.fttrace; make it with `fabrictwin trace import --from ti DIR --out /no/such.fttrace`, or name another
workload { mpi_trace { path: "/no/such.fttrace" compute_scale: inf eager_limit: "3" } }
                             ^
e.textproto:2:64: error: compute_scale inf: recorded compute time is multiplied by it; write a finite number that is not negative
workload { mpi_trace { path: "/no/such.fttrace" compute_scale: inf eager_limit: "3" } }
                                                               ^
e.textproto:2:81: error: "3" is not a size: it has no unit; write a number and one of B, kB, KB, MB, GB, KiB, MiB, GiB, as in "4KiB"
workload { mpi_trace { path: "/no/such.fttrace" compute_scale: inf eager_limit: "3" } }
                                                                                ^)"},
    {"StopWithoutAnything", kTopology + kWorkload + R"(stop { })",
     R"(e.textproto:3:1: error: the run would never end; write at_workload_end: true, after_simulated: "2s", or both in stop (or leave it out: a run ends with its workload)
stop { }
^)"},
    {"StopAtZero", kTopology + kWorkload + R"(stop { after_simulated: "0s" })",
     R"(e.textproto:3:25: error: after_simulated 0: nothing would be simulated; write a time such as "2s"
stop { after_simulated: "0s" }
                        ^)"},
    {"StopEmpty", kTopology + kWorkload + R"(stop { after_simulated: "" })",
     R"(e.textproto:3:25: error: "" is not a time: it is empty; write it as in "120ns"
stop { after_simulated: "" }
                        ^)"},
    {"RateEmpty", torus(R"(link_rate: "")"),
     R"(e.textproto:1:39: error: "" is not a data rate: it is empty; write it as in "10Gbps"
topology { torus { dims: 2 link_rate: "" } }
                                      ^)"},
    {"StopWithoutUnit", kTopology + kWorkload + R"(stop { at_workload_end: true after_simulated: "2" })",
     R"(e.textproto:3:47: error: "2" is not a time: it has no unit; write a number and one of fs, ps, ns, us, ms, s, as in "120ns"
stop { at_workload_end: true after_simulated: "2" }
                                              ^)"},
    {"HostOverheadsOfTraffic", kTopology + kWorkload + R"(host { send_overhead: "0ns" receive_overhead: "1us" })",
     R"(e.textproto:3:23: error: send_overhead is of MPI jobs, as of workload { mpi_trace { } }: no software sends this workload; leave it out
host { send_overhead: "0ns" receive_overhead: "1us" }
                      ^
e.textproto:3:47: error: receive_overhead is of MPI jobs, as of workload { mpi_trace { } }: no software sends this workload; leave it out
host { send_overhead: "0ns" receive_overhead: "1us" }
                                              ^)"},
    {"HostOverheads",
     kTopology + "workload { osu { benchmark: BW } }\n" + R"(host { send_overhead: "-1ns" receive_overhead: "fast" })",
     R"(e.textproto:3:23: error: "-1ns" is not a time: it must not be negative
host { send_overhead: "-1ns" receive_overhead: "fast" }
                      ^
e.textproto:3:48: error: "fast" is not a time: it must begin with a number, as in "120ns"
host { send_overhead: "-1ns" receive_overhead: "fast" }
                                               ^)"},
    {"HostProfile", kTopology + kWorkload + R"(host { profile: "cray-1" })",
     R"(e.textproto:3:17: error: host profile 'cray-1' is not known; write one of none, x86, a53-exanest, a64fx-tofud
host { profile: "cray-1" }
                ^)"},
    {"HostAllreduce", "topology { exanest { } }\n" + kWorkload + R"(host { allreduce: HARDWARE })",
     R"(e.textproto:3:19: error: unknown allreduce "HARDWARE"; write one of SOFTWARE, ACCELERATOR
host { allreduce: HARDWARE }
                  ^)"},
    {"HostMemory", "topology { exanest { } }\n" + kWorkload + R"(host {
  memory { latency: "2ms" outstanding: 5000 burst: "0B" load { } }
  copy_rate: "0GB/s" firmware_delay: "2s"
})",
     R"(e.textproto:4:3: error: the memory has no bandwidth, and there is no usual one; write bandwidth: "16GB/s"
  memory { latency: "2ms" outstanding: 5000 burst: "0B" load { } }
  ^
e.textproto:4:21: error: latency of 2 ms is more than 1 ms, the longest that is allowed
  memory { latency: "2ms" outstanding: 5000 burst: "0B" load { } }
                    ^
e.textproto:4:40: error: outstanding 5000: write 1 to 4096; the default is 8
  memory { latency: "2ms" outstanding: 5000 burst: "0B" load { } }
                                       ^
e.textproto:4:52: error: burst of 0 B: write 1B to 4 KiB
  memory { latency: "2ms" outstanding: 5000 burst: "0B" load { } }
                                                   ^
e.textproto:4:57: error: the load has no cores; write load { cores: 3 rate: "2GB/s" }
  memory { latency: "2ms" outstanding: 5000 burst: "0B" load { } }
                                                        ^
e.textproto:4:57: error: the load has no rate; write load { cores: 3 rate: "2GB/s" }
  memory { latency: "2ms" outstanding: 5000 burst: "0B" load { } }
                                                        ^
e.textproto:5:14: error: copy_rate of 0 bps: write a rate above zero, at most 100 Tbps
  copy_rate: "0GB/s" firmware_delay: "2s"
             ^
e.textproto:5:14: error: copy_rate is for workload { mpi_trace { } }: traffic neither computes nor copies; leave it out
  copy_rate: "0GB/s" firmware_delay: "2s"
             ^
e.textproto:5:38: error: firmware_delay of 2 s is more than 1 ms, the longest that is allowed
  copy_rate: "0GB/s" firmware_delay: "2s"
                                     ^)"},
    {"CollectivesOfTraffic", kTopology + kWorkload + R"(host { collectives { request: "2s" rate: "0GB/s" } })",
     R"(e.textproto:3:8: error: collectives is for workload { mpi_trace { } }: traffic neither computes nor copies; leave it out
host { collectives { request: "2s" rate: "0GB/s" } }
       ^
e.textproto:3:31: error: request of 2 s is more than 1 s, the longest that is allowed
host { collectives { request: "2s" rate: "0GB/s" } }
                              ^
e.textproto:3:42: error: rate of 0 bps: write a rate above zero, at most 100 Tbps
host { collectives { request: "2s" rate: "0GB/s" } }
                                         ^)"},
    {"HostMemoryOfATorus", kTopology + kWorkload + R"(host { memory { bandwidth: "0GB/s" } firmware_delay: "3us" })",
     R"(e.textproto:3:8: error: memory is for hosts whose network interface reads and writes it: those of topology { exanest { } }, and with nic: TOFU or RDMA; leave it out
host { memory { bandwidth: "0GB/s" } firmware_delay: "3us" }
       ^
e.textproto:3:28: error: bandwidth of 0 bps: write a rate above zero, at most 100 Tbps
host { memory { bandwidth: "0GB/s" } firmware_delay: "3us" }
                           ^
e.textproto:3:54: error: firmware_delay is that of the RDMA unit in topology { exanest { } }; leave it out
host { memory { bandwidth: "0GB/s" } firmware_delay: "3us" }
                                                     ^)"},
    {"RdmaUnitOfATorus", kTopology + kWorkload + R"(host { translation_cache: true receive_windows: 40 })",
     R"(e.textproto:3:27: error: translation_cache is that of the RDMA unit in topology { exanest { } }; leave it out
host { translation_cache: true receive_windows: 40 }
                          ^
e.textproto:3:49: error: receive_windows is that of the RDMA unit in topology { exanest { } }; leave it out
host { translation_cache: true receive_windows: 40 }
                                                ^)"},
    {"TooManyReceiveWindows", "topology { exanest { } }\n" + kWorkload + R"(host { receive_windows: 65 })",
     R"(e.textproto:3:25: error: receive_windows 65: write 1 to 64; the default is 32
host { receive_windows: 65 }
                        ^)"},
    {"MailboxOfATorus", kTopology + kWorkload + R"(host { mailbox_rings: MEMORY mailbox_entries: 64 })",
     R"(e.textproto:3:23: error: mailbox_rings is that of the mailbox in topology { exanest { } }; leave it out
host { mailbox_rings: MEMORY mailbox_entries: 64 }
                      ^
e.textproto:3:47: error: mailbox_entries is that of the mailbox in topology { exanest { } }; leave it out
host { mailbox_rings: MEMORY mailbox_entries: 64 }
                                              ^)"},
    {"MailboxEntriesOfNoPower",
     "topology { exanest { } }\n" + kWorkload + R"(host { mailbox_rings: MEMORY mailbox_entries: 100 })",
     R"(e.textproto:3:47: error: mailbox_entries 100: a ring in memory has a power of two of them; write 128
host { mailbox_rings: MEMORY mailbox_entries: 100 }
                                              ^)"},
    {"MailboxEntriesOfBlockRam", "topology { exanest { } }\n" + kWorkload + R"(host { mailbox_entries: 64 })",
     R"(e.textproto:3:25: error: mailbox_entries is that of rings in memory, and those in block RAM have 16; write mailbox_rings: MEMORY, or leave it out
host { mailbox_entries: 64 }
                        ^)"},
    {"InterruptOfATorus", kTopology + kWorkload + R"(host { mailbox: INTERRUPT })",
     R"(e.textproto:3:17: error: mailbox is that of the mailbox in topology { exanest { } }; leave it out
host { mailbox: INTERRUPT }
                ^)"},
    {"InterruptTimesOfAPolledMailbox", "topology { exanest { } }\n" + kWorkload + R"(host { interrupt_delay: "1us" })",
     R"(e.textproto:3:25: error: interrupt_delay is that of the interrupt of the mailbox, which is polled; write mailbox: INTERRUPT, or leave it out
host { interrupt_delay: "1us" }
                        ^)"},
    {"InterruptThatWaitsTooLong",
     "topology { exanest { } }\n" + kWorkload + R"(host { mailbox: INTERRUPT interrupt_delay: "2ms" })",
     R"(e.textproto:3:44: error: interrupt_delay 2 ms: write at most 1 ms
host { mailbox: INTERRUPT interrupt_delay: "2ms" }
                                           ^)"},
    {"InterruptOfMessagesThatDoNotWait",
     "topology { exanest { } }\n" + kWorkload + R"(host { mailbox: INTERRUPT interrupt_messages: 4 })",
     R"(e.textproto:3:47: error: interrupt_messages has no effect without interrupt_delay, the longest that a message waits for others; write interrupt_delay, or leave it out
host { mailbox: INTERRUPT interrupt_messages: 4 }
                                              ^)"},
    {"InterruptOfNoMessages",
     "topology { exanest { } }\n" + kWorkload +
         R"(host { mailbox: INTERRUPT interrupt_delay: "1us" interrupt_messages: 0 })",
     R"(e.textproto:3:70: error: interrupt_messages 0: write 1 to 65535
host { mailbox: INTERRUPT interrupt_delay: "1us" interrupt_messages: 0 }
                                                                     ^)"},
    {"NotUtf8", rule(R"(select: "\377" implementation: RTL)"),
     R"(e.textproto:3:15: error: select is not UTF-8 text; write it without bytes of other encodings
use { select: "\377" implementation: RTL }
              ^)"},
    {"RuleWithoutSelect", rule(R"(implementation: RTL)"),
     R"(e.textproto:3:1: error: the rule selects nothing; write select: "router[1]", "router[*]" or "*"
use { implementation: RTL }
^)"},
    {"RuleWithoutImplementation", rule(R"(select: "router[1]")"),
     R"(e.textproto:3:1: error: the rule does not say which implementation; write implementation: MODEL, RTL or BOARD
use { select: "router[1]" }
^)"},
    {"RuleWithUnspecified", rule(R"(select: "router[1]" implementation: IMPLEMENTATION_UNSPECIFIED)"),
     R"(e.textproto:3:1: error: the rule does not say which implementation; write implementation: MODEL, RTL or BOARD
use { select: "router[1]" implementation: IMPLEMENTATION_UNSPECIFIED }
^)"},
    {"RuleWithUnknownNumber", rule(R"(select: "router[1]" implementation: 9)"),
     R"(e.textproto:3:43: error: unknown implementation; write MODEL, RTL or BOARD
use { select: "router[1]" implementation: 9 }
                                          ^)"},
    {"RuleWithUnknownPlace", rule(R"(select: "router[1]" implementation: RTL place: "worker:smh")"),
     R"(e.textproto:3:54: error: unknown place "worker:smh" (did you mean "worker:shm"?); write inproc, worker:shm, worker:unix, worker:tcp, mpi:RANK, or the address of a worker, "HOST:PORT" or "unix:PATH"
use { select: "router[1]" implementation: RTL place: "worker:smh" }
                                                     ^)"},
    {"RuleWithBadPort", rule(R"(select: "router[1]" implementation: RTL place: "host:70000")"),
     R"(e.textproto:3:54: error: unknown place "host:70000"; write inproc, worker:shm, worker:unix, worker:tcp, mpi:RANK, or the address of a worker, "HOST:PORT" or "unix:PATH"
use { select: "router[1]" implementation: RTL place: "host:70000" }
                                                     ^)"},
    {"RuleWithSoftPlace", rule(R"(select: "router[1]" implementation: RTL place: "soft")"),
     R"(e.textproto:3:54: error: "soft" is a board; write implementation: BOARD board: "soft" (--use 'SELECT=BOARD@soft')
use { select: "router[1]" implementation: RTL place: "soft" }
                                                     ^)"},
    {"BoardWithoutBoard", rule(R"(select: "router[1]" implementation: BOARD)"),
     R"(e.textproto:3:1: error: the rule does not say which board; write board: "soft", "shell" or the address of its agent, "HOST:PORT" or "unix:PATH"
use { select: "router[1]" implementation: BOARD }
^)"},
    {"BoardWithPlace", rule(R"(select: "router[1]" implementation: BOARD place: "inproc")"),
     R"(e.textproto:3:56: error: a board has no place; write board: "soft", "shell" or the address of its agent instead
use { select: "router[1]" implementation: BOARD place: "inproc" }
                                                       ^)"},
    {"BoardUnknown", rule(R"(select: "router[1]" implementation: BOARD board: "sfot")"),
     R"(e.textproto:3:56: error: unknown board "sfot" (did you mean "soft"?); write "soft", "shell" or the address of an agent, "HOST:PORT" or "unix:PATH"
use { select: "router[1]" implementation: BOARD board: "sfot" }
                                                       ^)"},
    {"BoardOnRtl", rule(R"(select: "router[1]" implementation: RTL board: "soft")"),
     R"(e.textproto:3:54: error: "board" is for implementation: BOARD, and this rule says RTL; write place instead of board, or BOARD
use { select: "router[1]" implementation: RTL board: "soft" }
                                                     ^)"},
};

INSTANTIATE_TEST_SUITE_P(Table, ExperimentErrorTest, ::testing::ValuesIn(kCases),
                         [](const ::testing::TestParamInfo<ErrorCase>& info) { return info.param.name; });

TEST(ExperimentErrorTest, ManyMistakesEndInANumber) {
  std::string text = kTopology + kWorkload;
  for (int i = 0; i < 30; ++i) text += "use { implementation: RTL }\n";
  const absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(text, "e.textproto");
  ASSERT_FALSE(experiment.ok());
  EXPECT_TRUE(message_of(experiment.status()).ends_with("\n(and 10 more)")) << experiment.status();
}

TEST(ExperimentErrorTest, RefusesWhatIsTooLong) {
  EXPECT_EQ(message_of(test::parse_experiment(std::string((1 << 20) + 1, '\n'), "e.textproto").status()),
            "e.textproto: error: the experiment is longer than 1048576 bytes; it is not an experiment file");
  EXPECT_EQ(message_of(test::parse_experiment("\n" + std::string(9000, '#'), "e.textproto").status()),
            "e.textproto:2:8193: error: this line is longer than 8192 bytes; break it");
}

}  // namespace
}  // namespace fabrictwin
