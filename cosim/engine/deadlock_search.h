// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds out that all foreground work waits for ever while work in the background goes on.
#pragma once

#include <vector>

#include "cosim/engine/foreground.h"
#include "cosim/engine/sync_table.h"

namespace fabrictwin::engine {

/// Looks at the foreground work of all partitions, whose rows are of different moments. Two looks one after the other
/// that see the same, with all work waiting or over and as many messages received as sent, show that between them no
/// message was on its way and nothing moved (F. Mattern, "Algorithms for distributed termination detection", 1987, the
/// four-counter method). Used by one thread.
class DeadlockSearch {
 public:
  /// `table` outlives it.
  explicit DeadlockSearch(const SyncTable& table) : table_(table) {}

  /// Looks once more. True if some foreground work waits, and all of it that is not over waits for ever.
  bool look();

 private:
  /// Reads all rows; whether there may be a deadlock.
  bool read();

  const SyncTable& table_;
  PartitionSnapshot row_;
  std::vector<Foreground> now_;     ///< By partition.
  std::vector<Foreground> before_;  ///< At the last look, empty if that was not of a deadlock.
};

}  // namespace fabrictwin::engine
