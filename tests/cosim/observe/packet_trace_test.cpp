// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/packet_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "cosim/report/packet_trace_json.h"
#include "tests/cosim/report/trace_events.h"
#include "tests/cosim/system/small_graph.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;

experiment::PacketTraceSpec spec_of(double sample, int32_t max_packets) {
  experiment::PacketTraceSpec spec;
  spec.sample = sample;
  spec.max_packets = max_packets;
  return spec;
}

observe::PacketTrace::Hop hop(int32_t channel, int64_t left_ns, int64_t arrives_ns) {
  return {channel, Time::from_ns(left_ns), Time::from_ns(arrives_ns)};
}

TEST(PacketTrace, FollowsTheShareThatWasAskedFor) {
  const observe::PacketTrace all(spec_of(1, 10), 1);
  const observe::PacketTrace some(spec_of(0.01, 10), 1);
  int wanted = 0;
  for (uint64_t number = 0; number < 100'000; ++number) {
    EXPECT_TRUE(all.wants({3, 5, number}));
    if (some.wants({3, 5, number})) ++wanted;
  }
  EXPECT_NEAR(wanted, 1000, 130);  // Four standard deviations.
}

TEST(PacketTrace, SeedSourceDestinationAndNumberDecide) {
  const auto chosen = [](uint64_t seed, int32_t source, int32_t destination) {
    const observe::PacketTrace trace(spec_of(0.5, 10), seed);
    std::vector<bool> packets;
    for (uint64_t number = 0; number < 64; ++number) packets.push_back(trace.wants({source, destination, number}));
    return packets;
  };
  const std::vector<bool> reference = chosen(1, 2, 3);
  EXPECT_EQ(chosen(1, 2, 3), reference);
  EXPECT_NE(chosen(2, 2, 3), reference);
  EXPECT_NE(chosen(1, 3, 3), reference);
  EXPECT_NE(chosen(1, 2, 4), reference);
}

// Whatever the order in which packets begin and end, the same ones are left.
TEST(PacketTrace, TooManyLeaveTheSameOnesInAnyOrder) {
  const auto left = [](bool backwards) {
    observe::PacketTrace trace(spec_of(1, 5), 7);
    for (uint64_t i = 0; i < 200; ++i) {
      const observe::PacketTrace::Key key{0, 1, backwards ? 199 - i : i};
      if (!trace.wants(key)) continue;
      trace.begin(key, 18, Time::from_ns(static_cast<int64_t>(key.sequence)), hop(0, 300, 310));
      trace.end(key, Time::from_ns(400));
    }
    std::vector<uint64_t> numbers;
    for (const observe::PacketTrace::Packet* packet : trace.finished()) numbers.push_back(packet->key.sequence);
    EXPECT_EQ(trace.unfinished(), 0u);
    return numbers;
  };
  EXPECT_EQ(left(false).size(), 5u);
  EXPECT_EQ(left(false), left(true));
  const std::vector<uint64_t> numbers = left(false);
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
}

// Later packets of a message pass the same channels with the same key.
TEST(PacketTrace, OnlyTheFirstPacketOfAMessageCounts) {
  observe::PacketTrace trace(spec_of(1, 5), 7);
  const observe::PacketTrace::Key key{0, 1, 0};
  trace.begin(key, 18, Time::zero(), hop(0, 1, 2));
  trace.move(key, hop(4, 3, 4));
  trace.move(key, hop(4, 9, 10));
  trace.move({0, 1, 1}, hop(4, 3, 4));  // Nobody knows it.
  EXPECT_EQ(trace.unfinished(), 1u);
  EXPECT_TRUE(trace.finished().empty());
  trace.end(key, Time::from_ns(8));
  trace.end(key, Time::from_ns(18));
  trace.end({0, 1, 1}, Time::from_ns(18));
  EXPECT_EQ(trace.unfinished(), 0u);
  ASSERT_EQ(trace.finished().size(), 1u);
  EXPECT_EQ(trace.finished()[0]->hops.size(), 2u);
  EXPECT_EQ(trace.finished()[0]->arrived, Time::from_ns(8));
}

// Packets go from host 0 by router 1, or router 2, to host 3; each is in a partition of its own. However many are
// followed, what the partitions have seen is what one would have.
TEST(PacketTrace, PartsMakeTheTraceOfOnePartition) {
  for (const int32_t most : {5, 20, 200}) {
    observe::PacketTrace whole(spec_of(0.5, most), 7);
    std::vector<observe::PacketTrace> parts(
        4, observe::PacketTrace(spec_of(0.5, most), 7, observe::PacketTrace::Scope::kPart));
    for (int64_t number = 0; number < 100; ++number) {
      const observe::PacketTrace::Key key{0, 3, static_cast<uint64_t>(number)};
      const int64_t time = 10 * number;
      for (observe::PacketTrace* trace : {&whole, &parts[0]})
        if (trace->wants(key)) trace->begin(key, 4, Time::from_ns(time), hop(0, time + 1, time + 2));
      const auto by = static_cast<size_t>(1 + number % 2);
      for (observe::PacketTrace* trace : {&whole, &parts[by]})
        if (trace->wants(key)) trace->move(key, hop(static_cast<int32_t>(by), time + 3, time + 4));
      if (number % 7 == 0) continue;
      for (observe::PacketTrace* trace : {&whole, &parts[3]})
        if (trace->wants(key)) trace->end(key, Time::from_ns(time + 5));
    }
    google::protobuf::RepeatedPtrField<v1::PacketTracePart> told;
    for (const size_t part : {3u, 1u, 0u, 2u}) parts[part].report_part(*told.Add());
    observe::PacketTrace merged(spec_of(0.5, most), 7);
    ASSERT_TRUE(merged.merge(told, 3, 4).ok());
    EXPECT_EQ(merged.unfinished(), whole.unfinished());
    const auto expected = whole.finished();
    const auto made = merged.finished();
    ASSERT_EQ(made.size(), expected.size());
    ASSERT_GT(made.size(), 3u);
    for (size_t i = 0; i < made.size(); ++i) {
      EXPECT_EQ(made[i]->key, expected[i]->key);
      EXPECT_EQ(made[i]->flits, 4);
      EXPECT_EQ(made[i]->created, expected[i]->created);
      EXPECT_EQ(made[i]->arrived, expected[i]->arrived);
      ASSERT_EQ(made[i]->hops.size(), 2u);
      for (size_t h = 0; h < 2; ++h) {
        EXPECT_EQ(made[i]->hops[h].channel, expected[i]->hops[h].channel);
        EXPECT_EQ(made[i]->hops[h].left, expected[i]->hops[h].left);
        EXPECT_EQ(made[i]->hops[h].arrives, expected[i]->hops[h].arrives);
      }
    }
  }
}

