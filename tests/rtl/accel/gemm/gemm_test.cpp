// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The matrix-multiply accelerator beside a product with the same order of additions, bit by bit.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "VGemm16x4.h"
#include "VGemm32x8.h"
#include "VGemm8x8.h"
#include "tests/rtl/accel/gemm/gemm_bench.h"
#include "tests/rtl/register_fuzz.h"
#include "workloads/gemm/schedule.h"

namespace fabrictwin::test {
namespace {

/// A shape of the accelerator: tile, lanes, beats of a burst, bursts in flight.
template <class Verilated, int32_t kTileOf, int32_t kLanesOf, uint32_t kBeatsOf, uint32_t kBurstsOf>
struct Shape {
  using Bench = GemmBench<Verilated, kTileOf, kLanesOf>;
  static constexpr int32_t kTile = kTileOf;
  static constexpr int32_t kLanes = kLanesOf;
  static constexpr uint32_t kBeats = kBeatsOf;
  static constexpr uint32_t kBursts = kBurstsOf;
};
using Shapes =
    ::testing::Types<Shape<VGemm16x4, 16, 4, 16, 8>, Shape<VGemm8x8, 8, 8, 1, 2>, Shape<VGemm32x8, 32, 8, 4, 4>>;

template <class S>
class Gemm : public ::testing::Test {
 protected:
  Gemm() {
    bench.memory.max_beats = S::kBeats;
    bench.memory.max_bursts = S::kBursts;
  }

  /// Numbers of [-1, 1).
  void fill() {
    for (uint32_t& word : bench.memory.words) {
      const float value = static_cast<float>(static_cast<int32_t>(bench.random())) * 0x1p-31F;
      word = std::bit_cast<uint32_t>(value);
    }
  }
  GemmCommand command(uint32_t rows, uint32_t columns, uint32_t depth) {
    const GemmCommand out = bench.place(rows, columns, depth);
    fill();
    return out;
  }

