// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The arbiter that all models share.
#pragma once

#include <cstdint>

#include "models/kernel/bit_mask.h"

namespace fabrictwin::kernel {

/// A round-robin arbiter: the pointer to the requester that comes first the next time. Picking and granting are apart,
/// because iSLIP (McKeown, 1999) moves a pointer only once its grant has been accepted. Value type of two bytes.
class RoundRobin {
 public:
  RoundRobin() = default;
  /// Requester `first` comes first the first time.
  constexpr explicit RoundRobin(uint16_t first) : next_(first) {}

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
  /// The winner among `requesters`, of which `asks` says whether they request; -1 if none does. For where a mask would
  /// cost more than it saves. There may be fewer requesters than before.
  template <typename Asks>
  int32_t find(int32_t requesters, Asks asks) const {
    int32_t requester = next_ < requesters ? next_ : 0;
    for (int32_t turn = 0; turn < requesters; ++turn) {
      if (asks(requester)) return requester;
      if (++requester == requesters) requester = 0;
    }
    return -1;
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
