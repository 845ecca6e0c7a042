// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the part of a recording that one rank wrote.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "workloads/recorder/part_format.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::recorder {

/// The events that a recorder wrote, in order. Everything is checked: a part may be of a process that was killed, or no
/// part at all. Not thread-safe.
class PartReader {
 public:
  /// Opens the file. NotFound if it does not exist, InvalidArgument "PATH: reason" if it is not a part.
  static absl::StatusOr<PartReader> open(const std::string& path);
  PartReader(PartReader&& other) noexcept;
  PartReader& operator=(PartReader&&) = delete;
  ~PartReader();

  const recorder::PartHeader& header() const { return header_; }
  /// Texts of the header.
  std::string application() const { return text(header_.application); }
  std::string library() const { return text(header_.library); }
  std::string reason() const { return text(header_.reason); }
  std::string remark() const { return text(header_.remark); }

  /// Reads the next event into `event`; false at the end. InvalidArgument "PATH: event E: reason" if it is invalid.
  absl::StatusOr<bool> next(trace::format::Event& event);
  uint64_t events() const { return events_; }  ///< Number of events read.

 private:
  PartReader() = default;
  template <size_t kSize>
  static std::string text(const char (&field)[kSize]) {
    const std::string_view all(field, kSize);
    return std::string(all.substr(0, all.find('\0')));
  }
  absl::Status error(std::string_view reason) const;
  bool get_byte(uint8_t& value);
  bool get_number(uint64_t& value);
  bool get_signed(int32_t& value);
  bool get_counts(trace::format::CountForm form, bool world, uint64_t& one, std::vector<uint64_t>& each);
  bool get_datatype(v1::TraceDatatype& datatype);
  bool get_duration(Time& duration);
  bool get_values(trace::format::Event& event);

  std::string path_;
  recorder::PartHeader header_{};
  void* memory_ = nullptr;
  size_t size_ = 0;
  const uint8_t* next_ = nullptr;
  const uint8_t* end_ = nullptr;
  uint64_t events_ = 0;
};

}  // namespace fabrictwin::recorder
