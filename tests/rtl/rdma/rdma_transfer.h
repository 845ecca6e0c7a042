// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What an RDMA transfer is to the tests, its descriptor, and the registers' addresses.
#pragma once

#include <array>
#include <cstdint>

#include "tests/rtl/rdma/random_source.h"

namespace fabrictwin::test {

using Word128 = std::array<uint32_t, 4>;

inline Word128 make_word(uint64_t low, uint64_t high) {
  return {static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32), static_cast<uint32_t>(high),
          static_cast<uint32_t>(high >> 32)};
}

/// Two draws, in this order with every compiler.
inline Word128 random_word(RandomSource& random) {
  const uint64_t low = random.next();
  return make_word(low, random.next());
}

enum class Code {
  kIdle,
  kBusy,
  kDone,
  kAlignment,
  kLength,
  kProtection,
  kTimeout,
  kRemotePdid,
  kLocalFault,
  kRemoteFault,
  kUnused,
  kNotifyFault
};

/// Index into the counters.
enum class Counter {
  kMalformed,
  kRequestsLost,
  kAnswersLost,
  kTimeouts,
  kRefusals,
  kLocalFaults,
  kLateAnswers,
  kDuplicateCells,
  kLateCells,
  kFaults,
  kRefused,
  kNoticesSent,
  kNotices,
  kQueued
};

struct Transfer {
  int page = 0;
  int channel = 0;  ///< Of the page and direction, 0 to 31.
  bool read = false;
  uint16_t pdid = 0;
  uint32_t node = 0;
  int rank = 0;
  uint64_t remote = 0;
  uint64_t local = 0;
  uint32_t length = 0;
  uint64_t data = 0;
  bool notify = false;
  bool early = false;  ///< The notification does not wait for the memory to take the data.
  uint64_t notify_va = 0;
  bool local_notify = false;
  uint64_t local_notify_va = 0;

  uint64_t source() const { return read ? remote : local; }
  uint64_t destination() const { return read ? local : remote; }
  /// Address of the channel's descriptor and state.
  uint32_t address() const { return static_cast<uint32_t>(page << 12 | (read ? 1 << 11 : 0) | channel << 6); }
  std::array<Word128, 4> descriptor() const {
    return {make_word(remote | uint64_t(rank) << 39 | uint64_t{node} << 42, pdid | uint64_t{length} << 16),
            make_word(local, data),
            make_word(notify_va | uint64_t{early} << 62 | uint64_t{notify} << 63,
                      local_notify_va | uint64_t{local_notify} << 63),
            make_word(0, uint64_t{1} << 63)};
  }
};

}  // namespace fabrictwin::test