TEST(PacketTrace, WhatBeginsNowhereIsNotFollowed) {
  observe::PacketTrace whole(spec_of(1, 10), 7);
  whole.move({0, 3, 1}, hop(1, 3, 4));
  whole.end({0, 3, 1}, Time::from_ns(5));
  EXPECT_TRUE(whole.finished().empty());
  observe::PacketTrace part(spec_of(1, 10), 7, observe::PacketTrace::Scope::kPart);
  part.move({0, 3, 1}, hop(1, 3, 4));
  part.end({0, 3, 1}, Time::from_ns(5));
  google::protobuf::RepeatedPtrField<v1::PacketTracePart> told;
  part.report_part(*told.Add());
  ASSERT_TRUE(whole.merge(told, 2, 4).ok());
  EXPECT_TRUE(whole.finished().empty());
  EXPECT_EQ(whole.unfinished(), 0u);
}

TEST(PacketTrace, PartsThatCannotBeAreRefused) {
  observe::PacketTrace part(spec_of(1, 10), 7, observe::PacketTrace::Scope::kPart);
  part.begin({0, 3, 1}, 2, Time::from_ns(1), hop(1, 3, 4));
  for (const auto& spoil : std::initializer_list<void (*)(v1::PacketTraceSpan&)>{
           [](v1::PacketTraceSpan& span) { span.set_channels(0, 2); },
           [](v1::PacketTraceSpan& span) { span.set_channels(0, -1); },
           [](v1::PacketTraceSpan& span) { span.set_source(4); },
           [](v1::PacketTraceSpan& span) { span.set_source(-1); },
           [](v1::PacketTraceSpan& span) { span.set_destination(4); },
           [](v1::PacketTraceSpan& span) { span.set_created_fs(-1); },
           [](v1::PacketTraceSpan& span) { span.set_arrived_fs(-1); },
           [](v1::PacketTraceSpan& span) { span.set_left_fs(0, -1); },
           [](v1::PacketTraceSpan& span) { span.set_arrives_fs(0, -1); },
           [](v1::PacketTraceSpan& span) { span.clear_left_fs(); },
           [](v1::PacketTraceSpan& span) { span.clear_arrives_fs(); }}) {
    google::protobuf::RepeatedPtrField<v1::PacketTracePart> told;
    part.report_part(*told.Add());
    spoil(*told[0].mutable_packets(0));
    observe::PacketTrace whole(spec_of(1, 10), 7);
    EXPECT_EQ(whole.merge(told, 2, 4).code(), absl::StatusCode::kDataLoss) << told[0].DebugString();
  }
}

TEST(PacketTraceJson, ShowsWaitsAndMoves) {
  const system::SystemGraph graph = small_graph({2});  // Links: tile and x+ of node 0, then of node 1.
  observe::PacketTrace trace(spec_of(1, 5), 7);
  const observe::PacketTrace::Key key{0, 1, 4};
  trace.begin(key, 18, Time::from_ns(100), hop(0, 130, 140));
  trace.move(key, hop(2, 140, 190));
  trace.move(key, hop(5, 2000, 2050));
  trace.end(key, Time::from_fs(2'100'000'001));
  const std::vector<TracedLife> lives = read_trace_events(report::packet_trace_json(trace, graph));
  ASSERT_EQ(lives.size(), 1u);
  EXPECT_EQ(lives[0].source, 0);
  EXPECT_EQ(lives[0].destination, 1);
  EXPECT_EQ(lives[0].number, 4);
  EXPECT_EQ(lives[0].flits, 18);
  EXPECT_EQ(lives[0].fs, 2'000'000'001);
  EXPECT_EQ(lives[0].waits_fs, (30 + 1810) * int64_t{1'000'000});
  EXPECT_THAT(lives[0].names,
              ElementsAre("wait in host[0]", "host[0].tile->router[0].tile", "router[0].x+->router[1].x-",
                          "wait in router[1]", "router[1].tile->host[1].tile", "rest of the packet"));
}

TEST(PacketTraceJson, IsATraceWithoutPacketsToo) {
  EXPECT_TRUE(
      read_trace_events(report::packet_trace_json(observe::PacketTrace(spec_of(1, 5), 7), small_graph({2}))).empty());
}

}  // namespace
}  // namespace fabrictwin
