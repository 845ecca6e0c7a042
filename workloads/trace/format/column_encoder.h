// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Encodes events into columns, the content of a block of a trace file.
#pragma once

#include <cstdint>
#include <string>

#include "fabrictwin/v1/trace.pb.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::format {

/// Collects events into the columns of a block. Not thread-safe.
class ColumnEncoder {
 public:
  /// `event` must be well formed: a valid action with the number of counts that it needs (see check_event()).
  void add(const Event& event);

  uint32_t events() const { return events_; }
  /// Approximate size of the columns.
  size_t bytes() const { return bytes_; }

  /// Returns the columns and starts an empty block.
  v1::TraceColumns take();

 private:
  void put_counts(CountForm form, bool world, uint64_t one, const std::vector<uint64_t>& each);
  void put_communicator(uint32_t communicator);

  v1::TraceColumns columns_;
  std::vector<int64_t> durations_;  ///< In femtoseconds, until the unit is known.
  uint32_t events_ = 0;
  size_t in_world_ = 0;  ///< Events with a communicator so far, as long as all are of the world.
  size_t bytes_ = 0;
};

}  // namespace fabrictwin::trace::format
