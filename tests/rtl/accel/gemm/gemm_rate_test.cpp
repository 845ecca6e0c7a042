// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The accelerator at full size, 128 lanes and tiles of 128, whose dot products this computer calculates: its cycles,
// and what memories cost it.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <iostream>
#include <tuple>
#include <utility>

#include "VGemm128.h"
#include "svdpi.h"
#include "tests/rtl/accel/gemm/gemm_bench.h"
#include "workloads/gemm/schedule.h"

extern "C" unsigned int gemm_host_dot(const svBitVecVal* a, const svBitVecVal* b, int lanes) {
  std::array<float, 128> sums{};
  const auto size = static_cast<size_t>(lanes);
  for (size_t l = 0; l < size; ++l) sums[l] = std::bit_cast<float>(a[l]) * std::bit_cast<float>(b[l]);
  for (size_t n = size; n > 1; n /= 2) {
    for (size_t i = 0; i < n / 2; ++i) sums[i] = sums[2 * i] + sums[2 * i + 1];
  }
  return fabrictwin::test::canonical(sums[0]);
}

namespace fabrictwin::test {
namespace {

constexpr double kHertz = 300e6;
constexpr double kPairOperations = 2.0 * 128 * 128 * 128;
// DDR4-2133 of 64 bits, in beats of 16 bytes and cycles of 300 MHz.
constexpr double kDdrBeats = 2133e6 * 8 / 16 / kHertz;
// DDR4 of 8 Gbit: a refresh of 350 ns every 7.8 us (JEDEC JESD79-4).
constexpr uint64_t kRefreshEvery = 2340;
constexpr uint64_t kRefresh = 105;

class GemmRate : public ::testing::Test {
 protected:
  void fill() {
    for (uint32_t& word : bench_.memory.words)
      word = std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(bench_.random())) * 0x1p-31F);
  }
  uint32_t cycles(uint32_t rows, uint32_t columns, uint32_t depth) {
    const GemmCommand command = bench_.place(rows, columns, depth);
    EXPECT_EQ(bench_.run(command), 0u);
    return bench_.read(gemm_registers::kCyclesOffset);
  }
  /// Gflop/s with so many pairs for each tile of C, without what the first and last ones cost.
  double rate(const MemoryTiming& timing, uint32_t depth) {
    bench_.memory.timing = timing;
    const uint32_t few = cycles(1, 2, depth);
    const uint32_t many = cycles(2, 3, depth);
    const double pairs = 4.0 * depth;
    const double seconds = (many - few) / kHertz;
    RecordProperty("cycles", static_cast<int>((many - few) / pairs));
    return pairs * kPairOperations / seconds * 1e-9;
  }

  GemmBench<VGemm128, 128, 128> bench_{3};
};

// 4096 cycles for a pair of tiles, 57 until the last element is written, and 4096 each for the first tiles and the
// last.
TEST_F(GemmRate, ATileTakesLessThan4200Cycles) {
  bench_.memory.timing.latency = 30;
  const GemmCommand command = bench_.place(1, 1, 2);
  fill();
  bench_.check(command);
  const uint32_t two = bench_.read(gemm_registers::kCyclesOffset);
  EXPECT_EQ(bench_.read(gemm_registers::kMultiplyCyclesOffset), 2u * 4096);
  EXPECT_LE(two, 4 * 4096u + 57 + 100);
  const gemm::AcceleratorShape full{.tile = 128, .lanes = 128, .memory_latency = 30};
  EXPECT_EQ(two, gemm::accelerator_cycles(full, command));
}

// What each part of a memory costs: docs/models/gemm-engine.md has the table.
TEST_F(GemmRate, MemoriesCostWhatTheyCost) {
  const MemoryTiming ideal{.latency = 40};
  MemoryTiming gap = ideal;
  gap.gap = 1;
  MemoryTiming refresh = ideal;
  refresh.refresh_every = kRefreshEvery;
  refresh.refresh = kRefresh;
  MemoryTiming both = refresh;
  both.gap = 1;
  MemoryTiming shared = both;
  shared.beats = kDdrBeats;
  MemoryTiming slow = both;
  slow.latency = 150;
  for (const auto& [name, timing, depth, low, high] :
       {std::tuple("a beat in each cycle", ideal, 2u, 304.0, 307.3),
        std::tuple("a cycle between bursts", gap, 2u, 286.0, 290.0), std::tuple("refresh", refresh, 2u, 291.0, 296.0),
        std::tuple("both", both, 2u, 272.0, 278.0), std::tuple("both, one DDR4-2133", shared, 2u, 250.0, 279.0),
        std::tuple("both, one DDR4-2133, 8 pairs", shared, 8u, 270.0, 279.0),
        std::tuple("both, latency 150", slow, 2u, 150.0, 279.0)}) {
    const double gflops = rate(timing, depth);
    std::cout << name << ": " << gflops << " Gflop/s\n";
    EXPECT_GE(gflops, low) << name;
    EXPECT_LE(gflops, high) << name;
  }
}

}  // namespace
}  // namespace fabrictwin::test
