// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the communication of two traces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::trace::tools {

/// The differences in communication: all events except computations, without durations.
struct TraceDifference {
  uint64_t ranks = 0;             ///< Ranks of the first trace.
  uint64_t equal_ranks = 0;       ///< Ranks whose events are all equal.
  uint64_t events = 0;            ///< Events of the first trace, without computations.
  uint64_t other_events = 0;      ///< Events of the second trace, without computations.
  uint64_t differing_events = 0;  ///< Events at the same index of both that differ, plus those of the longer one only.
  uint64_t sent_bytes = 0;        ///< In point-to-point messages of the first trace.
  uint64_t other_sent_bytes = 0;  ///< In point-to-point messages of the second trace.
  uint64_t same_shape_ranks = 0;  ///< Ranks whose events are equal except for counts of elements.
  /// The first difference of each differing rank, at most kMaxDifferences.
  std::vector<std::string> first_differences;

  bool equal() const { return differing_events == 0; }
};

inline constexpr size_t kMaxDifferences = 10;

/// Compares event by event, ignoring computations and durations. InvalidArgument if the traces do not have the same
/// number of ranks; other errors are those of the sources.
absl::StatusOr<TraceDifference> compare_traces(const format::Source& one, const format::Source& other);

/// A hash over everything but computations and durations in the events of one rank. Equal streams have equal hashes on
/// every machine.
absl::StatusOr<uint64_t> communication_hash(format::EventSource& events);

/// An event as text for users: "irecv peer 3 tag 99 count 256 double".
std::string event_text(const format::Event& event);

}  // namespace fabrictwin::trace::tools
