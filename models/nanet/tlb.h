// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace fabrictwin::nanet {

/// The translations that a card knows: 32 sets of 4 pages of 64 KiB, replaced in turn. Value type.
class Tlb {
 public:
  struct Mapping {
    uint64_t physical = 0;  ///< Where the page is.
    bool gpu = false;
  };

  std::optional<Mapping> find(uint64_t page) const {
    for (const Entry& entry : sets_.at(set_of(page))) {
      if (entry.valid && entry.page == page) return entry.mapping;
    }
    return std::nullopt;
  }
  void learn(uint64_t page, const Mapping& mapping) {
    const size_t set = set_of(page);
    sets_.at(set).at(turn_.at(set)++ % kWays) = {true, page, mapping};
  }
  void flush() {
    for (auto& set : sets_) set.fill({});
  }

 private:
  static constexpr size_t kWays = 4;
  struct Entry {
    bool valid = false;
    uint64_t page = 0;
    Mapping mapping;
  };
  /// Buffers of streams are far apart, by powers of two: their pages must not all be in one set.
  static size_t set_of(uint64_t page) {
    uint64_t set = 0;
    for (int part = 0; part < 6; ++part) set ^= page >> (5 * part) & 31;
    return set;
  }

  std::array<std::array<Entry, kWays>, 32> sets_{};
  std::array<unsigned, 32> turn_{};
};

}  // namespace fabrictwin::nanet
