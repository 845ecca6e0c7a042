// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/collective_plan.h"

#include "workloads/mpi/collective_algorithms.h"

namespace fabrictwin {
namespace {

using collectives::floor_power_of_two;
using collectives::is_power_of_two;
using collectives::OpList;

void plan_bcast(OpList& list, const TraceEvent& event) {
  const uint64_t bytes = event_bytes(event);
  if (bytes == 0) return;
  if (bytes < kBcastShort || list.ranks < kBcastMinRanks) {
    collectives::bcast_binomial(list, event.peer, bytes);
  } else if (bytes < kBcastLong && is_power_of_two(list.ranks)) {
    collectives::bcast_scatter_doubling_allgather(list, event.peer, bytes);
  } else {
    collectives::bcast_scatter_ring_allgather(list, event.peer, bytes);
  }
}

void plan_reduce(OpList& list, const TraceEvent& event) {
  const uint64_t bytes = event_bytes(event);
  if (bytes == 0) return;
  if (bytes > kReduceShort && event.count >= static_cast<uint64_t>(floor_power_of_two(list.ranks))) {
    collectives::reduce_scatter_gather(list, event.peer, event.count, datatype_bytes(event.datatype));
  } else {
    collectives::reduce_binomial(list, event.peer, bytes);
  }
}

void plan_allreduce(OpList& list, const TraceEvent& event) {
  const uint64_t bytes = event_bytes(event);
  if (bytes == 0) return;
  if (bytes > kAllreduceShort && event.count >= static_cast<uint64_t>(floor_power_of_two(list.ranks))) {
    collectives::allreduce_scatter_allgather(list, event.count, datatype_bytes(event.datatype));
  } else {
    collectives::allreduce_recursive_doubling(list, bytes);
  }
}

void plan_allgather(OpList& list, const TraceEvent& event) {
  const uint64_t bytes = event_receive_bytes(event);
  if (bytes == 0) return;
  const uint64_t total = bytes * static_cast<uint64_t>(list.ranks);
  if (total < kAllgatherLong && is_power_of_two(list.ranks)) {
    collectives::allgather_recursive_doubling(list, bytes);
  } else if (total < kAllgatherShort) {
    collectives::allgather_bruck(list, bytes);
  } else {
    collectives::allgather_ring(list, bytes);
  }
}

void plan_alltoall(OpList& list, const TraceEvent& event) {
  const uint64_t bytes = event_receive_bytes(event);
  if (bytes == 0) return;
  if (bytes <= kAlltoallShort && list.ranks >= kAlltoallMinRanks) {
    collectives::alltoall_bruck(list, bytes);
  } else if (bytes <= kAlltoallMedium) {
    collectives::alltoall_scattered(list, bytes);
  } else {
    collectives::alltoall_pairwise(list, bytes);
  }
}

void plan_alltoallv(OpList& list, const TraceEvent& event) {
  std::vector<uint64_t> sent = event.send_counts;
  std::vector<uint64_t> received = event.receive_counts;
  for (uint64_t& count : sent) count *= datatype_bytes(event.datatype);
  for (uint64_t& count : received) count *= datatype_bytes(event.receive_datatype);
  collectives::alltoallv_scattered(list, sent, received);
}

}  // namespace

bool can_replay_collective(v1::TraceAction action) {
  switch (action) {
    case v1::BARRIER:
    case v1::BCAST:
    case v1::REDUCE:
    case v1::ALLREDUCE:
    case v1::SCAN:
    case v1::ALLGATHER:
    case v1::ALLTOALL:
    case v1::ALLTOALLV:
      return true;
    default:
      return false;
  }
}

void plan_collective(const TraceEvent& event, int32_t rank, int32_t ranks, std::vector<CollectiveOp>& ops) {
  if (ranks == 1) return;
  OpList list(rank, ranks, ops);
  switch (event.action) {
    case v1::BARRIER:
      return collectives::barrier_dissemination(list);
    case v1::BCAST:
      return plan_bcast(list, event);
    case v1::REDUCE:
      return plan_reduce(list, event);
    case v1::ALLREDUCE:
      return plan_allreduce(list, event);
    case v1::SCAN:
      return event_bytes(event) > 0 ? collectives::scan_recursive_doubling(list, event_bytes(event)) : void();
    case v1::ALLGATHER:
      return plan_allgather(list, event);
    case v1::ALLTOALL:
      return plan_alltoall(list, event);
    case v1::ALLTOALLV:
      return plan_alltoallv(list, event);
    default:
      return;
  }
}

}  // namespace fabrictwin
