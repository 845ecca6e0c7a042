// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Arbitration over bit masks, and the pointers of a separable allocator.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace fabrictwin {

constexpr uint64_t iq_bit(int32_t index) { return uint64_t{1} << index; }

/// The first set bit of `mask`, which is not zero, at or after `start` (0 to 63), else the first one of all.
constexpr int32_t first_from(uint64_t mask, int32_t start) {
  const uint64_t after = mask & (~uint64_t{0} << start);
  return std::countr_zero(after != 0 ? after : mask);
}

/// Calls `visit` with the index of each set bit, least first.
template <typename Visit>
void for_each_bit(uint64_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(std::countr_zero(mask));
}

/// The round-robin pointers of one iteration of iSLIP (McKeown, "The iSLIP scheduling algorithm for input-queued
/// switches", 1999). Each output grants to the first requesting input at or after its pointer; each input accepts the
/// first grant at or after its own. Only a grant that was accepted moves the two pointers, to one beyond the partner:
/// that is what keeps the pointers of busy outputs apart.
class IslipPointers {
 public:
  IslipPointers() = default;
  /// At most 64 of each.
  IslipPointers(int32_t inputs, int32_t outputs)
      : grant_(static_cast<size_t>(outputs)), accept_(static_cast<size_t>(inputs)) {}

  int32_t grant(int32_t output) const { return grant_[output]; }
  int32_t accept(int32_t input) const { return accept_[input]; }
  void accepted(int32_t input, int32_t output) {
    grant_[output] = static_cast<uint16_t>(input + 1 == static_cast<int32_t>(accept_.size()) ? 0 : input + 1);
    accept_[input] = static_cast<uint16_t>(output + 1 == static_cast<int32_t>(grant_.size()) ? 0 : output + 1);
  }

 private:
  std::vector<uint16_t> grant_;   ///< By output.
  std::vector<uint16_t> accept_;  ///< By input.
};

}  // namespace fabrictwin
