// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Counter-based random numbers: number i of a stream is a pure function of (seed, element, purpose, i).
#pragma once

#include <cstdint>

namespace fabrictwin {

/// The finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
constexpr uint64_t mix64(uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// The purpose of a stream of random numbers. It is part of the key, so that adding a use never changes another one.
enum class RandomPurpose : uint64_t {
  kTrafficGap = 1,
  kTrafficDestination = 2,
  kTieBreak = 3,
  kPayload = 4,
  kPacketTrace = 5,
  kPlacement = 6,
  kCongestionMark = 7,
  kFlow = 8,
  kStatistics = 9,
  kBitErrors = 10,
  kCreditErrors = 11,
  kTest = 100
};

/// A keyed stream of random numbers. Value type.
class RandomStream {
 public:
  constexpr RandomStream(uint64_t seed, uint64_t element, RandomPurpose purpose)
      : key_(mix64(mix64(mix64(seed) ^ element) ^ static_cast<uint64_t>(purpose))) {}

  /// Random number `index` of the stream, uniform over 64 bits.
  constexpr uint64_t at(uint64_t index) const { return mix64(key_ ^ mix64(index)); }
  /// Random number `index`, uniform in [0, 1).
  constexpr double unit_at(uint64_t index) const { return static_cast<double>(at(index) >> 11) * 0x1.0p-53; }
  /// The next random number, uniform over 64 bits.
  constexpr uint64_t next() { return at(index_++); }
  /// The next random number, uniform in [0, 1).
  constexpr double next_unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  /// The next random number, uniform in [0, bound), bound > 0 (bias below bound / 2^64).
  constexpr uint64_t next_below(uint64_t bound) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }

 private:
  uint64_t key_;
  uint64_t index_ = 0;
};

}  // namespace fabrictwin
