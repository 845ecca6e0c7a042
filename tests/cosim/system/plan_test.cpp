// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "tests/cosim/system/small_graph.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kText = R"(topology { torus { dims: 2 dims: 2 dims: 2 } }
workload { traffic { load: 0.3 } }
)";

experiment::Experiment with_uses(const std::vector<std::string>& uses, const std::vector<std::string>& sets = {}) {
  experiment::Overrides overrides;
  overrides.uses = uses;
  overrides.sets = sets;
  absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(kText, "test.textproto", overrides);
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  return experiment.ok() ? *experiment : experiment::Experiment();
}

absl::StatusOr<system::Plan> plan_of(const std::vector<std::string>& uses, std::vector<int32_t> dims = {2, 2, 2}) {
  return system::make_plan(with_uses(uses), small_graph(std::move(dims)));
}

std::vector<std::string> place_names(const system::Plan& plan) {
  std::vector<std::string> names;
  for (const system::Place& place : plan.places) names.push_back(place.name);
  return names;
}

std::vector<std::string> partition_names(const system::Plan& plan) {
  std::vector<std::string> names;
  for (const system::PartitionPlan& partition : plan.partitions) names.push_back(partition.name);
  return names;
}

TEST(PlanTest, WithoutRulesEverythingIsOneModel) {
  const absl::StatusOr<system::Plan> plan = plan_of({});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(place_names(*plan), ElementsAre("inproc"));
  EXPECT_THAT(partition_names(*plan), ElementsAre("models"));
  EXPECT_TRUE(plan->cut_channels.empty());
}

TEST(PlanTest, HostsAreAsDeepAsTheirRouters) {
  const absl::StatusOr<system::Plan> plan =
      plan_of({"router[4..7]=MODEL/PACKET", "router[6]=MODEL/PACKET@worker:shm", "router[0]=RTL", "router[5]=MODEL"});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(partition_names(*plan), ElementsAre("models", "packets", "router[0]", "packets@worker:shm"));
  EXPECT_THAT(plan->partitions[0].elements, ElementsAre(0, 1, 2, 3, 5, 9, 10, 11, 13));
  EXPECT_THAT(plan->partitions[1].elements, ElementsAre(4, 7, 12, 15));
  EXPECT_THAT(plan->partitions[3].elements, ElementsAre(6, 14));
  EXPECT_EQ(plan->partitions[1].depth, v1::PACKET);
  EXPECT_TRUE(plan->hosts_apart());
  for (const int32_t channel : plan->cut_channels) {
    const bool packets = plan->partitions[plan->source_partition(channel)].depth == v1::PACKET &&
                         plan->partitions[plan->target_partition(channel)].depth == v1::PACKET;
    EXPECT_EQ(plan->link_type(channel).content,
              packets ? link::LinkType::Content::kPackets : link::LinkType::Content::kWords)
        << plan->graph.channel_name(channel);
  }
}

// Between two depths that are both coarser, links carry words.
TEST(PlanTest, EachDepthIsAPartitionOfItsOwn) {
  const absl::StatusOr<system::Plan> plan = plan_of(
      {"router[4..5]=MODEL/PACKET", "router[6..7]=MODEL/INPUT_QUEUED", "router[7]=MODEL/INPUT_QUEUED@worker:shm"});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(partition_names(*plan),
              ::testing::UnorderedElementsAre("models", "packets", "flits", "flits@worker:shm"));
  size_t flits = 0;
  for (const int32_t channel : plan->cut_channels) {
    const v1::RouterModel source = plan->partitions[plan->source_partition(channel)].depth;
    const bool alike = source == v1::INPUT_QUEUED && plan->partitions[plan->target_partition(channel)].depth == source;
    flits += alike ? 1 : 0;
    EXPECT_EQ(plan->link_type(channel).content,
              alike ? link::LinkType::Content::kFlits : link::LinkType::Content::kWords)
        << plan->graph.channel_name(channel);
  }
  EXPECT_GT(flits, 0u);
}

