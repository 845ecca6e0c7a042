// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the part of a recording of one rank.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "workloads/recorder/part_format.h"

namespace fabrictwin::recorder {

/// A part that is being written. The file is mapped a window at a time, so that memory does not grow; disk space is
/// allocated first, so that a full disk is an error and not a signal. Not thread-safe. Never throws exceptions.
class PartFile {
 public:
  PartFile() = default;
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  /// Creates the file. False, with errno, if that fails.
  bool open(const char* path);
  bool is_open() const { return header_ != nullptr; }
  PartHeader& header() { return *header_; }

  /// Space for an event of up to `bytes` bytes; nullptr, with errno, if there is none (the disk is full).
  uint8_t* reserve(size_t bytes) {
    if (static_cast<size_t>(window_end_ - cursor_) >= bytes) [[likely]]
      return cursor_;
    return move_window(bytes);
  }
  /// The event that ends at `end` is complete; from now on it survives even if the process is killed.
  void commit(uint8_t* end) {
    const auto bytes = static_cast<uint64_t>(end - cursor_);
    cursor_ = end;
    ++header_->events;
    std::atomic_ref(header_->bytes).store(header_->bytes + bytes, std::memory_order_release);
  }
  /// Frees what was allocated beyond the last event. The header stays.
  void trim();

 private:
  uint8_t* move_window(size_t bytes);

  int fd_ = -1;
  PartHeader* header_ = nullptr;
  uint8_t* window_ = nullptr;
  uint8_t* window_end_ = nullptr;
  uint8_t* cursor_ = nullptr;
};

}  // namespace fabrictwin::recorder
