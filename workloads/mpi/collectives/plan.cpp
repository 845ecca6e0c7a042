// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/collectives/plan.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "workloads/mpi/collectives/algorithms.h"

namespace fabrictwin::mpi::collectives {
namespace {

std::vector<uint64_t> bytes_of(std::vector<uint64_t> counts, v1::TraceDatatype datatype) {
  for (uint64_t& count : counts) count *= trace::format::datatype_bytes(datatype);
  return counts;
}

void plan_bcast(OpList& list, const trace::format::Event& event) {
  const uint64_t bytes = trace::format::event_bytes(event);
  if (bytes == 0) return;
  if (bytes < kBcastShort || list.ranks < kBcastMinRanks) {
    bcast_binomial(list, event.peer, bytes);
  } else if (bytes < kBcastLong && is_power_of_two(list.ranks)) {
    bcast_scatter_doubling_allgather(list, event.peer, bytes);
  } else {
    bcast_scatter_ring_allgather(list, event.peer, bytes);
  }
}

void plan_reduce(OpList& list, const trace::format::Event& event) {
  const uint64_t bytes = trace::format::event_bytes(event);
  if (bytes == 0) return;
  if (bytes > kReduceShort && event.count >= static_cast<uint64_t>(floor_power_of_two(list.ranks))) {
    reduce_scatter_gather(list, event.peer, event.count, trace::format::datatype_bytes(event.datatype));
  } else {
    reduce_binomial(list, event.peer, bytes);
  }
}

void plan_allreduce(OpList& list, const trace::format::Event& event) {
  const uint64_t bytes = trace::format::event_bytes(event);
  if (bytes == 0) return;
  if (bytes > kAllreduceShort && event.count >= static_cast<uint64_t>(floor_power_of_two(list.ranks))) {
    allreduce_scatter_allgather(list, event.count, trace::format::datatype_bytes(event.datatype));
  } else {
    allreduce_recursive_doubling(list, bytes);
  }
}

void plan_allgather(OpList& list, const trace::format::Event& event) {
  const uint64_t bytes = trace::format::event_receive_bytes(event);
  if (bytes == 0) return;
  const uint64_t total = bytes * static_cast<uint64_t>(list.ranks);
  if (total < kAllgatherLong && is_power_of_two(list.ranks)) {
    allgather_recursive_doubling(list, bytes);
  } else if (total < kAllgatherShort) {
    allgather_bruck(list, bytes);
  } else {
    allgather_ring(list, bytes);
  }
}

void plan_alltoall(OpList& list, const trace::format::Event& event) {
  const uint64_t bytes = trace::format::event_receive_bytes(event);
  if (bytes == 0) return;
  if (bytes <= kAlltoallShort && list.ranks >= kAlltoallMinRanks) {
    alltoall_bruck(list, bytes);
  } else if (bytes <= kAlltoallMedium) {
    alltoall_scattered(list, bytes);
  } else {
    alltoall_pairwise(list, bytes);
  }
}

void plan_alltoallv(OpList& list, const trace::format::Event& event) {
  alltoallv_scattered(list, bytes_of(event.send_counts, event.datatype),
                      bytes_of(event.receive_counts, event.receive_datatype));
}

void plan_allgatherv(OpList& list, const trace::format::Event& event) {
  const std::vector<uint64_t> bytes = bytes_of(event.receive_counts, event.receive_datatype);
  const uint64_t total = std::accumulate(bytes.begin(), bytes.end(), uint64_t{0});
  if (total == 0) return;
  if (total < kAllgatherLong && is_power_of_two(list.ranks)) {
    allgatherv_recursive_doubling(list, bytes);
  } else if (total < kAllgatherShort) {
    allgatherv_bruck(list, bytes);
  } else {
    const uint64_t element = trace::format::datatype_bytes(event.receive_datatype);
    const uint64_t least = *std::min_element(bytes.begin(), bytes.end());
    allgatherv_ring(list, bytes, std::max(least, kAllgathervPipeline / element * element));
  }
}

// The root knows what it receives of each, the others what they send.
void plan_gather(OpList& list, const trace::format::Event& event) {
  const uint64_t bytes =
      list.rank == event.peer ? trace::format::event_receive_bytes(event) : trace::format::event_bytes(event);
  if (bytes > 0) gather_binomial(list, event.peer, bytes);
}

void plan_scatter(OpList& list, const trace::format::Event& event) {
  const uint64_t bytes =
      list.rank == event.peer ? trace::format::event_bytes(event) : trace::format::event_receive_bytes(event);
  if (bytes > 0) scatter_binomial(list, event.peer, bytes);
}

void plan_reduce_scatter(OpList& list, const trace::format::Event& event) {
  const std::vector<uint64_t> bytes = bytes_of(event.send_counts, event.datatype);
  const uint64_t total = std::accumulate(bytes.begin(), bytes.end(), uint64_t{0});
  if (total == 0) return;
  if (total < kReduceScatterLong) {
    reduce_scatter_halving(list, bytes);
  } else {
    reduce_scatter_pairwise(list, bytes);
  }
}

}  // namespace

void plan_collective(const trace::format::Event& event, int32_t rank, int32_t ranks, std::vector<CollectiveOp>& ops) {
  if (ranks == 1) return;
  OpList list(rank, ranks, ops);
  switch (trace::format::blocking_action(event.action)) {
    case v1::BARRIER:
      return barrier_dissemination(list);
    case v1::BCAST:
      return plan_bcast(list, event);
    case v1::REDUCE:
      return plan_reduce(list, event);
    case v1::ALLREDUCE:
      return plan_allreduce(list, event);
    case v1::SCAN:
    case v1::EXSCAN:
      return trace::format::event_bytes(event) > 0 ? scan_recursive_doubling(list, trace::format::event_bytes(event))
                                                   : void();
    case v1::ALLGATHER:
      return plan_allgather(list, event);
    case v1::ALLTOALL:
      return plan_alltoall(list, event);
    case v1::ALLTOALLV:
      return plan_alltoallv(list, event);
    case v1::ALLGATHERV:
      return plan_allgatherv(list, event);
    case v1::GATHER:
      return plan_gather(list, event);
    case v1::GATHERV:
      return gatherv_linear(list, event.peer, trace::format::event_bytes(event),
                            bytes_of(event.receive_counts, event.receive_datatype));
    case v1::SCATTER:
      return plan_scatter(list, event);
    case v1::SCATTERV:
      return scatterv_linear(list, event.peer, bytes_of(event.send_counts, event.datatype),
                             trace::format::event_receive_bytes(event));
    case v1::REDUCE_SCATTER:
      return plan_reduce_scatter(list, event);
    default:
      return;
  }
}

void plan_collective(const trace::format::Event& event, const trace::format::Communicator& communicator,
                     std::vector<CollectiveOp>& ops) {
  const std::optional<int32_t> root =
      trace::format::action_shape(event.action).peers == 1 ? communicator.number_of(event.peer) : std::nullopt;
  if (!root.has_value() || *root == event.peer)
    return plan_collective(event, communicator.self(), communicator.size(), ops);
  trace::format::Event numbered = event;
  numbered.peer = *root;
  plan_collective(numbered, communicator.self(), communicator.size(), ops);
}

}  // namespace fabrictwin::mpi::collectives
