// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The registers of a shell at their pins, against the table of registers and plain values.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "VShellRegisters__inputs.h"
#include "rtl/control/register_map.h"
#include "rtl/shell/shell_registers.h"
#include "tests/rtl/module_test.h"
#include "tests/rtl/node/axi_masters.h"
#include "tests/rtl/node/lite_registers.h"
#include "tests/rtl/pin_bits.h"

namespace fabrictwin::test {
namespace {

namespace regs = rtl::shell::registers;

// These are the parameters of the test's model.
constexpr uint32_t kPorts = 7;
constexpr uint32_t kWordClocks = 4;
constexpr uint32_t kSlotsLog2 = 8;
constexpr uint32_t kRouteDestinationsLog2 = 10;
constexpr uint32_t kRingOffset = 65536;
constexpr uint32_t kClockHertz = 1'000'000;
constexpr uint32_t kRingAddress = 131'072;
constexpr uint32_t kFromAddress = kRingAddress + (64u << kSlotsLog2);

uint32_t of(uint32_t offset, uint32_t copy) { return offset + regs::kStride * copy; }

class ShellRegisters : public ModuleTest<VShellRegisters> {
 protected:
  ShellRegisters() : ModuleTest(71), master_(72) {
    read_table();
    any_state();
    reset();
    for (const auto& [address, entry] : known_) {
      if (entry.access == rtl::control::RegisterAccess::kReadWrite) written_[address] = entry.reset();
    }
    written_[regs::kToBoardLowOffset] = kRingAddress;
    written_[regs::kFromBoardLowOffset] = kFromAddress;
  }

  void read_table() {
    const std::string path = "rtl/shell/registers.csv";
    std::ifstream in(path, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    const absl::StatusOr<rtl::control::RegisterMap> map = rtl::control::parse_registers(text, path);
    ASSERT_TRUE(map.ok()) << map.status();
    for (const rtl::control::RegisterEntry& entry : map->registers) {
      uint32_t copies = 1;
      if (entry.copies == rtl::control::RegisterCopies::kPorts) copies = kPorts;
      if (entry.copies == rtl::control::RegisterCopies::kLinks) copies = kWordClocks;
      for (uint32_t copy = 0; copy < copies; ++copy) known_.emplace(of(entry.offset, copy), entry);
    }
  }

  /// What the shell says of itself, and what the registers of state should say then.
  void any_state() {
    auto& m = model_;
    m.status_run_i = word();
    m.state_i = static_cast<uint8_t>(draw(4));
    m.record_error_i = chance(50);
    m.bus_error_i = chance(50);
    m.element_error_i = chance(50) ? 0 : static_cast<uint8_t>(draw(1 << kPorts));
    m.waiting_i = static_cast<uint8_t>(draw(1 << kPorts));
    m.heartbeat_i = word();
    m.edge_i = word();
    for (uint32_t p = 0; p < kPorts; ++p) m.stalls_i[p] = state_[of(regs::kStallsOffset, p)] = word();
    state_[regs::kIdentificationOffset] = 0x4C485446;
    state_[regs::kVersionOffset] = regs::kVersionReset;
    state_[regs::kShapeOffset] = 1u << regs::kShapeElementLow | kPorts << regs::kShapePortsLow |
                                 kSlotsLog2 << regs::kShapeSlotsLow |
                                 kRouteDestinationsLog2 << regs::kShapeRouteDestinationsLow;
    state_[regs::kRingOffsetOffset] = kRingOffset;
    state_[regs::kClockOffset] = kClockHertz;
    state_[regs::kLinkOffset] = 64u << regs::kLinkWordBitsLow | 32u << regs::kLinkVcsLow |
                                255u << regs::kLinkCreditWordsLow | 17u << regs::kLinkBufferCreditsLow;
    state_[regs::kStatusRunOffset] = m.status_run_i;
    state_[regs::kStatusOffset] = uint32_t{m.state_i} << regs::kStatusStateLow |
                                  uint32_t{m.record_error_i} << regs::kStatusRecordErrorLow |
                                  uint32_t{m.bus_error_i} << regs::kStatusBusErrorLow |
                                  uint32_t{m.element_error_i != 0} << regs::kStatusElementErrorLow;
    state_[regs::kErrorPortsOffset] = m.element_error_i;
    state_[regs::kHeartbeatOffset] = m.heartbeat_i;
    state_[regs::kWaitingOffset] = m.waiting_i;
    state_[regs::kEndedOffset] = m.edge_i;
  }

  uint32_t word() { return static_cast<uint32_t>(random_()); }

  /// One edge with the master's pins. A write counts from the second edge after its address and data are here, neither
  /// earlier nor later.
  void step() {
    auto& m = model_;
    const MasterPins& pins = master_.drive();
    drive_lite(m, pins, strobes_);
    m.eval();
    const bool address_taken = pins.aw && m.awready_o;
    const bool data_taken = pins.w && m.wready_o;
    master_.edge(lite_answer(m), 0);
    edge();
    if (address_here_ && data_here_) {
      apply();
      address_here_ = data_here_ = false;
    }
    address_here_ = address_here_ || address_taken;
    data_here_ = data_here_ || data_taken;
    check_outputs();
  }

  void apply() {
    const auto found = written_.find(address_ & ~3u);
    if (found == written_.end()) return;
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < 4; ++i) bytes |= (strobes_ >> i & 1) != 0 ? 0xffu << (8 * i) : 0;
    found->second = ((found->second & ~bytes) | (data_ & bytes)) & known_.at(found->first).mask();
  }

