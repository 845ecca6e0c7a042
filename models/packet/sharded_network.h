// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A packet network on several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/time.h"
#include "cosim/engine/lock_step.h"
#include "models/packet/packet_network.h"

namespace fabrictwin {

/// The shards of a PacketNetwork, a thread each. Whatever a router does, others hear of it the latency of a link later
/// at the earliest; so all shards simulate a stretch of time that is no longer than that, then each takes what the
/// others have sent to it meanwhile. Nothing depends on which shard is the faster one, nor on how many there are: with
/// one there are neither other threads nor boxes. Used by one thread, which is that of shard 0.
class ShardedNetwork {
 public:
  /// `shard_of` is that of split_network(), `clients` are the hosts of each shard and outlive the network; the client
  /// of `config` is not used. Several shards only where PacketTables::by_owner(). Errors of PacketTables::create().
  static absl::StatusOr<std::unique_ptr<ShardedNetwork>> create(const PacketNetwork::Config& config,
                                                                std::vector<uint8_t> shard_of,
                                                                std::span<PacketClient* const> clients);

  /// For the hosts of a shard. Only shards that do not run may be touched.
  PacketNetwork& shard(size_t index) { return *shards_[index]; }

  /// As those of PacketNetwork.
  Time now() const;
  Time next_time() const;
  void run(int64_t until);
  bool stopped() const { return shards_.size() == 1 ? shards_[0]->stopped() : stopped_; }
  PacketNetwork::Sent sent(int32_t element, int32_t port) const;
  uint64_t packet_hops() const;
  uint64_t packets_in_flight() const;
  /// The earliest of all shards; or that one of them threw an exception, of which the element is its first router.
  EarliestFailure failure() const;
  bool failed() const;

 private:
  /// What a thread leaves for the decision.
  struct alignas(64) State {
    bool over = false;  ///< The client says that there is nothing left.
  };

  ShardedNetwork(const PacketNetwork::Config& config, const std::shared_ptr<PacketTables>& tables,
                 std::span<PacketClient* const> clients);
  void work(size_t index);
  /// A shard is in no state to go on.
  void fail(const LockStep::Failure& failure);
  /// What the others had put into their boxes for a shard before the last turn, all of it from `begin` on.
  void take_boxes(size_t index, int64_t begin);
  bool decide();
  int64_t next() const;

  std::shared_ptr<PacketTables> tables_;
  std::vector<PacketClient*> clients_;
  std::vector<std::unique_ptr<PacketNetwork>> shards_;
  std::vector<State> states_;
  int64_t until_ = 0;                     ///< Of run().
  int64_t begin_ = 0;                     ///< The end of the step before the present one.
  int64_t end_ = 0;                       ///< Of the present step.
  int64_t stop_at_ = EventQueue::kNever;  ///< The end of the stretch in which the last host has finished.
  bool stopped_ = false;
  EarliestFailure broken_;  ///< An exception, which comes before all failures of packets or hosts.
  LockStep team_;
};

}  // namespace fabrictwin