TEST(PlanTest, HostsFollowLaterRulesOfTheirRouters) {
  const absl::StatusOr<system::Plan> plan =
      plan_of({"*=MODEL/PACKET@worker:shm", "router[0]=RTL@worker:unix", "router[1]=MODEL", "router[2]=BOARD@soft"});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(partition_names(*plan), ElementsAre("models", "packets@worker:shm", "router[0]", "router[2]"));
  EXPECT_THAT(plan->partitions[0].elements, ElementsAre(0, 1, 2, 9));
}

TEST(PlanTest, RefusesDepthsThatCannotMeet) {
  const auto refusal = [](const std::vector<std::string>& uses) {
    return std::string(message_of(plan_of(uses).status()));
  };
  EXPECT_THAT(refusal({"router[1]=MODEL/EXTERNAL"}),
              HasSubstr("--use:1:1: error: depth EXTERNAL beside routers of the model EXANET is not possible: one "
                        "side of such links must be INPUT_QUEUED or PACKET"));
  EXPECT_THAT(refusal({"router[1]=MODEL/PACKET", "host[1]=MODEL"}),
              HasSubstr("host[1] would be EXANET and router[1], which it is linked with, would be PACKET: a host is as "
                        "deep as its routers are"));
  EXPECT_THAT(refusal({"host[1]=MODEL/PACKET"}), HasSubstr("host[1] would be PACKET and router[1]"));
}

TEST(PlanTest, OnlyHostsOfWordsMayBeApartFromTheirRouters) {
  const std::vector<std::string> apart = {"host[1]=MODEL@worker:shm"};
  EXPECT_TRUE(plan_of(apart).ok());
  const auto packets = system::make_plan(with_uses(apart, {"router.model=PACKET"}), small_graph({2, 2, 2}));
  EXPECT_THAT(
      std::string(message_of(packets.status())),
      HasSubstr("host[1] would run at worker:shm and router[1], which it is linked with, would run at inproc: a "
                "host runs where its routers do"));
}

TEST(PlanTest, MakesTheMixedRun) {
  const absl::StatusOr<system::Plan> plan =
      plan_of({"router[0]=RTL", "router[1]=RTL@worker:unix", "router[6]=BOARD@soft", "router[2..3]=MODEL@worker:shm"});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(place_names(*plan), ElementsAre("inproc", "worker:unix", "soft", "worker:shm"));
  EXPECT_THAT(partition_names(*plan),
              ElementsAre("models", "router[0]", "router[1]", "router[6]", "models@worker:shm"));
  EXPECT_EQ(plan->name_with_place(plan->partitions[2]), "router[1] (worker:unix)");
  EXPECT_EQ(plan->name_with_place(plan->partitions[4]), "models@worker:shm");
  EXPECT_EQ(plan->places[1].kind, system::PlaceKind::kLocalWorker);
  EXPECT_EQ(plan->places[1].transport, system::Transport::kUnix);
  EXPECT_EQ(plan->places[2].kind, system::PlaceKind::kSoftBoard);
  EXPECT_EQ(plan->places[3].transport, system::Transport::kShm);
  EXPECT_EQ(plan->partitions[3].implementation, v1::BOARD);
  EXPECT_THAT(plan->partitions[4].elements, ElementsAre(10, 11));
}

TEST(PlanTest, GivesEachRuleItsWorkerAndEachBoardItsPlace) {
  const absl::StatusOr<system::Plan> plan =
      plan_of({"router[4]=RTL@worker:shm", "router[0..1]=RTL@worker:shm", "router[6..7]=BOARD@soft"});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(place_names(*plan), ElementsAre("inproc", "worker:shm", "worker:shm#2", "soft", "soft#2"));
  EXPECT_EQ(plan->partitions[plan->partition_of[12]].place, 1);
  EXPECT_EQ(plan->partitions[plan->partition_of[8]].place, 2);
  EXPECT_EQ(plan->partitions[plan->partition_of[9]].place, 2);
}

TEST(PlanTest, SharesARankOfMpi) {
  const absl::StatusOr<system::Plan> plan =
      plan_of({"router[4]=RTL@mpi:2", "router[0..1]=MODEL@mpi:1", "router[6]=RTL@mpi:2"});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(place_names(*plan), ElementsAre("inproc", "mpi:2", "mpi:1"));
  EXPECT_EQ(plan->places[1].kind, system::PlaceKind::kMpiRank);
  EXPECT_EQ(plan->places[1].transport, system::Transport::kMpi);
  EXPECT_EQ(plan->places[1].rank, 2);
  EXPECT_EQ(plan->places[1].address, "");
  EXPECT_EQ(plan->places[2].rank, 1);
}

