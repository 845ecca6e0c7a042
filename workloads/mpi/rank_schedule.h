// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Steps that a rank takes one after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cosim/base/time.h"
#include "workloads/mpi/protocol/replay_step.h"

namespace fabrictwin::mpi {

/// The steps of the rank's current event, or of a collective in the background, and their progress.
struct RankSchedule {
  std::vector<protocol::ReplayStep> steps;
  size_t step = 0;
  Time busy_until;
  std::vector<uint32_t> started;  ///< Requests that kWaitStarted will wait for.
  std::vector<uint32_t> waiting;  ///< Requests to wait for, in this order from `waited` on.
  size_t waited = 0;

  /// A collective in the background: its request, and how many messages it has exchanged with each peer.
  bool background = false;
  uint32_t request = 0;
  absl::flat_hash_map<int32_t, uint32_t> sent;
  absl::flat_hash_map<int32_t, uint32_t> received;

  /// Whether a request must complete before the next step.
  bool waits() const { return waited < waiting.size(); }
  /// Whether the next step is a kProbe, which is tried until it succeeds.
  bool probes(Time now) const {
    return !waits() && busy_until <= now && step < steps.size() &&
           steps[step].kind == protocol::ReplayStep::Kind::kProbe;
  }
};

}  // namespace fabrictwin::mpi
