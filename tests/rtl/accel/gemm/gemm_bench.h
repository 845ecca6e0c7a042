// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A Verilated accelerator with its memory and a processor that writes its registers.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <utility>
#include <vector>

#include "rtl/accel/gemm/gemm_command.h"
#include "rtl/accel/gemm/gemm_registers.h"
#include "rtl/transactor/verilated_clock.h"
#include "tests/rtl/accel/gemm/gemm_memory.h"
#include "tests/rtl/random_state_context.h"
#include "workloads/gemm/matrix.h"

namespace fabrictwin::test {

namespace gemm_registers = rtl::accel::gemm::registers;

using rtl::accel::gemm::GemmCommand;

/// The bits of a number; all NaNs are one.
inline uint32_t canonical(float value) { return std::isnan(value) ? 0x7fc0'0000 : std::bit_cast<uint32_t>(value); }

/// An accelerator of tiles of `kTile`, with `kLanes`.
template <class Model, int32_t kTile, int32_t kLanes>
class GemmBench {
 public:
  explicit GemmBench(uint32_t seed) : memory(seed), random(seed + 1) { reset(); }

  void reset() {
    a_.reset();
    b_.reset();
    c_.reset();
    w_.reset();
    model.awvalid_i = model.wvalid_i = model.arvalid_i = 0;
    model.bready_i = model.rready_i = 1;
    model.rst_ni = 0;
    for (int i = 0; i < 3; ++i) rtl::rising_edge_in_two(model);
    model.rst_ni = 1;
    model.eval();
  }

  void cycle() {
    memory.tick();
    for (ReadPort* port : {&a_, &b_, &c_}) port->drive(memory);
    model.eval();
    w_.drive(memory);
    model.eval();
    for (ReadPort* port : {&a_, &b_, &c_}) port->sample(memory);
    w_.sample(memory);
    rtl::rising_edge_in_two(model);
    for (ReadPort* port : {&a_, &b_, &c_}) port->settle();
    w_.settle();
    model.eval();
  }

  /// Writes a register; the response.
  uint32_t write(uint32_t offset, uint32_t value, uint32_t strobes = 15) {
    model.awaddr_i = static_cast<SData>(offset);
    model.wdata_i = value;
    model.wstrb_i = static_cast<CData>(strobes);
    model.awvalid_i = model.wvalid_i = 1;
    cycle();
    model.awvalid_i = model.wvalid_i = 0;
    for (int i = 0; !model.bvalid_o && i < 10; ++i) cycle();
    EXPECT_TRUE(model.bvalid_o);
    const uint32_t response = model.bresp_o;
    cycle();
    return response;
  }
  /// Reads a register; `response` is 0 unless it is given.
  uint32_t read(uint32_t offset, uint32_t* response = nullptr) {
    model.araddr_i = static_cast<SData>(offset);
    model.arvalid_i = 1;
    cycle();
    model.arvalid_i = 0;
    for (int i = 0; !model.rvalid_o && i < 10; ++i) cycle();
    EXPECT_TRUE(model.rvalid_o);
    const uint32_t value = model.rdata_o;
    if (response != nullptr) {
      *response = model.rresp_o;
    } else {
      EXPECT_EQ(model.rresp_o, 0) << offset;
    }
    cycle();
    return value;
  }

  void set(const GemmCommand& command) {
    using namespace gemm_registers;
    const auto low = [](uint64_t address) { return static_cast<uint32_t>(address); };
    const auto high = [](uint64_t address) { return static_cast<uint32_t>(address >> 32); };
    for (const auto& [offset, value] :
         std::initializer_list<std::pair<uint32_t, uint32_t>>{{kALowOffset, low(command.a)},
                                                              {kAHighOffset, high(command.a)},
                                                              {kAStrideOffset, command.a_stride},
                                                              {kBLowOffset, low(command.b)},
                                                              {kBHighOffset, high(command.b)},
                                                              {kBStrideOffset, command.b_stride},
                                                              {kCLowOffset, low(command.c)},
                                                              {kCHighOffset, high(command.c)},
                                                              {kCStrideOffset, command.c_stride},
                                                              {kRowsOffset, command.rows},
                                                              {kColumnsOffset, command.columns},
                                                              {kDepthOffset, command.depth}})
      EXPECT_EQ(write(offset, value), 0u);
  }
  /// Begins the command that is set, with the interrupt.
  void start() { EXPECT_EQ(write(gemm_registers::kControlOffset, 3), 0u); }
  /// Until the interrupt, which it clears; the error of the command.
  uint32_t finish(uint64_t cycles = 10'000'000) {
    for (uint64_t i = 0; !model.interrupt_o; ++i) {
      if (i == cycles) {
        ADD_FAILURE() << "the command does not end";
        return ~uint32_t{0};
      }
      cycle();
    }
    EXPECT_EQ(write(gemm_registers::kInterruptOffset, 1), 0u);
    EXPECT_FALSE(model.interrupt_o);
    const uint32_t status = read(gemm_registers::kStatusOffset);
    EXPECT_EQ(status & 1, 0u) << "busy";
    EXPECT_TRUE(a_.idle() && b_.idle() && c_.idle() && w_.idle()) << "a burst is left";
    return status >> gemm_registers::kStatusErrorLow;
  }
  uint32_t run(const GemmCommand& command) {
    set(command);
    start();
    return finish();
  }

  uint32_t draw(uint32_t below) { return static_cast<uint32_t>(random() % below); }

  /// A command of `rows` x `columns` x `depth` tiles with matrices apart in memory, at random places.
  GemmCommand place(uint32_t rows, uint32_t columns, uint32_t depth) {
    GemmCommand command;
    command.rows = rows;
    command.columns = columns;
    command.depth = depth;
    uint64_t at = GemmMemory::kBase;
    const auto put = [&](uint64_t& address, uint32_t& stride, uint32_t high, uint32_t wide) {
      address = at + 16 * draw(40);
      stride = 4 * kTile * wide + 16 * draw(3) * draw(20);
      at = address + uint64_t{stride} * high * kTile;
    };
    put(command.b, command.b_stride, depth, columns);
    put(command.a, command.a_stride, rows, depth);
    put(command.c, command.c_stride, rows, columns);
    memory.words.resize((at + 64 - GemmMemory::kBase) / 4);
    return command;
  }

  gemm::Block block(uint64_t address, uint32_t stride, uint32_t rows, uint32_t columns) {
    gemm::Block out{0, 0, static_cast<int32_t>(rows) * kTile, static_cast<int32_t>(columns) * kTile, {}};
    for (int32_t i = 0; i < out.rows; ++i) {
      for (int32_t j = 0; j < out.columns; ++j) {
        out.values.push_back(std::bit_cast<float>(
            memory.word(address + uint64_t{stride} * static_cast<uint64_t>(i) + 4 * static_cast<uint64_t>(j))));
      }
    }
    return out;
  }

  /// The whole memory after a command.
  std::vector<uint32_t> expected(const GemmCommand& command) {
    gemm::Block c = block(command.c, command.c_stride, command.rows, command.columns);
    gemm::gemm_multiply_in_lanes(block(command.a, command.a_stride, command.rows, command.depth),
                                 block(command.b, command.b_stride, command.depth, command.columns), c, kLanes);
    std::vector<uint32_t> out = memory.words;
    size_t n = 0;
    for (int32_t i = 0; i < c.rows; ++i) {
      for (int32_t j = 0; j < c.columns; ++j) {
        const uint64_t at = command.c - GemmMemory::kBase + uint64_t{command.c_stride} * static_cast<uint64_t>(i);
        out[at / 4 + static_cast<size_t>(j)] = canonical(c.values[n++]);
      }
    }
    return out;
  }

  /// Executes a command and compares the memory.
  void check(const GemmCommand& command) {
    const std::vector<uint32_t> wanted = expected(command);
    ASSERT_EQ(run(command), 0u);
    compare(wanted);
  }
  void compare(const std::vector<uint32_t>& wanted) {
    size_t wrong = 0;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (memory.words[i] != wanted[i] && ++wrong == 1) {
        ADD_FAILURE() << "word " << i << " is " << std::hex << memory.words[i] << " instead of " << wanted[i];
      }
    }
    EXPECT_EQ(wrong, 0u) << "of " << wanted.size();
  }

  RandomStateContext context;
  Model model{&context};
  GemmMemory memory;
  std::mt19937 random;

 private:
  ReadPort a_{model.a_ar_valid_o, model.a_ar_ready_i, model.a_ar_o, model.a_r_valid_i, model.a_r_ready_o, model.a_r_i};
  ReadPort b_{model.b_ar_valid_o, model.b_ar_ready_i, model.b_ar_o, model.b_r_valid_i, model.b_r_ready_o, model.b_r_i};
  ReadPort c_{model.c_ar_valid_o, model.c_ar_ready_i, model.c_ar_o, model.c_r_valid_i, model.c_r_ready_o, model.c_r_i};
  WritePort w_{model.c_aw_valid_o, model.c_aw_ready_i, model.c_aw_o,      model.c_w_valid_o, model.c_w_ready_i,
               model.c_w_o,        model.c_b_valid_i,  model.c_b_ready_o, model.c_b_i};
};

}  // namespace fabrictwin::test
