// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads trace files: header and index when opened, events rank by rank and block by block.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fabrictwin/v1/trace.pb.h"
#include "workloads/trace/format/byte_source.h"
#include "workloads/trace/format/column_decoder.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::format {

/// The position of a block in the file.
struct BlockRef {
  uint64_t offset = 0;
  uint32_t bytes = 0;
  uint32_t events = 0;
};

/// The index entry of one rank. It is trusted only for checks before a run: cursors check what they read.
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

/// An open trace. Memory stays bounded whatever the file claims: the index is held in memory, events are not.
/// Immutable; thread-safe.
class Reader : public std::enable_shared_from_this<Reader> {
 public:
  /// Opens a file. NotFound or FailedPrecondition if it cannot be opened; DataLoss "FILE: reason" if it is not a valid
  /// trace file of this version.
  static absl::StatusOr<std::shared_ptr<const Reader>> open(const std::string& path);
  /// Opens any source, with the errors of open() for a file.
  static absl::StatusOr<std::shared_ptr<const Reader>> open(std::unique_ptr<ByteSource> source);

  const std::string& name() const { return source_->name(); }
  uint64_t file_bytes() const { return source_->size(); }
  const v1::TraceHeader& header() const { return header_; }
  uint32_t ranks() const { return header_.ranks(); }
  const RankFacts& rank(uint32_t rank) const { return facts_[rank]; }
  uint64_t events() const;

 private:
  friend class RankCursor;
  explicit Reader(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}
  absl::Status load();
  absl::Status load_header(uint64_t& end);
  absl::Status load_index(uint64_t header_end);
  absl::Status parse_index(const std::string& index, uint64_t header_end, uint64_t index_offset);
  absl::Status error(std::string_view reason) const;

  /// Reads block `block` of `rank`; DataLoss with the reason (without file, rank and event).
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
  RankCursor(std::shared_ptr<const Reader> reader, uint32_t rank);

  uint32_t rank() const { return rank_; }
  /// The number of the event that next() returns next.
  uint64_t event() const { return event_; }
  uint64_t events() const { return reader_->rank(rank_).events; }

  /// The next event, or nothing at the end. DataLoss "FILE: rank R, event E: reason"; after a failure every call fails.
  absl::StatusOr<std::optional<Event>> next();
  /// Reads the block of the next event in advance, so that next() only takes the event from it. Errors are those of
  /// next().
  absl::Status load();
  /// Reads the next event into `event`, whose former content is ignored; false at the end. Faster than the other
  /// overload.
  absl::StatusOr<bool> next(Event& event);

 private:
  absl::Status fail(const absl::Status& status);

  ColumnDecoder decoder_;
  uint64_t event_ = 0;
  absl::Status failure_;
  std::shared_ptr<const Reader> reader_;
  uint32_t rank_;
  size_t block_ = 0;
};

}  // namespace fabrictwin::trace::format
