// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What runs of all kinds of routers measure on demand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cosim/report/packet_trace_json.h"
#include "cosim/run/run.h"
#include "models/network/topology.h"
#include "models/partition/factory.h"
#include "tests/cosim/report/trace_events.h"
#include "tests/experiments.h"
#include "workloads/workload_factory.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

const std::string kInputQueued =
    "topology { torus { dims: 4 dims: 4 link_latency_cycles: 3 } } router { model: INPUT_QUEUED } "
    "workload { traffic { load: 0.3 sample_cycles: 500 } } seed: 4\n";
const std::string kExanet =
    "topology { torus { dims: 3 dims: 2 } } workload { traffic { load: 0.4 payload: \"200B\" duration: \"60us\" } } "
    "seed: 4\n";
const std::string kPacket = kExanet + "router { model: PACKET }\n";
const std::string kReplay =
    "topology { torus { dims: 2 dims: 2 dims: 2 } } workload { mpi_trace { path: "
    "\"workloads/experiments/data/hpcg-8.fttrace\" compute_scale: 0.001 } } stop { after_simulated: \"200us\" }\n";
const std::string kPacketReplay = kReplay + "router { model: PACKET }\n";

struct Outcome {
  v1::Report report;
  std::vector<TracedLife> lives;
};

Outcome run(const std::string& experiment_text, const std::string& statistics) {
  const std::string text = experiment_text + "statistics { " + statistics + " }\n";
  absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(text, "e.textproto");
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  if (!experiment.ok()) return {};
  run::Registry registry;
  registry.tenants = workloads::tenants();
  registry.topology = network::build_topology;
  registry.model = [](const run::PartitionContext& context) {
    return partition::create_model_partition(context, workloads::make_workload);
  };
  const auto made = run::Run::create(*std::move(experiment), std::move(registry), {}, {});
  EXPECT_TRUE(made.ok()) << made.status();
  if (!made.ok()) return {};
  const absl::Status status = (*made)->execute(std::stop_token());
  EXPECT_TRUE(status.ok()) << status;
  Outcome outcome;
  outcome.report = (*made)->report();
  if ((*made)->packet_trace() != nullptr)
    outcome.lives = read_trace_events(report::packet_trace_json(*(*made)->packet_trace(), (*made)->plan().graph));
  return outcome;
}

constexpr char kEverything[] =
    "latency_histogram: true occupancy_interval: \"100ns\" packet_trace { sample: 1 max_packets: 100000 }";

TEST(Statistics, ChangeNothing) {
  for (const std::string& experiment : {kInputQueued, kExanet, kReplay, kPacket, kPacketReplay}) {
    const v1::Report plain = run(experiment, "").report;
    const v1::Report measured = run(experiment, kEverything).report;
    EXPECT_EQ(plain.timing_digest(), measured.timing_digest()) << experiment;
    EXPECT_EQ(plain.payload_digest(), measured.payload_digest()) << experiment;
    EXPECT_EQ(plain.simulated_fs(), measured.simulated_fs()) << experiment;
    EXPECT_FALSE(plain.has_occupancy());
    EXPECT_FALSE(plain.has_packet_trace());
    EXPECT_FALSE(plain.has_message_latency_seconds());
    EXPECT_TRUE(measured.has_occupancy());
    EXPECT_TRUE(measured.has_packet_trace());
  }
}

