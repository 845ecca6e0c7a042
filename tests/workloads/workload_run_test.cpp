// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Workloads on a network of models, from experiment to report.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "models/network/topology.h"
#include "tests/experiments.h"
#include "tests/workloads/run_helpers.h"
#include "tests/workloads/trace_helpers.h"
#include "workloads/workload_factory.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

const std::string kReplay = "workloads/experiments/all-model.textproto";
const std::string kUniform = "workloads/experiments/uniform.textproto";

std::string with_trace(const std::string& path) {
  return "workload.mpi_trace.path=" + std::filesystem::absolute(path).string();
}

TEST(WorkloadRun, MinifeReplaysToItsEnd) {
  const std::string trace = with_trace("workloads/experiments/data/minife-8.fttrace");
  const Outcome outcome = run_text(kReplay, {trace});
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_TRUE(outcome.report.complete());
  ASSERT_EQ(outcome.report.ranks_size(), 8);
  double latest = 0;
  for (int rank = 0; rank < 8; ++rank) {
    const v1::Rank& facts = outcome.report.ranks(rank);
    EXPECT_EQ(facts.rank(), rank);
    EXPECT_EQ(facts.events_replayed(), facts.events_total());
    EXPECT_NEAR(facts.compute_seconds() + facts.communication_seconds(), facts.finish_seconds(), 1e-12);
    latest = std::max(latest, facts.finish_seconds());
  }
  EXPECT_DOUBLE_EQ(outcome.report.simulated_seconds(), latest);
  EXPECT_EQ(outcome.done, 1);

  const Outcome half = run_text(kReplay, {trace, "stop.after_simulated=" + std::to_string(latest * 1e6 / 2) + "us"});
  EXPECT_FALSE(half.report.complete());
  EXPECT_GE(half.done, 0.5);
  EXPECT_LE(half.done, 1);
  // Ranks that compute when the run ends have computed until then.
  for (const double share : {0.25, 0.5, 0.9}) {
    const Outcome stopped = run_text(kReplay, {trace, "statistics.rank_timeline=true",
                                               fmt::format("stop.after_simulated={:.0f}us", latest * 1e6 * share)});
    const double end = stopped.report.simulated_seconds();
    EXPECT_NEAR(end, latest * share, 1e-6);
    for (const v1::Rank& rank : stopped.report.ranks()) {
      EXPECT_LE(rank.finish_seconds(), end);
      EXPECT_NEAR(rank.compute_seconds() + rank.communication_seconds(), rank.finish_seconds(), 1e-12);
    }
    EXPECT_LE(stopped.report.jobs(0).finish_seconds(), end);
    EXPECT_LE(stopped.report.rank_timeline().end_seconds(), end);
  }

  const Outcome again = run_text(kReplay, {trace});
  EXPECT_EQ(again.report.timing_digest(), outcome.report.timing_digest());
  // The content of messages does not depend on time or protocol.
  const Outcome quick = run_text(kReplay, {trace, "workload.mpi_trace.compute_scale=0",
                                           "workload.mpi_trace.eager_limit=1MiB", "topology.torus.dims=4x2"});
  ASSERT_TRUE(quick.status.ok()) << quick.status;
  EXPECT_EQ(quick.report.payload_digest(), outcome.report.payload_digest());
  EXPECT_NE(quick.report.timing_digest(), outcome.report.timing_digest());
  EXPECT_LT(quick.report.simulated_seconds(), outcome.report.simulated_seconds());
}

// Whatever makes a host slow takes time and changes nothing else.
TEST(WorkloadRun, HostsWithMemoryCopiesAndFirmwareAreSlower) {
  TestFolder folder;
  const std::string file = folder.file("hosts.textproto");
  std::ofstream(file) << "topology { exanest { blades: 1 qfdbs: 2 } }\nworkload { mpi_trace { path: \""
                      << start_of_minife(folder) << "\" compute_scale: 0 } }\n";
  const Outcome plain = run_text(file, {});
  ASSERT_TRUE(plain.status.ok()) << plain.status;
  const auto seconds = [&](const std::vector<std::string>& sets) {
    const Outcome outcome = run_text(file, sets);
    EXPECT_TRUE(outcome.status.ok()) << outcome.status;
    EXPECT_EQ(outcome.report.payload_digest(), plain.report.payload_digest());
    return outcome.report.simulated_seconds();
  };
  const double usual = plain.report.simulated_seconds();
  EXPECT_GT(seconds({"host.firmware_delay=3us"}), usual);
  EXPECT_GT(seconds({"host.copy_rate=100MB/s"}), usual);
  const std::string narrow = "host.memory.bandwidth=1GB/s";
  const double slow = seconds({narrow});
  EXPECT_GT(slow, usual);
  EXPECT_GT(seconds({narrow, "host.memory.load.cores=3", "host.memory.load.rate=1GB/s"}), slow);
  EXPECT_GT(seconds({narrow, "host.memory.page_fault_time=5us"}), slow);
  // Half of what computation wants is there.
  const double computing = seconds({narrow, "workload.mpi_trace.compute_scale=1"});
  EXPECT_GT(seconds({narrow, "workload.mpi_trace.compute_scale=1", "host.memory.compute_traffic=2GB/s"}),
            computing + 0.9 * (computing - slow));
}

