// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How threads of the engine wait for each other.
#pragma once

#include <chrono>

namespace fabrictwin {

/// Spin for about as long as a message between two cores takes, then give the core away, then sleep.
struct Waiting {
  int spins = 4000;
  int yields = 64;

  /// A sleep that nobody ends.
  static constexpr std::chrono::milliseconds kSleep{20};

  /// Where more threads wait than there are cores, who is waited for may need this one.
  static constexpr Waiting of(bool crowded) { return crowded ? Waiting{2, 512} : Waiting{}; }
};

}  // namespace fabrictwin
