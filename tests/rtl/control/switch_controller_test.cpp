// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The registers of a plain FPGA at the pins of their controller, against plain counts and the table of registers.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "VSwitchController__inputs.h"
#include "rtl/control/register_map.h"
#include "rtl/control/switch_registers.h"
#include "tests/rtl/module_test.h"
#include "tests/rtl/node/axi_masters.h"
#include "tests/rtl/node/lite_registers.h"

namespace fabrictwin::test {
namespace {

namespace regs = rtl::control::switch_registers;

constexpr int kPorts = 4;
constexpr int kCounterWidth = 5;  // As the test's model has; small, so that counters wrap.
constexpr uint32_t kCounterMask = (1u << kCounterWidth) - 1;
constexpr int kFillWidth = 7;  // Of 64 words.

rtl::control::RegisterMap read_table() {
  const std::string path = "rtl/control/switch_registers.csv";
  std::ifstream in(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  absl::StatusOr<rtl::control::RegisterMap> map = rtl::control::parse_registers(text, path);
  EXPECT_TRUE(map.ok()) << map.status();
  return map.ok() ? *std::move(map) : rtl::control::RegisterMap();
}

class SwitchController : public ModuleTest<VSwitchController> {
 protected:
  struct Port {
    bool credit_stall = false;
    bool error = false;
    bool sent = false;  // At the next edge.
    uint32_t sent_before = 0;
    uint32_t dropped = 0;
    std::array<uint32_t, 2> queued{};
    uint32_t used = 0;
    uint32_t events = 0;  // Error and dropped.
  };

  SwitchController() : ModuleTest(17), master_(18) {
    drive();
    reset();
  }

  void drive() {
    auto& m = model_;
    m.awvalid_i = m.wvalid_i = m.arvalid_i = m.bready_i = m.rready_i = 0;
    m.wstrb_i = strobes_;
    m.idle_i = idle_;
    m.credit_stall_i = m.error_i = m.sent_i = 0;
    m.dropped_i = m.used_i = 0;
    m.queued_i = 0;
    for (int p = 0; p < kPorts; ++p) {
      const Port& port = ports_[static_cast<size_t>(p)];
      m.credit_stall_i |= static_cast<uint8_t>(port.credit_stall << p);
      m.error_i |= static_cast<uint8_t>(port.error << p);
      m.sent_i |= static_cast<uint8_t>(port.sent << p);
      m.dropped_i |= (port.dropped & kCounterMask) << (kCounterWidth * p);
      m.used_i |= port.used << (kFillWidth * p);
      for (int v = 0; v < 2; ++v)
        m.queued_i |= uint64_t{port.queued[static_cast<size_t>(v)]} << (kFillWidth * (2 * p + v));
    }
  }

  /// One edge with what ports_ says, and with the master's pins.
  void step() {
    drive();
    const MasterPins& pins = master_.drive();
    auto& m = model_;
    drive_lite(m, pins, strobes_);
    m.eval();
    EXPECT_EQ(m.idle_o, m.awready_o && m.wready_o && m.arready_o);
    master_.edge(lite_answer(m), 0);
    edge();
    for (Port& port : ports_) port.sent_before += std::exchange(port.sent, false) ? 1 : 0;
  }

  RegisterAnswer access(RegisterAccess access) {
    return finish(master_, std::move(access), [this] { step(); });
  }
  RegisterAnswer read(uint32_t address) { return access({.write = false, .address = address}); }
  bool write(uint32_t address, uint32_t data) {
    return !access({.write = true, .address = address, .words = {{data}}}).error;
  }
  static uint32_t of(uint32_t offset, int port) { return offset + regs::kStride * static_cast<uint32_t>(port); }

  /// What all registers of state should say now.
  std::map<uint32_t, uint32_t> expected() const {
    std::map<uint32_t, uint32_t> all;
    uint32_t error = 0, events = 0;
    for (int p = 0; p < kPorts; ++p) {
      const Port& port = ports_[static_cast<size_t>(p)];
      all[of(regs::kPortStatusOffset, p)] = uint32_t{port.credit_stall} << regs::kPortStatusCreditStallLow |
                                            uint32_t{port.error} << regs::kPortStatusErrorLow;
      all[of(regs::kPortEventsOffset, p)] = port.events;
      all[of(regs::kDroppedOffset, p)] = port.dropped & kCounterMask;
      all[of(regs::kSentOffset, p)] = port.sent_before & kCounterMask;
      all[of(regs::kInputOffset, p)] = port.queued[0] << regs::kInputVc0Low | port.queued[1] << regs::kInputVc1Low;
      all[of(regs::kUsedOffset, p)] = port.used << regs::kUsedWordsLow;
      error |= uint32_t{port.error};
      events |= uint32_t{port.events != 0};
    }
    all[regs::kStatusOffset] =
        uint32_t{idle_} << regs::kStatusIdleLow | error << regs::kStatusErrorLow | events << regs::kStatusPortEventsLow;
    return all;
  }

  RegisterMaster master_;
  std::array<Port, kPorts> ports_{};
  bool idle_ = true;
  uint8_t strobes_ = 15;
};

TEST_F(SwitchController, SaysWhatItIs) {
  EXPECT_EQ(read(regs::kIdentificationOffset).data, 0x45585357u);
  EXPECT_EQ(read(regs::kVersionOffset).data, regs::kVersionReset);
  EXPECT_EQ(read(regs::kShapeOffset).data, uint32_t{kPorts} << regs::kShapePortsLow |
                                               uint32_t{kCounterWidth} << regs::kShapeCounterWidthLow |
                                               6u << regs::kShapeBufferWordsLow);
}

// Every word of the address space, through every byte address: what the table names obeys its access, the rest is an
// error.
TEST_F(SwitchController, EveryAddressByItsAccess) {
  const rtl::control::RegisterMap table = read_table();
  std::map<uint32_t, const rtl::control::RegisterEntry*> known;
  for (const rtl::control::RegisterEntry& entry : table.registers) {
    const int copies = entry.copies == rtl::control::RegisterCopies::kOne ? 1 : kPorts;
    for (int copy = 0; copy < copies; ++copy) known[of(entry.offset, copy)] = &entry;
  }
  EXPECT_EQ(known.size(), 4u + 6u * kPorts);
  for (uint32_t address = 0; address < rtl::control::kRegisterSpace; address += 4) {
    const uint32_t alias = address + static_cast<uint32_t>(draw(4));
    const auto found = known.find(address);
    const RegisterAnswer before = read(alias);
    EXPECT_EQ(before.error, found == known.end()) << std::hex << address;
    if (before.error) {
      EXPECT_EQ(before.data, 0u) << std::hex << address;
    }
    const bool writable =
        found != known.end() && found->second->access == rtl::control::RegisterAccess::kWriteOneToClear;
    EXPECT_EQ(write(alias, ~0u), writable) << std::hex << address;
    EXPECT_EQ(read(address).data, before.data) << std::hex << address;
  }
}

TEST_F(SwitchController, TellsOfStateEventsAndCounts) {
  for (int round = 0; round < 400; ++round) {
    master_.set_stalls(static_cast<unsigned>(draw(4)) * 30);
    for (int i = 0; i < 20; ++i) {
      for (Port& port : ports_) {
        port.sent = chance(40);
        if (chance(10)) {
          ++port.dropped;
          port.events |= 1u << regs::kPortEventsDroppedLow;
        }
        if (chance(3)) {
          port.error = !port.error;
          if (port.error) port.events |= 1u << regs::kPortEventsErrorLow;
        }
      }
      step();
    }
    idle_ = chance(50);
    for (Port& port : ports_) {
      port.credit_stall = chance(50);
      port.used = static_cast<uint32_t>(draw(65));
      for (uint32_t& words : port.queued) words = static_cast<uint32_t>(draw(65));
    }
    for (const auto& [address, value] : expected()) {
      const RegisterAnswer answer = read(address);
      ASSERT_FALSE(answer.error) << std::hex << address;
      ASSERT_EQ(answer.data, value) << std::hex << address << " in round " << std::dec << round;
    }
    const int p = draw(kPorts);
    const auto bits = static_cast<uint32_t>(draw(4));
    strobes_ = chance(30) ? 14 : 15;
    ASSERT_TRUE(write(of(regs::kPortEventsOffset, p), bits | 0xfffffff0));
    if (strobes_ == 15) {
      seen_["cleared"] += (ports_[static_cast<size_t>(p)].events & bits) != 0 ? 1 : 0;
      ports_[static_cast<size_t>(p)].events &= ~bits;
    } else {
      ++seen_["without the byte"];
    }
    strobes_ = 15;
  }
  for (const char* what : {"cleared", "without the byte"}) EXPECT_GT(seen_[what], 20) << what;
  for (const Port& port : ports_) EXPECT_GT(port.sent_before, 4 * kCounterMask) << "the counter has wrapped";
}

TEST_F(SwitchController, AnEventWhileItsBitIsClearedSetsIt) {
  master_.push({.write = true, .address = of(regs::kPortEventsOffset, 2), .words = {{~0u}}});
  while (!master_.idle()) {
    ++ports_[2].dropped;
    step();
  }
  EXPECT_EQ(read(of(regs::kPortEventsOffset, 2)).data, 1u << regs::kPortEventsDroppedLow);
  EXPECT_EQ(read(of(regs::kPortEventsOffset, 1)).data, 0u);
  EXPECT_TRUE(write(of(regs::kPortEventsOffset, 2), ~0u));
  EXPECT_EQ(read(of(regs::kPortEventsOffset, 2)).data, 0u) << "nothing happens any more";
}

}  // namespace
}  // namespace fabrictwin::test