TEST(WorkloadRun, FewerRanksThanHostsLeaveHostsIdle) {
  TestFolder folder;
  ASSERT_TRUE(
      write_trace(folder.file("two.fttrace"), {{message(v1::SEND, 1, 0, 5000)}, {message(v1::RECV, 0, 0, 5000)}}).ok());
  const Outcome outcome = run_text(kReplay, {with_trace(folder.file("two.fttrace"))});
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_EQ(outcome.report.ranks_size(), 2);
  EXPECT_EQ(outcome.report.ranks(0).bytes_sent(), 5000u);
}

TEST(WorkloadRun, ADeadlockIsTold) {
  TestFolder folder;
  // The counts fit, so that only a run can find out.
  ASSERT_TRUE(
      write_trace(folder.file("tags.fttrace"), {{message(v1::SEND, 1, 3, 5000)}, {message(v1::RECV, 0, 4, 5000)}})
          .ok());
  const Outcome outcome = run_text(kReplay, {with_trace(folder.file("tags.fttrace"))});
  ASSERT_FALSE(outcome.status.ok());
  const std::string text(outcome.status.message());
  EXPECT_THAT(text, HasSubstr("rank 0 waits in event 0 (send) for rank 1, tag 3 to receive a message of 5000 bytes"));
  EXPECT_THAT(text, HasSubstr("rank 1 waits in event 0 (recv) for a message from rank 0, tag 4"));
  EXPECT_THAT(text, HasSubstr("deadlock: rank 0, event 0 (send) -> rank 1, event 0 (recv) -> rank 0"));
  EXPECT_FALSE(outcome.report.complete());
}

// Every call of the MPI layer on a real network, with two limits of eager messages.
TEST(WorkloadRun, CallsOfAllKindsEndWithTheSamePayload) {
  TestFolder folder;
  Program program(4);
  trace::format::Event free = event_of(v1::COMM_FREE);
  free.count = 3;
  for (uint64_t rank = 0; rank < 4; ++rank) {
    std::vector<trace::format::Event>& events = program[rank];
    const int32_t other = static_cast<int32_t>(rank ^ 2);
    const trace::format::Event make =
        make_communicator(3, rank % 2 == 0 ? std::vector<uint64_t>{2, 0} : std::vector<uint64_t>{1, 3});
    trace::format::Event parts = in(3, event_of(v1::REDUCE_SCATTER));
    parts.send_counts = {100, 3000};
    events = {make,
              in(3, collective(v1::IALLREDUCE, 5000, v1::DOUBLE)),
              in(3, message(v1::IRECV, other, trace::format::kAnyTag, 4000)),
              message(v1::IRECV, other, 5, 8),
              message(v1::ISSEND, other, 5, 8),
              in(3, message(v1::BSEND, other, 1, 4000)),
              parts,
              wait_after(3),
              event_of(v1::WAITALL),
              free,
              event_of(v1::IBARRIER),
              collective(v1::GATHER, 300, v1::INT, 1),
              wait_after(0),
              event_of(v1::FINALIZE)};
  }
  ASSERT_TRUE(write_trace(folder.file("calls.fttrace"), program).ok());
  const Outcome eager =
      run_text(kReplay, {with_trace(folder.file("calls.fttrace")), "workload.mpi_trace.eager_limit=64KiB"});
  const Outcome rendezvous =
      run_text(kReplay, {with_trace(folder.file("calls.fttrace")), "workload.mpi_trace.eager_limit=0B"});
  ASSERT_TRUE(eager.status.ok()) << eager.status;
  ASSERT_TRUE(rendezvous.status.ok()) << rendezvous.status;
  EXPECT_TRUE(eager.report.complete());
  EXPECT_EQ(eager.report.payload_digest(), rendezvous.report.payload_digest());
  EXPECT_EQ(eager.report.violations_size(), 0);
}