TEST(PlanTest, SharesAnAddress) {
  const absl::StatusOr<system::Plan> plan = plan_of({"router[0]=RTL@10.0.0.2:7000", "router[1]=MODEL@10.0.0.2:7000",
                                                     "router[2]=RTL@unix:/tmp/w", "router[3]=BOARD@board:7000"});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(place_names(*plan), ElementsAre("inproc", "10.0.0.2:7000", "unix:/tmp/w", "board:7000"));
  EXPECT_THAT(partition_names(*plan),
              ElementsAre("models", "models@10.0.0.2:7000", "router[0]", "router[2]", "router[3]"));
  EXPECT_EQ(plan->places[1].kind, system::PlaceKind::kRemoteWorker);
  EXPECT_EQ(plan->places[1].address, "10.0.0.2:7000");
  EXPECT_EQ(plan->places[2].transport, system::Transport::kUnix);
  EXPECT_EQ(plan->places[3].kind, system::PlaceKind::kBoardAgent);
}

TEST(PlanTest, LaterRulesOverrideEarlierOnes) {
  const absl::StatusOr<system::Plan> plan = plan_of({"router[*]=RTL@worker:tcp", "router[*]=MODEL"});
  ASSERT_TRUE(plan.ok()) << plan.status();
  // Nothing is left for the worker, so it is not started.
  EXPECT_THAT(place_names(*plan), ElementsAre("inproc"));
  EXPECT_THAT(partition_names(*plan), ElementsAre("models"));
}

TEST(PlanTest, PointsAtMistakesInTheArgument) {
  EXPECT_EQ(message_of(plan_of({"router[9]=RTL"}).status()),
            "--use:1:1: error: there is no router[9]; the elements are router[0..7] and host[0..7]\nrouter[9]=RTL\n^");
  EXPECT_EQ(message_of(plan_of({"*=RTL"}).status()),
            "--use:1:1: error: \"*\" selects host[0], which cannot be RTL: hosts hold the workload, as models; select "
            "routers, as in \"router[*]\"\n*=RTL\n^");
  EXPECT_THAT(std::string(message_of(plan_of({"router[0..1]=BOARD@b:7000"}).status())),
              HasSubstr("several elements (router[0] and router[1]) on the board at b:7000"));
  EXPECT_THAT(std::string(message_of(plan_of({"router[0]=BOARD@b:7000", "router[1]=RTL@b:7000"}).status())),
              HasSubstr("b:7000 cannot be both a worker and a board agent"));
  EXPECT_THAT(std::string(message_of(plan_of({"router[0]=RTL"}, {2, 2, 2, 2}).status())),
              HasSubstr("at most 3 dimensions and this lattice has 4"));
}

// The link between a host and a router of words can be cut.
TEST(PlanTest, HostsOfWordsAreWhereRulesSay) {
  const absl::StatusOr<system::Plan> plan = plan_of({"router[0..1]=MODEL@worker:shm", "host[1..2]=MODEL@worker:unix"});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(partition_names(*plan), ElementsAre("models", "models@worker:shm", "models@worker:unix"));
  EXPECT_EQ(plan->place_of(0), 0) << "host[0] stays";
  EXPECT_EQ(plan->place_of(1), 2);
  EXPECT_EQ(plan->place_of(2), 2);
  EXPECT_TRUE(plan->hosts_apart());
  EXPECT_FALSE(plan_of({"router[0..1]=MODEL@worker:shm"})->hosts_apart());
}

/// A plan of four nodes with their hosts.
absl::StatusOr<system::Plan> plan_of_nodes(const std::vector<std::string>& uses) {
  system::SystemGraph graph = small_graph({4});
  for (system::Element& element : graph.elements) {
    if (element.kind != system::ElementKind::kRouter) continue;
    element.kind = system::ElementKind::kNode;
    element.name = "node" + element.name.substr(element.name.find('['));
  }
  graph.build_index();
  // As between models, links are slower.
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
    graph.modelled_links.push_back(graph.channel_link(channel));
    graph.modelled_links.back().latency = Time::from_ns(1000 + channel);
  }
  return system::make_plan(with_uses(uses), graph);
}

