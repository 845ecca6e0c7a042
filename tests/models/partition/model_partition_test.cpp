// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/model_partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "cosim/observe/metric_report.h"
#include "models/network/topology.h"
#include "models/topology/lattice/torus.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

// Sends one message of every size in `sizes` to every other host at time zero, and ends when as many have arrived.
class AllToAll : public host::Workload {
 public:
  struct Options {
    std::vector<uint64_t> sizes;
    std::vector<int32_t> senders;  ///< Empty: all.
    int32_t receiver = -1;         ///< -1: all others.
  };
  struct Arrival {
    int32_t source;
    int32_t destination;
    uint64_t bytes;
    uint64_t order;
    bool intact;
    Time time;
  };

  AllToAll(Options options, int32_t nodes) : options_(std::move(options)), nodes_(nodes) {}
  absl::StatusOr<std::unique_ptr<host::Endpoint>> make_endpoint(int32_t node, observe::EndpointDigest*) override {
    return std::make_unique<Host>(*this, node);
  }
  void report(v1::Report&) const override {}
  double done() const override { return 0; }
  bool sends(int32_t node) const {
    return options_.senders.empty() || std::count(options_.senders.begin(), options_.senders.end(), node) > 0;
  }
  bool takes(int32_t source, int32_t destination) const {
    return source != destination && sends(source) && (options_.receiver < 0 || options_.receiver == destination);
  }

  std::vector<Arrival> arrivals;
  int32_t sent = 0;

 private:
  class Host : public host::Endpoint {
   public:
    Host(AllToAll& workload, int32_t node)
        : host::Endpoint(("host_" + std::to_string(node)).c_str(), node), workload_(workload) {}
    bool finished() const override { return expected_ == 0; }
    Time finish_time() const override { return finish_; }
    std::string waits_for() const override { return finished() ? "" : "host " + std::to_string(node()) + " waits"; }

   private:
    void begin() override {
      for (int32_t other = 0; other < workload_.nodes_; ++other) {
        if (workload_.takes(other, node())) expected_ += static_cast<int64_t>(workload_.options_.sizes.size());
        if (!workload_.takes(node(), other)) continue;
        for (size_t i = 0; i < workload_.options_.sizes.size(); ++i) {
          nic::OutgoingMessage message;
          message.destination = other;
          message.envelope.payload_key =
              nic::payload_key(static_cast<uint64_t>(node()), static_cast<uint64_t>(other), i);
          message.envelope.bytes = workload_.options_.sizes[i];
          message.envelope.user[0] = i;
          message.cookie = i;
          send(message);
        }
      }
    }
    void on_message(const nic::IncomingMessage& message) override {
      --expected_;
      finish_ = now();
      workload_.arrivals.push_back(
          {message.source, node(), message.envelope.bytes, message.envelope.user[0], message.intact, now()});
    }
    void on_sent(uint64_t) override { ++workload_.sent; }
    void decide() override {}

    AllToAll& workload_;
    int64_t expected_ = 0;
    Time finish_;
  };

  Options options_;
  int32_t nodes_;
};