TEST(WorkloadRun, UniformTrafficCarriesItsLoad) {
  const Outcome outcome = run_text(kUniform, {"workload.traffic.duration=200us"});
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  const v1::TrafficReport& traffic = outcome.report.traffic();
  EXPECT_EQ(traffic.packets_sent(), traffic.packets_received());
  EXPECT_EQ(traffic.packets_sent(), outcome.report.packets_delivered());
  EXPECT_EQ(outcome.report.bytes_delivered(), 256 * traffic.packets_sent());
  EXPECT_DOUBLE_EQ(traffic.offered_load(), 0.3);
  EXPECT_NEAR(traffic.accepted_load(), 0.3, 0.015);
  EXPECT_GT(traffic.mean_latency_seconds(), 4e-7);
  EXPECT_GT(traffic.max_latency_seconds(), traffic.mean_latency_seconds());
  EXPECT_GE(outcome.report.simulated_seconds(), 200e-6);
  EXPECT_GT(outcome.done, 0.95);
  EXPECT_LE(outcome.done, 1);
}

TEST(WorkloadRun, AnIncastHasItsSources) {
  const Outcome outcome = run_text(kUniform, {"workload.traffic.pattern=incast", "workload.traffic.incast_fan_in=2",
                                              "workload.traffic.load=0.2", "workload.traffic.duration=100us"});
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_DOUBLE_EQ(outcome.report.traffic().offered_load(), 0.2 * 2 / 32);
  EXPECT_NEAR(outcome.report.traffic().accepted_load(), 0.2 * 2 / 32, 0.002);
  int senders = 0;
  for (const v1::LinkReport& link : outcome.report.links()) {
    if (link.name().starts_with("host") && link.packets() > 0) ++senders;
    if (link.name().starts_with("router") && link.name().find("->host") != std::string::npos && link.packets() > 0) {
      EXPECT_EQ(link.name(), "router[0].tile->host[0].tile");
    }
  }
  EXPECT_EQ(senders, 2);
}

TEST(WorkloadRun, AllToAllReachesEverybodyAlike) {
  const Outcome outcome = run_text(
      kUniform, {"workload.traffic.pattern=all_to_all", "topology.torus.dims=2x2", "workload.traffic.duration=200us"});
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  uint64_t least = UINT64_MAX, most = 0;
  for (const v1::LinkReport& link : outcome.report.links()) {
    if (link.name().find("->host") == std::string::npos) continue;
    least = std::min(least, link.packets());
    most = std::max(most, link.packets());
  }
  EXPECT_GT(least, 100u);
  EXPECT_LT(most - least, most / 5);
}

TEST(WorkloadRun, BurstsCarryTheSameLoadAndWaitLonger) {
  const std::vector<std::string> plain = {"workload.traffic.duration=400us", "workload.traffic.load=0.2"};
  std::vector<std::string> bursty = plain;
  bursty.emplace_back("workload.traffic.process=bursty");
  const Outcome without = run_text(kUniform, plain);
  const Outcome with = run_text(kUniform, bursty);
  ASSERT_TRUE(without.status.ok() && with.status.ok());
  EXPECT_NEAR(with.report.traffic().accepted_load(), 0.2, 0.03);
  EXPECT_GT(with.report.traffic().mean_latency_seconds(), 1.2 * without.report.traffic().mean_latency_seconds());
}

TEST(WorkloadRun, TrafficWithoutPacketsSaysThatItHasNoLatency) {
  const Outcome none = run_text(kUniform, {"workload.traffic.load=1e-9"});
  ASSERT_TRUE(none.status.ok()) << none.status;
  EXPECT_THAT(none.report.warnings(), testing::ElementsAre("no packet was measured, so the traffic has no latency; "
                                                           "raise load or duration"));
  const Outcome stopped = run_text(kUniform, {"stop.after_simulated=1ns"});
  EXPECT_THAT(stopped.report.warnings(), testing::ElementsAre(testing::HasSubstr("let it run longer")));
  EXPECT_THAT(run_text(kUniform, {}).report.warnings(), testing::IsEmpty());
}

// Packets that have arrived over the slots until then, however few there are.
TEST(WorkloadRun, TheLoadOfARunThatIsNotOverIsThatSoFar) {
  const Outcome open = run_text(kUniform, {"workload.traffic.duration=200us", "stop.after_simulated=20us"});
  EXPECT_FALSE(open.report.complete());
  EXPECT_NEAR(open.report.traffic().accepted_load(), 0.3, 0.03);
  const Outcome first = run_text(kUniform, {"workload.traffic.duration=200us", "stop.after_simulated=1200ns"});
  EXPECT_GT(first.report.traffic().packets_received(), 0u);
  EXPECT_LE(first.report.traffic().accepted_load(), 0.3);
  // Of the second packet of each host nothing is known yet.
  const Outcome closed = run_text(
      kUniform, {"workload.traffic.process=closed_loop", "workload.traffic.load=0", "workload.traffic.window=1",
                 "workload.traffic.think_time=50us", "workload.traffic.duration=200us", "stop.after_simulated=10us"});
  EXPECT_GT(closed.report.traffic().packets_received(), 0u);
  EXPECT_GT(closed.report.traffic().accepted_load(), 0);
  EXPECT_LT(closed.report.traffic().accepted_load(), 1);
}

