// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads trace files: the header and the index at once, events rank by rank and block by block.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fabrictwin/v1/trace.pb.h"
#include "workloads/trace/byte_source.h"
#include "workloads/trace/column_decoder.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// A block's place in the file.
struct BlockRef {
  uint64_t offset = 0;
  uint32_t bytes = 0;
  uint32_t events = 0;
};

/// What the index says of one rank. It is believed only for checks before a run: cursors check what they read.
struct RankFacts {
  uint64_t events = 0;
  std::vector<BlockRef> blocks;
  std::vector<v1::ActionSummary> actions;
  std::vector<v1::PeerSummary> peers;
  uint64_t wildcard_receives = 0;
  uint64_t collectives_hash = 0;

  /// Number of events with `action`.
  uint64_t count(v1::TraceAction action) const;
};

/// An open trace. Memory stays bounded whatever the file claims: the index is held whole, events are not. Immutable;
/// thread-safe.
class TraceReader : public std::enable_shared_from_this<TraceReader> {
 public:
  /// Opens a file. NotFound, FailedPrecondition if it cannot be opened; DataLoss "FILE: reason" if it is not a sound
  /// trace file of this version.
  static absl::StatusOr<std::shared_ptr<const TraceReader>> open(const std::string& path);
  /// The same for any source.
  static absl::StatusOr<std::shared_ptr<const TraceReader>> open(std::unique_ptr<ByteSource> source);

  const std::string& name() const { return source_->name(); }
  uint64_t file_bytes() const { return source_->size(); }
  const v1::TraceHeader& header() const { return header_; }
  uint32_t ranks() const { return header_.ranks(); }
  const RankFacts& rank(uint32_t rank) const { return facts_[rank]; }
  uint64_t events() const;

 private:
  friend class RankCursor;
  explicit TraceReader(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}
  absl::Status load();
  absl::Status load_header(uint64_t& end);
  absl::Status load_index(uint64_t header_end);
  absl::Status parse_index(const std::string& index, uint64_t header_end, uint64_t index_offset);
  absl::Status error(std::string_view reason) const;

  /// Reads block `block` of `rank`; DataLoss with the reason (no file, rank or event).
  absl::StatusOr<ColumnDecoder> read_block(uint32_t rank, size_t block, uint64_t first_event) const;

  std::unique_ptr<ByteSource> source_;
  v1::TraceHeader header_;
  std::vector<RankFacts> facts_;
};

/// Reads the events of one rank in order, holding one block. Keeps its reader alive. Not thread-safe; cursors are
/// independent of each other.
class RankCursor {
 public:
  /// `rank` must exist.
  RankCursor(std::shared_ptr<const TraceReader> reader, uint32_t rank);

  uint32_t rank() const { return rank_; }
  /// The number of the event that next() gives next.
  uint64_t event() const { return event_; }
  uint64_t events() const { return reader_->rank(rank_).events; }

  /// The next event, or nothing at the end. DataLoss "FILE: rank R, event E: reason"; once failed, it fails again.
  absl::StatusOr<std::optional<TraceEvent>> next();
  /// Reads the block of the next event, as next() would, which then only takes the event from it. Errors are those of
  /// next().
  absl::Status load();
  /// The same into `event`, whose former content does not matter; false at the end. Faster.
  absl::StatusOr<bool> next(TraceEvent& event);

 private:
  absl::Status fail(const absl::Status& status);

  ColumnDecoder decoder_;
  uint64_t event_ = 0;
  absl::Status failure_;
  std::shared_ptr<const TraceReader> reader_;
  uint32_t rank_;
  size_t block_ = 0;
};

}  // namespace fabrictwin
