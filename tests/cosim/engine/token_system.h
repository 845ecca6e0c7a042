// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A small system for tests of the engine: partitions that pass tokens around, whose history shows every difference in
// order or time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/engine/executor.h"
#include "cosim/engine/sync_table.h"
#include "tests/cosim/link/ring_memory.h"

namespace fabrictwin {

struct TokenChannel {
  int32_t source = 0;
  int32_t target = 0;
  Time latency;
};

/// What a token system looks like and does; the same options give the same histories.
struct TokenOptions {
  int32_t partitions = 2;
  std::vector<TokenChannel> channels;
  uint64_t seed = 1;
  int32_t tokens_each = 3;                 ///< Tokens that each partition starts with.
  int32_t hops = 20;                       ///< After so many hops a token dies.
  Time longest_pause = Time::from_us(50);  ///< A token rests up to this long, usually much shorter.
  uint32_t ring_slots = 64;
  bool promises = true;  ///< As records; otherwise in the sync table.
  /// With work in the background, by partition: its foreground work is over with so many arrivals. Empty: no such work.
  std::vector<uint64_t> foreground;
  bool endless = false;  ///< Tokens never die.
  bool waits = false;    ///< Foreground work that is not over claims to wait.
};

/// Builds the system, runs it and returns the history of each partition as a hash of all (time, token) arrivals in
/// order.
class TokenSystem {
 public:
  explicit TokenSystem(TokenOptions options);
  ~TokenSystem();
  absl::Status run(engine::ExecutorOptions options, std::stop_token stop = {});
  std::vector<uint64_t> histories() const;
  /// By partition: when all of its foreground work was over; Time::never() if it is not.
  std::vector<Time> foreground_ends() const;
  std::vector<Time> times() const;
  engine::Executor& executor() { return *executor_; }
  uint64_t steps() const;

 private:
  class TokenPartition;
  TokenOptions options_;
  std::vector<std::byte> table_memory_;
  std::unique_ptr<engine::SyncTable> table_;
  std::vector<std::unique_ptr<TestRing>> rings_;
  std::vector<std::unique_ptr<link::ChannelSender>> senders_;
  std::vector<std::unique_ptr<link::ChannelReceiver>> receivers_;
  std::vector<std::unique_ptr<TokenPartition>> partitions_;
  std::vector<engine::LocalPartition> local_;
  link::Doorbell doorbell_;
  std::unique_ptr<engine::Executor> executor_;
};

}  // namespace fabrictwin
