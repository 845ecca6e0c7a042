// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How bridges take part in the executor's loop.
#pragma once

#include <chrono>

#include "absl/status/statusor.h"
#include "cosim/engine/lookahead.h"

namespace fabrictwin::engine {

/// Moves records between rings of this process and other processes (a gRPC bridge is two rings and a pump), and brings
/// the rows of remote partitions into the sync table. All calls come from the executor's first thread.
class Pump {
 public:
  virtual ~Pump() = default;

  /// Moves what can be moved without blocking; true if anything moved. `lookahead` may be used to promise more than the
  /// rings say: a promise of lookahead.arrival_bound(c) may be sent on channel c once lookahead.sent(c) records of it
  /// have been sent. An error ends the run and names the peer.
  virtual absl::StatusOr<bool> poll(const Lookahead& lookahead) = 0;

  /// True if what is awaited comes through the kernel, so that blocking in wait() is cheaper than polling.
  virtual bool waits_in_kernel() const = 0;

  /// Waits, at most this long, until something may have arrived from outside. Called when the process has nothing else
  /// to do.
  virtual void wait(std::chrono::nanoseconds at_most) = 0;
};

}  // namespace fabrictwin::engine
