// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The calls of the benchmarks and what they make of a clock that the tests turn.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "cosim/base/text.h"
#include "workloads/osu/benchmark.h"
#include "workloads/osu/program.h"
#include "workloads/osu/report.h"

namespace fabrictwin {
namespace {

osu::OsuSpec spec_of(v1::Osu::Benchmark benchmark, std::vector<Bytes> sizes, int32_t iterations = 4,
                     int32_t warmup = 2) {
  osu::OsuSpec spec;
  spec.benchmark = benchmark;
  spec.sizes = std::move(sizes);
  spec.iterations = iterations;
  spec.warmup = warmup;
  spec.window = 3;
  return spec;
}

std::unique_ptr<mpi::JobProgram> program_of(const osu::OsuSpec& spec, int32_t ranks) {
  absl::StatusOr<std::unique_ptr<mpi::JobProgram>> program = osu::make_osu_program(spec, ranks);
  EXPECT_TRUE(program.ok()) << program.status();
  return program.ok() ? *std::move(program) : nullptr;
}

/// How long the call takes that is the n-th of the rank.
using Duration = std::function<Time(uint64_t n, const trace::format::Event& event)>;

/// The calls of one rank, each taking as long as `duration` says.
std::vector<trace::format::Event> calls_of(mpi::JobProgram& job, int32_t rank, const Duration& duration) {
  std::vector<trace::format::Event> calls;
  absl::StatusOr<std::unique_ptr<mpi::RankProgram>> program = job.make_rank(rank);
  if (!program.ok()) return calls;
  Time now;
  trace::format::Event event;
  while (true) {
    const absl::StatusOr<bool> more = (*program)->next(now, event);
    EXPECT_TRUE(more.ok());
    if (!more.ok() || !*more) return calls;
    calls.push_back(event);
    now += duration(calls.size() - 1, event);
  }
}

Time microsecond(uint64_t, const trace::format::Event&) { return Time::from_us(1); }

std::string names(const std::vector<trace::format::Event>& calls) {
  std::vector<std::string_view> list;
  for (const trace::format::Event& call : calls) list.push_back(trace::format::action_name(call.action));
  return comma_list(list);
}

v1::OsuReport report_of(const mpi::JobProgram& job) {
  v1::JobReport report;
  job.report(report);
  return report.osu();
}

TEST(OsuProgram, LatencyIsAPingPong) {
  const auto job = program_of(spec_of(v1::Osu::LATENCY, {Bytes{64}}, 1, 1), 2);
  ASSERT_NE(job, nullptr);
  EXPECT_EQ(job->name(), "osu latency");
  const std::vector<trace::format::Event> ping = calls_of(*job, 0, microsecond);
  const std::vector<trace::format::Event> pong = calls_of(*job, 1, microsecond);
  EXPECT_EQ(names(ping), "init, barrier, send, recv, send, recv, finalize");
  EXPECT_EQ(names(pong), "init, barrier, recv, send, recv, send, finalize");
  EXPECT_EQ(ping[2].peer, 1);
  EXPECT_EQ(pong[2].peer, 0);
  EXPECT_EQ(ping[2].tag, pong[2].tag);
  EXPECT_EQ(trace::format::event_bytes(ping[2]), 64u);
  EXPECT_EQ(job->events(0), ping.size());
}

TEST(OsuProgram, WarmUpIsNotMeasuredAndLatencyIsHalfARoundTrip) {
  const auto job = program_of(spec_of(v1::Osu::LATENCY, {Bytes{0}, Bytes{8}}), 2);
  // The first two iterations of each size take a millisecond for each call.
  const Duration slow_at_first = [](uint64_t n, const trace::format::Event& event) {
    const uint64_t in_size = (n - 1) % 13;
    if (event.action == v1::INIT || event.action == v1::BARRIER) return Time::from_us(500);
    if (in_size <= 4) return Time::from_us(1000);
    return event.action == v1::SEND ? Time::from_ns(300) : Time::from_ns(n < 14 ? 1300 : 2300);
  };
  calls_of(*job, 0, slow_at_first);
  EXPECT_EQ(report_of(*job).results_size(), 0) << "the other rank has measured nothing";
  calls_of(*job, 1, microsecond);
  const v1::OsuReport report = report_of(*job);
  ASSERT_EQ(report.results_size(), 2);
  EXPECT_EQ(report.unit(), "us");
  EXPECT_EQ(report.benchmark(), "latency");
  EXPECT_DOUBLE_EQ(report.results(0).value(), 0.8);
  EXPECT_DOUBLE_EQ(report.results(1).value(), 1.3);
  EXPECT_EQ(report.results(1).bytes(), 8u);
  EXPECT_EQ(report.results(0).iterations(), 4u);
}

TEST(OsuProgram, BandwidthIsAWindowAndItsAnswer) {
  const auto job = program_of(spec_of(v1::Osu::BW, {Bytes{1000}}, 2, 0), 2);
  const std::vector<trace::format::Event> sender = calls_of(*job, 0, microsecond);
  const std::vector<trace::format::Event> receiver = calls_of(*job, 1, microsecond);
  EXPECT_EQ(names(sender),
            "init, barrier, isend, isend, isend, waitall, recv, isend, isend, isend, waitall, recv, finalize");
  EXPECT_EQ(names(receiver),
            "init, barrier, irecv, irecv, irecv, waitall, send, irecv, irecv, irecv, waitall, send, finalize");
  EXPECT_EQ(trace::format::event_bytes(sender[6]), 4u);
  EXPECT_EQ(sender[5].count, 3u);
  // 2 iterations of 3 messages in 10 us.
  const v1::OsuReport report = report_of(*job);
  ASSERT_EQ(report.results_size(), 1);
  EXPECT_EQ(report.unit(), "MB/s");
  EXPECT_DOUBLE_EQ(report.results(0).value(), 600);
}

TEST(OsuProgram, BothWaysCountTwice) {
  const auto job = program_of(spec_of(v1::Osu::BIBW, {Bytes{1000}}, 2, 0), 2);
  const std::vector<trace::format::Event> first = calls_of(*job, 0, microsecond);
  const std::vector<trace::format::Event> second = calls_of(*job, 1, microsecond);
  EXPECT_EQ(names(first), names(second));
  EXPECT_EQ(names(first),
            "init, barrier, irecv, irecv, irecv, isend, isend, isend, waitall, irecv, irecv, irecv, isend, isend, "
            "isend, waitall, finalize");
  EXPECT_EQ(first[2].tag, second[5].tag);
  EXPECT_EQ(first[5].tag, second[2].tag);
  EXPECT_NE(first[2].tag, first[5].tag);
  // 2 iterations of 6 messages in 14 us.
  EXPECT_DOUBLE_EQ(report_of(*job).results(0).value(), 12000.0 / 14);
}

TEST(OsuProgram, PairsAddUp) {
  const auto job = program_of(spec_of(v1::Osu::MBW_MR, {Bytes{1000}}, 2, 1), 4);
  std::vector<std::vector<trace::format::Event>> calls;
  for (int32_t rank = 0; rank < 4; ++rank) {
    // The second pair takes half as long again.
    calls.push_back(calls_of(
        *job, rank, [rank](uint64_t, const trace::format::Event&) { return Time::from_ns(1000 + rank % 2 * 500); }));
  }
  EXPECT_EQ(calls[1][2].peer, 3);
  EXPECT_EQ(calls[3][2].peer, 1);
  EXPECT_EQ(calls[3][2].action, v1::IRECV);
  EXPECT_EQ(calls[2][2].peer, 0);
  EXPECT_EQ(calls[2][2].action, v1::IRECV);
  // All pairs begin to measure together.
  EXPECT_EQ(names(calls[0]),
            "init, barrier, isend, isend, isend, waitall, recv, barrier, isend, isend, isend, waitall, recv, isend, "
            "isend, isend, waitall, recv, finalize");
  EXPECT_EQ(job->events(2), calls[2].size());
  const v1::OsuResult result = report_of(*job).results(0);
  // 2 pairs, 2 iterations, 3 messages in (10 + 15) / 2 us.
  EXPECT_DOUBLE_EQ(result.message_rate(), 12 / 12.5e-6);
  EXPECT_DOUBLE_EQ(result.value(), 12000 / 12.5);
}

TEST(OsuProgram, CollectivesAreKeptApartByBarriersAndAreTheMeanOverRanks) {
  const auto job = program_of(spec_of(v1::Osu::BCAST, {Bytes{16}}, 2, 1), 3);
  for (int32_t rank = 0; rank < 3; ++rank) {
    const std::vector<trace::format::Event> calls =
        calls_of(*job, rank, [rank](uint64_t, const trace::format::Event& event) {
          return event.action == v1::BCAST ? Time::from_us(rank + 1) : Time::from_us(100);
        });
    EXPECT_EQ(names(calls), "init, barrier, bcast, barrier, bcast, barrier, bcast, barrier, finalize");
    EXPECT_EQ(calls[2].peer, 0);
    EXPECT_EQ(trace::format::event_bytes(calls[2]), 16u);
  }
  const v1::OsuResult result = report_of(*job).results(0);
  EXPECT_DOUBLE_EQ(result.value(), 2);
  EXPECT_DOUBLE_EQ(result.min(), 1);
  EXPECT_DOUBLE_EQ(result.max(), 3);
}

TEST(OsuProgram, CollectivesMoveWhatTheSuiteMoves) {
  struct Case {
    v1::Osu::Benchmark benchmark;
    v1::TraceAction action;
    v1::TraceDatatype datatype;
    uint64_t count;
    uint64_t received;
  };
  for (const Case& c : std::vector<Case>{{v1::Osu::ALLREDUCE, v1::ALLREDUCE, v1::FLOAT, 10, 0},
                                         {v1::Osu::REDUCE, v1::REDUCE, v1::FLOAT, 10, 0},
                                         {v1::Osu::ALLTOALL, v1::ALLTOALL, v1::BYTE, 40, 40},
                                         {v1::Osu::ALLGATHER, v1::ALLGATHER, v1::BYTE, 40, 40},
                                         {v1::Osu::GATHER, v1::GATHER, v1::BYTE, 40, 40},
                                         {v1::Osu::SCATTER, v1::SCATTER, v1::BYTE, 40, 40}}) {
    const auto job = program_of(spec_of(c.benchmark, {Bytes{40}}, 1, 0), 4);
    ASSERT_NE(job, nullptr);
    const trace::format::Event call = calls_of(*job, 1, microsecond)[2];
    EXPECT_EQ(call.action, c.action);
    EXPECT_EQ(call.datatype, c.datatype);
    EXPECT_EQ(call.count, c.count);
    EXPECT_EQ(call.receive_count, c.received);
  }
  const auto job = program_of(spec_of(v1::Osu::REDUCE_SCATTER, {Bytes{40}}, 1, 0), 4);
  const trace::format::Event call = calls_of(*job, 3, microsecond)[2];
  EXPECT_EQ(call.action, v1::REDUCE_SCATTER);
  EXPECT_EQ(call.send_counts, (std::vector<uint64_t>{3, 3, 2, 2}));
}

TEST(OsuProgram, ABarrierHasNoSize) {
  const auto job = program_of(spec_of(v1::Osu::BARRIER, {}, 2, 1), 2);
  for (int32_t rank = 0; rank < 2; ++rank)
    EXPECT_EQ(names(calls_of(*job, rank, microsecond)), "init, barrier, barrier, barrier, barrier, finalize");
  EXPECT_DOUBLE_EQ(report_of(*job).results(0).value(), 1);
  EXPECT_FALSE(osu::make_osu_program(spec_of(v1::Osu::BARRIER, {Bytes{8}}), 2).ok());
}

TEST(OsuProgram, ARankThatBeginsAnewForgetsWhatItMeasured) {
  const auto job = program_of(spec_of(v1::Osu::LATENCY, {Bytes{0}}), 2);
  for (int32_t rank = 0; rank < 2; ++rank) calls_of(*job, rank, microsecond);
  ASSERT_EQ(report_of(*job).results_size(), 1);
  for (int32_t rank = 0; rank < 2; ++rank)
    calls_of(*job, rank, [](uint64_t, const trace::format::Event&) { return Time::from_us(3); });
  ASSERT_EQ(report_of(*job).results_size(), 1);
  EXPECT_DOUBLE_EQ(report_of(*job).results(0).value(), 3);
}

TEST(OsuProgram, ASizeIsMeasuredWhenAllRanksHaveMeasuredIt) {
  const auto job = program_of(spec_of(v1::Osu::LATENCY, {Bytes{0}}), 2);
  calls_of(*job, 1, microsecond);
  EXPECT_EQ(report_of(*job).results_size(), 0) << "rank 0 has measured nothing";
}

TEST(OsuProgram, HasTheSizesOfTheSuite) {
  const auto sizes = [](v1::Osu::Benchmark benchmark) { return osu::osu_sizes(spec_of(benchmark, {})); };
  EXPECT_EQ(sizes(v1::Osu::LATENCY).front().count, 0);
  EXPECT_EQ(sizes(v1::Osu::LATENCY).back().count, 4 << 20);
  EXPECT_EQ(sizes(v1::Osu::LATENCY).size(), 24u);
  EXPECT_EQ(sizes(v1::Osu::BW).front().count, 1);
  EXPECT_EQ(sizes(v1::Osu::ALLREDUCE).front().count, 4);
  EXPECT_EQ(sizes(v1::Osu::BCAST).back().count, 1 << 20);
  EXPECT_EQ(sizes(v1::Osu::BARRIER).size(), 1u);
}

TEST(OsuProgram, RefusesWhatABenchmarkCannotDo) {
  struct Case {
    osu::OsuSpec spec;
    int32_t ranks;
    std::string what;
  };
  osu::OsuSpec no_iterations = spec_of(v1::Osu::BCAST, {Bytes{4}}, 0);
  osu::OsuSpec no_window = spec_of(v1::Osu::BW, {Bytes{4}});
  no_window.window = 0;
  for (const Case& c :
       std::vector<Case>{{spec_of(v1::Osu::LATENCY, {}), 3, "latency is between two ranks, not 3"},
                         {spec_of(v1::Osu::BCAST, {}), 1, "at least two ranks"},
                         {spec_of(v1::Osu::MBW_MR, {}), 5, "5 ranks leave one alone"},
                         {spec_of(v1::Osu::ALLREDUCE, {Bytes{6}}), 4, "write a multiple of 4B"},
                         {spec_of(v1::Osu::ALLREDUCE, {Bytes{0}}), 4, "write a multiple of 4B"},
                         {spec_of(v1::Osu::LATENCY, {Bytes{int64_t{1} << 32}}), 2, "write at most 4294967295B"},
                         {spec_of(v1::Osu::ALLTOALL, {Bytes{int64_t{1} << 31}}), 4, "write at most 1073741823B"},
                         {no_iterations, 4, "at least one iteration"},
                         {no_window, 2, "window"},
                         {spec_of(v1::Osu::ONE_WAY_LAT, {}), 2, "below MPI"}}) {
    const auto program = osu::make_osu_program(c.spec, c.ranks);
    ASSERT_FALSE(program.ok()) << c.what;
    EXPECT_NE(message_of(program.status()).find(c.what), std::string_view::npos) << program.status();
  }
}

TEST(OsuBenchmark, IsFoundByItsName) {
  for (const osu::Benchmark& benchmark : osu::osu_benchmarks()) {
    const auto found = osu::find_osu_benchmark(benchmark.name);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(*found, benchmark.benchmark);
    EXPECT_EQ(osu::osu_benchmark(*found).name, benchmark.name);
  }
  EXPECT_EQ(*osu::find_osu_benchmark("osu_Allreduce"), v1::Osu::ALLREDUCE);
  const auto wrong = osu::find_osu_benchmark("latncy");
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(message_of(wrong.status()).find("did you mean \"latency\"?"), std::string_view::npos) << wrong.status();
}

TEST(OsuText, LooksLikeTheSuite) {
  const osu::OsuSpec spec = spec_of(v1::Osu::LATENCY, {Bytes{0}, Bytes{4194304}}, 1);
  const v1::OsuReport latency =
      osu::osu_report(spec, spec.sizes, {{Time::from_ns(2586), Time::from_ns(5378800)}, {Time::zero(), Time::zero()}});
  EXPECT_EQ(osu::osu_text(latency),
            "# OSU MPI Latency Test\n"
            "# Size          Latency (us)\n"
            "0                       1.29\n"
            "4194304              2689.40\n");
  const osu::OsuSpec collective = spec_of(v1::Osu::BCAST, {Bytes{8}}, 2);
  EXPECT_EQ(osu::osu_text(osu::osu_report(collective, collective.sizes, {{Time::from_us(2)}, {Time::from_us(4)}})),
            "# OSU MPI Broadcast Latency Test\n"
            "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)        Iterations\n"
            "8                       1.50              1.00              2.00                 2\n");
}

}  // namespace
}  // namespace fabrictwin