TEST(Statistics, LinksOverTimeChangeNothing) {
  for (const std::string& experiment : {kInputQueued, kExanet, kReplay, kPacket, kPacketReplay}) {
    const v1::Report plain = run(experiment, "").report;
    const v1::Report sampled = run(experiment, "link_interval: \"70ns\"").report;
    EXPECT_EQ(plain.timing_digest(), sampled.timing_digest()) << experiment;
    EXPECT_EQ(plain.simulated_fs(), sampled.simulated_fs()) << experiment;
    EXPECT_FALSE(plain.has_link_series());
    const v1::LinkSeriesReport& series = sampled.link_series();
    ASSERT_GT(series.intervals_size(), 20) << experiment;
    EXPECT_NEAR(series.intervals().rbegin()->end_seconds(), sampled.simulated_seconds(), 1e-12) << experiment;
    // What was sent in all intervals is what was sent.
    for (int link = 0; link < sampled.links_size(); ++link) {
      ASSERT_EQ(plain.links(link).bytes(), sampled.links(link).bytes()) << experiment;
      double used = 0;
      double begin = 0;
      for (const v1::LinkInterval& interval : series.intervals()) {
        used += interval.permille(link) / 1000.0 * (interval.end_seconds() - begin);
        begin = interval.end_seconds();
      }
      EXPECT_NEAR(used / begin, sampled.links(link).utilization(), 0.002) << experiment << sampled.links(link).name();
    }
  }
}

TEST(Statistics, WhatRanksDoChangesNothing) {
  for (const std::string& experiment : {kReplay, kPacketReplay}) {
    const v1::Report plain = run(experiment, "").report;
    const v1::Report followed = run(experiment, "message_matrix: true rank_timeline: true").report;
    EXPECT_EQ(plain.timing_digest(), followed.timing_digest()) << experiment;
    EXPECT_EQ(plain.payload_digest(), followed.payload_digest()) << experiment;
    EXPECT_FALSE(plain.has_message_matrix());
    EXPECT_FALSE(plain.has_rank_timeline());
    const v1::MessageMatrix& matrix = followed.message_matrix();
    const v1::RankTimeline& timeline = followed.rank_timeline();
    ASSERT_EQ(matrix.cells(), 8);
    ASSERT_EQ(timeline.rows_size(), 8);
    for (int rank = 0; rank < 8; ++rank) {
      uint64_t bytes = 0;
      uint64_t messages = 0;
      for (int to = 0; to < 8; ++to) {
        bytes += matrix.bytes(8 * rank + to);
        messages += matrix.messages(8 * rank + to);
      }
      EXPECT_EQ(bytes, followed.ranks(rank).bytes_sent());
      EXPECT_EQ(messages, followed.ranks(rank).messages_sent());
      uint64_t ticks = 0;
      for (const uint32_t length : timeline.rows(rank).ticks()) ticks += length;
      EXPECT_EQ(ticks, timeline.ticks());
    }
    ASSERT_EQ(timeline.times(0).state(), "compute");
    double all = 0;
    for (const v1::RankStateTime& time : timeline.times()) all += time.seconds();
    EXPECT_NEAR(all, 8 * timeline.end_seconds(), 1e-9);
  }
}

double exact_percentile(std::vector<int64_t> sorted, int64_t ten_thousandths) {
  const auto size = static_cast<int64_t>(sorted.size());
  return static_cast<double>(sorted[std::max<int64_t>(1, (ten_thousandths * size + 9999) / 10000) - 1]);
}

// The lives of all packets are what the latencies are of.
class StatisticsOf : public ::testing::TestWithParam<std::string> {};

