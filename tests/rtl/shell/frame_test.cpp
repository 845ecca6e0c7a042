// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of a shell at its pins: when its element is reset, when it has edges, and what registers say of that.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "VShellFrame__inputs.h"
#include "rtl/shell/shell_registers.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

namespace regs = rtl::shell::registers;

constexpr uint32_t kPorts = 2;
constexpr uint32_t kIdle = 0, kRunning = 1, kFailed = 2;
constexpr uint32_t kFree = 2;
constexpr int kResetEdges = 4;

/// A shell beside a memory that is all zeros, so that no record comes, and an element that does nothing.
class ShellFrame : public ModuleTest<VShellFrame> {
 protected:
  ShellFrame() : ModuleTest(83) {
    model_.m_axi_awready = model_.m_axi_wready = 1;
    model_.idle_i = 0;
    reset();
    cycles_ = 0;
    // An edge of the element for each of the shell's, and word clocks that hardly ever have one.
    write(regs::kModeOffset, kFree);
    write(regs::kPaceNumeratorOffset, 1);
    write(regs::kPeriodLowOffset, 1000);
    for (uint32_t clock = 0; clock < 4; ++clock)
      write(regs::kWordPeriodHighOffset + regs::kStride * clock, uint32_t{1} << 20);
  }

  /// One cycle of the shell and of the memory.
  void step() {
    model_.m_axi_arready = beats_ == 0;
    model_.m_axi_rvalid = beats_ > 0;
    model_.m_axi_rlast = beats_ == 1;
    model_.m_axi_rresp = bus_error_ ? 2 : 0;
    model_.m_axi_bvalid = written_;
    for (uint32_t p = 0; p < kPorts; ++p) stalls_now_[p] = (model_.credit_stall_i >> p & 1) != 0;
    model_.eval();
    const bool in_reset = !model_.rst_element_no;
    const bool read = model_.m_axi_arvalid && model_.m_axi_arready;
    const bool beat = model_.m_axi_rvalid && model_.m_axi_rready;
    const bool last = model_.m_axi_wvalid && model_.m_axi_wlast;
    const bool answered = model_.m_axi_bvalid && model_.m_axi_bready;
    reads_ += read ? 1 : 0;
    if (read) {
      beats_ = model_.m_axi_arlen + 1;
    } else if (beat) {
      --beats_;
    }
    edge();
    ++cycles_;
    written_ = last || (written_ && !answered);
    const bool element = model_.clk_element_o != 0;
    if (in_reset) {
      ++reset_cycles_;
      EXPECT_TRUE(element) << "an element in reset needs edges";
    } else if (element) {
      ++edges_;
      for (uint32_t p = 0; p < kPorts; ++p) stalls_[p] += stalls_now_[p] ? 1 : 0;
    }
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) step();
  }

  void write(uint32_t address, uint32_t data) {
    model_.s_axi_awvalid = model_.s_axi_wvalid = 1;
    model_.s_axi_awaddr = static_cast<uint16_t>(address);
    model_.s_axi_wdata = data;
    model_.s_axi_wstrb = 15;
    model_.s_axi_bready = 1;
    for (int i = 0; i < 100; ++i) {
      model_.eval();
      const bool address_taken = model_.s_axi_awvalid && model_.s_axi_awready;
      const bool data_taken = model_.s_axi_wvalid && model_.s_axi_wready;
      const bool answered = model_.s_axi_bvalid != 0;
      step();
      if (address_taken) model_.s_axi_awvalid = 0;
      if (data_taken) model_.s_axi_wvalid = 0;
      if (answered) return;
    }
    FAIL() << "no answer to a write at " << address;
  }

  uint32_t read(uint32_t address) {
    model_.s_axi_arvalid = 1;
    model_.s_axi_araddr = static_cast<uint16_t>(address);
    model_.s_axi_rready = 1;
    for (int i = 0; i < 100; ++i) {
      model_.eval();
      const bool taken = model_.s_axi_arvalid && model_.s_axi_arready;
      const bool answered = model_.s_axi_rvalid != 0;
      const uint32_t data = model_.s_axi_rdata;
      step();
      if (taken) model_.s_axi_arvalid = 0;
      if (answered) return data;
    }
    ADD_FAILURE() << "no answer to a read at " << address;
    return 0;
  }
  uint32_t state() { return read(regs::kStatusOffset) & 3; }

  /// Asks for a run, or with 0 for none, and forgets what has been counted.
  void ask(uint32_t run) {
    reads_ = reset_cycles_ = edges_ = 0;
    stalls_ = {};
    write(regs::kRunOffset, run);
  }

  bool bus_error_ = false;
  bool written_ = false;  ///< All of a write is here, and its answer is due.
  int beats_ = 0;         ///< So many beats of a read are still to come.
  int64_t cycles_ = 0;    ///< Since the reset.
  int reads_ = 0;
  int reset_cycles_ = 0;  ///< In which the element was in reset.
  int edges_ = 0;         ///< The element has had so many out of reset.
  std::array<bool, kPorts> stalls_now_{};
  std::array<uint32_t, kPorts> stalls_{};  ///< Such edges, by port, at which a packet waited for credits.
};

