// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Decodes columns into events, one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fabrictwin/v1/trace.pb.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::format {

/// Checks that `event` of a trace of `ranks` ranks makes sense: valid action and datatypes, ranks that exist, tag and
/// duration not negative, no message above kMaxMessageBytes, as many counts as ranks (at most as many as members if the
/// communicator is not the world), members of a communicator once each. InvalidArgument with the reason.
absl::Status check_event(const Event& event, uint32_t ranks);

/// Decodes the events of one block from its columns, whatever they contain. Not thread-safe.
class ColumnDecoder {
 public:
  /// An empty block.
  ColumnDecoder() = default;
  /// A block of `events` events of a trace of `ranks` ranks.
  ColumnDecoder(v1::TraceColumns columns, uint32_t events, uint32_t ranks);

  /// Events not decoded yet.
  uint32_t remaining() const { return events_ - next_; }

  /// Decodes the next event into `event`, whose former content is ignored; only while remaining() > 0. DataLoss with
  /// the reason (without file, rank and event) if the columns do not contain a valid one, and, with the last event, if
  /// they contain more than the events need.
  absl::Status next(Event& event);

 private:
  /// The rest of a column.
  struct Column {
    Column() = default;
    explicit Column(const std::string& bytes) : at(bytes.data()), end(at + bytes.size()) {}
    size_t size() const { return static_cast<size_t>(end - at); }

    const char* at = nullptr;
    const char* end = nullptr;
  };

  // These functions return false, with the reason in failure_, if the column does not contain the value.
  bool get_varint(Column& column, std::string_view what, uint64_t& value) {
    // Nearly all values take one byte.
    if (column.at != column.end && static_cast<uint8_t>(*column.at) < 0x80) {
      value = static_cast<uint8_t>(*column.at++);
      return true;
    }
    return get_long_varint(column, what, value);
  }
  bool get_long_varint(Column& column, std::string_view what, uint64_t& value);
  bool get_signed(Column& column, std::string_view what, int32_t& value);
  bool get_counts(CountForm form, bool world, uint64_t& one, std::vector<uint64_t>& each);
  bool get_datatype(v1::TraceDatatype& datatype);
  bool get_duration(Time& duration);
  bool get_communicator(uint32_t& communicator);
  bool get_event(Event& event);
  bool at_end() const;
  bool fail(const std::string& reason);

  uint32_t events_ = 0;
  uint32_t ranks_ = 0;
  uint32_t next_ = 0;
  bool world_only_ = true;  ///< There is no column of communicators.
  uint64_t duration_unit_fs_ = 0;
  Column actions_;
  Column peers_;
  Column tags_;
  Column counts_;
  Column datatypes_;
  Column durations_;
  Column communicators_;
  std::unique_ptr<const v1::TraceColumns> columns_;  ///< Owns the bytes of the columns.
  absl::Status failure_;
};

}  // namespace fabrictwin::trace::format