TEST_P(StatisticsOf, PercentilesAreThoseOfAllPackets) {
  const Outcome outcome = run(GetParam(), kEverything);
  const v1::TrafficReport& traffic = outcome.report.traffic();
  const v1::LatencySeconds& latency = traffic.latency_seconds();
  ASSERT_GT(traffic.packets_received(), 500u);
  EXPECT_EQ(latency.count(), traffic.packets_received());
  EXPECT_EQ(outcome.report.packet_trace().packets(), traffic.packets_received());
  EXPECT_EQ(outcome.report.packet_trace().unfinished(), 0u);
  ASSERT_EQ(outcome.lives.size(), traffic.packets_received());
  std::vector<int64_t> sorted;
  for (const TracedLife& life : outcome.lives) sorted.push_back(life.fs);
  std::sort(sorted.begin(), sorted.end());
  const std::vector<std::pair<int64_t, double>> told = {{5000, latency.p50()},
                                                        {9000, latency.p90()},
                                                        {9900, latency.p99()},
                                                        {9990, latency.p99_9()},
                                                        {9999, latency.p99_99()}};
  for (const auto& [share, value] : told) {
    const double exact = exact_percentile(sorted, share) * 1e-15;
    EXPECT_GE(value, exact * (1 - 1e-12)) << share;
    EXPECT_LE(value, exact * (1 + 1.0 / 128)) << share;
  }
  EXPECT_NEAR(latency.min(), static_cast<double>(sorted.front()) * 1e-15, 1e-18);
  EXPECT_NEAR(latency.max(), static_cast<double>(sorted.back()) * 1e-15, 1e-18);
  EXPECT_NEAR(latency.max(), traffic.max_latency_seconds(), 1e-18);
  EXPECT_NEAR(latency.mean(), traffic.mean_latency_seconds(), 1e-18);
  uint64_t counted = 0;
  for (const v1::HistogramBucket& bucket : latency.histogram()) counted += bucket.count();
  EXPECT_EQ(counted, latency.count());
}

INSTANTIATE_TEST_SUITE_P(Words, StatisticsOf, ::testing::Values(kExanet));
INSTANTIATE_TEST_SUITE_P(Packets, StatisticsOf, ::testing::Values(kPacket));

TEST(Statistics, InputQueuedPercentilesAreOfTheMeasuredPackets) {
  const v1::TrafficReport traffic = run(kInputQueued, "latency_histogram: true").report.traffic();
  const v1::LatencyCycles& latency = traffic.latency_cycles();
  EXPECT_GE(latency.p50(), latency.min());
  EXPECT_LE(latency.p50(), latency.p90());
  EXPECT_LE(latency.p90(), latency.p99());
  EXPECT_LE(latency.p99(), latency.p99_9());
  EXPECT_LE(latency.p99_9(), latency.p99_99());
  EXPECT_LE(latency.p99_99(), latency.max());
  EXPECT_LT(latency.p50(), latency.mean());  // Queues have long tails.
  uint64_t counted = 0;
  double sum = 0;
  for (const v1::HistogramBucket& bucket : latency.histogram()) {
    counted += bucket.count();
    sum += static_cast<double>(bucket.count()) * bucket.least();
  }
  EXPECT_EQ(counted, traffic.measured_packets());
  EXPECT_NEAR(sum / static_cast<double>(counted), latency.mean(), latency.mean() / 128);
  EXPECT_TRUE(run(kInputQueued, "").report.traffic().latency_cycles().histogram().empty());
}

// Routers are sampled each cycle, so the series and the totals of the report must agree.
TEST(Statistics, SetAsideQueuesAreFollowedOverTime) {
  const std::string hotspot =
      "topology { torus { dims: 4 dims: 4 link_latency_cycles: 3 } } "
      "router { model: INPUT_QUEUED clock: \"1GHz\" vcs: 4 } queues { scheme: FBICM detect: 2 } "
      "workload { traffic { pattern: HOTSPOT hotspot_fraction: 0.5 load: 0.2 sample_cycles: 500 } } seed: 4\n";
  const v1::Report report = run(hotspot, "series_interval: \"1ns\"").report;
  ASSERT_GT(report.queues().set_aside_most(), 1u);
  uint64_t most = 0;
  uint64_t longest = 0;
  double released = 0;
  uint64_t before = 0;
  for (const v1::SeriesPoint& point : report.series().points()) {
    EXPECT_FALSE(point.has_pauses());
    most = std::max(most, point.set_aside());
    longest = std::max(longest, point.queue_bytes());
    if (point.set_aside() < before) released = point.seconds();
    before = point.set_aside();
  }
  EXPECT_DOUBLE_EQ(report.series().interval_seconds(), 1e-9);
  EXPECT_EQ(most, report.queues().set_aside_most());
  // Within a cycle, a flit may have come before another one left.
  EXPECT_NEAR(static_cast<double>(longest), static_cast<double>(report.queues().max_bytes()), 16);
  EXPECT_LE(report.queues().p50_bytes(), report.queues().p99_bytes());
  EXPECT_LE(report.queues().p99_bytes(), report.queues().max_bytes());
  EXPECT_GT(report.queues().mean_bytes(), 0);
  EXPECT_TRUE(report.queues().at_inputs());
  EXPECT_EQ(before, report.queues().set_aside_at_end());
  // A point is the state before its cycle.
  EXPECT_NEAR(released, report.queues().set_aside_released_seconds() + 1e-9, 1e-13);
  EXPECT_EQ(run(hotspot, "").report.timing_digest(), report.timing_digest());
}

