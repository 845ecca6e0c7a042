// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a trace without time, to find what MPI would not let end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::trace::check {

struct MatchCheckOptions {
  /// Blocking sends wait for their receive and all collectives for all ranks, as an MPI library without buffers would
  /// do: this finds deadlocks that depend on the size of messages. Otherwise a send never waits, and a rank waits in a
  /// collective only for data that it needs.
  bool synchronous = false;
};

enum class FaultKind {
  kDeadlock,
  kCollectiveMismatch,
  kTruncation,      ///< A message larger than the receive that takes it.
  kUnmatchedSend,   ///< A message that is never received.
  kUnmatchedRecv,   ///< A receive that never gets a message.
  kWaitForNothing,  ///< A wait without a matching request.
  kNotCompleted,    ///< A receive that no wait completes.
  kCommunicator,    ///< A communicator that does not exist, exists already, or has other members.
};
inline constexpr int kFaultKinds = 8;
/// The most faults of one kind that are listed.
inline constexpr uint64_t kMaxFaultsOfAKind = 20;

/// The description of a fault for users; names ranks, event numbers (from 0, computations included), peers and tags.
struct TraceFault {
  FaultKind kind = FaultKind::kDeadlock;
  std::string text;
};

struct MatchReport {
  uint64_t events = 0;
  uint64_t messages = 0;     ///< Messages received.
  uint64_t collectives = 0;  ///< Collectives that all ranks of their communicator called.
  uint64_t fault_count = 0;  ///< Number of faults, including those that are not listed.
  std::vector<TraceFault> faults;

  bool ok() const { return fault_count == 0; }
};

/// Runs all ranks of `trace` in turn. Receives from any source take the first message in the order in which ranks run
/// here. Memory grows with the ranks and with outstanding requests, not with the length of the trace. Errors are those
/// of the source only.
absl::StatusOr<MatchReport> check_matching(const format::Source& trace, const MatchCheckOptions& options = {});

}  // namespace fabrictwin::trace::check
