// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The arbiter that all router models share.
#pragma once

#include <cstdint>

#include "models/kernel/bit_mask.h"

namespace fabrictwin::kernel {

/// A round-robin arbiter: the pointer to the requester that comes first the next time. Picking and granting are apart,
/// because iSLIP (McKeown, 1999) moves a pointer only once its grant has been accepted. Value type of two bytes.
class RoundRobin {
 public:
  /// The winner among `requests`, a BitMask that is not empty.
  template <typename Mask>
  int32_t pick(const Mask& requests) const {
    return requests.first_from(next_);
  }
  /// The winner among up to 64 requesters; `requests` is not zero.
  int32_t pick(uint64_t requests) const { return first_from(requests, next_); }
  /// The winner among groups of 2^shift requesters, for an arbiter whose pointer counts groups.
  template <typename Mask>
  int32_t pick_group(const Mask& requests, int32_t shift) const {
    return requests.first_from(next_ << shift) >> shift;
  }
  /// Whether requester `later` wins against `earlier`, which has a smaller number.
  bool prefers(int32_t later, int32_t earlier) const { return earlier < next_ && later >= next_; }
  /// Gives `winner` the lowest priority among `requesters`.
  void granted(int32_t winner, int32_t requesters) {
    next_ = static_cast<uint16_t>(winner + 1 == requesters ? 0 : winner + 1);
  }

 private:
  uint16_t next_ = 0;
};

}  // namespace fabrictwin::kernel
