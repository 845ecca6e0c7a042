// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Processors behind host ports, over Verilated FPGAs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "rtl/transactor/node/transactor.h"
#include "tests/rtl/transactor/node_bench.h"

namespace fabrictwin::test {
namespace {

using ::testing::HasSubstr;

struct Outcome {
  std::vector<std::string> log;
  uint64_t edges = 0;
  Time end;
};

Outcome run(const BenchOptions& options, const std::function<Time()>& quantum) {
  NodeBench bench(options);
  const absl::Status status = bench.run(quantum, Time::from_us(20'000));
  EXPECT_TRUE(status.ok()) << status;
  Society& society = bench.society();
  EXPECT_TRUE(bench.finished()) << society.messages_arrived << " of " << society.messages_sent << " messages, "
                                << society.transfers_done << " transfers at " << to_string(bench.now());
  if (!bench.finished()) {
    for (int n = 0; n < NodeBench::kNodes; ++n) {
      for (const std::string& line : bench.node(n).waits()) ADD_FAILURE() << line;
    }
  }
  EXPECT_EQ(society.messages_arrived, NodeBench::kNodes * options.messages);
  EXPECT_EQ(society.transfers_done, NodeBench::kNodes * options.transfers);
  for (const auto& [number, record] : society.transfers) EXPECT_TRUE(record.at_destination && record.at_source);
  ::testing::Test::RecordProperty("edges", static_cast<int>(bench.edges()));
  std::printf("%d messages, %d refused, %d transfers with %llu bytes in %s: %llu edges, %llu register accesses\n",
              society.messages_arrived, society.nacks, society.transfers_done,
              static_cast<unsigned long long>(society.bytes_transferred), to_string(bench.now()).c_str(),
              static_cast<unsigned long long>(bench.edges()), static_cast<unsigned long long>(bench.accesses()));
  return {society.log, bench.edges(), bench.now()};
}

/// What each node did, in its order: that of different nodes at one time is nobody's business.
std::map<std::string, std::vector<std::string>> by_node(const std::vector<std::string>& log) {
  std::map<std::string, std::vector<std::string>> nodes;
  for (const std::string& line : log) {
    const size_t name = line.find(" node ");
    nodes[line.substr(name, line.find(':') - name)].push_back(line);
  }
  return nodes;
}

TEST(NodeTransactor, DoesTheSameHoweverItIsAdvanced) {
  BenchOptions options;
  options.seed = 7;
  options.messages = 40;
  options.transfers = 10;
  const auto quantum = [] { return Time::from_ps(62'500); };
  const Outcome whole = run(options, quantum);
  EXPECT_GT(whole.log.size(), 200u);
  std::mt19937_64 random(3);
  const Outcome pieces = run(options, [&] { return Time::from_fs(1 + static_cast<int64_t>(random() % 62'500'000)); });
  EXPECT_EQ(by_node(whole.log), by_node(pieces.log));
  // Handshakes read outputs without an evaluation where those are registers, and edges of what is idle are left out.
  options.always_settle = true;
  options.idle_skip = false;
  const Outcome all = run(options, quantum);
  EXPECT_EQ(all.log, whole.log);
  EXPECT_GT(all.edges, whole.edges);
}

TEST(NodeTransactor, DoesTheSameWithoutTheLinksThatNobodyUses) {
  BenchOptions options;
  options.seed = 17;
  const auto quantum = [] { return Time::from_ps(62'500); };
  for (const bool idle_skip : {false, true}) {
    options.idle_skip = idle_skip;
    options.six_links = false;
    const Outcome two = run(options, quantum);
    EXPECT_GT(two.log.size(), 100u);
    options.six_links = true;
    const Outcome six = run(options, quantum);
    EXPECT_EQ(six.log, two.log);
    EXPECT_EQ(six.end, two.end);
    if (!idle_skip) EXPECT_EQ(six.edges, two.edges);
  }
}

TEST(NodeTransactor, SkipsEdgesInPausesAndLosesNothing) {
  BenchOptions options;
  options.seed = 13;
  options.messages = 6;
  options.transfers = 0;
  options.pause = Time::from_us(150);
  const Outcome skipping = run(options, [] { return Time::from_ps(62'500); });
  const Time clearing = Time::from_us(220);
  // Each has to clear its tables once; after that only what has something to do is evaluated.
  EXPECT_GT(skipping.end, clearing + clearing);
  EXPECT_LT(skipping.edges,
            static_cast<uint64_t>(NodeBench::kNodes * (clearing.fs() + skipping.end.fs() / 8) / 6'400'000));
}

TEST(NodeTransactor, CountsWordsOfPacketsOnLinksAndRestsWhenAllIsDone) {
  BenchOptions options;
  options.messages = 0;
  options.transfers = 6;
  NodeBench bench(options);
  const auto quantum = [] { return Time::from_ps(62'500); };
  ASSERT_TRUE(bench.run(quantum, Time::from_us(2'000)).ok());
  ASSERT_TRUE(bench.finished());
  // Each transfer between the QFDBs crosses one of the links in full.
  uint64_t least = 0;
  for (const auto& [number, record] : bench.society().transfers) {
    if (record.source / 2 != record.destination / 2) least += record.transfer.bytes / link::kWordBytes;
  }
  uint64_t words = 0, packets = 0;
  for (const int node : {0, 2}) {
    for (const int port : {4, 5}) {
      words += bench.counters(node, port).words.get();
      packets += bench.counters(node, port).packets.get();
    }
  }
  EXPECT_GT(least, 1000u);
  EXPECT_GT(words, least);
  EXPECT_LT(words, 3 * least);
  EXPECT_GT(packets * 18, words - 1);

  ASSERT_TRUE(bench.run(quantum, bench.now() + Time::from_us(20), true).ok());
  const uint64_t edges = bench.edges();
  ASSERT_TRUE(bench.run(quantum, bench.now() + Time::from_us(100), true).ok());
  EXPECT_EQ(bench.edges(), edges);
  for (int n = 0; n < NodeBench::kNodes; ++n) EXPECT_TRUE(bench.node(n).next_event().is_never());
}

TEST(NodeTransactor, NamesWhoSendsWhatIsNoPacket) {
  NodeBench bench({.messages = 0, .transfers = 0});
  bench.towards(0, 4).send_word(0, 1, link::kEndOfPacket, {});
  const absl::Status status = bench.run([] { return Time::from_ps(62'500); }, Time::from_us(1), true);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("qfdb[0].router at 134.4 ns: qfdb[1].router.5->qfdb[0].router.4: protocol error: VC 1: a word "
                        "that belongs to no packet"));
}

TEST(NodeTransactor, TellsOfWordsThatAreNoPacketOnABoard) {
  NodeBench bench({.messages = 0, .transfers = 0});
  bench.towards(1, 1).send_word(0, 0, link::kEndOfPacket, {});
  const absl::Status status = bench.run([] { return Time::from_ps(62'500); }, Time::from_us(2), true);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("qfdb[0].switch[1] at"));
}

}  // namespace
}  // namespace fabrictwin::test
