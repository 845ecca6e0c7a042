// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes trace files.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "workloads/trace/format/column_encoder.h"
#include "workloads/trace/format/event.h"
#include "workloads/trace/format/info.h"
#include "workloads/trace/format/rank_summary.h"

namespace fabrictwin::trace::format {

/// Writes a trace, with ranks in any order, holding at most one block for each rank in memory. The file appears under
/// its name only when finish() has succeeded. Not thread-safe.
class Writer {
 public:
  /// Begins the file `path`. InvalidArgument if there are no ranks or too many, FailedPrecondition if the file cannot
  /// be written.
  static absl::StatusOr<std::unique_ptr<Writer>> create(const std::string& path, const Info& info);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Adds the next event of a rank. InvalidArgument "PATH: rank R, event E: reason" if it is not well formed.
  absl::Status append(uint32_t rank, const Event& event);
  /// Writes out a rank's last events and frees their memory; useful when the rank is complete.
  absl::Status flush(uint32_t rank);
  /// Writes the index and renames the file. Nothing may be called after it.
  absl::Status finish();

 private:
  struct RankState {
    ColumnEncoder encoder;
    RankSummary summary;
    uint64_t flushed = 0;  ///< Events written in blocks.
  };

  Writer(std::string path, const Info& info);
  absl::Status begin(const Info& info);
  absl::Status write(std::string_view bytes);
  absl::Status write_chunk(const std::string& message, uint32_t& bytes);

  std::string path_;
  std::string target_path_;  ///< `path_`, or the target if it is a link.
  std::string part_path_;
  std::ofstream file_;
  uint64_t offset_ = 0;
  std::vector<RankState> ranks_;
};

}  // namespace fabrictwin::trace::format
