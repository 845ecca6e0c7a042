// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Processors behind host ports, over Verilated FPGAs.
#include "rtl/node_transactor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

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

TEST(NodeTransactor, CarriesMessages) {
  BenchOptions options;
  options.messages = 30;
  options.transfers = 0;
  run(options, [] { return Time::from_ps(62'500); });
}

TEST(NodeTransactor, CarriesTransfers) {
  BenchOptions options;
  options.messages = 0;
  options.transfers = 12;
  run(options, [] { return Time::from_ps(62'500); });
}

TEST(NodeTransactor, DoesTheSameHoweverItIsAdvanced) {
  BenchOptions options;
  options.seed = 7;
  options.messages = 40;
  options.transfers = 10;
  const Outcome whole = run(options, [] { return Time::from_ps(62'500); });
  std::mt19937_64 random(3);
  const Outcome pieces = run(options, [&] { return Time::from_fs(1 + static_cast<int64_t>(random() % 62'500'000)); });
  EXPECT_GT(whole.log.size(), 200u);
  EXPECT_EQ(whole.log, pieces.log);
}

}  // namespace
}  // namespace fabrictwin::test