class ModelPartitionTest : public ::testing::Test {
 protected:
  // Builds everything in one model partition and runs it until it is done or `limit`.
  absl::Status run(std::vector<int32_t> dims, AllToAll::Options options, Time limit = Time::from_us(10'000)) {
    experiment_.topology_spec = topology::lattice::TorusSpec{dims,
                                                             std::vector<bool>(dims.size(), true),
                                                             1,
                                                             Bandwidth{10'000'000'000},
                                                             Time::from_ns(120),
                                                             Bandwidth{20'000'000'000},
                                                             Time::from_ns(50)};
    experiment_.router = {.clock = Frequency{156'250'000}, .buffer_words = 64};
    experiment_.seed = 3;
    plan_.graph = *network::build_topology(experiment_);
    plan_.places.resize(1);
    system::PartitionPlan partition;
    for (size_t i = 0; i < plan_.graph.elements.size(); ++i)
      partition.elements.push_back(static_cast<system::ElementId>(i));
    plan_.partition_of.assign(plan_.graph.elements.size(), 0);
    plan_.partitions = {partition};
    counters_ = std::vector<link::LinkCounters>(static_cast<size_t>(plan_.graph.channel_count()));
    const auto nodes = static_cast<int32_t>(plan_.graph.elements.size() / 2);
    digests_.assign(static_cast<size_t>(nodes), {});
    run::PartitionContext context;
    context.experiment = &experiment_;
    context.plan = &plan_;
    context.link_counters = counters_;
    context.digests = digests_;
    absl::StatusOr<std::unique_ptr<engine::Partition>> made = partition::ModelPartition::create(
        context,
        [&](const experiment::Experiment&,
            const system::SystemGraph&) -> absl::StatusOr<std::unique_ptr<host::Workload>> {
          auto workload = std::make_unique<AllToAll>(options, nodes);
          workload_ = workload.get();
          return workload;
        });
    if (!made.ok()) return made.status();
    model_ = *std::move(made);
    return model_->advance(limit);
  }

  experiment::Experiment experiment_;
  system::Plan plan_;
  std::vector<link::LinkCounters> counters_;
  std::vector<observe::EndpointDigest> digests_;
  AllToAll* workload_ = nullptr;
  std::unique_ptr<engine::Partition> model_;
};

TEST_F(ModelPartitionTest, DeliversEveryMessageIntactAndInOrder) {
  const std::vector<uint64_t> sizes{0, 1, 7, 8, 100, 224, 225, 256, 1000, 5000};
  ASSERT_TRUE(run({2, 2, 2}, {.sizes = sizes}).ok());
  EXPECT_TRUE(model_->done());
  ASSERT_EQ(workload_->arrivals.size(), 8u * 7 * sizes.size());
  EXPECT_EQ(workload_->sent, 8 * 7 * static_cast<int>(sizes.size()));
  std::map<std::pair<int32_t, int32_t>, uint64_t> next;
  for (const AllToAll::Arrival& arrival : workload_->arrivals) {
    EXPECT_TRUE(arrival.intact);
    EXPECT_EQ(arrival.order, (next[{arrival.source, arrival.destination}]++));
    EXPECT_EQ(arrival.bytes, sizes[arrival.order]);
  }
}

// Words leave the tile at 6.4 ns each, cross 50 ns, take 4 cycles for the header in each router, cross a 12.8 ns-a-word
// link of 120 ns, and the tile link again.
TEST_F(ModelPartitionTest, ALoneMessageTakesTheTimeThatTheContractSays) {
  ASSERT_TRUE(run({4}, {.sizes = {0}, .senders = {0}, .receiver = 1}).ok());
  ASSERT_EQ(workload_->arrivals.size(), 1u);
  // 4 words (header, envelope, footer). Tile: word i arrives at 6.4 (i + 1) + 50 = 56.4: sampled at edge 9 (57.6).
  // Accepted at 13 (83.2 ns), slot 7 (89.6), then 8, 9, 10. Word 3 of slot 10 arrives at 12.8 * 11 + 120 = 260.8,
  // sampled at edge 41 (262.4); accepted 2 edges later (275.2), in slot 43 of the tile, 50 + 44 * 6.4 = 331.6.
  EXPECT_EQ(workload_->arrivals[0].time, Time::from_ps(331'600));
  v1::Report report;
  dynamic_cast<const run::Reporter&>(*model_).report(report);
  EXPECT_EQ(report.packets_delivered(), 1u);
  EXPECT_EQ(report.bytes_delivered(), 32u);
  EXPECT_EQ(report.simulated_fs(), 331'600'000);
}

// In router 0, words come at edges 9 to 12. The header is in the output register at 12, and the others follow it as the
// link takes a word in two cycles, at 13, 16 and 18. So there are 1, 2, 3, 3 words for a cycle each, 2 for three cycles
// and 1 for two: 17 times a word and a cycle. In router 1 there are fewer, as words come more slowly than they leave.
TEST_F(ModelPartitionTest, CountsWhatWaitsInInputs) {
  experiment_.statistics.queues = true;
  ASSERT_TRUE(run({4}, {.sizes = {0}, .senders = {0}, .receiver = 1}).ok());
  v1::Report report;
  dynamic_cast<const run::Reporter&>(*model_).report(report);
  EXPECT_EQ(report.simulated_fs(), 331'600'000);
  const v1::QueuesReport& queues = report.queues();
  EXPECT_TRUE(queues.at_inputs());
  EXPECT_EQ(queues.max_bytes(), 3u * 16);
  EXPECT_EQ(queues.max_port(), "router[0].tile");
  EXPECT_EQ(queues.mean_port(), "router[0].tile");
  EXPECT_NEAR(queues.mean_bytes(), 17 * 16 * 6.4 / 331.6, 1e-9);
  EXPECT_EQ(queues.p50_bytes(), 0);
  EXPECT_EQ(queues.p99_bytes(), 3 * 16) << "12.8 ns are more than a hundredth";
  observe::MetricReports metrics;
  observe::MetricReporter reporter(metrics, true);
  model_->measure(reporter);
  std::map<std::string, double> values;
  for (const v1::MetricReport& metric : metrics) values[metric.name()] = metric.value();
  EXPECT_EQ(values.at("fabrictwin_queue_longest_bytes"), 0);
  EXPECT_EQ(values.at("fabrictwin_queue_max_bytes"), 3 * 16);
}

TEST_F(ModelPartitionTest, CountsNothingUnasked) {
  ASSERT_TRUE(run({4}, {.sizes = {0}, .senders = {0}, .receiver = 1}).ok());
  v1::Report report;
  dynamic_cast<const run::Reporter&>(*model_).report(report);
  EXPECT_FALSE(report.has_queues());
}

TEST_F(ModelPartitionTest, CountsWhatCrossesEachLink) {
  ASSERT_TRUE(run({4}, {.sizes = {224, 256}, .senders = {0}, .receiver = 1}).ok());
  // 256 bytes of payload once, then 256 and 32: 18 + 18 + 4 words.
  for (int32_t channel = 0; channel < plan_.graph.channel_count(); ++channel) {
    const std::string name = plan_.graph.channel_name(channel);
    const bool on_the_way = name == "host[0].tile->router[0].tile" || name == "router[0].x+->router[1].x-" ||
                            name == "router[1].tile->host[1].tile";
    EXPECT_EQ(counters_[channel].words.get(), on_the_way ? 40u : 0u) << name;
    EXPECT_EQ(counters_[channel].packets.get(), on_the_way ? 3u : 0u) << name;
  }
}

TEST_F(ModelPartitionTest, StandsStillAfterTheEndHoweverFarItIsAsked) {
  ASSERT_TRUE(run({4}, {.sizes = {5000}, .senders = {0}, .receiver = 1}, Time::from_us(1)).ok());
  EXPECT_FALSE(model_->done());
  EXPECT_FALSE(model_->waits().empty());
  ASSERT_TRUE(model_->advance(Time::from_us(100'000)).ok());
  EXPECT_TRUE(model_->done());
  EXPECT_TRUE(model_->next_event().is_never());
  EXPECT_TRUE(model_->waits().empty());
}

TEST_F(ModelPartitionTest, OnlyOneLivesInAProcess) {
  ASSERT_TRUE(run({2}, {.sizes = {0}}).ok());
  const std::unique_ptr<engine::Partition> first = std::move(model_);
  const absl::Status status = run({2}, {.sizes = {0}});
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("one SystemC context"));
}

TEST_F(ModelPartitionTest, TheSameRunTwiceGivesTheSameDigests) {
  ASSERT_TRUE(run({3, 2}, {.sizes = {64, 700}}).ok());
  const std::string first = observe::combine_timing(digests_);
  model_.reset();
  ASSERT_TRUE(run({3, 2}, {.sizes = {64, 700}}).ok());
  EXPECT_EQ(observe::combine_timing(digests_), first);
  model_.reset();
  ASSERT_TRUE(run({3, 2}, {.sizes = {64, 701}}).ok());
  EXPECT_NE(observe::combine_timing(digests_), first);
}

TEST(BuildTopology, ARingOfTwoHasTwoParallelLinks) {
  experiment::Experiment experiment;
  experiment.topology_spec = topology::lattice::TorusSpec{
      {2, 1, 3},        {true, true, true}, 1, Bandwidth{10'000'000'000}, Time::from_ns(120), Bandwidth{20'000'000'000},
      Time::from_ns(50)};
  experiment.router = {.clock = Frequency{156'250'000}, .buffer_words = 64};
  const absl::StatusOr<system::SystemGraph> graph = network::build_topology(experiment);
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(graph->elements.size(), 12u);
  EXPECT_EQ(graph->links.size(), 6u + 6 + 6) << "tile, x, z; nothing in y";
  const system::ElementId router0 = 6;
  EXPECT_EQ(graph->channel_name(graph->channel_from(router0, 1)), "router[0].x+->router[1].x-");
  EXPECT_EQ(graph->channel_name(graph->channel_from(router0, 2)), "router[0].x-->router[1].x+");
  EXPECT_EQ(graph->channel_from(router0, 3), -1);
  EXPECT_EQ(graph->channel_name(graph->channel_from(router0, 6)), "router[0].z-->router[4].z+");
}

}  // namespace
}  // namespace fabrictwin
