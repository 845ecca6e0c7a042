// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Events to columns: what is inside a block of a trace file.
#pragma once

#include <cstdint>
#include <string>

#include "fabrictwin/v1/trace.pb.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// Collects events into the columns of a block. Not thread-safe.
class ColumnEncoder {
 public:
  /// `event` must be well formed: a valid action with the number of counts that it needs (see check_event()).
  void add(const TraceEvent& event);

  uint32_t events() const { return events_; }
  /// About how large the columns are.
  size_t bytes() const { return bytes_; }

  /// Gives out the columns and begins anew.
  v1::TraceColumns take();

 private:
  void put_counts(CountForm form, bool world, uint64_t one, const std::vector<uint64_t>& each);
  void put_communicator(uint32_t communicator);

  v1::TraceColumns columns_;
  std::vector<int64_t> durations_;  ///< In femtoseconds, until the unit is known.
  uint32_t events_ = 0;
  size_t in_world_ = 0;  ///< Events with a communicator so far, if all are of the world.
  size_t bytes_ = 0;
};

}  // namespace fabrictwin