// What arrives in the intervals is what arrives in the run, packet by packet.
TEST(Statistics, FlowsOfFlitsAreFollowedOverTime) {
  const std::string incast =
      "topology { torus { dims: 4 dims: 4 link_latency_cycles: 3 } } "
      "router { model: INPUT_QUEUED clock: \"1GHz\" vcs: 2 vc_buffer_flits: 32 } "
      "workload { incast { sources: 3 bytes: \"10001B\" destination: 5 } } seed: 4\n";
  const v1::Report report = run(incast, "series_interval: \"20ns\"").report;
  ASSERT_EQ(report.flows_size(), 3);
  std::vector<uint64_t> bytes(3);
  std::vector<int> grown(3);
  uint64_t longest = 0;
  for (const v1::SeriesPoint& point : report.series().points()) {
    ASSERT_EQ(point.flow_bytes_size(), 3);
    EXPECT_TRUE(point.class_bytes().empty());
    for (int flow = 0; flow < 3; ++flow) {
      bytes[static_cast<size_t>(flow)] += point.flow_bytes(flow);
      grown[static_cast<size_t>(flow)] += point.flow_bytes(flow) > 0 ? 1 : 0;
    }
    longest = std::max(longest, point.queue_bytes());
  }
  // The last packet arrives after the last whole interval.
  for (size_t flow = 0; flow < 3; ++flow) {
    EXPECT_GE(bytes[flow], 9000u);
    EXPECT_LE(bytes[flow], 10001u);
    EXPECT_GE(grown[flow], 30);
    EXPECT_EQ(report.flows(static_cast<int>(flow)).bytes_received(), 10001u);
  }
  // Both VCs of an input are full where flows meet.
  EXPECT_GT(longest, uint64_t{32 * 16});
  EXPECT_LE(longest, uint64_t{2 * 32 * 16});
  EXPECT_EQ(run(incast, "").report.timing_digest(), report.timing_digest());
}

// Three hosts send as fast as they can to one, whose link is as fast as theirs.
TEST(Statistics, QueuesOfWordsAreCountedOnDemand) {
  const std::string incast =
      "topology { torus { dims: 4 dims: 2 tile_rate: \"10Gbps\" } } "
      "workload { incast { sources: 3 bytes: \"20kB\" destination: 5 } } seed: 4\n";
  const v1::Report plain = run(incast, "series_interval: \"1us\"").report;
  EXPECT_FALSE(plain.has_queues()) << "a series has none, whatever routers are";
  const v1::Report counted = run(incast, "queues: true").report;
  EXPECT_EQ(counted.timing_digest(), plain.timing_digest());
  EXPECT_EQ(counted.payload_digest(), plain.payload_digest());
  EXPECT_EQ(counted.simulated_fs(), plain.simulated_fs());
  const v1::QueuesReport& queues = counted.queues();
  EXPECT_TRUE(queues.at_inputs());
  // More than two whole packets wait, and no more than there is room for in two VCs.
  EXPECT_GT(queues.max_bytes(), 2u * 18 * 16);
  EXPECT_LE(queues.max_bytes(), 2u * 64 * 16);
  EXPECT_GT(queues.mean_bytes(), 0);
  EXPECT_LE(queues.p50_bytes(), queues.p99_bytes());
  EXPECT_LE(queues.p99_bytes(), static_cast<double>(queues.max_bytes()));
  EXPECT_EQ(queues.max_port().substr(0, 7), "router[");
  EXPECT_EQ(queues.mean_port().substr(0, 7), "router[");
}

