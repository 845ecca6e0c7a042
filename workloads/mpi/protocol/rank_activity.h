// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a rank did over simulated time, and to whom it sent, for whoever wants to look at it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cosim/base/time.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::mpi::protocol {

/// Follows one rank. Its memory is bounded: messages are added up in cells of a matrix, and when there are too
/// many changes of state, spans of time are given to the states that filled them, in proportion. Nothing of it changes
/// what the rank does. Not thread-safe.
class RankActivity {
 public:
  struct Options {
    int32_t first_rank = 0;    ///< The first rank of the job among all ranks.
    int32_t ranks = 0;         ///< All ranks, of all jobs.
    int32_t cells = 0;         ///< Cells of a row of the matrix; 0: messages are not counted.
    size_t most_segments = 0;  ///< More become half of it; at least 4, or 0: none are kept.
  };
  /// From `begin` until the next segment.
  struct Segment {
    Time begin;
    /// The action whose call the rank is in; COMPUTE also for the arithmetic of other calls.
    v1::TraceAction state = v1::TRACE_ACTION_UNSPECIFIED;
  };
  struct Cell {
    uint64_t bytes = 0;
    uint64_t messages = 0;
  };

  explicit RankActivity(const Options& options);

  /// The rank sends a message to another rank of its job.
  void sent(int32_t peer, uint64_t bytes) {
    if (cells_.empty()) return;
    Cell& cell = cells_[cell_of(options_.first_rank + peer, options_.ranks, options_.cells)];
    cell.bytes += bytes;
    ++cell.messages;
  }
  /// From `now` on, which never decreases, it is in this state; TRACE_ACTION_UNSPECIFIED if it has ended.
  void enter(Time now, v1::TraceAction state);

  /// The row of the matrix.
  const std::vector<Cell>& cells() const { return cells_; }
  const std::vector<Segment>& segments() const { return segments_; }
  /// The present state, and since when.
  const Segment& last() const { return last_; }
  /// Some segments are such spans.
  bool condensed() const { return condensed_; }
  /// The time in each state, by its number, until `end`.
  std::array<Time, trace::format::kActions> times(Time end) const;

  /// The cell of a rank if `ranks` are divided evenly.
  static size_t cell_of(int32_t rank, int32_t ranks, int32_t cells) {
    return static_cast<size_t>(int64_t{rank} * cells / ranks);
  }

 private:
  void condense(Time now);

  Options options_;
  std::vector<Cell> cells_;
  std::vector<Segment> segments_;
  std::array<Time, trace::format::kActions> times_{};
  Segment last_;  ///< The present state.
  bool condensed_ = false;
};

}  // namespace fabrictwin::mpi::protocol
