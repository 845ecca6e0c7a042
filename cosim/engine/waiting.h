// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How threads of the engine wait for each other.
#pragma once

#include <chrono>

namespace fabrictwin::engine {

/// How long to wait in which manner: spin for about as long as a message between two cores takes, then yield the core,
/// then sleep.
struct Waiting {
  int spins = 4000;
  int yields = 64;

  /// The longest sleep, if no doorbell rings.
  static constexpr std::chrono::milliseconds kSleep{20};

  /// When threads outnumber cores (`crowded`), the thread we wait for may need this core.
  static constexpr Waiting of(bool crowded) { return crowded ? Waiting{2, 512} : Waiting{}; }
};

}  // namespace fabrictwin::engine
