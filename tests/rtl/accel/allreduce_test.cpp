// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Operations of accelerators in RTL against the reference of the arithmetic, under random stalls and delays.
#include <gtest/gtest.h>

#include <cstring>
#include <iterator>
#include <random>

#include "tests/rtl/accel/allreduce_network.h"

namespace fabrictwin::test {
namespace {

constexpr nic::ReduceOperation kOperations[] = {nic::ReduceOperation::kSum, nic::ReduceOperation::kMin,
                                                nic::ReduceOperation::kMax};
constexpr nic::ReduceType kTypes[] = {nic::ReduceType::kInt32, nic::ReduceType::kFloat, nic::ReduceType::kDouble};
constexpr AllreduceNetwork::Weather kFine{};
constexpr AllreduceNetwork::Weather kStorm{.stall = 40, .delay = 3, .more = 300};

void expect_result(const AllreduceNetwork& network, size_t call, uint64_t key) {
  for (int rank = 0; rank < network.ranks(); ++rank) {
    const AllreduceCall& result = network.result(rank, call);
    ASSERT_TRUE(result.done) << "rank " << rank << ", call " << call;
    ASSERT_EQ(result.code, 0U) << "rank " << rank << ", call " << call << ", culprit " << result.culprit;
    std::vector<std::byte> expected(result.vector.size());
    nic::make_reduced(result.operation, result.type, key, network.ranks(), 0, expected);
    ASSERT_EQ(result.result, expected) << "rank " << rank << ", call " << call;
  }
}

class Allreduce : public testing::TestWithParam<int> {};

TEST_P(Allreduce, EveryOperationTypeAndSize) {
  AllreduceNetwork network(GetParam(), kFine, 1);
  network.configure();
  uint64_t key = 0;
  for (const nic::ReduceOperation operation : kOperations) {
    for (const nic::ReduceType type : kTypes) {
      for (const size_t elements : {1, 2, 3, 4, 5, 8, 31, 32, 64}) {
        const size_t bytes = elements * nic::element_bytes(type);
        if (bytes <= nic::kMaxReduceBytes) network.call_all(operation, type, key++, bytes);
      }
    }
  }
  ASSERT_TRUE(network.run(1'000'000));
  for (uint64_t call = 0; call < key; ++call) expect_result(network, call, call);
}

TEST_P(Allreduce, AnySequenceUnderStallsAndDelays) {
  std::mt19937 random(5);
  AllreduceNetwork network(GetParam(), kStorm, 2);
  network.configure();
  const size_t calls = 320 / static_cast<size_t>(GetParam());
  for (size_t call = 0; call < calls; ++call) {
    const nic::ReduceOperation operation = kOperations[random() % 3];
    const nic::ReduceType type = kTypes[random() % 3];
    const uint32_t each = nic::element_bytes(type);
    network.call_all(operation, type, call, (1 + random() % (nic::kMaxReduceBytes / each)) * each);
  }
  ASSERT_TRUE(network.run(10'000'000));
  for (size_t call = 0; call < calls; ++call) expect_result(network, call, call);
}

INSTANTIATE_TEST_SUITE_P(Ranks, Allreduce, testing::Values(4, 8, 16, 32));

// All 256 boards, whose tables and exchanges reach rank 1023.
TEST(Allreduce, TheMostRanks) {
  AllreduceNetwork network(1024, kFine, 4);
  network.configure();
  network.call_all(nic::ReduceOperation::kSum, nic::ReduceType::kFloat, 1, 12);
  ASSERT_TRUE(network.run(10'000));
  std::vector<std::byte> expected(12);
  nic::make_reduced(nic::ReduceOperation::kSum, nic::ReduceType::kFloat, 1, network.ranks(), 0, expected);
  for (int rank = 0; rank < network.ranks(); ++rank) {
    ASSERT_EQ(network.result(rank, 0).code, 0U) << rank;
    ASSERT_EQ(network.result(rank, 0).result, expected) << rank;
  }
}

// Infinities, subnormal numbers, signed zeros and NaNs.
TEST(Allreduce, SpecialNumbers) {
  std::mt19937_64 random(9);
  AllreduceNetwork network(8, kFine, 3);
  network.configure();
  std::vector<std::vector<std::byte>> expected;
  for (int call = 0; call < 90; ++call) {
    const nic::ReduceType type = call % 2 == 0 ? nic::ReduceType::kFloat : nic::ReduceType::kDouble;
    const nic::ReduceOperation operation = kOperations[call / 2 % 3];
    std::vector<std::vector<std::byte>> vectors(8, std::vector<std::byte>(64));
    for (std::vector<std::byte>& vector : vectors) {
      for (size_t at = 0; at < vector.size(); at += 8) {
        constexpr uint64_t kWords[] = {0,
                                       0x8000000080000000,
                                       0x7f8000007f800000,
                                       0xff800000ff800000,
                                       0x7ff0000000000000,
                                       0xfff0000000000000,
                                       0x7fc0000100000001,
                                       0x7ff8000000000001,
                                       1,
                                       0x8000000000000001};
        const uint64_t draw = random();
        const uint64_t word = draw % 4 == 0 ? kWords[draw / 4 % std::size(kWords)] : random();
        std::memcpy(&vector[at], &word, 8);
      }
    }
    for (int rank = 0; rank < 8; ++rank) network.call(rank, {operation, type, vectors[static_cast<size_t>(rank)]});
    for (const size_t board : {0, 4}) {
      for (size_t i = 1; i < 4; ++i) nic::reduce_into(operation, type, vectors[board], vectors[board + i]);
    }
    nic::reduce_into(operation, type, vectors[0], vectors[4]);
    expected.push_back(vectors[0]);
  }
  ASSERT_TRUE(network.run(1'000'000));
  for (size_t call = 0; call < expected.size(); ++call) {
    for (int rank = 0; rank < 8; ++rank) ASSERT_EQ(network.result(rank, call).result, expected[call]) << call;
  }
}

// Beside what a packet and the status say there are zeros, also where a longer vector has been before.
TEST(Allreduce, WhatHasNoMeaningIsZero) {
  AllreduceNetwork network(8, kFine, 6);
  network.configure();
  uint64_t key = 0;
  for (const size_t bytes : {256, 4, 8, 12, 20, 40, 60})
    network.call_all(nic::ReduceOperation::kSum, nic::ReduceType::kInt32, key++, bytes);
  int packets_seen = 0;
  network.damage = [&packets_seen](int, std::vector<std::vector<Word128>>& packets) {
    ++packets_seen;
    const std::vector<Word128>& packet = packets.front();
    const size_t bytes = packet[0][1] >> 16 & 0x3ff;
    for (size_t at = bytes; at < 16 * (packet.size() - 2); at += 4)
      EXPECT_EQ(packet[1 + at / 16][at % 16 / 4], 0U) << bytes;
    EXPECT_EQ(packet.back()[2], 0U);
    EXPECT_EQ(packet.back()[3], 0U);
  };
  bool busy = false;
  while (!network.idle()) {
    ASSERT_LT(network.now(), 100'000);
    network.edge();
    busy = busy || !network.devices_idle();
  }
  EXPECT_TRUE(busy);
  EXPECT_GT(packets_seen, 50);
  for (uint64_t call = 0; call < key; ++call) expect_result(network, call, call);
  constexpr uint64_t kMeaningless = 0xffff'ffe8'00fc'000e;
  constexpr uint64_t kEnabled = uint64_t{1} << 36;
  for (int rank = 0; rank < network.ranks(); ++rank)
    EXPECT_EQ(network.status(rank) & (kMeaningless | kEnabled), kEnabled);
}

// The cycles of docs/models/allreduce.md: from the commands, which come at once, to the event.
TEST(Allreduce, TakesTheCyclesOfItsPage) {
  for (const int64_t exchanges : {0, 1, 2}) {
    for (const int64_t elements : {1, 4, 37, 64}) {
      AllreduceNetwork network(4 << exchanges, kFine, 1);
      network.configure();
      network.call_all(nic::ReduceOperation::kSum, nic::ReduceType::kFloat, 1, static_cast<size_t>(4 * elements));
      ASSERT_TRUE(network.run(100'000));
      const int64_t words = 2 + (elements + 3) / 4;
      const int64_t pairs = (elements + 1) / 2;
      const int64_t first = words * (2 * exchanges + 4) + pairs * (exchanges + 3) + 8 * exchanges + 25;
      for (int client = 1; client < 4; ++client) {
        const AllreduceCall& call = network.result(client, 0);
        EXPECT_EQ(call.ended - call.begun, first + (client - 1) * words) << exchanges << " exchanges, " << elements;
      }
    }
  }
}

}  // namespace
}  // namespace fabrictwin::test
