// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Random access to bytes: a trace file or a trace in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fabrictwin::trace::format {

/// Bytes that can be read at any position. Immutable; thread-safe.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// The name in error messages.
  virtual const std::string& name() const = 0;
  virtual uint64_t size() const = 0;
  /// Reads `count` bytes at `offset`. OutOfRange if there are fewer, Unavailable if they cannot be read.
  virtual absl::StatusOr<std::string> read(uint64_t offset, uint64_t count) const = 0;
};

/// A file. NotFound if it does not exist, FailedPrecondition if it cannot be opened or is not a regular file.
absl::StatusOr<std::unique_ptr<ByteSource>> open_file_source(const std::string& path);

/// Bytes in memory.
std::unique_ptr<ByteSource> make_memory_source(std::string bytes, std::string name);

}  // namespace fabrictwin::trace::format