  RegisterAnswer access(RegisterAccess access) {
    return finish(master_, std::move(access), [this] { step(); });
  }
  RegisterAnswer read(uint32_t address) { return access({.write = false, .address = address}); }
  bool write(uint32_t address, uint32_t data) {
    address_ = address;
    data_ = data;
    return !access({.write = true, .address = address, .words = {{data}}}).error;
  }

  std::optional<uint32_t> expected(uint32_t address) const {
    if (const auto found = written_.find(address); found != written_.end()) return found->second;
    if (const auto found = state_.find(address); found != state_.end()) return found->second;
    return std::nullopt;
  }
  uint64_t wide(uint32_t low, uint32_t high, uint32_t copy = 0) const {
    return uint64_t{written_.at(of(high, copy))} << 32 | written_.at(of(low, copy));
  }
  uint32_t field(uint32_t address, int low, int width) const {
    return written_.at(address) >> low & ((uint32_t{1} << width) - 1);
  }

  void check_outputs() {
    const auto& m = model_;
    ASSERT_EQ(m.run_o, written_.at(regs::kRunOffset));
    ASSERT_EQ(m.from_board_consumed_o, written_.at(regs::kFromBoardConsumedOffset));
    ASSERT_EQ(m.to_board_base_o, wide(regs::kToBoardLowOffset, regs::kToBoardHighOffset));
    ASSERT_EQ(m.from_board_base_o, wide(regs::kFromBoardLowOffset, regs::kFromBoardHighOffset));
    ASSERT_EQ(m.mode_o, written_.at(regs::kModeOffset));
    ASSERT_EQ(m.pace_numerator_o, written_.at(regs::kPaceNumeratorOffset));
    ASSERT_EQ(m.pace_denominator_o, written_.at(regs::kPaceDenominatorOffset));
    ASSERT_EQ(m.period_whole_o, wide(regs::kPeriodLowOffset, regs::kPeriodHighOffset));
    ASSERT_EQ(m.period_numerator_o, written_.at(regs::kPeriodNumeratorOffset));
    ASSERT_EQ(m.period_denominator_o, written_.at(regs::kPeriodDenominatorOffset));
    ASSERT_EQ(m.coordinates_o, written_.at(regs::kCoordinatesOffset));
    ASSERT_EQ(m.last_o, written_.at(regs::kLatticeOffset));
    ASSERT_EQ(m.mark_threshold_o, field(regs::kMarkingOffset, regs::kMarkingThresholdLow, 16));
    ASSERT_EQ(m.mark_rate_o, field(regs::kMarkingOffset, regs::kMarkingRateLow, 16));
    ASSERT_EQ(m.mark_least_o, written_.at(regs::kMarkingPacketsOffset));
    ASSERT_EQ(m.by_table_o, written_.at(regs::kRoutingOffset));
    ASSERT_EQ(m.node_o, written_.at(regs::kNodeOffset));
    for (uint32_t c = 0; c < kWordClocks; ++c) {
      ASSERT_EQ(get_bits(m.word_whole_o, 54 * c, 54), wide(regs::kWordPeriodLowOffset, regs::kWordPeriodHighOffset, c));
      ASSERT_EQ(m.word_numerator_o[c], written_.at(of(regs::kWordNumeratorOffset, c)));
      ASSERT_EQ(m.word_denominator_o[c], written_.at(of(regs::kWordDenominatorOffset, c)));
    }
    for (uint32_t p = 0; p < kPorts; ++p) {
      const uint32_t port = of(regs::kPortOffset, p);
      ASSERT_EQ(m.port_enable_o >> p & 1u, field(port, regs::kPortEnableLow, 1));
      ASSERT_EQ(m.port_host_o >> p & 1u, field(port, regs::kPortHostLow, 1));
      ASSERT_EQ(m.word_clock_o >> (2 * p) & 3u, field(port, regs::kPortWordClockLow, 2));
      ASSERT_EQ(m.credits_o >> (8 * p) & 255u, field(port, regs::kPortCreditsLow, 8));
    }
  }

