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

namespace fabrictwin {

/// The rows of some partitions as they are told to a peer: only what is news. Used by one thread at a time.
class RowWriter {
 public:
  /// `table` outlives the writer.
  RowWriter(const SyncTable& table, std::vector<int32_t> partitions);

  /// Adds the rows that differ from what was written before.
  void write(v1::RunResponse& response);

  /// The rows as last read, in the order of the partitions.
  const std::vector<PartitionSnapshot>& rows() const { return told_; }
  /// Reads the rows anew without writing them; true if any differs from what was written.
  bool changed();

 private:
  const SyncTable& table_;
  std::vector<int32_t> partitions_;
  std::vector<PartitionSnapshot> told_;
  std::vector<bool> written_;
  PartitionSnapshot scratch_;
};

/// DataLoss, naming `peer`, unless `row` belongs to one of `partitions`, has as many counts as the partition has
/// channels, and does not go back behind `before` (the row before it; empty vectors at first).
absl::Status check_row(const std::string& peer, const SyncTable& table, const std::vector<int32_t>& partitions,
                       const v1::SyncRow& row, const PartitionSnapshot& before);

/// A row as the engine knows it.
PartitionSnapshot to_snapshot(const v1::SyncRow& row);

}  // namespace fabrictwin
