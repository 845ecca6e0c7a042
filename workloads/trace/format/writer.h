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
#include "workloads/trace/column_encoder.h"
#include "workloads/trace/rank_summary.h"
#include "workloads/trace/trace_event.h"
#include "workloads/trace/trace_info.h"

namespace fabrictwin {

/// Writes a trace, ranks in any order, keeping at most one block for each rank in memory. The file appears under its
/// name only when finish() has succeeded. Not thread-safe.
class TraceWriter {
 public:
  /// Begins the file `path`. InvalidArgument if there are no or too many ranks, FailedPrecondition if the file cannot
  /// be written.
  static absl::StatusOr<std::unique_ptr<TraceWriter>> create(const std::string& path, const TraceInfo& info);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// Adds the next event of a rank. InvalidArgument "PATH: rank R, event E: reason" if it is not well formed.
  absl::Status append(uint32_t rank, const TraceEvent& event);
  /// Frees the memory of a rank's last events; useful when the rank is complete.
  absl::Status flush(uint32_t rank);
  /// Writes the index and gives the file its name. Nothing may be called after it.
  absl::Status finish();

 private:
  struct RankState {
    ColumnEncoder encoder;
    RankSummary summary;
    uint64_t flushed = 0;  ///< Events in blocks.
  };

  TraceWriter(std::string path, const TraceInfo& info);
  absl::Status begin(const TraceInfo& info);
  absl::Status write(std::string_view bytes);
  absl::Status write_chunk(const std::string& message, uint32_t& bytes);

  std::string path_;
  std::string target_path_;  ///< `path_`, or what it links to.
  std::string part_path_;
  std::ofstream file_;
  uint64_t offset_ = 0;
  std::vector<RankState> ranks_;
};

}  // namespace fabrictwin