TEST(Statistics, ClassesOfTrafficAreFollowedOverTime) {
  for (const char* const model : {"INPUT_QUEUED", "PACKET"}) {
    const std::string classes = std::string("topology { torus { dims: 4 dims: 4 } } seed: 4 router { model: ") + model +
                                " } workload { traffic { duration: \"20us\" class { name: \"a\" load: 0.1 payload: "
                                "\"128B\" } class { name: \"b\" load: 0.3 payload: \"256B\" } } } ";
    const v1::Report report = run(classes, "series_interval: \"100ns\"").report;
    std::vector<uint64_t> bytes(2);
    ASSERT_GT(report.series().points_size(), 100) << model;
    for (const v1::SeriesPoint& point : report.series().points()) {
      ASSERT_EQ(point.class_bytes_size(), 2);
      EXPECT_TRUE(point.flow_bytes().empty());
      EXPECT_EQ(point.class_bytes(0) % 128, 0u);
      EXPECT_EQ(point.class_bytes(1) % 256, 0u);
      for (int of_class = 0; of_class < 2; ++of_class)
        bytes[static_cast<size_t>(of_class)] += point.class_bytes(of_class);
    }
    // The last packets arrive after the last whole interval.
    const uint64_t packets = bytes[0] / 128 + bytes[1] / 256;
    EXPECT_LE(packets, report.packets_delivered()) << model;
    EXPECT_GT(static_cast<double>(packets), 0.97 * static_cast<double>(report.packets_delivered())) << model;
    // A load counts header and footer, two words.
    EXPECT_NEAR(static_cast<double>(bytes[1]) / static_cast<double>(bytes[0]), 3 * (256. / 18) / (128. / 10), 0.4)
        << model;
    EXPECT_EQ(run(classes, "").report.timing_digest(), report.timing_digest()) << model;
  }
}

// A window has what arrives in the points of a series that are in it, and changes nothing.
TEST(Statistics, AWindowHasTheGoodputOfItsTime) {
  for (const char* const model : {"INPUT_QUEUED", "PACKET", "EXANET"}) {
    const std::string classes = std::string("topology { torus { dims: 4 dims: 4 } } seed: 4 router { model: ") + model +
                                " } workload { traffic { duration: \"20us\" class { name: \"a\" load: 0.1 payload: "
                                "\"128B\" } class { name: \"b\" load: 0.3 payload: \"256B\" } } } ";
    const std::string window = "goodput_window { from: \"5us\" until: \"15us\" }";
    const v1::Report report = run(classes, "series_interval: \"100ns\" " + window).report;
    uint64_t bytes[2] = {};
    for (const v1::SeriesPoint& point : report.series().points()) {
      if (point.seconds() < 5.05e-6 || point.seconds() > 15.05e-6) continue;
      for (int of_class = 0; of_class < 2; ++of_class) bytes[of_class] += point.class_bytes(of_class);
    }
    ASSERT_EQ(report.goodput_window().class_bytes_size(), 2) << model;
    ASSERT_GT(bytes[0], 0u) << model;
    for (int of_class = 0; of_class < 2; ++of_class) {
      EXPECT_EQ(report.goodput_window().class_bytes(of_class), bytes[of_class]) << model;
      EXPECT_NEAR(report.classes(of_class).window_goodput_gbps(), static_cast<double>(bytes[of_class]) * 8e-9 / 10e-6,
                  1e-6)
          << model;
    }
    const v1::Report alone = run(classes, window).report;
    EXPECT_EQ(alone.timing_digest(), run(classes, "").report.timing_digest()) << model;
    EXPECT_EQ(alone.goodput_window().ShortDebugString(), report.goodput_window().ShortDebugString()) << model;
  }
}

