// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Do two traces communicate the same?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

/// What communicates in a comparison: all events but computations, without durations.
struct TraceDifference {
  uint64_t ranks = 0;               ///< Ranks of the first trace.
  uint64_t equal_ranks = 0;         ///< Ranks whose events are the same one for one.
  uint64_t events = 0;              ///< Events of the first trace, without computations.
  uint64_t other_events = 0;        ///< Of the second.
  uint64_t differing_events = 0;    ///< Events at the same place of both that differ, and those of the longer one only.
  uint64_t sent_bytes = 0;          ///< In point-to-point messages of the first trace.
  uint64_t other_sent_bytes = 0;    ///< Of the second.
  uint64_t same_shape_ranks = 0;    ///< Ranks whose events are the same but for counts of elements.
  std::vector<std::string> places;  ///< The first difference of each differing rank, at most kMaxDifferences.

  bool equal() const { return differing_events == 0; }
};

inline constexpr size_t kMaxDifferences = 10;

/// Compares event by event, ignoring computations and durations. InvalidArgument if the traces do not have the same
/// number of ranks; other errors are those of the sources.
absl::StatusOr<TraceDifference> compare_traces(const TraceSource& one, const TraceSource& other);

/// A hash over everything but computations and durations in the events of one rank. Equal streams have equal hashes, on
/// every machine.
absl::StatusOr<uint64_t> communication_hash(EventSource& events);

/// "irecv peer 3 tag 99 count 256 double": an event for people.
std::string event_text(const TraceEvent& event);

}  // namespace fabrictwin
