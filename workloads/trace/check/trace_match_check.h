// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a trace without time, to find what MPI would not let end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

struct MatchCheckOptions {
  /// Blocking sends wait for their receive and all collectives for all ranks, as an MPI library without buffers would
  /// do it: finds deadlocks that depend on the size of messages. Without it a send never waits, and a rank waits in a
  /// collective only for data that it needs.
  bool synchronous = false;
};

enum class FaultKind {
  kDeadlock,
  kCollectiveMismatch,
  kTruncation,      ///< A message larger than the receive that takes it.
  kUnmatchedSend,   ///< A message that nobody receives.
  kUnmatchedRecv,   ///< A receive that nothing comes for.
  kWaitForNothing,  ///< A wait without a request that fits.
  kNotCompleted,    ///< A receive that no wait completes.
  kCommunicator,    ///< A communicator that is not there, is there already, or has other members.
};
inline constexpr int kFaultKinds = 8;
/// Of each kind, this many are told.
inline constexpr uint64_t kMaxFaultsOfAKind = 20;

/// What is wrong, for people; names ranks, event numbers (from 0, computations included), peers and tags.
struct TraceFault {
  FaultKind kind = FaultKind::kDeadlock;
  std::string text;
};

struct MatchReport {
  uint64_t events = 0;
  uint64_t messages = 0;     ///< That were received.
  uint64_t collectives = 0;  ///< That all ranks of their communicator called.
  uint64_t fault_count = 0;  ///< Including those that are not told.
  std::vector<TraceFault> faults;

  bool ok() const { return fault_count == 0; }
};

/// Runs all ranks of `trace` in turn. Receives from any source take what comes first in the order in which ranks are
/// run here. Memory grows with the ranks and with what is outstanding, not with the length of the trace. Errors are
/// those of the source only.
absl::StatusOr<MatchReport> check_matching(const TraceSource& trace, const MatchCheckOptions& options = {});

}  // namespace fabrictwin
