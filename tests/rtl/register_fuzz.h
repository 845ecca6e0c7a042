// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Accesses to the registers of a device that no driver would make: any address, any data, any strobes.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <random>
#include <utility>
#include <vector>

namespace fabrictwin::test {

struct FuzzAccess {
  bool write = false;
  uint32_t address = 0;  ///< In bytes, a multiple of a register's.
  std::array<uint64_t, 2> data{};
  uint32_t strobes = 0;  ///< Of the bytes of a register.
};

inline std::ostream& operator<<(std::ostream& out, const FuzzAccess& access) {
  return out << (access.write ? "write" : "read") << " at 0x" << std::hex << access.address << " of 0x"
             << access.data[1] << " 0x" << access.data[0] << ", strobes 0x" << access.strobes << std::dec;
}

/// Makes accesses, and looks at how a device has answered them. The bench brings each to the device, and finds out
/// whether it is answered at all.
class RegisterFuzz {
 public:
  using Rule = std::function<bool(const FuzzAccess& access)>;
  struct Space {
    uint32_t bytes = 0;                                      ///< Addresses are below this.
    uint32_t width = 0;                                      ///< Bytes of a register: 4, 8 or 16.
    std::vector<std::pair<uint32_t, uint32_t>> registers{};  ///< First address and bytes of areas with registers.
    Rule refused;                                            ///< What must be answered with an error.
    Rule spared = [](const FuzzAccess&) { return false; };   ///< What is left out.
  };

  RegisterFuzz(Space space, uint64_t seed) : space_(std::move(space)), random_(seed) {}

  /// The next access. Two of three are at registers, the others anywhere.
  FuzzAccess next() {
    FuzzAccess access;
    do {
      access.write = below(2) == 0;
      access.address = address();
      for (uint64_t& word : access.data) word = value();
      const auto all = static_cast<uint32_t>((uint64_t{1} << space_.width) - 1);
      const auto some = static_cast<uint32_t>(random_()) & all;
      access.strobes = below(3) == 0 ? some : all;
    } while (space_.spared(access));
    return access;
  }
  /// The device has answered.
  void answered(const FuzzAccess& access, bool error) {
    ++(error ? errors_ : done_);
    if (space_.refused(access)) EXPECT_TRUE(error) << access;
  }
  /// Both kinds of answers came, of so many accesses.
  void expect_answers(int accesses) const {
    EXPECT_EQ(errors_ + done_, accesses) << "accesses without an answer";
    EXPECT_GT(errors_, accesses / 20);
    EXPECT_GT(done_, accesses / 20);
  }

 private:
  uint64_t below(uint64_t bound) { return random_() % bound; }
  uint32_t address() {
    uint64_t at = below(space_.bytes);
    if (below(3) != 0) {
      const auto& [first, bytes] = space_.registers[below(space_.registers.size())];
      at = first + below(bytes);
    }
    return static_cast<uint32_t>(at / space_.width * space_.width);
  }
  uint64_t value() {
    switch (below(5)) {
      case 0:
        return 0;
      case 1:
        return ~uint64_t{0};
      case 2:
        return uint64_t{1} << below(64);
      case 3:
        return below(32);
      default:
        return random_();
    }
  }

  Space space_;
  std::mt19937_64 random_;
  int errors_ = 0, done_ = 0;
};

}  // namespace fabrictwin::test
