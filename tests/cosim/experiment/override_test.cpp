// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/experiment/experiment.h"
#include "models/topology/lattice/torus.h"
#include "models/topology/tree/layout.h"
#include "tests/experiments.h"
#include "workloads/job/spec.h"
#include "workloads/traffic/spec.h"

namespace fabrictwin {
namespace {

constexpr const char* kText = R"(topology { torus { dims: 2 dims: 2 dims: 2 } }
use { select: "router[0]" implementation: RTL place: "worker:shm" }
workload { traffic { pattern: UNIFORM load: 0.3 } }
)";

absl::StatusOr<experiment::Experiment> with_sets(const std::vector<std::string>& sets) {
  experiment::Overrides overrides;
  overrides.sets = sets;
  overrides.check_files = false;
  return test::parse_experiment(kText, "e.textproto", overrides);
}

absl::StatusOr<experiment::Experiment> with_use(const std::string& use) {
  experiment::Overrides overrides;
  overrides.uses = {use};
  return test::parse_experiment(kText, "e.textproto", overrides);
}

TEST(ExperimentOverrideTest, SetsValuesOfEveryKind) {
  const absl::StatusOr<experiment::Experiment> experiment =
      with_sets({"workload.traffic.load=0.5", "topology.torus.dims=4x4x2", "workload.traffic.pattern=uniform", "seed=9",
                 "stop.at_workload_end=TRUE", "router.buffer_words=128", "topology.torus.link_latency=1us",
                 "use[0].place=inproc"});
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  EXPECT_EQ(experiment->workload_as<traffic::TrafficSpec>()->load, 0.5);
  EXPECT_EQ(experiment->topology_as<topology::lattice::TorusSpec>().dims, (std::vector<int32_t>{4, 4, 2}));
  EXPECT_EQ(experiment->topology_as<topology::lattice::TorusSpec>().link_latency, Time::from_us(1));
  EXPECT_EQ(experiment->seed, 9u);
  EXPECT_EQ(experiment->router.buffer_words, 128);
  EXPECT_EQ(experiment->uses[0].place, "inproc");
}

TEST(ExperimentOverrideTest, SettingAMemberSwitchesTheOneof) {
  const absl::StatusOr<experiment::Experiment> experiment = with_sets({"workload.mpi_trace.path=x.fttrace"});
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  EXPECT_NE(experiment->workload_as<job::JobsSpec>(), nullptr);
  EXPECT_FALSE(experiment->message.workload().has_traffic());
}

// What one argument has written, another one does not drop silently; what the file has written, it does.
TEST(ExperimentOverrideTest, ArgumentsThatExcludeEachOtherAreRefused) {
  const std::string text =
      "topology { torus { dims: 4 } }\nrouter { model: PACKET }\ncongestion { timely { } }\n"
      "workload { incast { sources: 2 bytes: \"1MB\" } }\n";
  experiment::Overrides overrides;
  overrides.sets = {"congestion.dcqcn.pmax=0.1", "congestion.dcqcn.gain=0.5"};
  const auto one = test::parse_experiment(text, "e.textproto", overrides);
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_EQ(one->message.congestion().scheme_case(), v1::Congestion::kDcqcn);
  overrides.sets.emplace_back("congestion.hpcc.stages=3");
  EXPECT_EQ(
      message_of(test::parse_experiment(text, "e.textproto", overrides).status()),
      R"(--set:1:1: error: congestion.hpcc and congestion.dcqcn exclude each other, and arguments write both; leave one of them out
congestion.hpcc.stages=3
^)");
  overrides.sets = {"workload.traffic.load=0.5", "workload.puts.count=2"};
  const auto workloads = test::parse_experiment(text, "e.textproto", overrides);
  EXPECT_NE(message_of(workloads.status()).find("workload.puts and workload.traffic exclude each other"),
            std::string::npos)
      << workloads.status();
}

TEST(ExperimentOverrideTest, SetsNumbersOf64Bits) {
  const std::vector<std::string> sets = {"workload.skeleton.ranks=8",
                                         "workload.skeleton.lammps_rhodo.atoms=5000000000"};
  const absl::StatusOr<experiment::Experiment> experiment = with_sets(sets);
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  EXPECT_EQ(experiment->message.workload().skeleton().lammps_rhodo().atoms(), 5'000'000'000);
  const absl::StatusOr<experiment::Experiment> wrong = with_sets({"workload.skeleton.lammps_rhodo.atoms=many"});
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(message_of(wrong.status()).find("\"many\" is not a value of atoms; write a whole number"),
            std::string_view::npos)
      << wrong.status();
}

TEST(ExperimentOverrideTest, ReadsHowRanksOfAHostReachEachOther) {
  const absl::StatusOr<experiment::Experiment> experiment =
      with_sets({"workload.osu.benchmark=LATENCY", "host.loopback_latency=300ns", "host.loopback_rate=16Gbps"});
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  EXPECT_EQ(experiment->host.loopback_latency, Time::from_ns(300));
  EXPECT_EQ(experiment->host.loopback_rate, Bandwidth{16'000'000'000});
  EXPECT_FALSE(with_sets({"workload.osu.benchmark=LATENCY", "host.loopback_rate=0bps"}).ok());
}

TEST(ExperimentOverrideTest, LaterOverridesWin) {
  const absl::StatusOr<experiment::Experiment> experiment =
      with_sets({"topology.torus.dims=4x4x2", "topology.torus.dims=3"});
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  EXPECT_EQ(experiment->topology_as<topology::lattice::TorusSpec>().dims, (std::vector<int32_t>{3}));
}

// As where nobody writes the field, which an empty text in a file is not.
TEST(ExperimentOverrideTest, AnEmptyTextLeavesOutWhatIsWritten) {
  const auto changed = [](const std::string& text, const std::vector<std::string>& sets) {
    experiment::Overrides overrides;
    overrides.sets = sets;
    return test::parse_experiment(text, "e.textproto", overrides);
  };
  const auto with = [&](const std::vector<std::string>& sets) {
    return changed(
        "topology { torus { dims: 4 } }\nhost { send_overhead: \"7ns\" }\nworkload { osu { benchmark: LATENCY } }\n",
        sets);
  };
  const auto written = with({});
  ASSERT_TRUE(written.ok()) << written.status();
  EXPECT_EQ(written->host.send_overhead, Time::from_ns(7));
  const auto left_out = with({"host.send_overhead="});
  ASSERT_TRUE(left_out.ok()) << left_out.status();
  EXPECT_EQ(left_out->host.send_overhead, Time::from_ns(400));
  const auto sampled = changed(
      "topology { torus { dims: 4 } }\nrouter { model: INPUT_QUEUED }\n"
      "workload { traffic { load: 0.1 duration: \"2us\" } }\n",
      {"workload.traffic.duration="});
  ASSERT_TRUE(sampled.ok()) << sampled.status();
  EXPECT_TRUE(sampled->workload_as<traffic::TrafficSpec>()->sampled);
  const auto profile = with({"host.profile=a64fx-tofud", "host.send_overhead=", "host.receive_overhead="});
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_GT(profile->host.send_overhead, Time::from_ns(7)) << "that of the profile";
  // A later argument wins, also over an empty one, and an empty one over it.
  EXPECT_EQ(with({"host.send_overhead=", "host.send_overhead=9ns"})->host.send_overhead, Time::from_ns(9));
  EXPECT_EQ(with({"host.send_overhead=9ns", "host.send_overhead="})->host.send_overhead, Time::from_ns(400));
}

TEST(ExperimentOverrideTest, SeedOptionIsLast) {
  experiment::Overrides overrides;
  overrides.sets = {"seed=1"};
  overrides.seed = 2;
  EXPECT_EQ(test::parse_experiment(kText, "e.textproto", overrides)->seed, 2u);
}

TEST(ExperimentOverrideTest, UsesComeAfterTheRulesOfTheFile) {
  struct Case {
    const char* use;
    const char* select;
    v1::Implementation implementation;
    const char* place;
    v1::RouterModel depth = v1::ROUTER_MODEL_UNSPECIFIED;
  };
  const Case cases[] = {
      {"router[4..7]=MODEL/PACKET", "router[4..7]", v1::MODEL, "inproc", v1::PACKET},
      {"router[*]=model/packet@worker:shm", "router[*]", v1::MODEL, "worker:shm", v1::PACKET},
      {"router[1]=RTL@unix:/tmp/a/b", "router[1]", v1::RTL, "unix:/tmp/a/b"},
      {"router[1]=RTL@worker:unix", "router[1]", v1::RTL, "worker:unix"},
      {"router[1]=RTL@mpi:12", "router[1]", v1::RTL, "mpi:12"},
      {"router[6]=BOARD@soft", "router[6]", v1::BOARD, "soft"},
      {"router[2]=MODEL", "router[2]", v1::MODEL, "inproc"},
      {"router[2]=rtl@inproc", "router[2]", v1::RTL, "inproc"},
      {"router[0..3],router[5]=Rtl@10.0.0.2:7000", "router[0..3],router[5]", v1::RTL, "10.0.0.2:7000"},
      {"router[1]=RTL@unix:/tmp/a=b@c", "router[1]", v1::RTL, "unix:/tmp/a=b@c"},
      {"router[1]=BOARD@[::1]:7000", "router[1]", v1::BOARD, "[::1]:7000"},
  };
  for (const Case& c : cases) {
    const absl::StatusOr<experiment::Experiment> experiment = with_use(c.use);
    ASSERT_TRUE(experiment.ok()) << experiment.status();
    ASSERT_EQ(experiment->uses.size(), 2u);
    const experiment::UseSpec& use = experiment->uses[1];
    EXPECT_EQ(use.select, c.select);
    EXPECT_EQ(use.implementation, c.implementation);
    EXPECT_EQ(use.place, c.place);
    EXPECT_EQ(use.depth, c.depth);
    EXPECT_EQ(use.source.file, "--use");
    EXPECT_EQ(use.source.line_text, c.use);
  }
}

struct ErrorCase {
  const char* argument;
  const char* error;
};

TEST(ExperimentOverrideTest, PlacesMistakesInTheSetArgument) {
  const ErrorCase cases[] = {
      {R"(workload.traffic.load)",
       R"(--set:1:22: error: there is no "="; write path=value, as in workload.traffic.load=0.5
workload.traffic.load
                     ^)"},
      {R"(=5)",
       R"(--set:1:1: error: unknown field "" in Experiment; its fields are topology, use, workload, stop, seed, router, host, routing, statistics, congestion, transport, pfc, queues, fault, calibration
=5
^)"},
      {R"(workload.trafic.load=0.5)",
       R"(--set:1:10: error: unknown field "trafic" in Workload (did you mean "traffic"?); its fields are mpi_trace, traffic, exchange, puts, skeleton, osu, gemm, jobs, flows, incast, gpcnet, ip, datagrams, placement
workload.trafic.load=0.5
         ^)"},
      {R"(workload.traffic.load.x=1)",
       R"(--set:1:23: error: "workload.traffic.load" is a value and has no field "x"; end the path before it
workload.traffic.load.x=1
                      ^)"},
      {R"(workload.traffic=1)",
       R"(--set:1:10: error: "workload.traffic" is a message and has no value; set one of its fields: pattern, load, payload, duration, hotspot_fraction, hotspot_hosts, include_self, sample_cycles, warmup_samples, max_samples, latency_limit_cycles, incast_sources, incast_fan_in, incast_destination, permutation_file, process, burst_packets, burst_load, window, think_time, confidence_target, class
workload.traffic=1
         ^)"},
      {R"(workload.traffic.load=fast)",
       R"(--set:1:23: error: "fast" is not a value of load; write a number
workload.traffic.load=fast
                      ^)"},
      {R"(workload.traffic.load=1.5)",
       R"(--set:1:23: error: load 1.5: it is a fraction of the link rate, above 0 and at most 1
workload.traffic.load=1.5
                      ^)"},
      {R"(workload.traffic.pattern=unifrom)",
       R"(--set:1:26: error: unknown pattern "unifrom" (did you mean "UNIFORM"?); write one of UNIFORM, TORNADO, TRANSPOSE, BITCOMP, BITREV, SHUFFLE, NEIGHBOR, HOTSPOT, INCAST, ALL_TO_ALL, PERMUTATION, GROUP_NEXT
workload.traffic.pattern=unifrom
                         ^)"},
      {R"(topology.torus.dims=4xx2)",
       R"(--set:1:21: error: "4xx2" is not a list of numbers; write it as in dims=4x4x2
topology.torus.dims=4xx2
                    ^)"},
      {R"(topology.torus.dims=4x0x2)",
       R"(--set:1:21: error: dims 0: the size of a dimension is 1 to 256
topology.torus.dims=4x0x2
                    ^)"},
      {R"(topology.torus.dims=)",
       R"(--set:1:21: error: "" is not a list of numbers; write it as in dims=4x4x2
topology.torus.dims=
                    ^)"},
      {R"(topology.torus.dims=4x99999999999999999999)",
       R"(--set:1:21: error: "99999999999999999999" is too large for dims; write 2147483647 or less
topology.torus.dims=4x99999999999999999999
                    ^)"},
      {R"(topology.torus.wrap=maybe)",
       R"(--set:1:21: error: "maybe" is not a list of true and false; write it as in wrap=true,false
topology.torus.wrap=maybe
                    ^)"},
      {R"(topology.torus.wrap[0]=true)",
       R"(--set:1:24: error: set the whole list, as in wrap=true,false
topology.torus.wrap[0]=true
                       ^)"},
      {R"(workload.traffic.sample_cycles=-9999999999)",
       R"(--set:1:32: error: "-9999999999" is too small for sample_cycles; write -2147483648 or more
workload.traffic.sample_cycles=-9999999999
                               ^)"},
      {R"(seed=99999999999999999999)",
       R"(--set:1:6: error: "99999999999999999999" is too large for seed; write 18446744073709551615 or less
seed=99999999999999999999
     ^)"},
      {R"(topology.torus.dims[0]=4)",
       R"(--set:1:24: error: set the whole list, as in dims=4x4x2
topology.torus.dims[0]=4
                       ^)"},
      {R"(topology.torus.link_rate=10Gbs)",
       R"(--set:1:26: error: "10Gbs" is not a data rate: unknown unit "Gbs" (did you mean "Gbps"?); units are bps, kbps, Mbps, Gbps, Tbps, b/s, kb/s, Mb/s, Gb/s, Tb/s, B/s, kB/s, MB/s, GB/s
topology.torus.link_rate=10Gbs
                         ^)"},
      {R"(router.clock=10MHz)",
       R"(--set:1:14: error: a link faster than its clock: 10 Gbps is more than one 128-bit word a router clock (10 MHz x 128 bit = 1.28 Gbps); lower link_rate or raise router.clock
router.clock=10MHz
             ^
--set:1:14: error: a tile link faster than its clock: 20 Gbps is more than one 128-bit word a router clock (10 MHz x 128 bit = 1.28 Gbps); lower tile_rate or raise router.clock
router.clock=10MHz
             ^)"},
      {R"(seed=-1)",
       R"(--set:1:6: error: "-1" is not a value of seed; write a whole number that is not negative
seed=-1
     ^)"},
      {R"(use.place=inproc)",
       R"(--set:1:1: error: "use" is repeated; say which one, as in use[0]
use.place=inproc
^)"},
      {R"(use[1].place=inproc)",
       R"(--set:1:14: error: there is no use[1]; the experiment has 1 of them, counted from 0
use[1].place=inproc
             ^)"},
      {R"(use[x].place=inproc)",
       R"(--set:1:1: error: "use[x]" is not a field; an index is written as in use[0], on a repeated field
use[x].place=inproc
^)"},
      {R"(use[0].place=worker)",
       R"(--set:1:14: error: unknown place "worker" (did you mean "worker:shm"?); write inproc, worker:shm, worker:unix, worker:tcp, mpi:RANK, or the address of a worker, "HOST:PORT" or "unix:PATH"
use[0].place=worker
             ^)"},
      {R"(stop.at_workload_end=yes)",
       R"(--set:1:22: error: "yes" is not a value of at_workload_end; write true or false
stop.at_workload_end=yes
                     ^)"},
      {R"(stop.at_workload_end=false)",
       R"(--set:1:1: error: the run would never end; write at_workload_end: true, after_simulated: "2s", or both in stop (or leave it out: a run ends with its workload)
stop.at_workload_end=false
^)"},
      {R"(workload.mpi_trace.compute_scale=-2)",
       R"(--set:1:34: error: compute_scale -2: recorded compute time is multiplied by it; write a finite number that is not negative
workload.mpi_trace.compute_scale=-2
                                 ^
--set:1:10: error: the trace has no path; write path: "FILE.fttrace" (make one with `fabrictwin trace import`)
workload.mpi_trace.compute_scale=-2
         ^)"},
  };
  for (const ErrorCase& c : cases) {
    const absl::StatusOr<experiment::Experiment> experiment = with_sets({c.argument});
    ASSERT_FALSE(experiment.ok()) << c.argument;
    EXPECT_EQ(message_of(experiment.status()), c.error);
  }
}

TEST(ExperimentOverrideTest, ListsOfAFatTreeAreThoseOfTheArgument) {
  const absl::StatusOr<experiment::Experiment> tapered =
      with_sets({"topology.fat_tree.down=4x4x4", "topology.fat_tree.up=2x2"});
  ASSERT_TRUE(tapered.ok()) << tapered.status();
  EXPECT_EQ(tapered->topology_as<topology::tree::FatTreeSpec>().up, (std::vector<int32_t>{2, 2}));
  const absl::StatusOr<experiment::Experiment> wrong =
      with_sets({"topology.fat_tree.down=4x4x4", "topology.fat_tree.up=3x3x3"});
  ASSERT_FALSE(wrong.ok());
  EXPECT_TRUE(message_of(wrong.status()).starts_with("--set:1:22: error: 3 values of up for 3 levels; write one for"))
      << message_of(wrong.status());
}

TEST(ExperimentOverrideTest, PlacesMistakesInTheUseArgument) {
  const ErrorCase cases[] = {
      {R"(router[1])",
       R"(--use:1:10: error: there is no "="; write SELECT=IMPLEMENTATION[/DEPTH][@PLACE], as in router[1]=RTL@worker:unix
router[1]
         ^)"},
      {R"(router[1]=)",
       R"(--use:1:11: error: unknown implementation ""; write one of MODEL, RTL, BOARD
router[1]=
          ^)"},
      {R"(router[1]=RTLL@inproc)",
       R"(--use:1:11: error: unknown implementation "RTLL" (did you mean "RTL"?); write one of MODEL, RTL, BOARD
router[1]=RTLL@inproc
          ^)"},
      {R"(router[1]=MODEL/PACKETS@inproc)",
       R"(--use:1:17: error: unknown depth "PACKETS" (did you mean "PACKET"?); write one of EXANET, INPUT_QUEUED, PACKET, EXTERNAL
router[1]=MODEL/PACKETS@inproc
                ^)"},
      {R"(router[1]=RTL/PACKET)",
       R"(--use:1:15: error: depth is for models, and RTL has that of its logic, which is words; leave it out, or write implementation: MODEL
router[1]=RTL/PACKET
              ^)"},
      {R"(router[1]=RTL@)",
       R"(--use:1:14: error: there is no place after "@"; write inproc, worker:shm, worker:unix, worker:tcp, mpi:RANK, soft, shell or an address
router[1]=RTL@
             ^)"},
      {R"(=RTL)",
       R"(--use:1:1: error: the rule selects nothing; write select: "router[1]", "router[*]" or "*"
=RTL
^)"},
      {R"(router[1]=RTL@worker:smh)",
       R"(--use:1:15: error: unknown place "worker:smh" (did you mean "worker:shm"?); write inproc, worker:shm, worker:unix, worker:tcp, mpi:RANK, or the address of a worker, "HOST:PORT" or "unix:PATH"
router[1]=RTL@worker:smh
              ^)"},
      {R"(router[1]=RTL@soft)",
       R"(--use:1:15: error: "soft" is a board; write implementation: BOARD board: "soft" (--use 'SELECT=BOARD@soft')
router[1]=RTL@soft
              ^)"},
      {R"(router[1]=BOARD)",
       R"(--use:1:1: error: the rule does not say which board; write board: "soft", "shell" or the address of its agent, "HOST:PORT" or "unix:PATH"
router[1]=BOARD
^)"},
      {R"(router[1]=BOARD@worker:shm)",
       R"(--use:1:17: error: unknown board "worker:shm"; write "soft", "shell" or the address of an agent, "HOST:PORT" or "unix:PATH"
router[1]=BOARD@worker:shm
                ^)"},
      {R"(router[1]=RTL@mpi:0)",
       R"(--use:1:15: error: "mpi:0" is no rank of MPI that a rule can have; write mpi:1 or a higher number (rank 0 is the process of the run, "inproc")
router[1]=RTL@mpi:0
              ^)"},
      {R"(router[1]=RTL@host:0)",
       R"(--use:1:15: error: unknown place "host:0"; write inproc, worker:shm, worker:unix, worker:tcp, mpi:RANK, or the address of a worker, "HOST:PORT" or "unix:PATH"
router[1]=RTL@host:0
              ^)"},
  };
  for (const ErrorCase& c : cases) {
    const absl::StatusOr<experiment::Experiment> experiment = with_use(c.argument);
    ASSERT_FALSE(experiment.ok()) << c.argument;
    EXPECT_EQ(message_of(experiment.status()), c.error);
  }
}

TEST(ExperimentOverrideTest, ReportsMistakesOfFileAndArgumentsTogether) {
  const absl::StatusOr<experiment::Experiment> experiment = with_sets({"workload.traffic.load=7", "router.clock=fast"});
  ASSERT_FALSE(experiment.ok());
  const std::string text(message_of(experiment.status()));
  EXPECT_NE(text.find("--set:1:23: error: load 7"), std::string::npos) << text;
  EXPECT_NE(text.find("--set:1:14: error: \"fast\" is not a frequency"), std::string::npos) << text;
}

}  // namespace
}  // namespace fabrictwin
