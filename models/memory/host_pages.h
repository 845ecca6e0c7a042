// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Pages that are mapped on first access: docs/models/host-memory.md.
#pragma once

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "cosim/base/time.h"

namespace fabrictwin::memory {

/// The virtual memory of a process whose pages are not pinned. The first access to a block of 64 KiB, which is what
/// Linux maps at once (fault_around_bytes), faults, as do others until the operating system has mapped it. Not
/// thread-safe.
class HostPages {
 public:
  static constexpr int kPieceBits = 16;

  /// `fault_time` is the time from the first access until the block is mapped.
  explicit HostPages(Time fault_time) : fault_time_(fault_time) {}

  /// Accesses `address`; false if it faults.
  bool touch(uint64_t address, Time now) {
    const auto [piece, first] = there_at_.try_emplace(address >> kPieceBits, now + fault_time_);
    if (piece->second <= now) return true;
    ++faults_;
    return false;
  }
  /// Accesses that have faulted.
  uint64_t faults() const { return faults_; }

 private:
  Time fault_time_;
  absl::flat_hash_map<uint64_t, Time> there_at_;
  uint64_t faults_ = 0;
};

}  // namespace fabrictwin::memory
