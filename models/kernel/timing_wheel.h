// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The event queue of the model fabric: which router has work at which clock cycle.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace fabrictwin::kernel {

/// A timing wheel over clock cycles with a heap for entries beyond its horizon (Varghese and Lauck, "Hashed and
/// hierarchical timing wheels", 1987). Entries of one cycle are returned in the order in which they were added. Not
/// thread-safe.
class TimingWheel {
 public:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  /// Adds `item` at `cycle`, which is after the last cycle taken.
  void add(int64_t cycle, int32_t item);
  /// The least cycle with an entry, or kNever.
  int64_t next_cycle() const { return next_; }
  /// Takes all entries of next_cycle(). The reference is valid until the next call.
  const std::vector<int32_t>& take();

 private:
  static constexpr int64_t kBuckets = 4096;
  static constexpr int64_t kMask = kBuckets - 1;
  static constexpr int64_t kWords = kBuckets / 64;
  static_assert(kWords == 64, "words_ has a bit for each");

  void put(int64_t cycle, int32_t item);
  void find_next();

  std::array<std::vector<int32_t>, kBuckets> buckets_;
  std::array<uint64_t, kWords> occupied_{};  ///< Buckets with entries.
  uint64_t words_ = 0;                       ///< Words of `occupied_` that are not 0.
  using Far = std::pair<int64_t, int32_t>;
  std::priority_queue<Far, std::vector<Far>, std::greater<>> far_;
  std::vector<int32_t> taken_;
  int64_t base_ = 0;  ///< All entries of the buckets are in [base_, base_ + kBuckets).
  int64_t next_ = kNever;
};

}  // namespace fabrictwin::kernel
