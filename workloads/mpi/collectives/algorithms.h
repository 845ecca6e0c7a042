// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The collective algorithms, one function each. Names and structure follow MPICH's sources (src/mpi/coll) to allow
// comparison.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/mpi/collectives/plan.h"

namespace fabrictwin::mpi::collectives {

/// Collects the operations of one rank.
class OpList {
 public:
  OpList(int32_t rank, int32_t ranks, std::vector<CollectiveOp>& ops) : rank(rank), ranks(ranks), ops_(ops) {}

  const int32_t rank;
  const int32_t ranks;

  void start_send(int32_t peer, uint64_t bytes) { ops_.push_back({CollectiveOp::Kind::kSend, peer, bytes}); }
  void start_receive(int32_t peer, uint64_t bytes) { ops_.push_back({CollectiveOp::Kind::kReceive, peer, bytes}); }
  /// Receives what is then reduced into the vector of the rank.
  void start_receive_to_reduce(int32_t peer, uint64_t bytes) {
    ops_.push_back({CollectiveOp::Kind::kReceive, peer, bytes, true});
  }
  void start_synchronous_send(int32_t peer, uint64_t bytes) {
    ops_.push_back({CollectiveOp::Kind::kSynchronousSend, peer, bytes});
  }
  void wait() { ops_.push_back({}); }

  void send(int32_t peer, uint64_t bytes) {
    start_send(peer, bytes);
    wait();
  }
  void receive(int32_t peer, uint64_t bytes) {
    start_receive(peer, bytes);
    wait();
  }
  void receive_to_reduce(int32_t peer, uint64_t bytes) {
    start_receive_to_reduce(peer, bytes);
    wait();
  }
  void exchange(int32_t to, uint64_t sent, int32_t from, uint64_t received) {
    start_receive(from, received);
    start_send(to, sent);
    wait();
  }
  void exchange_to_reduce(int32_t to, uint64_t sent, int32_t from, uint64_t received) {
    start_receive_to_reduce(from, received);
    start_send(to, sent);
    wait();
  }
  /// The rank `distance` after this one, with wrap-around; negative distances go back.
  int32_t neighbour(int32_t distance) const { return ((rank + distance) % ranks + ranks) % ranks; }

 private:
  std::vector<CollectiveOp>& ops_;
};

constexpr bool is_power_of_two(int32_t n) { return (n & (n - 1)) == 0; }
/// The largest power of two that is at most n >= 1.
constexpr int32_t floor_power_of_two(int32_t n) {
  int32_t power = 1;
  while (power <= n / 2) power *= 2;
  return power;
}

void barrier_dissemination(OpList& list);

void bcast_binomial(OpList& list, int32_t root, uint64_t bytes);
void bcast_scatter_doubling_allgather(OpList& list, int32_t root, uint64_t bytes);
void bcast_scatter_ring_allgather(OpList& list, int32_t root, uint64_t bytes);

void reduce_binomial(OpList& list, int32_t root, uint64_t bytes);
/// Rabenseifner: reduce-scatter by recursive halving, then gather to the root. Requires count >=
/// floor_power_of_two(ranks).
void reduce_scatter_gather(OpList& list, int32_t root, uint64_t count, uint64_t element_bytes);
void allreduce_recursive_doubling(OpList& list, uint64_t bytes);
/// Rabenseifner: reduce-scatter by recursive halving, then allgather by recursive doubling. Requires count >=
/// floor_power_of_two(ranks).
void allreduce_scatter_allgather(OpList& list, uint64_t count, uint64_t element_bytes);
void scan_recursive_doubling(OpList& list, uint64_t bytes);
/// `bytes` are by rank.
void reduce_scatter_halving(OpList& list, std::span<const uint64_t> bytes);
void reduce_scatter_pairwise(OpList& list, std::span<const uint64_t> bytes);

void allgather_recursive_doubling(OpList& list, uint64_t bytes);
void allgather_bruck(OpList& list, uint64_t bytes);
void allgather_ring(OpList& list, uint64_t bytes);

/// `bytes` are by rank.
void allgatherv_recursive_doubling(OpList& list, std::span<const uint64_t> bytes);
void allgatherv_bruck(OpList& list, std::span<const uint64_t> bytes);
/// Blocks are sent in pieces of at most `piece` bytes, which is positive.
void allgatherv_ring(OpList& list, std::span<const uint64_t> bytes, uint64_t piece);

/// `bytes` is the size of each rank's block.
void gather_binomial(OpList& list, int32_t root, uint64_t bytes);
void scatter_binomial(OpList& list, int32_t root, uint64_t bytes);
/// `received` is by rank; only the root needs it.
void gatherv_linear(OpList& list, int32_t root, uint64_t sent, std::span<const uint64_t> received);
/// `sent` is by rank; only the root needs it.
void scatterv_linear(OpList& list, int32_t root, std::span<const uint64_t> sent, uint64_t received);

void alltoall_bruck(OpList& list, uint64_t bytes);
void alltoall_scattered(OpList& list, uint64_t bytes);
void alltoall_pairwise(OpList& list, uint64_t bytes);
/// `sent` and `received` are bytes by rank.
void alltoallv_scattered(OpList& list, std::span<const uint64_t> sent, std::span<const uint64_t> received);

}  // namespace fabrictwin::mpi::collectives