  typename S::Bench bench{7};
};
TYPED_TEST_SUITE(Gemm, Shapes);

TYPED_TEST(Gemm, OneTile) { this->bench.check(this->command(1, 1, 1)); }

TYPED_TEST(Gemm, ManyTilesWithAnyStalls) {
  auto& bench = this->bench;
  for (int run = 0; run < 24; ++run) {
    bench.memory.timing = {};
    if (run % 3 != 0) bench.memory.timing.stalls = bench.draw(run % 3 == 1 ? 30 : 95);
    bench.memory.timing.latency = 1 + bench.draw(3) * bench.draw(60);
    bench.memory.timing.gap = bench.draw(2) * bench.draw(5);
    const uint32_t rows = 1 + bench.draw(3);
    const uint32_t columns = 1 + bench.draw(3);
    const uint32_t depth = 1 + bench.draw(4);
    ASSERT_NO_FATAL_FAILURE(bench.check(this->command(rows, columns, depth)));
    ASSERT_FALSE(this->HasFailure()) << "run " << run << ": " << rows << " x " << columns << " x " << depth;
  }
  EXPECT_GT(bench.memory.cut, 0u) << "no burst came to a boundary of 4 KiB";
}

// Infinity, NaN and subnormal numbers are numbers as others.
TYPED_TEST(Gemm, SpecialNumbers) {
  auto& bench = this->bench;
  const GemmCommand command = this->command(1, 2, 2);
  for (uint32_t& word : bench.memory.words) {
    const uint32_t choice = bench.draw(200);
    if (choice == 0) word = 0x7f80'0000 | bench.draw(2) << 31;
    if (choice == 1) word = 0x7fc0'0000;
    if (choice < 50) word &= 0x807f'ffff;
    if (choice > 150) word = (word & 0x807f'ffff) | (60 + bench.draw(8)) << 23;
  }
  bench.check(command);
}

// The sum of nothing but the counters' parts is the time of the command, and with a fast memory nearly all of it is
// work.
TYPED_TEST(Gemm, CountsItsCycles) {
  auto& bench = this->bench;
  bench.memory.timing.latency = 10;
  const GemmCommand command = this->command(2, 3, 4);
  bench.check(command);
  const uint32_t cycles = bench.read(gemm_registers::kCyclesOffset);
  const uint32_t multiply = bench.read(gemm_registers::kMultiplyCyclesOffset);
  const uint32_t factors = bench.read(gemm_registers::kWaitFactorCyclesOffset);
  const uint32_t result = bench.read(gemm_registers::kWaitResultCyclesOffset);
  const uint32_t shape = bench.read(gemm_registers::kShapeOffset);
  const uint32_t tile = 1u << (shape & 255);
  const uint32_t lanes = 1u << (shape >> 8 & 255);
  EXPECT_EQ(tile, static_cast<uint32_t>(TypeParam::kTile));
  EXPECT_EQ(shape >> 16 & 255, 4u);
  EXPECT_EQ(shape >> 24, TypeParam::kBeats - 1);
  EXPECT_EQ(multiply, 2 * 3 * 4 * tile * tile * tile / (4 * lanes));
  EXPECT_EQ(multiply + factors + result, cycles);
  EXPECT_GT(factors, 0u);
}

// The model of the cycles knows all that decides about time, also where matrices are in pages.
TYPED_TEST(Gemm, TakesTheCyclesOfItsModel) {
  auto& bench = this->bench;
  for (int run = 0; run < 20; ++run) {
    bench.memory.timing.latency = 1 + bench.draw(2) * bench.draw(100);
    const uint32_t rows = 1 + bench.draw(3);
    const uint32_t columns = 1 + bench.draw(3);
    const uint32_t depth = 1 + bench.draw(3);
    const GemmCommand command = this->command(rows, columns, depth);
    ASSERT_EQ(bench.run(command), 0u);
    const gemm::AcceleratorShape shape{.tile = TypeParam::kTile,
                                       .lanes = TypeParam::kLanes,
                                       .burst_beats = static_cast<int32_t>(TypeParam::kBeats),
                                       .max_bursts = static_cast<int32_t>(TypeParam::kBursts),
                                       .memory_latency = static_cast<int32_t>(bench.memory.timing.latency)};
    EXPECT_EQ(bench.read(gemm_registers::kCyclesOffset), gemm::accelerator_cycles(shape, command))
        << "run " << run << ": " << rows << " x " << columns << " x " << depth;
  }
}

TYPED_TEST(Gemm, NamesBadCommands) {
  auto& bench = this->bench;
  const GemmCommand good = this->command(1, 1, 1);
  const std::vector<uint32_t> before = bench.memory.words;
  const auto refuse = [&](auto&& change, uint32_t error) {
    GemmCommand bad = good;
    change(bad);
    EXPECT_EQ(bench.run(bad), error);
    EXPECT_EQ(bench.read(gemm_registers::kCyclesOffset), 0u);
  };
  const uint32_t row = 4 * TypeParam::kTile;
  refuse([](GemmCommand& bad) { bad.rows = 0; }, 1);
  refuse([](GemmCommand& bad) { bad.columns = 0; }, 1);
  refuse([](GemmCommand& bad) { bad.depth = 0; }, 1);
  refuse([](GemmCommand& bad) { bad.depth = 0x10000; }, 1);  // There are 16 bits.
  for (uint64_t GemmCommand::*address : {&GemmCommand::a, &GemmCommand::b, &GemmCommand::c}) {
    for (const uint64_t offset : {1, 4, 8}) refuse([&](GemmCommand& bad) { bad.*address += offset; }, 2);
  }
  for (uint32_t GemmCommand::*stride : {&GemmCommand::a_stride, &GemmCommand::b_stride, &GemmCommand::c_stride}) {
    for (const uint32_t bytes : {0u, 16u, row - 16, row + 4, row + 8})
      refuse([&](GemmCommand& bad) { bad.*stride = bytes; }, 3);
  }
  EXPECT_EQ(bench.memory.words, before);
  bench.check(good);
}

TYPED_TEST(Gemm, RefusesWritesWhileBusy) {
  auto& bench = this->bench;
  const GemmCommand command = this->command(1, 2, 2);
  const std::vector<uint32_t> wanted = bench.expected(command);
  bench.set(command);
  bench.start();
  EXPECT_EQ(bench.read(gemm_registers::kStatusOffset) & 1, 1u);
  for (uint32_t offset = 0; offset < 0x80; offset += 4) {
    const bool interrupt = offset == gemm_registers::kInterruptOffset;
    EXPECT_EQ(bench.write(offset, 0), interrupt ? 0u : 2u) << offset;
  }
  EXPECT_EQ(bench.finish(), 0u);
  bench.compare(wanted);
  for (const uint32_t offset : {gemm_registers::kIdentificationOffset, gemm_registers::kStatusOffset, 0x7cu, 0xffcu})
    EXPECT_EQ(bench.write(offset, 1), 2u) << offset;
  uint32_t response = 0;
  EXPECT_EQ(bench.read(0x7c, &response), 0u);
  EXPECT_EQ(response, 2u);
}

/// Accesses to any addresses. Writes of what begins a command, or says that one has ended, are left out.
RegisterFuzz gemm_fuzz(uint64_t seed) {
  using namespace gemm_registers;
  const auto exists = [](uint32_t at) {
    return at <= kInterruptOffset || (at >= kALowOffset && at <= kDepthOffset && at % 16 != 12) ||
           (at >= kCyclesOffset && at <= kWaitResultCyclesOffset);
  };
  const auto read_only = [](uint32_t at) { return at <= kShapeOffset || at == kStatusOffset || at >= kCyclesOffset; };
  return RegisterFuzz({.bytes = 0x1000,
                       .width = 4,
                       .registers = {{0, 0x80}},
                       .refused =
                           [exists, read_only](const FuzzAccess& access) {
                             return !exists(access.address) || (access.write && read_only(access.address));
                           },
                       .spared =
                           [](const FuzzAccess& access) {
                             return access.write &&
                                    (access.address == kControlOffset || access.address == kInterruptOffset);
                           }},
                      seed);
}

/// Makes an access; the response.
template <class Bench>
uint32_t make(Bench& bench, RegisterFuzz& fuzz, const FuzzAccess& access) {
  uint32_t response = 0;
  if (access.write) {
    response = bench.write(access.address, static_cast<uint32_t>(access.data[0]), access.strobes);
  } else {
    bench.read(access.address, &response);
  }
  fuzz.answered(access, response != 0);
  return response;
}

TYPED_TEST(Gemm, AnyAccessesChangeNothingOfACommand) {
  auto& bench = this->bench;
  RegisterFuzz fuzz = gemm_fuzz(1);
  int accesses = 0;
  for (int run = 0; run < 8; ++run) {
    bench.memory.timing.stalls = run % 2 == 0 ? 0 : 40;
    const GemmCommand command = this->command(1, 2, 2);
    const std::vector<uint32_t> wanted = bench.expected(command);
    bench.set(command);
    bench.start();
    while (!bench.model.interrupt_o && !this->HasFailure()) {
      const FuzzAccess access = fuzz.next();
      const uint32_t response = make(bench, fuzz, access);
      if (access.write && !bench.model.interrupt_o) EXPECT_EQ(response, 2u) << access;
      for (uint32_t i = bench.draw(8); i > 0 && !bench.model.interrupt_o; --i) bench.cycle();
      ++accesses;
    }
    EXPECT_EQ(bench.finish(), 0u);
    bench.compare(wanted);
    ASSERT_FALSE(this->HasFailure()) << "run " << run;
    // And between commands.
    for (int i = 0; i < 60; ++i, ++accesses) make(bench, fuzz, fuzz.next());
  }
  fuzz.expect_answers(accesses);
}

TYPED_TEST(Gemm, RegistersKeepTheirFields) {
  auto& bench = this->bench;
  EXPECT_EQ(bench.read(gemm_registers::kIdentificationOffset), gemm_registers::kIdentificationReset);
  EXPECT_EQ(bench.read(gemm_registers::kVersionOffset), gemm_registers::kVersionReset);
  uint32_t value = 0x9e37'79b9;
  for (const auto& [offset, mask] :
       {std::pair(gemm_registers::kALowOffset, ~0u), std::pair(gemm_registers::kAHighOffset, ~0u),
        std::pair(gemm_registers::kAStrideOffset, ~0u), std::pair(gemm_registers::kBLowOffset, ~0u),
        std::pair(gemm_registers::kBHighOffset, ~0u), std::pair(gemm_registers::kBStrideOffset, ~0u),
        std::pair(gemm_registers::kCLowOffset, ~0u), std::pair(gemm_registers::kCHighOffset, ~0u),
        std::pair(gemm_registers::kCStrideOffset, ~0u), std::pair(gemm_registers::kRowsOffset, 0xffffu),
        std::pair(gemm_registers::kColumnsOffset, 0xffffu), std::pair(gemm_registers::kDepthOffset, 0xffffu),
        std::pair(gemm_registers::kControlOffset, 2u)}) {
    value = value * 5 + 2;
    EXPECT_EQ(bench.write(offset, value & ~1u), 0u);
    EXPECT_EQ(bench.read(offset), value & ~1u & mask) << offset;
  }
}

// Each answer of the memory may be an error: the command ends, says which, leaves nothing on the bus, and the next one
// works.
TYPED_TEST(Gemm, EndsAfterAnErrorOfTheMemory) {
  auto& bench = this->bench;
  for (int run = 0; run < 40; ++run) {
    bench.memory.timing.stalls = run % 2 == 0 ? 0 : bench.draw(60);
    bench.memory.timing.latency = 1 + bench.draw(40);
    const GemmCommand command = this->command(2, 2, 2);
    const uint32_t code = 4 + static_cast<uint32_t>(run) % 4;
    const uint64_t first = code == 4 ? command.a : code == 5 ? command.b : command.c;
    const uint32_t stride = code == 4 ? command.a_stride : code == 5 ? command.b_stride : command.c_stride;
    const uint64_t at =
        first + uint64_t{stride} * bench.draw(2 * TypeParam::kTile) + 16 * bench.draw(TypeParam::kTile / 2);
    bench.memory.answer = [&](uint64_t address, bool write) {
      return address == at && write == (code == 7) ? 2 + run % 2 : 0;
    };
    EXPECT_EQ(bench.run(command), code) << "run " << run;
    bench.memory.answer = nullptr;
    this->fill();
    ASSERT_NO_FATAL_FAILURE(bench.check(command));
    ASSERT_FALSE(this->HasFailure()) << "run " << run;
  }
}

TYPED_TEST(Gemm, WorksAfterResetAtAnyTime) {
  auto& bench = this->bench;
  for (int run = 0; run < 20; ++run) {
    const GemmCommand command = this->command(2, 1, 2);
    bench.set(command);
    bench.start();
    for (uint32_t i = bench.draw(1000); i > 0; --i) bench.cycle();
    bench.reset();
    EXPECT_EQ(bench.read(gemm_registers::kStatusOffset), 0u);
    this->fill();
    ASSERT_NO_FATAL_FAILURE(bench.check(command));
    ASSERT_FALSE(this->HasFailure()) << "run " << run;
  }
}

}  // namespace
}  // namespace fabrictwin::test
