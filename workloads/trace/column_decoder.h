// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Columns to events, one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fabrictwin/v1/trace.pb.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// Checks that `event`, event of a trace of `ranks` ranks, makes sense: valid action and datatypes, ranks that exist,
/// tag and duration not negative, no message above kMaxMessageBytes, as many counts as ranks
/// (as members at most, where the communicator is not the world), members of a communicator once each. InvalidArgument
/// with the reason.
absl::Status check_event(const TraceEvent& event, uint32_t ranks);

/// Reads the events of one block out of its columns, whatever they hold. Not thread-safe.
class ColumnDecoder {
 public:
  /// An empty block.
  ColumnDecoder() = default;
  /// A block of `events` events of a trace of `ranks` ranks.
  ColumnDecoder(v1::TraceColumns columns, uint32_t events, uint32_t ranks);

  /// Events not read yet.
  uint32_t remaining() const { return events_ - next_; }

  /// Puts the next event into `event`, whose former content does not matter; only while remaining() > 0. DataLoss with
  /// the reason (no file, rank or event) if the columns do not hold a sound one, and, with the last event, if they hold
  /// more than the events need.
  absl::Status next(TraceEvent& event);

 private:
  static absl::Status get_varint(const std::string& column, size_t& position, std::string_view what, uint64_t& value) {
    // Nearly all of them are of one byte.
    if (position < column.size() && static_cast<uint8_t>(column[position]) < 0x80) {
      value = static_cast<uint8_t>(column[position++]);
      return absl::OkStatus();
    }
    return get_long_varint(column, position, what, value);
  }
  static absl::Status get_long_varint(const std::string& column, size_t& position, std::string_view what,
                                      uint64_t& value);
  absl::Status get_signed(const std::string& column, size_t& position, std::string_view what, int32_t& value) const;
  absl::Status get_counts(CountForm form, bool world, uint64_t& one, std::vector<uint64_t>& each);
  absl::Status get_datatype(v1::TraceDatatype& datatype);
  absl::Status get_duration(Time& duration);
  absl::Status get_event(TraceEvent& event);
  absl::Status check_end() const;

  v1::TraceColumns columns_;
  uint32_t events_ = 0;
  uint32_t ranks_ = 0;
  uint32_t next_ = 0;
  size_t peer_ = 0;  ///< Positions in the columns.
  size_t tag_ = 0;
  size_t count_ = 0;
  size_t datatype_ = 0;
  size_t duration_ = 0;
  size_t communicator_ = 0;
};

}  // namespace fabrictwin
