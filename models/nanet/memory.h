// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "cosim/link/record.h"
#include "models/nanet/frames.h"

namespace fabrictwin::nanet {

/// Bytes by physical address, zeros at first; only pages that were written take memory. Used by one thread.
class Memory {
 public:
  /// Writes the bytes of a word whose strobes are set. `address` is a multiple of 16.
  void write(uint64_t address, const link::Word& word, uint32_t strobes);
  void write(uint64_t address, std::span<const uint8_t> bytes);
  link::Word word(uint64_t address) const;
  Bytes read(uint64_t address, size_t bytes) const;
  void clear(uint64_t address, size_t bytes);

 private:
  static constexpr uint64_t kPage = 4096;
  std::unordered_map<uint64_t, std::array<uint8_t, kPage>> pages_;
};

}  // namespace fabrictwin::nanet