TEST(PlanTest, HostsOfNodesAreWhereTheirModelsAre) {
  const absl::StatusOr<system::Plan> plan =
      plan_of_nodes({"*=MODEL", "node[1]=MODEL@worker:shm", "node[2]=RTL@worker:shm", "host[3],node[3]=MODEL@b:7000"});
  ASSERT_TRUE(plan.ok()) << plan.status();
  std::vector<std::string> places;
  for (int32_t host = 0; host < 4; ++host) places.push_back(plan->places[plan->place_of(host)].name);
  EXPECT_THAT(places, ElementsAre("inproc", "worker:shm", "inproc", "b:7000"));
  EXPECT_TRUE(plan_of_nodes({"node[2]=RTL", "host[2]=MODEL@worker:shm"}).ok()) << "hardware may be elsewhere";
  EXPECT_TRUE(plan_of_nodes({"node[2]=MODEL@b:7000", "host[2]=MODEL@b:7000"}).ok()) << "one address is one place";
  for (const auto& [node, host] :
       {std::pair("node[2]=MODEL@worker:shm", "host[2]=MODEL@worker:shm"),
        std::pair("node[1]=MODEL", "host[2]=MODEL@b:7000"), std::pair("node[2]=MODEL@b:7000", "host[2]=MODEL")}) {
    EXPECT_THAT(std::string(message_of(plan_of_nodes({node, host}).status())),
                HasSubstr("--use:1:1: error: host[2] would run at"))
        << host;
  }
}

TEST(PlanTest, LinksOfTwoModelsMayHaveTheirOwnTiming) {
  const absl::StatusOr<system::Plan> plan = plan_of_nodes({"node[1]=MODEL@worker:shm", "node[2]=RTL"});
  ASSERT_TRUE(plan.ok()) << plan.status();
  for (int32_t channel = 0; channel < plan->graph.channel_count(); ++channel) {
    const bool hardware =
        plan->graph.channel_source(channel).element == 6 || plan->graph.channel_target(channel).element == 6;
    EXPECT_EQ(plan->channel_link(channel).latency, Time::from_ns(hardware ? 120 : 1000 + channel))
        << plan->graph.channel_name(channel);
  }
}

TEST(PlanTest, ReportsAllMistakes) {
  const std::string text(message_of(plan_of({"router[9]=RTL", "nic[0]=RTL"}).status()));
  EXPECT_THAT(text, HasSubstr("there is no router[9]"));
  EXPECT_THAT(text, HasSubstr("there is no element \"nic[0]\""));
}

TEST(PlanTest, RefusesRtlWithOtherBuffers) {
  experiment::Overrides overrides;
  overrides.uses = {"router[0]=RTL"};
  overrides.sets = {"router.buffer_words=128"};
  const absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(kText, "test.textproto", overrides);
  ASSERT_TRUE(experiment.ok());
  system::SystemGraph graph = small_graph({2, 2, 2});
  graph.buffer_words = experiment->router.buffer_words;
  EXPECT_EQ(
      message_of(system::make_plan(*experiment, graph).status()),
      "--set:1:1: error: RTL routers have buffers of 64 words and buffer_words is 128; leave it at 64 or use MODEL\n"
      "router.buffer_words=128\n^");
}