  RegisterMaster master_;
  std::map<uint32_t, rtl::control::RegisterEntry> known_;  // By address.
  std::map<uint32_t, uint32_t> written_;                   // Values of what can be written, by address.
  std::map<uint32_t, uint32_t> state_;                     // The others.
  uint32_t address_ = 0, data_ = 0;                        // Those of the write that is under way.
  uint8_t strobes_ = 15;
  bool address_here_ = false, data_here_ = false;
};

// Every word of the address space, through every byte address: what the table names obeys its access, the rest is an
// error.
TEST_F(ShellRegisters, EveryAddressByItsAccess) {
  ASSERT_NO_FATAL_FAILURE(check_outputs()) << "after reset";
  EXPECT_EQ(known_.size(), 31u + 4u * kWordClocks + 2u * kPorts);
  EXPECT_EQ(written_.size() + state_.size(), known_.size()) << "the test knows all registers";
  for (uint32_t address = 0; address < rtl::control::kRegisterSpace; address += 4) {
    const uint32_t alias = address + static_cast<uint32_t>(draw(4));
    const std::optional<uint32_t> value = expected(address);
    const RegisterAnswer before = read(alias);
    ASSERT_EQ(before.error, !value.has_value()) << std::hex << address;
    ASSERT_EQ(before.data, value.value_or(0)) << std::hex << address;
    const bool writable = written_.contains(address);
    ASSERT_EQ(write(alias, ~0u), writable) << std::hex << address;
    ASSERT_EQ(read(address).data, expected(address).value_or(0)) << std::hex << address;
    if (HasFailure()) return;
  }
}

TEST_F(ShellRegisters, TakesAndTellsWhatIsWritten) {
  std::vector<uint32_t> addresses;
  for (const auto& [address, entry] : known_) addresses.push_back(address);
  for (int round = 0; round < 3000 && !HasFailure(); ++round) {
    master_.set_stalls(static_cast<unsigned>(draw(4)) * 30);
    any_state();
    const uint32_t address = addresses[static_cast<size_t>(draw(static_cast<int>(addresses.size())))];
    if (chance(60)) {
      strobes_ = static_cast<uint8_t>(chance(50) ? 15 : draw(16));
      const bool taken = write(address + static_cast<uint32_t>(draw(4)), word());
      ASSERT_EQ(taken, written_.contains(address)) << std::hex << address;
      ++seen_[taken ? "written" : "refused"];
    } else {
      const RegisterAnswer answer = read(address);
      ASSERT_FALSE(answer.error) << std::hex << address;
      ASSERT_EQ(answer.data, expected(address)) << std::hex << address << " in round " << std::dec << round;
    }
  }
  for (const char* what : {"written", "refused"}) EXPECT_GT(seen_[what], 200) << what;
  // All begin anew with the next reset.
  reset();
  for (auto& [address, value] : written_) value = known_.at(address).reset();
  written_[regs::kToBoardLowOffset] = kRingAddress;
  written_[regs::kFromBoardLowOffset] = kFromAddress;
  ASSERT_NO_FATAL_FAILURE(check_outputs());
}

}  // namespace
}  // namespace fabrictwin::test
