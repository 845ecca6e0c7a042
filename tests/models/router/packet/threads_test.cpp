// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Experiments with routers of the model PACKET on several threads.
#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cosim/observe/message_log.h"
#include "cosim/observe/packet_trace.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "tests/models/router/packet/packet_run.h"
#include "tests/workloads/trace_helpers.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

constexpr const char* kTorus = "topology { torus { dims: [2, 2, 2] } }\nrouter { model: PACKET }\nseed: 1\n";
constexpr const char* kTrace =
    "workload { mpi_trace { path: \"workloads/experiments/data/hpcg-8.fttrace\" compute_scale: 0 } }\n";
constexpr const char* kExchange = "workload { exchange { bytes: \"10000B\" allreduce: \"8B\" iterations: 3 } }\n";
constexpr const char* kGemm = "workload { gemm { size: 512 rows: 2 columns: 4 } }\n";
constexpr const char* kOsu =
    "workload { osu { benchmark: ALLREDUCE sizes: [\"8B\", \"4KiB\"] iterations: 3 warmup: 1 ranks: 8 } }\n";
constexpr const char* kBackground =
    "workload { jobs { job { name: \"a\" osu { benchmark: ALLREDUCE sizes: \"8B\" ranks: 4 } }\n"
    "  job { name: \"b\" background: true osu { benchmark: BARRIER ranks: 4 } } } }\n";
constexpr const char* kTraffic = "workload { traffic { load: 0.4 duration: \"2us\" } }\n";

using Sets = std::vector<std::string>;

/// All that does not tell of this run's wall time or threads.
v1::Report without_wall_time(v1::Report report) {
  report.clear_wall_seconds();
  for (v1::PartitionReport& partition : *report.mutable_partitions()) {
    partition.clear_busy_seconds();
    partition.clear_wait_seconds();
    // How often a thread tries again depends on the speed of the others.
    partition.clear_rounds();
  }
  return report;
}

v1::Report report_of(const std::string& text, const Sets& sets, int threads, Time step = Time::never()) {
  auto report = run_models(text, sets, step, threads);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? without_wall_time(*report) : v1::Report();
}

/// A workload on the torus.
struct Experiment {
  std::string name;
  std::string workload;
  Sets sets;
};

std::vector<Experiment> experiments() {
  return {
      {"Hpcg", kTrace, {}},
      {"StartOfHpcg", kTrace, {"stop.after_simulated=300us"}},
      {"Exchange", kExchange, {"topology.torus.dims=4x3x2"}},
      // What makes space in a router may leave faster than it has come.
      {"SlowLinks",
       kExchange,
       {"topology.torus.dims=4x3x2", "topology.torus.link_rate=1Gbps", "router.vc_buffer_flits=18"}},
      {"UgalL", kExchange, {"router.vcs=4", "routing.algorithm=ugal_l"}},
      {"MinimalAdaptive", kExchange, {"router.vcs=3", "routing.algorithm=minimal_adaptive"}},
      {"Gemm", kGemm, {}},
      {"Osu", kOsu, {}},
      // A part of a run.
      {"PartOfARun", kExchange, {"topology.torus.dims=4x3x2", "stop.after_simulated=20us"}},
  };
}

class PacketThreadsOf : public ::testing::TestWithParam<Experiment> {};