TEST(WorkloadRun, AClosedLoopKeepsItsWindow) {
  const std::vector<std::string> sets = {"workload.traffic.process=closed_loop", "workload.traffic.load=0",
                                         "workload.traffic.duration=100us"};
  double before = 0;
  for (const int window : {1, 4}) {
    std::vector<std::string> with = sets;
    with.push_back("workload.traffic.window=" + std::to_string(window));
    const Outcome outcome = run_text(kUniform, with);
    ASSERT_TRUE(outcome.status.ok()) << outcome.status;
    const v1::TrafficReport& traffic = outcome.report.traffic();
    EXPECT_TRUE(outcome.report.complete());
    EXPECT_EQ(traffic.packets_sent(), traffic.packets_received());
    // Little's law, by packets of a host and second; a slot of a word passes until the host knows, half of it on
    // average.
    const double rate = static_cast<double>(traffic.packets_sent()) / 32 / 100e-6;
    EXPECT_NEAR(rate * (traffic.mean_latency_seconds() + 6.4e-9), window, 0.06 * window);
    EXPECT_GT(traffic.accepted_load(), before);
    before = traffic.accepted_load();
    EXPECT_EQ(run_text(kUniform, with).report.timing_digest(), outcome.report.timing_digest());
    EXPECT_GT(outcome.done, 0.9);
  }
  std::vector<std::string> thinking = sets;
  thinking.emplace_back("workload.traffic.think_time=100us");
  EXPECT_EQ(run_text(kUniform, thinking).report.traffic().packets_sent(), 32u) << "no time for a second packet";
}

TEST(WorkloadRun, AHigherLoadWaitsLonger) {
  const Outcome low = run_text(kUniform, {"workload.traffic.load=0.05"});
  const Outcome high = run_text(kUniform, {"workload.traffic.load=0.9"});
  ASSERT_TRUE(low.status.ok() && high.status.ok());
  EXPECT_GT(high.report.traffic().mean_latency_seconds(), low.report.traffic().mean_latency_seconds());
}

// What is refused before a run, with its line in the experiment.
std::string refusal(const std::string& file, const std::vector<std::string>& sets) {
  experiment::Overrides overrides;
  overrides.sets = sets;
  auto experiment = test::load_experiment(file, overrides);
  if (!experiment.ok()) return "not loaded: " + std::string(experiment.status().message());
  auto graph = network::build_topology(*experiment);
  if (!graph.ok()) return "no graph";
  return std::string(workloads::make_workload(*experiment, *graph).status().message());
}

TEST(WorkloadFactory, RefusesMoreRanksThanHosts) {
  const std::string text = refusal(kReplay, {"topology.torus.dims=2x2"});
  EXPECT_THAT(text, HasSubstr("error: "));
  EXPECT_THAT(text, HasSubstr("hpcg-8.fttrace has 8 ranks, but torus 2x2 has only 4 hosts; rank i runs on host[i]"));
  EXPECT_THAT(text, HasSubstr("all-model.textproto:")) << "has a place";
}

TEST(WorkloadFactory, RefusesTracesThatCannotBeReplayed) {
  TestFolder folder;
  EXPECT_THAT(refusal(kReplay, {with_trace(folder.file("missing.fttrace"))}), HasSubstr("missing.fttrace"));
  folder.write("text.fttrace", "0 init");
  EXPECT_THAT(refusal(kReplay, {with_trace(folder.file("text.fttrace"))}), HasSubstr("is not a trace file"));
  ASSERT_TRUE(write_trace(folder.file("lonely.fttrace"), {{message(v1::RECV, 1, 0, 1)}, {}}).ok());
  EXPECT_THAT(refusal(kReplay, {with_trace(folder.file("lonely.fttrace"))}), HasSubstr("unmatched receive"));
}

TEST(WorkloadFactory, TrafficNeedsTwoHosts) {
  EXPECT_THAT(refusal(kUniform, {"topology.torus.dims=1"}), HasSubstr("at least two hosts"));
  EXPECT_EQ(refusal(kUniform, {"topology.torus.dims=2", "workload.traffic.payload=32B"}), "");
}

TEST(WorkloadFactory, EveryReadyExperimentLoads) {
  for (const char* name : {"mixed-demo", "all-model", "all-rtl", "uniform", "exanest", "exanest-demo", "exanest-ranks",
                           "exanest-ip", "gemm", "skeleton-hpcg", "victim-background"}) {
    EXPECT_EQ(refusal("workloads/experiments/" + std::string(name) + ".textproto", {}), "") << name;
  }
}

}  // namespace
}  // namespace fabrictwin
