// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Rules of AXI4 for what a master drives, and slots of rings in memory.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fabrictwin::test {

/// A slot in memory: six halves of words, the control word, and the stamp.
inline constexpr size_t kSlotHalves = 8;
using SlotHalves = std::array<uint64_t, kSlotHalves>;
inline constexpr uint64_t kOwner = uint64_t{1} << 63;

/// Pins that are more than 64 bits wide.
template <class Pins>
std::vector<uint32_t> bits_of(const Pins& pins) {
  const auto* begin = reinterpret_cast<const uint32_t*>(&pins);
  return {begin, begin + sizeof(Pins) / sizeof(uint32_t)};
}

/// What is on an address channel, packed as in axi_pkg::address_t.
struct AxiAddress {
  template <class Pins>
  explicit AxiAddress(const Pins& pins)
      : prot(pins[0] & 7),
        cache(pins[0] >> 3 & 15),
        burst(pins[0] >> 7 & 3),
        size(pins[0] >> 9 & 7),
        length(pins[0] >> 12 & 255),
        address((uint64_t{pins[0]} >> 20 | uint64_t{pins[1]} << 12) | uint64_t{pins[2]} << 44),
        id(pins[2] >> 20 & 15) {}

  /// What holds for all bursts of a shell: the ID 0, full beats with rising addresses, aligned, within a slot of the
  /// ring at `base`.
  void check(uint64_t base, size_t slots) const {
    EXPECT_EQ(id, 0u);
    EXPECT_EQ(size, 4u);
    EXPECT_EQ(burst, 1u);
    EXPECT_EQ(address % 16, 0u);
    EXPECT_GE(address, base);
    const uint64_t last = address + 16 * uint64_t{length};
    EXPECT_LT(last, base + 64 * slots);
    EXPECT_EQ((address - base) / 64, (last - base) / 64);
  }

  uint32_t prot;
  uint32_t cache;
  uint32_t burst;
  uint32_t size;
  uint32_t length;
  uint64_t address;
  uint32_t id;
};

/// Watches one channel: what is offered stays as it is until it is taken.
class StableChannel {
 public:
  /// Call it in each cycle, before the edge. `payload` is what belongs to valid.
  void look(bool valid, bool ready, std::vector<uint32_t> payload) {
    if (waits_) {
      EXPECT_TRUE(valid) << "valid was taken back";
      EXPECT_EQ(payload, payload_) << "the payload changed";
    }
    waits_ = valid && !ready;
    payload_ = std::move(payload);
  }
  void reset() { waits_ = false; }

 private:
  bool waits_ = false;
  std::vector<uint32_t> payload_;
};

}  // namespace fabrictwin::test