TEST_P(PacketThreadsOf, TheSameReportWithAnyNumber) {
  const Experiment& experiment = GetParam();
  const std::string text = kTorus + experiment.workload;
  const v1::Report one = report_of(text, experiment.sets, 1);
  EXPECT_EQ(one.run().threads(), 1);
  for (const int threads : {2, 3}) {
    for (const Time step : {Time::never(), Time::from_fs(2'300'000'001)}) {
      v1::Report several = report_of(text, experiment.sets, threads, step);
      EXPECT_EQ(several.run().threads(), threads);
      several.mutable_run()->set_threads(1);
      google::protobuf::util::MessageDifferencer difference;
      std::string differences;
      difference.ReportDifferencesToString(&differences);
      EXPECT_TRUE(difference.Compare(one, several))
          << text << fmt::format("{} threads, {}: ", threads, fmt::join(experiment.sets, " ")) << differences;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PacketThreadsOf, ::testing::ValuesIn(experiments()),
                         [](const auto& info) { return info.param.name; });

struct Statistics {
  v1::Report report;
  std::vector<observe::PacketTrace::Packet> packets;
  size_t unfinished = 0;
  std::vector<observe::LoggedMessage> messages;
};

Statistics statistics_of(const std::string& text, const Sets& sets, int threads, Time step) {
  observe::MessageLog log(100);
  auto run = prepare_models(text +
                                "statistics { latency_histogram: true occupancy_interval: \"70ns\" link_interval: "
                                "\"90ns\" packet_trace { sample: 0.3 } }\n",
                            sets, step, threads, &log);
  EXPECT_TRUE(run.ok()) << run.status();
  if (!run.ok()) return {};
  EXPECT_TRUE((*run)->execute(std::stop_token()).ok());
  Statistics statistics{without_wall_time((*run)->report()), {}, (*run)->packet_trace()->unfinished(), log.messages()};
  for (const auto* packet : (*run)->packet_trace()->finished()) statistics.packets.push_back(*packet);
  statistics.report.mutable_run()->set_threads(1);
  return statistics;
}

auto facts(const observe::PacketTrace::Packet& packet) {
  std::vector<int64_t> facts = {packet.key.source, packet.key.destination, static_cast<int64_t>(packet.key.sequence),
                                packet.flits,      packet.created.fs(),    packet.arrived.fs()};
  for (const auto& hop : packet.hops) facts.insert(facts.end(), {hop.channel, hop.left.fs(), hop.arrives.fs()});
  return facts;
}

auto facts(const observe::LoggedMessage& message) {
  return std::vector<int64_t>{
      message.source,    message.destination, static_cast<int64_t>(message.number), static_cast<int64_t>(message.bytes),
      message.sent.fs(), message.arrived.fs()};
}

template <typename Item>
std::vector<std::vector<int64_t>> all_facts(const std::vector<Item>& items) {
  std::vector<std::vector<int64_t>> all;
  for (const Item& item : items) all.push_back(facts(item));
  return all;
}

// Packets go from thread to thread; samples lie anywhere in the windows of threads and in the steps of the executor.
TEST(PacketThreads, TheSameStatisticsWithAnyNumber) {
  const std::vector<Experiment> experiments = {
      {"Exchange", kExchange, {"topology.torus.dims=4x3x2", "workload.exchange.bytes=1000B"}},
      {"UgalL", kExchange, {"router.vcs=4", "routing.algorithm=ugal_l"}},
      {"PartOfARun", kExchange, {"topology.torus.dims=4x3x2", "stop.after_simulated=20us"}},
      {"Traffic", kTraffic, {}},
  };
  for (const Experiment& experiment : experiments) {
    const std::string text = kTorus + experiment.workload;
    const Statistics one = statistics_of(text, experiment.sets, 1, Time::never());
    EXPECT_GT(one.packets.size(), 10u);
    EXPECT_GT(one.report.occupancy().intervals_size(), 20);
    for (const int threads : {1, 2, 3}) {
      for (const Time step : {Time::never(), Time::from_fs(2'300'000'001), Time::from_fs(33'000'001)}) {
        const Statistics other = statistics_of(text, experiment.sets, threads, step);
        google::protobuf::util::MessageDifferencer difference;
        std::string differences;
        difference.ReportDifferencesToString(&differences);
        const std::string name = fmt::format("{}, {} threads, {}", experiment.name, threads, to_string(step));
        EXPECT_TRUE(difference.Compare(one.report, other.report)) << name << ": " << differences;
        EXPECT_EQ(all_facts(one.packets), all_facts(other.packets)) << name;
        EXPECT_EQ(one.unfinished, other.unfinished) << name;
        EXPECT_EQ(all_facts(one.messages), all_facts(other.messages)) << name;
      }
    }
  }
}

// Where hosts hear of each other at once, and where there are not so many routers.
TEST(PacketThreads, NoMoreThanAreOfUse) {
  EXPECT_EQ(report_of(std::string(kTorus) + kTraffic, {}, 4).run().threads(), 1);
  EXPECT_EQ(report_of(std::string(kTorus) + kBackground, {}, 4).run().threads(), 1);
  EXPECT_EQ(report_of(std::string(kTorus) + kExchange, {"host.nic=RDMA"}, 4).run().threads(), 1);
  EXPECT_EQ(report_of(std::string(kTorus) + kExchange, {"router.vcs=4", "routing.algorithm=ugal_g"}, 4).run().threads(),
            1);
  EXPECT_EQ(report_of(std::string(kTorus) + kExchange, {"topology.torus.dims=3"}, 4).run().threads(), 3);
}

// Ranks that fail within a window of each other: the first one is named, whatever thread it is on.
TEST(PacketThreads, TheFirstFailureIsNamed) {
  const auto computes = [](int64_t ns) {
    trace::format::Event event;
    event.action = v1::COMPUTE;
    event.duration = Time::from_ns(ns);
    return event;
  };
  trace::format::Event wait;
  wait.action = v1::WAIT_SEND;
  wait.peer = 0;
  TestFolder folder;
  for (const int first : {1, 6}) {
    Program program(8, {computes(5000)});
    program[static_cast<size_t>(first)] = {computes(1010), wait};
    program[static_cast<size_t>(7 - first)] = {computes(1015), wait};
    const std::string trace = folder.file("wrong.fttrace");
    ASSERT_TRUE(write_trace(trace, program).ok());
    for (const int threads : {1, 2, 3}) {
      const auto report = run_models(std::string(kTorus) + "workload { mpi_trace { path: \"" + trace + "\" } }\n", {},
                                     Time::never(), threads);
      EXPECT_THAT(std::string(report.status().message()),
                  HasSubstr(fmt::format("rank {}, event 1 (wait_send): there is no outstanding send", first)))
          << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace fabrictwin
