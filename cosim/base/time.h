// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Simulated time: a strong type over whole femtoseconds.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>

namespace fabrictwin {

/// A point in simulated time, or a span of it, in whole femtoseconds. The range is about 2.5 hours.
/// Value type; every operation is constexpr and free of side effects.
class Time {
 public:
  constexpr Time() = default;
  static constexpr Time from_fs(int64_t fs) { return Time(fs); }
  static constexpr Time from_ps(int64_t ps) { return Time(ps * 1'000); }
  static constexpr Time from_ns(int64_t ns) { return Time(ns * 1'000'000); }
  static constexpr Time from_us(int64_t us) { return Time(us * 1'000'000'000); }
  static constexpr Time zero() { return Time(0); }
  /// A time later than any that can be reached.
  static constexpr Time never() { return Time(std::numeric_limits<int64_t>::max()); }

  constexpr int64_t fs() const { return fs_; }
  constexpr double seconds() const { return static_cast<double>(fs_) * 1e-15; }
  constexpr bool is_never() const { return *this == never(); }

  /// Sums saturate at never(), so that "never plus a latency" stays never.
  constexpr Time operator+(Time other) const {
    int64_t sum = 0;
    return __builtin_add_overflow(fs_, other.fs_, &sum) ? never() : Time(sum);
  }
  constexpr Time operator-(Time other) const { return Time(fs_ - other.fs_); }
  constexpr Time& operator+=(Time other) { return *this = *this + other; }
  constexpr auto operator<=>(const Time&) const = default;

 private:
  explicit constexpr Time(int64_t fs) : fs_(fs) {}
  int64_t fs_ = 0;
};

/// Human-readable form with the largest unit that keeps the value at or above one: "120 ns", "1.5 us", "never".
std::string to_string(Time time);

}  // namespace fabrictwin
