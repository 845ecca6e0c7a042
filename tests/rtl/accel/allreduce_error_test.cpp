// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What accelerators in RTL do about ranks that are missing, differ or are unknown, about refused accesses, and about
// packets that are lost, doubled, damaged or forged.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

#include "tests/rtl/accel/allreduce_network.h"
#include "tests/rtl/register_fuzz.h"

namespace fabrictwin::test {
namespace {

using Packets = std::vector<std::vector<Word128>>;

constexpr uint32_t kTimedOut = 1;
constexpr uint32_t kMismatched = 2;
constexpr uint32_t kUnknown = 3;
constexpr uint64_t kEnable = uint64_t{1} << 63;
constexpr nic::ReduceOperation kSum = nic::ReduceOperation::kSum;
constexpr nic::ReduceType kFloat = nic::ReduceType::kFloat;
constexpr int64_t kLong = 1'000'000;

AllreduceCall call_of(int rank, uint64_t key, size_t bytes, int64_t at = 0) {
  AllreduceCall call{
      .operation = kSum, .type = kFloat, .vector = std::vector<std::byte>(bytes), .at = at, .result = {}};
  nic::make_operand(kFloat, key, rank, 0, call.vector);
  return call;
}

bool right(const AllreduceNetwork& network, int rank, size_t call, uint64_t key) {
  const AllreduceCall& result = network.result(rank, call);
  std::vector<std::byte> expected(result.vector.size());
  nic::make_reduced(result.operation, result.type, key, network.ranks(), 0, expected);
  return result.result == expected;
}

uint64_t refusal(AllreduceNetwork& network, int rank) { return network.status(rank) >> 32 & 7; }

TEST(AllreduceError, RefusedAccessesSayWhy) {
  for (const int rank : {0, 1}) {
    AllreduceNetwork network(4, {}, 1);
    const auto refused = [&](bool write, uint32_t address, uint64_t data) -> uint64_t {
      return network.access(rank, write, address, data).error ? refusal(network, rank) : 0;
    };
    constexpr uint64_t kStart = 1 << 12 | 64;
    EXPECT_EQ(refused(true, 0x100, kStart), 2U) << "no group";
    EXPECT_EQ(refused(true, 0x2000, kEnable), 2U);
    EXPECT_EQ(refused(true, 0x108, kEnable | static_cast<uint64_t>(1 - rank)), 5U) << "a rank of another FPGA";
    EXPECT_EQ(refused(true, 0x108, kEnable | static_cast<uint64_t>(4 + rank)), 5U) << "a rank beyond the group";
    EXPECT_EQ(refused(true, 0x108, kEnable | 9 << 16 | static_cast<uint64_t>(rank)), 5U) << "too many ranks";
    EXPECT_EQ(refused(true, 0x108, kEnable | 8 << 16 | static_cast<uint64_t>(rank + 1020)), 0U);
    EXPECT_EQ(refused(true, 0x108, kEnable | static_cast<uint64_t>(rank)), 0U);
    EXPECT_EQ(refused(true, 0x2000, kEnable), 0U);
    EXPECT_EQ(refused(true, 0x100, 3 << 16 | kStart), 4U);
    EXPECT_EQ(refused(true, 0x100, 3 << 12 | 64), 4U);
    for (const uint64_t bytes : {0, 1, 2, 3, 6, 255, 257, 260, 512})
      EXPECT_EQ(refused(true, 0x100, 1 << 12 | bytes), 3U) << bytes;
    EXPECT_EQ(refused(true, 0x100, 2 << 12 | 12), 3U) << "half a double";
    EXPECT_EQ(refused(true, 0x120, 0), 6U);
    EXPECT_EQ(refused(false, 0x120, 0), 6U);
    EXPECT_EQ(refused(false, 0x108, 0), 6U);
    EXPECT_EQ(refused(true, 0x118, 0), 6U);
    EXPECT_EQ(refused(false, 0x2000, 0), 6U);
    EXPECT_EQ(refused(true, 0x100, kStart), 0U);
    EXPECT_EQ(network.status(rank) & 1, 1U);
    EXPECT_EQ(refused(true, 0x100, kStart), 1U);
    EXPECT_EQ(refused(true, 0, 0), 1U);
    EXPECT_EQ(refused(false, 0, 0), 1U);
    EXPECT_EQ(refused(true, 0x108, kEnable | static_cast<uint64_t>(rank)), 1U);
    EXPECT_EQ(refused(true, 0x2000, kEnable), 1U);
    EXPECT_EQ(refused(true, 0x110, 77), 0U);
    EXPECT_EQ(network.access(rank, false, 0x110).data, 77U);
  }
}

bool listed(const FuzzAccess& access) {
  const uint32_t at = access.address;
  if (at < 0x100 || at == 0x100 || at == 0x110) return true;
  return access.write ? at == 0x108 || (at >= 0x2000 && at < 0x4000) : at == 0x118;
}

RegisterFuzz any_accesses(RegisterFuzz::Rule spared) {
  return RegisterFuzz({.bytes = 0x10000,
                       .width = 8,
                       .registers = {{0, 0x140}, {0x100, 0x20}, {0x2000, 0x40}},
                       .refused = [](const FuzzAccess& access) { return !listed(access); },
                       .spared = std::move(spared)},
                      3);
}

TEST(AllreduceError, WorksAfterAnyWrites) {
  AllreduceNetwork network(8, {}, 5);
  RegisterFuzz fuzz = any_accesses([](const FuzzAccess& access) { return access.write && access.address == 0x100; });
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 400; ++i) {
      const FuzzAccess access = fuzz.next();
      const AllreduceDevice::Answer answer = network.access(i % 8, access.write, access.address, access.data[0]);
      fuzz.answered(access, answer.error);
    }
    network.configure();
    network.call_all(kSum, kFloat, static_cast<uint64_t>(round), 128);
    ASSERT_TRUE(network.run(kLong));
    for (int rank = 0; rank < 8; ++rank)
      ASSERT_TRUE(right(network, rank, static_cast<size_t>(round), static_cast<uint64_t>(round))) << rank;
  }
  fuzz.expect_answers(20 * 400);
}

