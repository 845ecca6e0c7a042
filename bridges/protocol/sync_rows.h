// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of the sync table in stream messages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cosim/engine/sync_table.h"
#include "fabrictwin/v1/bridge.pb.h"

namespace fabrictwin::bridges::protocol {

/// Writes the rows of some partitions to messages for a peer, but only those that have changed. Used by one thread at a
/// time.
class RowWriter {
 public:
  /// `table` must outlive the writer.
  RowWriter(const engine::SyncTable& table, std::vector<int32_t> partitions);

  /// Adds the rows that differ from what was written before.
  void write(v1::RunResponse& response);

  /// The rows as last read, in the order of the partitions.
  const std::vector<engine::PartitionSnapshot>& rows() const { return told_; }
  /// Reads the rows again without writing them; true if any differs from what was written.
  bool changed();

 private:
  const engine::SyncTable& table_;
  std::vector<int32_t> partitions_;
  std::vector<engine::PartitionSnapshot> told_;
  std::vector<bool> written_;
  engine::PartitionSnapshot scratch_;
};

/// DataLoss, naming `peer`, unless `row` belongs to one of `partitions`, has as many counts as the partition has
/// channels, and does not go backwards from `before` (the previous row; empty vectors at first).
absl::Status check_row(const std::string& peer, const engine::SyncTable& table, const std::vector<int32_t>& partitions,
                       const v1::SyncRow& row, const engine::PartitionSnapshot& before);

/// Converts a row to the engine's snapshot.
engine::PartitionSnapshot to_snapshot(const v1::SyncRow& row);

}  // namespace fabrictwin::bridges::protocol