TEST_F(ShellFrame, WaitsForARun) {
  model_.error_i = 1;
  steps(50);
  model_.error_i = 0;
  EXPECT_EQ(state(), kIdle);
  EXPECT_EQ(read(regs::kStatusRunOffset), 0u);
  EXPECT_EQ(read(regs::kErrorPortsOffset), 0u);
  EXPECT_EQ(reads_, 0);
  EXPECT_EQ(edges_, 0);
  EXPECT_EQ(reset_cycles_, 0);
}

TEST_F(ShellFrame, ResetsItsElementAndRuns) {
  for (const uint32_t run : {7u, 8u}) {
    ask(run);
    steps(40);
    EXPECT_EQ(reset_cycles_, kResetEdges) << run;
    EXPECT_EQ(state(), kRunning) << run;
    EXPECT_EQ(read(regs::kStatusRunOffset), run);
    EXPECT_GT(reads_, 1) << "nobody looks for records";
    EXPECT_GT(edges_, 10) << run;
  }
  ask(0);
  steps(40);
  EXPECT_EQ(state(), kIdle);
  EXPECT_EQ(read(regs::kStatusRunOffset), 0u);
  EXPECT_EQ(reset_cycles_, 0);
  const int edges = edges_;
  const int reads = reads_;
  steps(50);
  EXPECT_EQ(edges_, edges) << "edges without a run";
  EXPECT_EQ(reads_, reads) << "a look for records without a run";
}

TEST_F(ShellFrame, ForgetsItsRunInReset) {
  ask(7);
  steps(40);
  ASSERT_EQ(state(), kRunning);
  reset();
  EXPECT_EQ(read(regs::kStatusRunOffset), 0u);
  EXPECT_EQ(state(), kIdle);
}

TEST_F(ShellFrame, CountsEdgesThatWaitForCreditsInEachRun) {
  for (const uint32_t run : {3u, 4u}) {
    ask(run);
    for (int i = 0; i < 400; ++i) {
      model_.credit_stall_i = static_cast<uint8_t>(draw(1 << kPorts));
      step();
    }
    model_.credit_stall_i = 0;
    for (uint32_t p = 0; p < kPorts; ++p) {
      EXPECT_GT(stalls_[p], 50u) << run;
      EXPECT_EQ(read(regs::kStallsOffset + regs::kStride * p), stalls_[p]) << "port " << p << ", run " << run;
    }
  }
}

TEST_F(ShellFrame, KeepsAnErrorThatItsElementSaysOnce) {
  ask(5);
  steps(40);
  model_.error_i = 2;
  step();
  model_.error_i = 0;
  steps(5);
  EXPECT_EQ(read(regs::kStatusOffset), kFailed | 1u << regs::kStatusElementErrorLow);
  EXPECT_EQ(read(regs::kErrorPortsOffset), 2u);
  EXPECT_EQ(read(regs::kStatusRunOffset), 5u);
  const int edges = edges_;
  steps(50);
  EXPECT_EQ(edges_, edges) << "edges after an error";
  // The next run knows nothing of it.
  ask(6);
  steps(40);
  EXPECT_EQ(read(regs::kStatusOffset), kRunning);
  EXPECT_EQ(read(regs::kErrorPortsOffset), 0u);
}

TEST_F(ShellFrame, FailsWithItsBus) {
  ask(9);
  steps(40);
  bus_error_ = true;
  steps(100);
  EXPECT_EQ(read(regs::kStatusOffset), kFailed | 1u << regs::kStatusBusErrorLow);
}

TEST_F(ShellFrame, SaysThatItLives) {
  for (int beats = 0; beats < 3; ++beats) {
    while (cycles_ % 4096 != 2000) step();
    EXPECT_EQ(read(regs::kHeartbeatOffset), static_cast<uint32_t>(cycles_ / 4096));
  }
}

}  // namespace
}  // namespace fabrictwin::test
