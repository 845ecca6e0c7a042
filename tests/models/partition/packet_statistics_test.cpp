// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What runs of packet networks measure on demand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "cosim/observe/message_log.h"
#include "fmt/format.h"
#include "tests/models/router/packet/packet_run.h"
#include "tests/workloads/trace_helpers.h"

namespace fabrictwin {
namespace {

using Packet = observe::PacketTrace::Packet;
using Sets = std::vector<std::string>;

constexpr const char* kExchange =
    "topology { torus { dims: [4, 3, 2] } }\nrouter { model: PACKET }\n"
    "workload { exchange { bytes: \"1000B\" allreduce: \"8B\" iterations: 2 } }\nseed: 1\n";
constexpr const char* kFollowAll = "statistics { packet_trace { sample: 1 max_packets: 100000 } }\n";
constexpr const char* kAllOfPackets =
    "statistics { latency_histogram: true occupancy_interval: \"50ns\" "
    "packet_trace { sample: 1 max_packets: 100000 } }\n";

std::unique_ptr<run::Run> run_of(const std::string& text, const Sets& sets = {}, Time step = Time::never(),
                                 observe::MessageLog* messages = nullptr) {
  auto run = prepare_models(text, sets, step, 1, messages);
  EXPECT_TRUE(run.ok()) << run.status();
  if (!run.ok()) return nullptr;
  const absl::Status status = (*run)->execute(std::stop_token());
  EXPECT_TRUE(status.ok()) << status;
  return *std::move(run);
}

/// One message of 8 bytes from rank 0 to rank 2 of three in a row, after 100 ns. Links have 16 Gbit/s and 10 ns, those
/// of hosts too; a cycle has 5 ns, and a router takes four.
std::unique_ptr<run::Run> run_one_message(const std::string& statistics) {
  TestFolder folder;
  const std::string trace = folder.file("one.fttrace");
  const Program program = {
      {compute_for(Time::from_ns(100)), message(v1::SEND, 2, 7, 8)}, {}, {message(v1::RECV, 0, 7, 8)}};
  EXPECT_TRUE(write_trace(trace, program).ok());
  return run_of(
      fmt::format("topology {{ torus {{ dims: 3 wrap: false link_rate: \"16Gbps\" link_latency: \"10ns\" "
                  "tile_rate: \"16Gbps\" tile_latency: \"10ns\" }} }}\n"
                  "router {{ model: PACKET clock: \"200MHz\" }}\n"
                  "host {{ send_overhead: \"0ns\" receive_overhead: \"0ns\" }}\n"
                  "workload {{ mpi_trace {{ path: \"{}\" }} }}\n{}",
                  trace, statistics));
}

// 8 bytes, an envelope of 32 and two words are 80 bytes: 40 ns, a word 8 ns. A router has the packet at its output 15
// ns after its first word has come.
TEST(PacketStatistics, APacketOverTwoHopsByHand) {
  const auto run = run_one_message(kFollowAll);
  ASSERT_NE(run, nullptr);
  const auto packets = run->packet_trace()->finished();
  ASSERT_EQ(packets.size(), 1u);
  const Packet& packet = *packets[0];
  EXPECT_EQ(packet.key, (observe::PacketTrace::Key{0, 2, 0}));
  EXPECT_EQ(packet.flits, 5);
  EXPECT_EQ(packet.created, Time::from_ns(100));
  ASSERT_EQ(packet.hops.size(), 4u);
  const std::vector<std::string> names = {"host[0].tile->router[0].tile", "router[0].x+->router[1].x-",
                                          "router[1].x+->router[2].x-", "router[2].tile->host[2].tile"};
  for (int64_t i = 0; i < 4; ++i) {
    const observe::PacketTrace::Hop& hop = packet.hops[static_cast<size_t>(i)];
    EXPECT_EQ(run->plan().graph.channel_name(hop.channel), names[static_cast<size_t>(i)]);
    EXPECT_EQ(hop.left, Time::from_ns(100 + i * (8 + 10 + 15))) << i;
    EXPECT_EQ(hop.arrives, hop.left + Time::from_ns(8 + 10)) << i;
  }
  EXPECT_EQ(packet.arrived, Time::from_ns(100 + 3 * (8 + 10 + 15) + 40 + 10));
}

// The five words of that packet come to router i at 118 + 33 i ns, and every 8 ns, and leave from 133 + 33 i ns on.
TEST(PacketStatistics, BuffersByHand) {
  const auto run = run_one_message("statistics { occupancy_interval: \"5ns\" }\n");
  ASSERT_NE(run, nullptr);
  const v1::OccupancyReport& occupancy = run->report().occupancy();
  EXPECT_EQ(occupancy.routers(), 3);
  // Router 1 has three ports with two VCs of four packets of 18 words.
  EXPECT_EQ(occupancy.capacity_flits(), 3 * 2 * 72);
  // The packet is received at 249 ns.
  ASSERT_EQ(occupancy.intervals_size(), 49);
  for (int i = 0; i < occupancy.intervals_size(); ++i) {
    const v1::OccupancyInterval& interval = occupancy.intervals(i);
    const int64_t now = 5 * (i + 1);
    EXPECT_EQ(interval.samples(), 1u);
    int64_t all = 0;
    int64_t most = 0;
    for (int64_t router = 0; router < 3; ++router) {
      int64_t here = 0;
      for (int64_t word = 0; word < 5; ++word)
        here += 118 + 33 * router + 8 * word < now && now <= 133 + 33 * router + 8 * word ? 1 : 0;
      all += here;
      most = std::max(most, here);
    }
    EXPECT_DOUBLE_EQ(interval.mean_flits() * 3, static_cast<double>(all)) << now;
    EXPECT_EQ(interval.max_flits(), most) << now;
  }
}

TEST(PacketStatistics, TheLatencyOfAMessageByHand) {
  const auto run = run_one_message("statistics { latency_histogram: true }\n");
  ASSERT_NE(run, nullptr);
  EXPECT_EQ(run->report().message_latency_seconds().count(), 1u);
  EXPECT_DOUBLE_EQ(run->report().message_latency_seconds().min(), 149e-9);
  EXPECT_FALSE(run->report().has_occupancy());
}

// A way around a ring of `size`.
int32_t steps(int32_t from, int32_t to, int32_t size) {
  const int32_t there = (to - from + size) % size;
  return std::min(there, size - there);
}

// Each hop begins where the one before has ended, and there are as many as dimension order takes.
TEST(PacketStatistics, HopsAreThoseOfTheRoute) {
  const auto run = run_of(std::string(kExchange) + kFollowAll);
  ASSERT_NE(run, nullptr);
  const system::SystemGraph& graph = run->plan().graph;
  const auto packets = run->packet_trace()->finished();
  // Five neighbours each and the allreduce of 24, twice; see packet_run_test.cpp.
  EXPECT_EQ(packets.size(), 2u * (24 * 5 + 8 + 16 * 4 + 8));
  EXPECT_EQ(run->packet_trace()->unfinished(), 0u);
  for (const Packet* packet : packets) {
    const int32_t from = packet->key.source;
    const int32_t to = packet->key.destination;
    const int32_t routers =
        1 + steps(from % 4, to % 4, 4) + steps(from / 4 % 3, to / 4 % 3, 3) + steps(from / 12, to / 12, 2);
    ASSERT_EQ(packet->hops.size(), static_cast<size_t>(routers) + 1);
    system::ElementId at = from;
    Time before = packet->created;
    for (const observe::PacketTrace::Hop& hop : packet->hops) {
      EXPECT_EQ(graph.channel_source(hop.channel).element, at);
      EXPECT_GE(hop.left, before);
      EXPECT_GT(hop.arrives, hop.left);
      at = graph.channel_target(hop.channel).element;
      before = hop.arrives;
    }
    EXPECT_EQ(at, to);
    EXPECT_GT(packet->arrived, before);
  }
}

// An acknowledgement is a packet of its own, which its host does not wait for.
TEST(PacketStatistics, FollowsRequestsAndAcksOfNetworkInterfaces) {
  const auto run = run_of(std::string(kExchange) + kAllOfPackets, {"host.nic=RDMA"});
  ASSERT_NE(run, nullptr);
  constexpr size_t kMessages = 2 * (24 * 5 + 8 + 16 * 4 + 8);
  EXPECT_EQ(run->report().message_latency_seconds().count(), kMessages);
  const observe::PacketTrace& trace = *run->packet_trace();
  EXPECT_GT(trace.finished().size(), kMessages);
  // The run ends while the last acknowledgements are on their way.
  EXPECT_LE(trace.finished().size() + trace.unfinished(), 2 * kMessages);
  size_t responses = 0;
  std::set<observe::PacketTrace::Key> keys;
  for (const Packet* packet : trace.finished()) {
    keys.insert(packet->key);
    const bool response = packet->key.sequence >> 32 != 0;
    responses += response ? 1 : 0;
    // The network interface needs time for a descriptor; a response is known when it leaves.
    EXPECT_EQ(packet->created == packet->hops.front().left, response);
  }
  EXPECT_EQ(keys.size(), trace.finished().size());
  EXPECT_EQ(trace.finished().size() - responses, kMessages);
}

TEST(PacketStatistics, ReadsOfMemoryAreTimedUntilTheDataIsThere) {
  observe::MessageLog log(10);
  const auto run = run_of(
      "topology { torus { dims: 3 } }\nrouter { model: PACKET }\nhost { nic: RDMA }\n"
      "workload { puts { source: 0 destinations: 1 operation: GET sizes: \"1KiB\" count: 3 } }\n" +
          std::string(kAllOfPackets),
      {}, Time::never(), &log);
  ASSERT_NE(run, nullptr);
  EXPECT_EQ(run->report().message_latency_seconds().count(), 3u);
  // The log is of messages that come in the order in which they were sent.
  EXPECT_TRUE(log.messages().empty());
  const auto packets = run->packet_trace()->finished();
  EXPECT_EQ(packets.size(), 6u);
  for (const Packet* packet : packets) {
    const bool response = packet->key.source == 1;
    EXPECT_EQ(packet->created == packet->hops.front().left, response);
  }
}

// Messages are the same, and come in the order of time.
TEST(PacketStatistics, TheLogHasWhatExanetRoutersLog) {
  const auto logged = [](const Sets& sets) {
    observe::MessageLog log(1000);
    EXPECT_NE(run_of(kExchange, sets, Time::never(), &log), nullptr);
    EXPECT_EQ(log.left_out(), 0u);
    Time before;
    std::set<std::tuple<int32_t, int32_t, uint64_t, uint64_t>> messages;
    for (const observe::LoggedMessage& message : log.messages()) {
      EXPECT_GE(message.sent, before);
      EXPECT_GT(message.arrived, message.sent);
      EXPECT_FALSE(message.arrived.is_never());
      before = message.sent;
      messages.emplace(message.source, message.destination, message.number, message.bytes);
    }
    return messages;
  };
  const auto packet = logged({});
  EXPECT_EQ(packet.size(), 2u * (24 * 5 + 8 + 16 * 4 + 8));
  EXPECT_EQ(packet, logged({"router.model=EXANET"}));
  EXPECT_EQ(packet, logged({"host.nic=RDMA"}));
  EXPECT_EQ(packet, logged({"router.model=INPUT_QUEUED"}));
}

// Hosts are the same, so their messages are timed beside input-queued routers too.
TEST(PacketStatistics, MessagesBesideInputQueuedRoutersAreTimed) {
  const auto run = run_of(std::string(kExchange) + kAllOfPackets, {"router.model=INPUT_QUEUED"});
  ASSERT_NE(run, nullptr);
  EXPECT_EQ(run->report().message_latency_seconds().count(), 2u * (24 * 5 + 8 + 16 * 4 + 8));
  EXPECT_GT(run->report().message_latency_seconds().min(), 100e-9);
  EXPECT_EQ(run->report().occupancy().routers(), 24);
}

}  // namespace
}  // namespace fabrictwin
