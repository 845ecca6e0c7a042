// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Bytes of an address space, of which only the touched pages exist.
#pragma once

#include <array>
#include <cstdint>
#include <map>

namespace fabrictwin::test {

class SparseMemory {
 public:
  static constexpr uint64_t kPage = 4096;
  using Page = std::array<uint8_t, kPage>;

  uint8_t read(uint64_t address) const {
    const auto it = pages_.find(address / kPage);
    return it == pages_.end() ? 0 : it->second[address % kPage];
  }
  void write(uint64_t address, uint8_t value) { pages_[address / kPage][address % kPage] = value; }
  uint64_t read_word(uint64_t address) const {
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value |= uint64_t{read(address + i)} << (8 * i);
    return value;
  }
  void copy(const SparseMemory& from, uint64_t from_address, uint64_t address, uint64_t length) {
    for (uint64_t i = 0; i < length; ++i) write(address + i, from.read(from_address + i));
  }
  const std::map<uint64_t, Page>& pages() const { return pages_; }

 private:
  std::map<uint64_t, Page> pages_;
};

}  // namespace fabrictwin::test