// Reads, and writes of what is no register.
TEST(AllreduceError, OperationsGoOnBesideAnyAccesses) {
  AllreduceNetwork network(8, {.stall = 20, .delay = 5, .more = 30}, 6);
  network.configure();
  RegisterFuzz fuzz = any_accesses([](const FuzzAccess& access) { return access.write && listed(access); });
  FuzzAccess made;
  int accesses = 0;
  network.intrude = [&](int) -> AllreduceDevice::Access {
    made = fuzz.next();
    ++accesses;
    return {true, made.write, made.address, made.data[0]};
  };
  network.intruded = [&](const AllreduceDevice::Access&, const AllreduceDevice::Answer& answer) {
    fuzz.answered(made, answer.error);
  };
  for (uint64_t key = 0; key < 20; ++key) network.call_all(kSum, kFloat, key, 256);
  ASSERT_TRUE(network.run(kLong));
  for (int rank = 0; rank < 8; ++rank) {
    for (size_t call = 0; call < 20; ++call) ASSERT_TRUE(right(network, rank, call, call)) << rank;
  }
  fuzz.expect_answers(accesses);
}

TEST(AllreduceError, EverybodyLearnsWhichRankIsMissing) {
  for (const int missing : {0, 1, 6, 8, 15}) {
    AllreduceNetwork network(16, {.stall = 10, .delay = 20}, 4);
    network.configure(500);
    constexpr int64_t kLate = 6'000;
    for (int rank = 0; rank < 16; ++rank) {
      network.call(rank, call_of(rank, 1, 128, rank == missing ? kLate : 0));
      network.call(rank, call_of(rank, 2, 64, 2 * kLate));
    }
    ASSERT_TRUE(network.run(kLong));
    for (int rank = 0; rank < 16; ++rank) {
      EXPECT_EQ(network.result(rank, 0).code, kTimedOut) << rank;
      EXPECT_EQ(network.result(rank, 0).culprit, static_cast<uint32_t>(missing)) << rank;
      EXPECT_EQ(network.result(rank, 1).code, 0U) << rank;
      EXPECT_TRUE(right(network, rank, 1, 2)) << rank;
    }
    EXPECT_EQ(network.stray_events(), 0) << "an operation ends for a host when that has begun it";
  }
}

