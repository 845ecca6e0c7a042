// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cosim/link/packet.h"
#include "cosim/link/ring.h"
#include "rtl/partition.h"

namespace fabrictwin {
namespace {

using testing::HasSubstr;

/// A ring of two routers in X, each with a host, and the context of router[1]'s partition with all its channels.
class RtlPartitionTest : public testing::Test {
 protected:
  void SetUp() override {
    system::SystemGraph& graph = plan_.graph;
    graph.dims = {2};
    for (int n = 0; n < 2; ++n) {
      graph.elements.push_back({"host[" + std::to_string(n) + "]", system::ElementKind::kHost, n, {n}, {"tile"}});
    }
    for (int n = 0; n < 2; ++n) {
      graph.elements.push_back(
          {"router[" + std::to_string(n) + "]", system::ElementKind::kRouter, n, {n}, {"tile", "x+", "x-"}});
    }
    const auto link = [&](system::LinkEnd a, system::LinkEnd b) {
      graph.links.push_back({{a, b}, Bandwidth{10'000'000'000}, Time::from_ns(120)});
    };
    link({0, 0}, {2, 0});
    link({1, 0}, {3, 0});
    link({2, 1}, {3, 2});
    link({3, 1}, {2, 2});
    plan_.partitions.push_back({"router[1]", v1::RTL, 0, {3}});

    counters_ = std::vector<link::LinkCounters>(graph.channel_count());
    for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
      link::ChannelSpec spec;
      spec.id = static_cast<uint32_t>(channel);
      spec.name = graph.channel_name(channel);
      spec.latency = graph.channel_link(channel).latency;
      spec.word_clock = graph.channel_link(channel).word_clock();
      void* memory = std::aligned_alloc(64, link::ring_bytes(256));
      std::memset(memory, 0, link::ring_bytes(256));
      memories_.push_back(memory);
      link::RingMemory* ring = link::initialize_ring(memory, 256);
      senders_.push_back(std::make_unique<link::ChannelSender>(spec, ring));
      receivers_.push_back(std::make_unique<link::ChannelReceiver>(spec, ring));
    }
    context_.plan = &plan_;
    context_.link_counters = counters_;
    for (int32_t port = 0; port < 3; ++port) {
      const int32_t out = graph.channel_from(3, port);
      context_.ports.push_back({3, port, senders_[out].get(), receivers_[out ^ 1].get()});
    }
    folder_ = std::filesystem::path(testing::TempDir()) / ("rtl_partition_test_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    for (void* memory : memories_) std::free(memory);
    std::filesystem::remove_all(folder_);
  }

  std::string error() const { return std::string(rtl::make_rtl_partition(context_).status().message()); }

  system::Plan plan_;
  std::vector<link::LinkCounters> counters_;
  std::vector<void*> memories_;
  std::vector<std::unique_ptr<link::ChannelSender>> senders_;
  std::vector<std::unique_ptr<link::ChannelReceiver>> receivers_;
  run::PartitionContext context_;
  std::filesystem::path folder_;
};

TEST_F(RtlPartitionTest, RoutesFromItsPlaceInTheGraphAndCountsOnItsChannels) {
  auto partition = rtl::make_rtl_partition(context_);
  ASSERT_TRUE(partition.ok()) << partition.status();
  // Out of host[1] to node 0: k = 2, so both ways are equally long and the tie bit says "-".
  link::PacketHeader header;
  header.coordinates = {0, 0, 0};
  header.ties = 1;
  link::ChannelSender& host = *senders_[plan_.graph.channel_from(1, 0)];
  host.send_word(0, 0, link::kStartOfPacket, header.encode());
  host.send_word(1, 0, link::kEndOfPacket, link::Word{1, 2});
  for (Time now = Time::from_ns(100); now <= Time::from_us(1); now += Time::from_ns(100)) {
    for (auto& receiver : receivers_) ASSERT_TRUE(receiver->poll().ok());
    ASSERT_TRUE((*partition)->advance(now).ok());
    for (auto& sender : senders_) sender->flush(now);
  }
  for (auto& receiver : receivers_) ASSERT_TRUE(receiver->poll().ok());
  const int32_t minus = plan_.graph.channel_from(3, 2);
  ASSERT_NE(receivers_[minus]->front(), nullptr);
  EXPECT_EQ(receivers_[minus]->front()->words[0], header.encode());
  for (int32_t channel = 0; channel < plan_.graph.channel_count(); ++channel) {
    EXPECT_EQ(counters_[channel].words.get(), channel == minus ? 2u : 0u) << plan_.graph.channel_name(channel);
    EXPECT_EQ(counters_[channel].packets.get(), channel == minus ? 1u : 0u);
  }
  EXPECT_GT((*partition)->events(), 0u);
  EXPECT_TRUE((*partition)->done());
}

TEST_F(RtlPartitionTest, NamesWaveformsOfSeveralElementsAfterThem) {
  context_.waves = {{"router[1]", (folder_ / "one.fst").string(), Time::zero(), Time::never()}};
  ASSERT_TRUE(rtl::make_rtl_partition(context_).ok());
  EXPECT_TRUE(std::filesystem::exists(folder_ / "one.fst"));
  context_.waves = {{"router[*]", (folder_ / "all.fst").string(), Time::zero(), Time::never()}};
  ASSERT_TRUE(rtl::make_rtl_partition(context_).ok());
  EXPECT_TRUE(std::filesystem::exists(folder_ / "all.router[1].fst"));
  context_.waves = {{"router[0]", (folder_ / "other.fst").string(), Time::zero(), Time::never()}};
  ASSERT_TRUE(rtl::make_rtl_partition(context_).ok());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "other.fst"));
}

TEST_F(RtlPartitionTest, RefusesWhatItCannotBuild) {
  plan_.graph.buffer_words = 32;
  EXPECT_THAT(error(), HasSubstr("router[1]: the RTL router has buffers of 64 words, the experiment wants 32"));
  plan_.graph.buffer_words = 64;
  plan_.graph.dims = {2, 1, 1, 1};
  EXPECT_THAT(error(), HasSubstr("router[1]: the RTL router has 3 dimensions, the lattice 4"));
  plan_.graph.dims = {2};
  context_.waves = {{"router[1]", (folder_ / "none" / "a.fst").string(), Time::zero(), Time::never()}};
  EXPECT_EQ(rtl::make_rtl_partition(context_).status().code(), absl::StatusCode::kPermissionDenied);
  context_.waves.clear();
  plan_.partitions[0].elements = {1};
  EXPECT_THAT(error(), HasSubstr("an RTL partition is one router"));
}

}  // namespace
}  // namespace fabrictwin
