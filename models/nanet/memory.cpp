// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nanet/memory.h"

namespace fabrictwin::nanet {

void Memory::write(uint64_t address, const link::Word& word, uint32_t strobes) {
  std::array<uint8_t, kPage>& page = pages_[address / kPage];
  for (uint64_t i = 0; i < link::kWordBytes; ++i) {
    if ((strobes >> i & 1) == 0) continue;
    page.at(address % kPage + i) = static_cast<uint8_t>((i < 8 ? word.lo : word.hi) >> (8 * (i % 8)));
  }
}

void Memory::write(uint64_t address, std::span<const uint8_t> bytes) {
  for (size_t i = 0; i < bytes.size(); ++i) pages_[(address + i) / kPage].at((address + i) % kPage) = bytes[i];
}

link::Word Memory::word(uint64_t address) const {
  const Bytes bytes = read(address, link::kWordBytes);
  link::Word word;
  for (int i = 7; i >= 0; --i) {
    word.lo = word.lo << 8 | bytes[static_cast<size_t>(i)];
    word.hi = word.hi << 8 | bytes[static_cast<size_t>(i) + 8];
  }
  return word;
}

Bytes Memory::read(uint64_t address, size_t bytes) const {
  Bytes result(bytes);
  for (size_t i = 0; i < bytes; ++i) {
    const auto page = pages_.find((address + i) / kPage);
    if (page != pages_.end()) result[i] = page->second.at((address + i) % kPage);
  }
  return result;
}

void Memory::clear(uint64_t address, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    const auto page = pages_.find((address + i) / kPage);
    if (page != pages_.end()) page->second.at((address + i) % kPage) = 0;
  }
}

}  // namespace fabrictwin::nanet