// Of packets that meet nobody, the sum of the pipeline: 24 + (4 + L) h cycles with h hops, as BookSim2 has it.
TEST(Statistics, InputQueuedLivesAddUp) {
  const std::string alone =
      "topology { torus { dims: 4 dims: 4 link_latency_cycles: 3 tile_latency_cycles: 1 } } "
      "router { model: INPUT_QUEUED } workload { traffic { load: 0.001 sample_cycles: 2000 } } seed: 4\n";
  const Outcome outcome = run(alone, "packet_trace { sample: 1 }");
  ASSERT_GT(outcome.lives.size(), 20u);
  EXPECT_EQ(outcome.lives.size(), outcome.report.packet_trace().packets());
  int quick = 0;
  for (const TracedLife& life : outcome.lives) {
    const auto moves = std::count_if(life.names.begin(), life.names.end(), [](const std::string& name) {
      return name.find("->router") != std::string::npos && !name.starts_with("host");
    });
    EXPECT_EQ(life.flits, 18);
    EXPECT_THAT(life.names.back(), HasSubstr("rest of the packet"));
    const int64_t cycles = life.fs / 6'400'000;
    EXPECT_GE(cycles, 24 + 7 * moves);
    if (cycles == 24 + 7 * moves) ++quick;
    EXPECT_EQ(life.waits_fs % 6'400'000, 0);
  }
  EXPECT_GT(quick * 10, static_cast<int>(outcome.lives.size()) * 8);
}

TEST(Statistics, ASampleIsPartOfAllPackets) {
  for (const std::string& experiment : {kInputQueued, kExanet, kPacket}) {
    const auto all = run(experiment, kEverything).lives;
    const auto some = run(experiment, "packet_trace { sample: 0.1 max_packets: 100000 }").lives;
    const auto few = run(experiment, "packet_trace { sample: 0.1 max_packets: 10 }").lives;
    const auto names = [](const std::vector<TracedLife>& lives) {
      std::set<std::vector<int64_t>> names;
      for (const TracedLife& life : lives)
        names.insert({life.source, life.destination, life.number, life.fs, life.waits_fs, life.moves_fs});
      return names;
    };
    EXPECT_EQ(few.size(), 10u);
    EXPECT_NEAR(static_cast<double>(some.size()) / static_cast<double>(all.size()), 0.1,
                4 * std::sqrt(0.09 / static_cast<double>(all.size())));
    const auto in_all = names(all);
    const auto in_some = names(some);
    EXPECT_EQ(in_all.size(), all.size());
    EXPECT_TRUE(std::includes(in_all.begin(), in_all.end(), in_some.begin(), in_some.end()));
    const auto in_few = names(few);
    EXPECT_TRUE(std::includes(in_some.begin(), in_some.end(), in_few.begin(), in_few.end()));
  }
}

// A replay sends messages of many packets; the first one of each is followed.
TEST(Statistics, OfMessagesTheFirstPacketIsFollowed) {
  for (const std::string& experiment : {kReplay, kPacketReplay}) {
    const Outcome outcome = run(experiment, kEverything);
    ASSERT_GT(outcome.lives.size(), 50u);
    EXPECT_GT(outcome.report.packets_delivered(), outcome.lives.size());
    const v1::LatencySeconds& latency = outcome.report.message_latency_seconds();
    EXPECT_GT(latency.count(), 50u);
    EXPECT_LE(latency.count(), outcome.lives.size());
    EXPECT_GT(latency.min(), 100e-9);
    EXPECT_LE(latency.p50(), latency.p99());
    EXPECT_GT(latency.histogram_size(), 1);
  }
}

