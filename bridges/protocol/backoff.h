// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How to wait for what nothing wakes for.
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

namespace fabrictwin::bridges::protocol {

/// What to do between two looks at something that cannot be waited for: at first nothing, then the core is left to
/// others that want it, and when nothing has come for long it sleeps. So an answer that comes soon is seen at once, and
/// cores that have more processes than they should are not burnt. Used by one thread.
class Backoff {
 public:
  void wait() {
    ++looks_;
    if (looks_ <= kLooks) return;
    if (looks_ == kLooks + 1) since_ = std::chrono::steady_clock::now();
    if (!asleep_) asleep_ = std::chrono::steady_clock::now() - since_ >= kYielding;
    if (asleep_) {
      std::this_thread::sleep_for(kSleep);
    } else {
      std::this_thread::yield();
    }
  }
  /// Begins anew, when something has come.
  void reset() {
    looks_ = 0;
    asleep_ = false;
  }

 private:
  static constexpr uint32_t kLooks = 50;
  static constexpr std::chrono::microseconds kYielding{1000};
  static constexpr std::chrono::microseconds kSleep{100};

  uint32_t looks_ = 0;
  bool asleep_ = false;
  std::chrono::steady_clock::time_point since_;
};

}  // namespace fabrictwin::bridges::protocol
