// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What an executor knows of its partitions and threads; for executor.cpp and executor_looks.cpp only.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/engine/deadlock_search.h"
#include "cosim/engine/executor.h"
#include "cosim/engine/free_advance.h"
#include "cosim/engine/lookahead.h"
#include "cosim/engine/stillness.h"

namespace fabrictwin::engine {

struct Executor::State {
  const LocalPartition* local = nullptr;
  std::atomic<bool> claimed{false};
  std::atomic<bool> wanted{false};  ///< A viewer waits for the partition, which no thread claims meanwhile.
  std::atomic<int64_t> now{0};      ///< A copy of the partition's time that other threads may read.
  Time until;                       ///< The time advanced to; accessed only while the partition is claimed.
  uint64_t records_before = 0;
  std::vector<uint64_t> consumed;
  std::vector<uint64_t> sent;
  PartitionCounters counters;
  Foreground foreground;                 ///< As last published.
  FreeAdvance free_advance;              ///< Without inbound channels.
  Time longest_advance = Time::never();  ///< The longest single advance while the partition is busy.
  /// Partitions whose promises are in the sync table, and what they have promised.
  struct Source {
    int32_t partition = 0;
    Time promised;
  };
  std::vector<Source> sources;
  std::vector<int32_t> source_of;  ///< By receiver: index into `sources`, or -1 if promises come as records.
};

struct Executor::Worker {
  explicit Worker(const SyncTable& table) : lookahead(table), deadlock(table) {}
  int index = 0;
  Lookahead lookahead;
  DeadlockSearch deadlock;
  uint32_t rounds = 0;
  size_t first = 0;  ///< The partition at which this thread begins its rounds.
  int idle_rounds = 0;
  Stillness stillness{std::chrono::steady_clock::now()};
};

}  // namespace fabrictwin::engine