// After a period for each level and two more.
TEST(AllreduceError, ClientsOfASilentServerTimeOutByThemselves) {
  AllreduceNetwork network(16, {}, 4);
  network.configure(500);
  network.damage = [](int source, Packets& packets) {
    if (source == 0) packets.clear();
  };
  for (int rank = 0; rank < 16; ++rank) network.call(rank, call_of(rank, 1, 64));
  ASSERT_TRUE(network.run(kLong));
  for (int client = 1; client < nic::kReduceGroup; ++client) {
    const AllreduceCall& call = network.result(client, 0);
    EXPECT_EQ(call.code, kTimedOut) << client;
    EXPECT_EQ(call.culprit, 0U) << client;
    EXPECT_GE(call.ended - call.begun, 4 * 500) << client;
    EXPECT_LE(call.ended - call.begun, 4 * 500 + 50) << client;
  }
}

TEST(AllreduceError, WithoutTimeoutTheyWaitAndAreIdle) {
  AllreduceNetwork network(8, {}, 4);
  network.configure();
  for (int rank = 0; rank < 8; ++rank) network.call(rank, call_of(rank, 1, 256, rank == 6 ? 10'000 : 0));
  EXPECT_FALSE(network.run(9'000));
  EXPECT_TRUE(network.devices_idle());
  ASSERT_TRUE(network.run(kLong));
  for (int rank = 0; rank < 8; ++rank) EXPECT_TRUE(right(network, rank, 0, 1)) << rank;
}

// A clock that is stopped would not time out.
TEST(AllreduceError, WithATimeoutTheyAreNotIdleWhileTheyWait) {
  AllreduceNetwork network(4, {}, 4);
  network.configure(5'000);
  for (int rank = 0; rank < 4; ++rank) network.call(rank, call_of(rank, 1, 64, rank == 3 ? 2'000 : 0));
  EXPECT_FALSE(network.run(1'000));
  for (int rank = 0; rank < 3; ++rank) EXPECT_FALSE(network.device_idle(rank)) << rank;
  EXPECT_TRUE(network.device_idle(3));
  ASSERT_TRUE(network.run(kLong));
  for (int rank = 0; rank < 4; ++rank) EXPECT_TRUE(right(network, rank, 0, 1)) << rank;
}

TEST(AllreduceError, ANewGroupKnowsNobody) {
  AllreduceNetwork network(4, {}, 4);
  network.configure();
  network.access(1, true, 0x108, kEnable | 1);
  network.call(1, call_of(1, 1, 64));
  ASSERT_TRUE(network.run(kLong));
  EXPECT_EQ(network.result(1, 0).code, kUnknown);
  EXPECT_EQ(network.result(1, 0).culprit, 0U);
}

// What is of another operation, damaged, or for another node: each is counted once, as that.
TEST(AllreduceError, DroppedPacketsAreCounted) {
  AllreduceNetwork network(4, {}, 4);
  network.configure();
  Packets late;
  network.damage = [&late](int source, Packets& packets) {
    if (source == 1) late.push_back(packets.front());
  };
  network.call_all(kSum, kFloat, 1, 64);
  ASSERT_TRUE(network.run(kLong));
  ASSERT_EQ(late.size(), 1U);
  const auto counts_after = [&network](const std::vector<Word128>& packet) {
    network.inject(0, packet);
    network.run(kLong);
    for (int i = 0; i < 20; ++i) network.edge();
    return network.access(0, false, 0x118).data;
  };
  EXPECT_EQ(network.access(0, false, 0x118).data, 0U);
  EXPECT_EQ(counts_after(late[0]), 1U << 16) << "of an operation that has ended";
  EXPECT_EQ(counts_after(late[0]), 2U << 16);
  std::vector<Word128> damaged = late[0];
  damaged[1][0] ^= 1;
  EXPECT_EQ(counts_after(damaged), 2U << 16 | 1) << "a wrong checksum";
  std::vector<Word128> strange = late[0];
  strange[0][0] ^= 1U << 24;
  seal(strange);
  EXPECT_EQ(counts_after(strange), 2U << 16 | 2) << "for another node";
  EXPECT_EQ(counts_after(late[0]), 3U << 16 | 2) << "the next packet is not lost with it";
}

TEST(AllreduceError, VectorsThatDiffer) {
  for (const int other : {1, 2, 3, 5, 7}) {
    for (int what = 0; what < 3; ++what) {
      AllreduceNetwork network(8, {}, 4);
      network.configure();
      for (int rank = 0; rank < 8; ++rank) {
        AllreduceCall call = call_of(rank, 1, 64);
        if (rank == other && what == 0) call.operation = nic::ReduceOperation::kMax;
        if (rank == other && what == 1) call.type = nic::ReduceType::kInt32;
        if (rank == other && what == 2) call.vector.resize(32);
        network.call(rank, call);
        network.call(rank, call_of(rank, 2, 32));
      }
      ASSERT_TRUE(network.run(kLong));
      for (int rank = 0; rank < 8; ++rank) {
        EXPECT_EQ(network.result(rank, 0).code, kMismatched) << rank;
        EXPECT_EQ(network.result(rank, 0).culprit, static_cast<uint32_t>(other)) << rank;
        EXPECT_TRUE(right(network, rank, 1, 2)) << rank;
      }
    }
  }
}

TEST(AllreduceError, RanksFromOtherNodes) {
  AllreduceNetwork network(8, {}, 4);
  network.configure();
  network.access(4, true, 0x2000 + 6 * 8, kEnable | 99);
  for (int rank = 0; rank < 8; ++rank) network.call(rank, call_of(rank, 1, 64));
  // The server does not find its client, which is not told, and waits.
  EXPECT_FALSE(network.run(20'000));
  for (const int rank : {0, 1, 2, 3, 4, 5, 7}) {
    EXPECT_EQ(network.result(rank, 0).code, kUnknown) << rank;
    EXPECT_EQ(network.result(rank, 0).culprit, 6U) << rank;
  }
}

TEST(AllreduceError, RanksWithoutAddress) {
  AllreduceNetwork network(8, {}, 4);
  network.configure();
  network.access(1, true, 0x2000, 0);
  network.access(0, true, 0x2000 + 4 * 8, 0);
  for (int rank = 0; rank < 8; ++rank) network.call(rank, call_of(rank, 1, 64));
  EXPECT_FALSE(network.run(20'000));
  EXPECT_EQ(network.result(1, 0).code, kUnknown);
  EXPECT_EQ(network.result(1, 0).culprit, 0U);
}

TEST(AllreduceError, VectorsOfRanksWithoutAddress) {
  AllreduceNetwork network(8, {}, 4);
  network.configure();
  // Without the bit that enables it, the address does not count, even if it is right.
  network.access(4, true, 0x2000 + 6 * 8, AllreduceNetwork::node_of(6));
  for (int rank = 0; rank < 8; ++rank) network.call(rank, call_of(rank, 1, 64));
  EXPECT_FALSE(network.run(20'000));
  EXPECT_EQ(network.result(4, 0).code, kUnknown);
  EXPECT_EQ(network.result(4, 0).culprit, 6U);
}

TEST(AllreduceError, DoubledPacketsCountOnce) {
  AllreduceNetwork network(8, {.stall = 20, .delay = 5, .more = 40}, 4);
  network.configure();
  network.damage = [](int, Packets& packets) { packets.push_back(packets.front()); };
  for (int call = 0; call < 20; ++call) network.call_all(kSum, kFloat, static_cast<uint64_t>(call), 128);
  ASSERT_TRUE(network.run(kLong));
  for (size_t call = 0; call < 20; ++call) {
    for (int rank = 0; rank < 8; ++rank) EXPECT_TRUE(right(network, rank, call, call));
  }
  EXPECT_GT(network.access(0, false, 0x118).data >> 16 & 0xffff, 0U);
}

// Whatever happens to packets: each operation ends at each rank, with the right result or with an error.
RC_GTEST_PROP(AllreduceError, EndsForAnyDamage, ()) {
  std::mt19937 random(*rc::gen::arbitrary<uint32_t>());
  const int ranks = 4 << (random() % 3);
  AllreduceNetwork network(ranks, {.stall = 20, .delay = 3, .more = 50}, random());
  network.configure(600);
  const unsigned rate = 1 + random() % 40;
  network.damage = [&random, rate](int, Packets& packets) {
    if (random() % 100 >= rate) return;
    std::vector<Word128>& packet = packets.front();
    switch (random() % 5) {
      case 0:
        packets.clear();
        break;
      case 1:
        packets.push_back(packet);
        break;
      case 2:
        packet.resize(1 + random() % packet.size());
        break;
      default:
        packet[1 + random() % (packet.size() - 1)][random() % 4] ^= 1U << random() % 32;
    }
  };
  constexpr size_t kCalls = 12;
  for (size_t call = 0; call < kCalls; ++call) network.call_all(kSum, kFloat, call, 4 + random() % 64 * 4);
  RC_ASSERT(network.run(kLong));
  for (size_t call = 0; call < kCalls; ++call) {
    for (int rank = 0; rank < ranks; ++rank) {
      RC_ASSERT(network.result(rank, call).done);
      if (network.result(rank, call).code == 0) RC_ASSERT(right(network, rank, call, call));
    }
  }
}

// Forged packets with a correct checksum may spoil a result, but nobody hangs, and afterwards all is well.
RC_GTEST_PROP(AllreduceError, SurvivesForAnyForgery, ()) {
  std::mt19937 random(*rc::gen::arbitrary<uint32_t>());
  AllreduceNetwork network(8, {.stall = 10, .delay = 3, .more = 20}, random());
  network.configure(800);
  Packets seen;
  network.damage = [&](int, Packets& packets) {
    if (random() % 8 != 0) return;
    std::vector<Word128> forged = packets.front();
    if (forged.size() > 2 && random() % 2 == 0) forged.erase(forged.begin() + 1);
    const auto words = static_cast<uint32_t>(forged.size()) - 2;
    forged[0][1] = (forged[0][1] & 0xfc00ffff) | (words * 16 - (words > 0 ? random() % 16 : 0)) << 16;
    forged[0][3] ^= random() % 2 == 0 ? 0 : random();
    forged[0][2] ^= random() % 4 == 0 ? random() : 0;
    forged.back()[1] ^= random();
    seal(forged);
    packets.insert(packets.begin(), forged);
  };
  constexpr size_t kForged = 10;
  for (size_t call = 0; call < kForged; ++call) network.call_all(kSum, kFloat, call, 4 + random() % 64 * 4);
  RC_ASSERT(network.run(kLong));
  network.damage = nullptr;
  // Ranks that a forged packet has taken out of step meet again by time-outs.
  for (size_t call = kForged; call < kForged + 2; ++call) network.call_all(kSum, kFloat, call, 64);
  RC_ASSERT(network.run(kLong));
}

}  // namespace
}  // namespace fabrictwin::test