TEST(PlanTest, RefusesRtlWithWhatOnlyModelsOfHostsHave) {
  experiment::Overrides overrides;
  overrides.uses = {"router[0]=RTL"};
  absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(kText, "test.textproto", overrides);
  ASSERT_TRUE(experiment.ok());
  experiment->host.memory.emplace();
  experiment->host.memory->outstanding = 4;
  experiment->host.memory->page_fault_time = Time::from_us(1);
  experiment->host.firmware_delay = Time::from_us(10000);
  system::SystemGraph graph = small_graph({2, 2, 2});
  EXPECT_THAT(std::string(message_of(system::make_plan(*experiment, graph).status())), Not(HasSubstr("memory")))
      << "beside routers, the network interface is a model";
  for (system::Element& element : graph.elements) {
    if (element.kind == system::ElementKind::kRouter) element.kind = system::ElementKind::kNode;
  }
  const std::string text(message_of(system::make_plan(*experiment, graph).status()));
  EXPECT_THAT(text, HasSubstr("memory: outstanding is 4, and RTL nodes have 8 bursts under way; leave it at 8"));
  EXPECT_THAT(text, HasSubstr("page_fault_time is that of hosts whose network interface is a model, and some are RTL"));
  EXPECT_THAT(text, HasSubstr("firmware_delay is 1562500 cycles, and the register of RTL nodes says at most 1048575"));
  experiment->host.memory->outstanding = 8;
  experiment->host.memory->page_fault_time = Time::zero();
  experiment->host.firmware_delay = Time::from_us(1000);
  EXPECT_THAT(std::string(message_of(system::make_plan(*experiment, graph).status())),
              ::testing::AllOf(Not(HasSubstr("firmware")), Not(HasSubstr("memory"))))
      << "what an experiment may say fits";
}

TEST(PlanTest, LooksUpChannelsByPort) {
  const absl::StatusOr<system::Plan> plan = plan_of({});
  ASSERT_TRUE(plan.ok());
  const system::SystemGraph& graph = plan->graph;
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
    const system::LinkEnd& source = graph.channel_source(channel);
    EXPECT_EQ(graph.channel_from(source.element, source.port), channel);
  }
  system::SystemGraph line = small_graph({2, 1});
  line.build_index();
  EXPECT_EQ(line.channel_from(2, 3), -1) << "a dimension of one has no link";
  EXPECT_EQ(line.channel_name(line.channel_from(2, 1)), "router[0].x+->router[1].x-");
}

RC_GTEST_PROP(PlanProperty, EveryElementIsInOnePartitionAndCutsAreBetweenPartitions, ()) {
  static const std::vector<std::string> kTargets = {
      "MODEL",          "RTL",        "RTL@worker:shm", "MODEL@worker:unix",
      "RTL@worker:tcp", "BOARD@soft", "RTL@h:7000",     "MODEL@h:7000"};
  std::vector<std::string> uses;
  const int rules = *rc::gen::inRange(0, 6);
  for (int i = 0; i < rules; ++i) {
    const int low = *rc::gen::inRange(0, 8);
    const int high = *rc::gen::inRange(low, 8);
    uses.push_back(fmt::format("router[{}..{}]={}", low, high, *rc::gen::elementOf(kTargets)));
  }
  const absl::StatusOr<system::Plan> plan = plan_of(uses);
  RC_ASSERT(plan.ok());

  std::vector<int> seen(plan->graph.elements.size(), 0);
  std::set<std::string> names;
  std::set<int32_t> used_places = {0};
  for (size_t p = 0; p < plan->partitions.size(); ++p) {
    const system::PartitionPlan& partition = plan->partitions[p];
    RC_ASSERT(names.insert(partition.name).second);
    RC_ASSERT(!partition.elements.empty());
    RC_ASSERT(std::is_sorted(partition.elements.begin(), partition.elements.end()));
    RC_ASSERT(partition.implementation == v1::MODEL || partition.elements.size() == 1);
    used_places.insert(partition.place);
    for (const system::ElementId id : partition.elements) {
      ++seen[id];
      RC_ASSERT(plan->partition_of[id] == static_cast<int32_t>(p));
    }
  }
  for (const int count : seen) RC_ASSERT(count == 1);
  RC_ASSERT(used_places.size() == plan->places.size());

  std::set<std::string> place_set;
  for (const system::Place& place : plan->places) RC_ASSERT(place_set.insert(place.name).second);

  std::vector<int32_t> cuts;
  for (int32_t channel = 0; channel < plan->graph.channel_count(); ++channel) {
    const bool cut = plan->partition_of[plan->graph.channel_source(channel).element] !=
                     plan->partition_of[plan->graph.channel_target(channel).element];
    if (cut) cuts.push_back(channel);
  }
  RC_ASSERT(cuts == plan->cut_channels);
}

}  // namespace
}  // namespace fabrictwin
