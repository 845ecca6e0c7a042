// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures how long a thread computes between its MPI calls.
#pragma once

#include <algorithm>
#include <cstdint>

namespace fabrictwin::recorder {

/// Thread CPU time between calls, without a system call at each: that takes longer than many an MPI call. While a
/// thread stays on its processor its CPU time advances like the clock that every process can read, which is used
/// instead. Only after the thread may have been off the processor is its CPU time read. `Source` has
///   int64_t now()          nanoseconds of a clock that always runs
///   int64_t cpu()          nanoseconds of this thread's CPU time
///   void mark()            starts watching
///   bool undisturbed()     true if the thread has certainly not left its processor since mark()
/// Not thread-safe: each thread has its own.
template <typename Source>
class CallClock {
 public:
  /// An interval this short, in nanoseconds, leaves no time for leaving the processor and coming back.
  static constexpr int64_t kShort = 2000;
  /// An interval this long is measured by CPU time whatever undisturbed() says.
  static constexpr int64_t kLong = 1'000'000;

  constexpr explicit CallClock(Source source = {}) : source_(source) {}

  /// Starts the clock, outside of calls.
  void start() {
    anchor();
    running_ = true;
  }
  bool running() const { return running_; }

  /// Call it at the beginning of an MPI call. Returns nanoseconds of CPU time since the end of the last one.
  int64_t enter() { return pass(); }
  /// Call it at the end of an MPI call.
  void leave() { pass(); }

 private:
  void anchor() {
    anchor_cpu_ = source_.cpu();
    known_ = 0;
    last_ = source_.now();
    source_.mark();
  }

  // The CPU time of the interval that ends now.
  int64_t pass() {
    const int64_t now = source_.now();
    const int64_t passed = now - last_;
    if (passed < kShort || (passed < kLong && source_.undisturbed())) [[likely]] {
      known_ += passed;
      last_ = now;
      source_.mark();
      return passed;
    }
    const int64_t before = anchor_cpu_ + known_;
    anchor();
    return std::clamp<int64_t>(anchor_cpu_ - before, 0, passed);
  }

  Source source_;
  bool running_ = false;
  int64_t last_ = 0;        ///< now() at the last pass.
  int64_t anchor_cpu_ = 0;  ///< CPU time when it was last read.
  int64_t known_ = 0;       ///< CPU time that has passed since then.
};

}  // namespace fabrictwin::recorder