TEST(Statistics, NodesAddUpToTheAcceptedLoad) {
  for (const std::string& experiment : {kInputQueued, kExanet, kPacket}) {
    const v1::TrafficReport traffic = run(experiment, "per_node: true").report.traffic();
    ASSERT_EQ(traffic.accepted_load_by_node_size(), experiment == kInputQueued ? 16 : 6);
    double sum = 0;
    double squares = 0;
    for (const double load : traffic.accepted_load_by_node()) {
      sum += load;
      squares += load * load;
    }
    const double hosts = traffic.accepted_load_by_node_size();
    EXPECT_NEAR(sum / hosts, traffic.accepted_load(), 1e-9);
    EXPECT_NEAR(traffic.jain_index(), sum * sum / (hosts * squares), 1e-9);
    EXPECT_GT(traffic.jain_index(), 0.9);
    const v1::TrafficReport plain = run(experiment, "").report.traffic();
    EXPECT_EQ(plain.accepted_load_by_node_size(), 0);
    EXPECT_EQ(plain.jain_index(), traffic.jain_index());
  }
}

TEST(Statistics, OccupancyCoversTheRunAndStaysBelowTheBuffers) {
  for (const std::string& experiment : {kInputQueued, kExanet, kPacket}) {
    const v1::Report report = run(experiment, "occupancy_interval: \"100ns\"").report;
    const v1::OccupancyReport& occupancy = report.occupancy();
    EXPECT_DOUBLE_EQ(occupancy.interval_seconds(), 1e-7);
    EXPECT_EQ(occupancy.routers(), experiment == kInputQueued ? 16 : 6);
    EXPECT_GT(occupancy.intervals_size(), 50);
    EXPECT_LE(occupancy.intervals_size(), 256);
    uint64_t samples = 0;
    double sum = 0;
    for (const v1::OccupancyInterval& interval : occupancy.intervals()) {
      samples += interval.samples();
      sum += interval.mean_flits() * static_cast<double>(interval.samples());
      EXPECT_LE(interval.mean_flits(), static_cast<double>(interval.max_flits()));
      EXPECT_LE(interval.max_flits(), occupancy.capacity_flits());
    }
    EXPECT_EQ(samples, static_cast<uint64_t>(report.simulated_seconds() / 1e-7 + 1e-6));
    EXPECT_GT(sum, 0);
  }
}

// Little's law: the flits in the buffers on average are those that come in a time, times how long each stays. Of a
// packet that is not held up on its way, each flit stays as long as the first one.
TEST(Statistics, OccupancyObeysLittlesLaw) {
  const std::string light =
      "topology { torus { dims: 4 dims: 4 } } router { model: INPUT_QUEUED } "
      "workload { traffic { load: 0.05 sample_cycles: 5000 } } seed: 4\n";
  const std::string light_packets =
      "topology { torus { dims: 4 dims: 4 } } router { model: PACKET } "
      "workload { traffic { load: 0.05 payload: \"256B\" duration: \"100us\" } } seed: 4\n";
  for (const std::string& experiment : {light, light_packets}) {
    const Outcome outcome =
        run(experiment, "occupancy_interval: \"64ns\" packet_trace { sample: 1 max_packets: 100000 }");
    double wait = 0;
    double size = 0;
    for (const TracedLife& life : outcome.lives) {
      wait += static_cast<double>(life.waits_fs) * 1e-15;
      size = static_cast<double>(life.flits);
    }
    double flits = 0;
    uint64_t samples = 0;
    for (const v1::OccupancyInterval& interval : outcome.report.occupancy().intervals()) {
      flits += interval.mean_flits() * static_cast<double>(interval.samples());
      samples += interval.samples();
    }
    const double expected = wait * size / outcome.report.simulated_seconds() / 16;
    EXPECT_NEAR(flits / static_cast<double>(samples) / expected, 1, 0.15);
  }
}

TEST(Statistics, StallsAreCountedForEachFlit) {
  const v1::Report report = run(kInputQueued, "").report;
  double most = 0;
  for (const v1::LinkReport& link : report.links()) {
    const double flits = static_cast<double>(link.bytes()) / 16;
    if (flits == 0) continue;
    EXPECT_NEAR(link.stall_to_flit(), link.credit_stall_seconds() / 6.4e-9 / flits, 1e-9);
    most = std::max(most, link.stall_to_flit());
  }
  EXPECT_GT(most, 0);
}

}  // namespace
}  // namespace fabrictwin
