// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// MPI jobs on networks of models: placed, several on a host, side by side.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cosim/base/text.h"
#include "cosim/experiment/experiment.h"
#include "models/network/topology.h"
#include "tests/experiments.h"
#include "tests/workloads/run_helpers.h"
#include "tests/workloads/trace_helpers.h"
#include "workloads/workload_factory.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const char* const kHpcg = "skeleton { ranks: 8 hpcg { local: \"8x8x8\" } }";
const char* const kCube = "topology { torus { dims: [2, 2, 2] } }";
const char* const kSquare = "topology { torus { dims: [2, 2] } }";
const char* const kBoards = "topology { exanest { blades: 1 qfdbs: 1 } }";
const char* const kPacket = "router { model: PACKET }";

Outcome run_work(const std::string& system, const std::string& work) {
  return run_text(system + " workload { " + work + " }");
}

std::string trace_job(const std::string& path) {
  return "mpi_trace { path: \"" + std::filesystem::absolute(path).string() + "\" }";
}

// On whatever network: what ranks receive is the same as if each had a host of its own, and times follow the loopback.
TEST(Jobs, RanksShareAHost) {
  for (const std::string& system : {std::string(kSquare), std::string(kSquare) + kPacket, std::string(kBoards)}) {
    const auto with = [&](Time latency, int64_t rate, int ranks_per_host) {
      auto experiment = test::parse_experiment(
          system + fmt::format(" workload {{ {} placement {{ ranks_per_host: {} }} }}", kHpcg, ranks_per_host),
          "test.textproto");
      if (experiment.ok()) {
        experiment->host.loopback_latency = latency;
        experiment->host.loopback_rate = Bandwidth{rate};
      }
      return run_experiment(std::move(experiment));
    };
    const Outcome two = with(Time::from_ns(200), 16'000'000'000, 2);
    ASSERT_TRUE(two.status.ok()) << system << two.status;
    ASSERT_EQ(two.report.ranks_size(), 8);
    EXPECT_TRUE(two.report.complete());
    for (const v1::Rank& rank : two.report.ranks()) EXPECT_EQ(rank.host(), rank.rank() / 2);
    const Outcome slow = with(Time::from_us(20), 0, 2);
    EXPECT_GT(slow.report.simulated_seconds(), two.report.simulated_seconds());
    EXPECT_EQ(slow.report.payload_digest(), two.report.payload_digest());
    // In no time at all messages still come.
    EXPECT_EQ(with(Time::zero(), 0, 2).report.payload_digest(), two.report.payload_digest());
    EXPECT_LT(with(Time::zero(), 0, 4).report.packets_delivered(), two.report.packets_delivered());
  }
}

/// What rank 0 computed, in seconds.
double computed(const Outcome& outcome) {
  EXPECT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_TRUE(outcome.report.complete());
  return outcome.report.ranks_size() == 0 ? 0 : outcome.report.ranks(0).compute_seconds();
}

// Eight cores want 19 GB/s of 12.8 GB/s for rows of the matrix, and 31 for vectors; two meet there seldom.
TEST(Jobs, ComputingRanksShareTheMemoryOfTheirHost) {
  const std::string work = "skeleton { ranks: 8 hpcg { local: \"32x32x32\" } } placement { ";
  for (const std::string& system : {std::string(kSquare), std::string(kSquare) + kPacket}) {
    const auto with = [&](const std::string& profile, const std::string& placement) {
      return run_text(system + " host { profile: \"" + profile + "\" } workload { " + work + placement + " } }");
    };
    const Outcome two = with("a53-exanest", "ranks_per_host: 2");
    const Outcome eight = with("a53-exanest", "ranks_per_host: 8 hosts: \"1\"");
    const double ratio = computed(eight) / computed(two);
    EXPECT_LE(ratio, 8 * 3.9 / 12.8 * 1.001);
    EXPECT_GT(ratio, 8 * 2.36 / 12.8) << "ranks compute at the same time, but for what they wait for each other";
    const Outcome free = with("x86", "ranks_per_host: 8 hosts: \"1\"");
    EXPECT_EQ(computed(free), computed(with("x86", "ranks_per_host: 2"))) << "this profile has no channel";
    EXPECT_EQ(free.report.payload_digest(), eight.report.payload_digest());
  }
  // The memory of the experiment instead of the profile's: as much as one core gets.
  const auto with = [&](const std::string& host, int ranks) {
    return computed(run_text(kBoards + (" host { profile: \"a53-exanest\" " + host + " } workload { ") +
                             fmt::format("skeleton {{ ranks: {} hpcg {{ local: \"32x32x32\" }} }} placement {{ "
                                         "ranks_per_host: {} }} }}",
                                         ranks, ranks)));
  };
  const double alone = with("", 1);
  EXPECT_NEAR(with("memory { bandwidth: \"3900MB/s\" }", 1) / alone, 1, 0.001);
  // Rows take 0.605 of it, vectors all: two take 1 + 0.605^2 and 2 times as long, beside a core that takes all 1.605
  // and 2.
  const double two = with("memory { bandwidth: \"3900MB/s\" }", 2) / alone;
  EXPECT_GT(two, 1.366);
  EXPECT_LT(two, 1.6);
  const double loaded = with("memory { bandwidth: \"3900MB/s\" load { cores: 1 rate: \"8GB/s\" } }", 1) / alone;
  EXPECT_GT(loaded, 1.605);
  EXPECT_LT(loaded, 1.8);
}

// Packets are those of a pair of hosts; through memory there are none.
TEST(Jobs, RanksOfAnExanestHostReachEachOtherThroughItsNetworkInterface) {
  const auto with = [](const std::string& host, const std::string& placement) {
    return run_text(kBoards + host + " workload { skeleton { ranks: 2 hpcg { local: \"8x8x8\" } } placement { " +
                    placement + " } }")
        .report;
  };
  const v1::Report apart = with("", "");
  const v1::Report together = with("", "ranks_per_host: 2");
  EXPECT_GT(together.packets_delivered(), 0u);
  EXPECT_EQ(together.packets_delivered(), apart.packets_delivered());
  EXPECT_EQ(together.bytes_delivered(), apart.bytes_delivered());
  EXPECT_LT(together.simulated_seconds(), apart.simulated_seconds()) << "no link is between them";
  for (const std::string written : {"loopback_latency: \"5us\"", "loopback_rate: \"1GB/s\""}) {
    const v1::Report memory = with(" host { " + written + " }", "ranks_per_host: 2");
    EXPECT_EQ(memory.packets_delivered(), 0u) << written;
    EXPECT_TRUE(memory.complete()) << written;
  }
}

TEST(Jobs, AJobInTheBackgroundTakesItsShareOfTheMemoryAndATraceDoesNot) {
  const std::string system = std::string(kSquare) + kPacket + " host { profile: \"a53-exanest\" } workload { jobs { ";
  const std::string victim =
      "job { name: \"victim\" skeleton { ranks: 4 hpcg { local: \"32x32x32\" } } placement { "
      "ranks_per_host: 8 hosts: \"1\" } } ";
  const std::string noise =
      "job { name: \"noise\" background: true skeleton { ranks: 4 hpcg { local: "
      "\"64x64x64\" } } placement { ranks_per_host: 8 hosts: \"1\" } } ";
  const double quiet = computed(run_text(system + victim + "} }"));
  EXPECT_GT(computed(run_text(system + victim + noise + "} }")), quiet * 1.4);
  const std::string trace = trace_job("workloads/experiments/data/hpcg-8.fttrace");
  const auto recorded = [&](const std::string& placement) {
    return computed(run_text(system + "job { name: \"recorded\" " + trace + " placement { " + placement + " } } } }"));
  };
  EXPECT_EQ(recorded("ranks_per_host: 8 hosts: \"1\""), recorded("ranks_per_host: 2"));
}

TEST(Jobs, NetworksAgreeOnWhatRanksReceive) {
  const std::string work = std::string(kHpcg) + " placement { ranks_per_host: 2 }";
  const Outcome words = run_work(kSquare, work);
  const Outcome packets = run_work(std::string(kSquare) + kPacket, work);
  ASSERT_TRUE(words.status.ok() && packets.status.ok()) << words.status << packets.status;
  EXPECT_EQ(words.report.payload_digest(), packets.report.payload_digest());
}

TEST(Jobs, AllRanksOfASystemOnOneHostNeedNoNetwork) {
  const Outcome outcome = run_work(kSquare, std::string(kHpcg) + " placement { ranks_per_host: 8 hosts: \"2\" }");
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_EQ(outcome.report.packets_delivered(), 0u);
  EXPECT_GT(outcome.report.simulated_seconds(), 0);
  EXPECT_EQ(outcome.report.ranks(7).host(), 2);
}

// The memory channel is shared by the cores of a host.
TEST(Jobs, CoresShareMemory) {
  const TestFolder folder;
  const std::string start = start_of_minife(folder);
  const auto seconds = [&](int ranks_per_host) {
    const Outcome outcome = run_work(
        std::string("topology { exanest { blades: 1 qfdbs: 2 } } host { memory { bandwidth: \"4GB/s\" compute_traffic: "
                    "\"2GB/s\" } }"),
        trace_job(start) + fmt::format(" placement {{ ranks_per_host: {} }}", ranks_per_host));
    EXPECT_TRUE(outcome.status.ok()) << outcome.status;
    return outcome.report.ranks(0).compute_seconds();
  };
  const double alone = seconds(1);
  EXPECT_NEAR(seconds(2), alone, 1e-9 * alone);
  EXPECT_NEAR(seconds(4), 2 * alone, 1e-9 * alone);
}

TEST(Jobs, PlacementShowsInTimesOnly) {
  const std::string system = std::string("topology { torus { dims: [4, 4] } }") + kPacket;
  const Outcome block = run_work(system, kHpcg);
  const Outcome random = run_work(system, std::string(kHpcg) + " placement { kind: RANDOM }");
  ASSERT_TRUE(block.status.ok() && random.status.ok());
  EXPECT_GT(random.report.simulated_seconds(), block.report.simulated_seconds());
  EXPECT_EQ(random.report.ranks_size(), 8);
  for (int rank = 0; rank < 8; ++rank)
    EXPECT_EQ(random.report.ranks(rank).bytes_sent(), block.report.ranks(rank).bytes_sent());
}

TEST(Jobs, SideBySideTheySlowEachOther) {
  const std::string system = std::string("topology { torus { dims: [8, 2] } }") + kPacket;
  const std::string victim =
      "job { name: \"victim\" skeleton { ranks: 8 hpcg { local: \"16x16x16\" } } placement { hosts: "
      "\"0,2,4,6,8,10,12,14\" } }";
  const std::string other =
      "job { name: \"noise\" background: true osu { benchmark: ALLTOALL sizes: \"64KiB\" ranks: 8 "
      "iterations: 1 warmup: 0 } }";
  const Outcome alone = run_work(system, "jobs { " + victim + " }");
  ASSERT_TRUE(alone.status.ok()) << alone.status;
  const Outcome both = run_work(system, "jobs { " + victim + other + " }");
  ASSERT_TRUE(both.status.ok()) << both.status;
  EXPECT_TRUE(both.report.complete());
  ASSERT_EQ(both.report.jobs_size(), 2);
  const v1::JobReport& first = both.report.jobs(0);
  EXPECT_EQ(first.name(), "victim");
  EXPECT_GT(first.finish_seconds(), 1.05 * alone.report.jobs(0).finish_seconds());
  EXPECT_EQ(first.finish_seconds(), both.report.simulated_seconds());
  const v1::JobReport& second = both.report.jobs(1);
  EXPECT_TRUE(second.background());
  EXPECT_EQ(second.first_rank(), 8);
  EXPECT_GT(second.completions(), 1u);
  EXPECT_LE(second.finish_seconds(), first.finish_seconds());
  // On the hosts that the first job has left.
  ASSERT_EQ(both.report.ranks_size(), 16);
  for (int rank = 8; rank < 16; ++rank) {
    EXPECT_EQ(both.report.ranks(rank).rank(), rank);
    EXPECT_EQ(both.report.ranks(rank).host() % 2, 1);
  }
  EXPECT_EQ(both.done, 1);
  EXPECT_EQ(run_work(system, "jobs { " + victim + other + " }").report.timing_digest(), both.report.timing_digest());
  // Nobody waits for it.
  const Outcome foreground = run_work(
      system, "jobs { " + victim + other.substr(0, other.find("background")) + other.substr(other.find("osu")) + " }");
  EXPECT_EQ(foreground.report.jobs(1).completions(), 1u);
}

TEST(Jobs, ShareAHostAsFarAsBothAllow) {
  const std::string system = std::string(kSquare) + kPacket;
  const auto job = [](const std::string& name, const std::string& placement) {
    return "job { name: \"" + name +
           "\" skeleton { ranks: 2 minife { global: \"8x8x8\" iterations: 2 } } placement { " + placement + " } }";
  };
  const std::string a = job("a", "ranks_per_host: 4 hosts: \"1\"");
  const Outcome both =
      run_work(system, "jobs { " + a + job("b", "kind: ROUND_ROBIN ranks_per_host: 4 hosts: \"1..3\"") + "}");
  ASSERT_TRUE(both.status.ok()) << both.status;
  for (const v1::Rank& rank : both.report.ranks()) EXPECT_EQ(rank.host(), 1);
  const Outcome refused = run_work(system, "jobs { " + job("a", "ranks_per_host: 1 hosts: \"0..3\"") +
                                               job("b", "ranks_per_host: 2 hosts: \"1..3\"") + "}");
  EXPECT_THAT(std::string(message_of(refused.status)),
              HasSubstr("b would be rank number 2 of host[1], which may have 1"));
}

// On whatever network, the numbers are right.
TEST(Jobs, AMatrixMultiplicationIsVerified) {
  for (const std::string& system : {std::string(kSquare) + kPacket, std::string(kBoards)}) {
    const Outcome outcome = run_work(
        system, "gemm { size: 128 rows: 2 columns: 4 engine { tile: 16 cycles: 64 } } placement { ranks_per_host: 2 }");
    ASSERT_TRUE(outcome.status.ok()) << outcome.status;
    ASSERT_EQ(outcome.report.jobs_size(), 1);
    const v1::GemmReport& gemm = outcome.report.jobs(0).gemm();
    EXPECT_TRUE(gemm.verified());
    EXPECT_GT(gemm.max_relative_error(), 0);
    EXPECT_GT(gemm.seconds(), 0);
    EXPECT_LT(gemm.seconds(), outcome.report.simulated_seconds());
    EXPECT_GT(gemm.engine_utilization(), 0);
    EXPECT_LT(gemm.engine_utilization(), 1);
    EXPECT_NEAR(gemm.gflops(), 2 * 128. * 128 * 128 / gemm.seconds() * 1e-9, 1e-6);
    for (const v1::Rank& rank : outcome.report.ranks()) EXPECT_EQ(rank.events_replayed(), rank.events_total());
  }
}

// What only the background would hide.
TEST(Jobs, ADeadlockBesideABackgroundJobIsTold) {
  TestFolder folder;
  ASSERT_TRUE(
      write_trace(folder.file("tags.fttrace"), {{message(v1::SEND, 1, 3, 5000)}, {message(v1::RECV, 0, 4, 5000)}})
          .ok());
  const Outcome outcome =
      run_work(std::string(kSquare) + kPacket,
               "jobs { job { name: \"stuck\" " + trace_job(folder.file("tags.fttrace")) +
                   " } job { name: \"noise\" background: true osu { benchmark: BARRIER ranks: 2 } } }");
  ASSERT_FALSE(outcome.status.ok());
  const std::string text(message_of(outcome.status));
  EXPECT_THAT(text, HasSubstr("only jobs in the background still run; the others wait for ever"));
  EXPECT_THAT(text, HasSubstr("stuck: rank 1 waits in event 0 (recv) for a message from rank 0"));
}

// A job in the background ends with another, at the same time: no host may be simulated ahead of that.
TEST(Jobs, InTheBackgroundKeepHostsTogetherInTime) {
  const auto independent = [](const std::string& second) {
    const auto experiment = test::parse_experiment(std::string(kSquare) + kPacket +
                                                       " workload { jobs { job { osu { benchmark: LATENCY } } job { " +
                                                       second + " osu { benchmark: BARRIER ranks: 2 } } } }",
                                                   "test.textproto");
    const auto graph = network::build_topology(*experiment);
    return (*workloads::make_workload(*experiment, *graph))->independent_hosts();
  };
  EXPECT_TRUE(independent(""));
  EXPECT_FALSE(independent("background: true"));
}

TEST(Jobs, ABackgroundJobMustTakeTime) {
  TestFolder folder;
  ASSERT_TRUE(write_trace(folder.file("nothing.fttrace"), {{event_of(v1::INIT)}, {event_of(v1::INIT)}}).ok());
  const Outcome outcome = run_work(std::string(kSquare) + kPacket, "jobs { job { name: \"empty\" background: true " +
                                                                       trace_job(folder.file("nothing.fttrace")) +
                                                                       " } job { osu { benchmark: LATENCY } } }");
  EXPECT_THAT(std::string(message_of(outcome.status)), HasSubstr("of the background job empty ended at"));
}

TEST(Jobs, WhatCannotRunIsRefusedByName) {
  const auto error = [](const std::string& work) {
    return std::string(message_of(run_work(std::string(kCube) + kPacket, work).status));
  };
  EXPECT_THAT(error("skeleton { ranks: 8 lammps_chain { atoms: 32001 } }"),
              AllOf(HasSubstr("test.textproto:1:"), HasSubstr("no multiple of 32000; next to it is 32000")));
  EXPECT_THAT(error("skeleton { ranks: 16 hpcg { local: \"8x8x8\" } }"),
              HasSubstr("16 ranks, but torus 2x2x2 has only 8 hosts; rank i runs on host[i]"));
  EXPECT_THAT(error("osu { benchmark: MBW_MR ranks: 3 }"), HasSubstr("test.textproto:1:"));
  EXPECT_THAT(error("jobs { job { osu { benchmark: ONE_WAY_LAT } } job { osu { benchmark: BARRIER } } }"),
              HasSubstr("one_way_lat"));
}

}  // namespace
}  // namespace fabrictwin
