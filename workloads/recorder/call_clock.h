// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How long a thread computes between its calls of MPI.
#pragma once

#include <algorithm>
#include <cstdint>

namespace fabrictwin::recorder {

/// Thread CPU time between calls, without asking the kernel for it at each call: that takes longer than many a call.
/// While a thread is not taken off its processor its CPU time passes as any other, and the clock that every process can
/// read is used. Only after the thread may have been off the processor its CPU time is asked for. `Source` has
///   int64_t now()          nanoseconds of a clock that always runs
///   int64_t cpu()          nanoseconds of this thread's CPU time
///   void mark()            begins to look
///   bool undisturbed()     true if the thread has certainly not left its processor since mark()
/// Not thread-safe: each thread has its own.
template <typename Source>
class CallClock {
 public:
  /// A stretch this short, in nanoseconds, has no room for leaving the processor and coming back.
  static constexpr int64_t kShort = 2000;
  /// A stretch this long is measured by CPU time whatever undisturbed() says.
  static constexpr int64_t kLong = 1'000'000;

  constexpr explicit CallClock(Source source = {}) : source_(source) {}

  /// Begins, outside of calls.
  void start() {
    anchor();
    running_ = true;
  }
  bool running() const { return running_; }

  /// At the begin of a call: nanoseconds of CPU time since the end of the last one.
  int64_t enter() { return pass(); }
  /// At the end of a call.
  void leave() { pass(); }

 private:
  void anchor() {
    anchor_cpu_ = source_.cpu();
    known_ = 0;
    last_ = source_.now();
    source_.mark();
  }

  // The CPU time of the stretch that ends now.
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
  int64_t last_ = 0;        ///< now() of the last pass.
  int64_t anchor_cpu_ = 0;  ///< CPU time when it was last asked for.
  int64_t known_ = 0;       ///< CPU time that has passed since.
};

}  // namespace fabrictwin::recorder
