// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives, those that block and those that do not.
#include "workloads/recorder/collective_events.h"

using namespace fabrictwin::recorder;  // NOLINT(google-build-using-namespace): MPI's functions are in no namespace

namespace {

CollectiveSide one(MPI_Count count, MPI_Datatype type) { return {.count = count, .type = type}; }
CollectiveSide each(const int* counts, MPI_Datatype type) { return {.type = type, .counts = counts, .each = true}; }
CollectiveSide each_typed(const int* counts, const MPI_Datatype* types) {
  return {.counts = counts, .types = types, .each = true};
}
bool in_place(const void* buffer) { return buffer == MPI_IN_PLACE; }

// Each of these takes what MPI defines of the arguments: those of the root only, or not those of a buffer in place.

uint64_t all(const Call& call, Action action, MPI_Comm comm, const void* buffer, CollectiveSide sent,
             CollectiveSide received) {
  return call ? record_all(*call, action, comm, in_place(buffer) ? received : sent, received) : 0;
}

uint64_t allgatherv(const Call& call, Action action, MPI_Comm comm, const void* buffer, CollectiveSide sent,
                    const int* counts, MPI_Datatype type) {
  if (!call) return 0;
  const int rank = rank_in(*call, comm);
  return record_all(*call, action, comm, in_place(buffer) ? one(counts[rank], type) : sent, each(counts, type));
}

uint64_t gather(const Call& call, Action action, MPI_Comm comm, int root, const void* buffer, CollectiveSide sent,
                CollectiveSide received) {
  if (!call) return 0;
  const bool is_root = rank_in(*call, comm) == root;
  return record_rooted(*call, action, comm, root, is_root && in_place(buffer) ? received : sent,
                       is_root ? received : sent);
}

uint64_t gatherv(const Call& call, Action action, MPI_Comm comm, int root, const void* buffer, CollectiveSide sent,
                 const int* counts, MPI_Datatype type) {
  if (!call) return 0;
  if (rank_in(*call, comm) != root)
    return record_rooted(*call, action, comm, root, sent, each(nullptr, MPI_DATATYPE_NULL));
  return record_rooted(*call, action, comm, root, in_place(buffer) ? one(counts[root], type) : sent,
                       each(counts, type));
}

uint64_t scatter(const Call& call, Action action, MPI_Comm comm, int root, CollectiveSide sent, const void* buffer,
                 CollectiveSide received) {
  if (!call) return 0;
  const bool is_root = rank_in(*call, comm) == root;
  return record_rooted(*call, action, comm, root, is_root ? sent : received,
                       is_root && in_place(buffer) ? sent : received);
}

uint64_t scatterv(const Call& call, Action action, MPI_Comm comm, int root, const int* counts, MPI_Datatype type,
                  const void* buffer, CollectiveSide received) {
  if (!call) return 0;
  if (rank_in(*call, comm) != root) {
    return record_rooted(*call, action, comm, root, each(nullptr, MPI_DATATYPE_NULL), received);
  }
  return record_rooted(*call, action, comm, root, each(counts, type),
                       in_place(buffer) ? one(counts[root], type) : received);
}

uint64_t reduce_scatter(const Call& call, Action action, MPI_Comm comm, const int* counts, MPI_Datatype type) {
  return call ? record_reduction(*call, action, comm, each(counts, type)) : 0;
}

// The same count for each.
uint64_t reduce_scatter_block(const Call& call, Action action, MPI_Comm comm, int count, MPI_Datatype type) {
  if (!call) return 0;
  const std::vector<int> counts(static_cast<size_t>(members_of(*call, comm)), count);
  return record_reduction(*call, action, comm, each(counts.data(), type));
}

}  // namespace

extern "C" {

int MPI_Barrier(MPI_Comm comm) {
  const Call call("MPI_Barrier");
  if (call) record_barrier(*call, Action::kBarrier, comm);
  return call.leave(PMPI_Barrier(comm));
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Ibarrier");
  const uint64_t start = call ? record_barrier(*call, Action::kIbarrier, comm) : 0;
  return call.leave(PMPI_Ibarrier(comm, request), request, start);
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const Call call("MPI_Bcast");
  if (call) record_bcast(*call, Action::kBcast, comm, root, one(count, type));
  return call.leave(PMPI_Bcast(buffer, count, type, root, comm));
}

int MPI_Ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Ibcast");
  const uint64_t start = call ? record_bcast(*call, Action::kIbcast, comm, root, one(count, type)) : 0;
  return call.leave(PMPI_Ibcast(buffer, count, type, root, comm, request), request, start);
}

int MPI_Reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  const Call call("MPI_Reduce");
  if (call) record_reduce(*call, Action::kReduce, comm, root, one(count, type));
  return call.leave(PMPI_Reduce(send, receive, count, type, op, root, comm));
}

int MPI_Ireduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                MPI_Request* request) {
  const Call call("MPI_Ireduce");
  const uint64_t start = call ? record_reduce(*call, Action::kIreduce, comm, root, one(count, type)) : 0;
  return call.leave(PMPI_Ireduce(send, receive, count, type, op, root, comm, request), request, start);
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const Call call("MPI_Allreduce");
  if (call) record_reduction(*call, Action::kAllreduce, comm, one(count, type));
  return call.leave(PMPI_Allreduce(send, receive, count, type, op, comm));
}

int MPI_Iallreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  const Call call("MPI_Iallreduce");
  const uint64_t start = call ? record_reduction(*call, Action::kIallreduce, comm, one(count, type)) : 0;
  return call.leave(PMPI_Iallreduce(send, receive, count, type, op, comm, request), request, start);
}

int MPI_Scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const Call call("MPI_Scan");
  if (call) record_reduction(*call, Action::kScan, comm, one(count, type));
  return call.leave(PMPI_Scan(send, receive, count, type, op, comm));
}

int MPI_Iscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
              MPI_Request* request) {
  const Call call("MPI_Iscan");
  const uint64_t start = call ? record_reduction(*call, Action::kIscan, comm, one(count, type)) : 0;
  return call.leave(PMPI_Iscan(send, receive, count, type, op, comm, request), request, start);
}

int MPI_Exscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const Call call("MPI_Exscan");
  if (call) record_reduction(*call, Action::kExscan, comm, one(count, type));
  return call.leave(PMPI_Exscan(send, receive, count, type, op, comm));
}

int MPI_Iexscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) {
  const Call call("MPI_Iexscan");
  const uint64_t start = call ? record_reduction(*call, Action::kIexscan, comm, one(count, type)) : 0;
  return call.leave(PMPI_Iexscan(send, receive, count, type, op, comm, request), request, start);
}

int MPI_Allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm) {
  const Call call("MPI_Allgather");
  all(call, Action::kAllgather, comm, send, one(send_count, send_type), one(receive_count, receive_type));
  return call.leave(PMPI_Allgather(send, send_count, send_type, receive, receive_count, receive_type, comm));
}

int MPI_Iallgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                   MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Iallgather");
  const uint64_t start =
      all(call, Action::kIallgather, comm, send, one(send_count, send_type), one(receive_count, receive_type));
  return call.leave(PMPI_Iallgather(send, send_count, send_type, receive, receive_count, receive_type, comm, request),
                    request, start);
}

int MPI_Allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int receive_counts[],
                   const int receive_places[], MPI_Datatype receive_type, MPI_Comm comm) {
  const Call call("MPI_Allgatherv");
  allgatherv(call, Action::kAllgatherv, comm, send, one(send_count, send_type), receive_counts, receive_type);
  return call.leave(
      PMPI_Allgatherv(send, send_count, send_type, receive, receive_counts, receive_places, receive_type, comm));
}

int MPI_Iallgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int receive_counts[],
                    const int receive_places[], MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Iallgatherv");
  const uint64_t start =
      allgatherv(call, Action::kIallgatherv, comm, send, one(send_count, send_type), receive_counts, receive_type);
  return call.leave(PMPI_Iallgatherv(send, send_count, send_type, receive, receive_counts, receive_places, receive_type,
                                     comm, request),
                    request, start);
}

int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, MPI_Comm comm) {
  const Call call("MPI_Alltoall");
  all(call, Action::kAlltoall, comm, send, one(send_count, send_type), one(receive_count, receive_type));
  return call.leave(PMPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm));
}

int MPI_Ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Ialltoall");
  const uint64_t start =
      all(call, Action::kIalltoall, comm, send, one(send_count, send_type), one(receive_count, receive_type));
  return call.leave(PMPI_Ialltoall(send, send_count, send_type, receive, receive_count, receive_type, comm, request),
                    request, start);
}

int MPI_Alltoallv(const void* send, const int send_counts[], const int send_places[], MPI_Datatype send_type,
                  void* receive, const int receive_counts[], const int receive_places[], MPI_Datatype receive_type,
                  MPI_Comm comm) {
  const Call call("MPI_Alltoallv");
  all(call, Action::kAlltoallv, comm, send, each(send_counts, send_type), each(receive_counts, receive_type));
  return call.leave(PMPI_Alltoallv(send, send_counts, send_places, send_type, receive, receive_counts, receive_places,
                                   receive_type, comm));
}

int MPI_Ialltoallv(const void* send, const int send_counts[], const int send_places[], MPI_Datatype send_type,
                   void* receive, const int receive_counts[], const int receive_places[], MPI_Datatype receive_type,
                   MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Ialltoallv");
  const uint64_t start =
      all(call, Action::kIalltoallv, comm, send, each(send_counts, send_type), each(receive_counts, receive_type));
  return call.leave(PMPI_Ialltoallv(send, send_counts, send_places, send_type, receive, receive_counts, receive_places,
                                    receive_type, comm, request),
                    request, start);
}

int MPI_Alltoallw(const void* send, const int send_counts[], const int send_places[], const MPI_Datatype send_types[],
                  void* receive, const int receive_counts[], const int receive_places[],
                  const MPI_Datatype receive_types[], MPI_Comm comm) {
  const Call call("MPI_Alltoallw");
  all(call, Action::kAlltoallv, comm, send, each_typed(send_counts, send_types),
      each_typed(receive_counts, receive_types));
  return call.leave(PMPI_Alltoallw(send, send_counts, send_places, send_types, receive, receive_counts, receive_places,
                                   receive_types, comm));
}

int MPI_Ialltoallw(const void* send, const int send_counts[], const int send_places[], const MPI_Datatype send_types[],
                   void* receive, const int receive_counts[], const int receive_places[],
                   const MPI_Datatype receive_types[], MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Ialltoallw");
  const uint64_t start = all(call, Action::kIalltoallv, comm, send, each_typed(send_counts, send_types),
                             each_typed(receive_counts, receive_types));
  return call.leave(PMPI_Ialltoallw(send, send_counts, send_places, send_types, receive, receive_counts, receive_places,
                                    receive_types, comm, request),
                    request, start);
}

int MPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
               MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const Call call("MPI_Gather");
  gather(call, Action::kGather, comm, root, send, one(send_count, send_type), one(receive_count, receive_type));
  return call.leave(PMPI_Gather(send, send_count, send_type, receive, receive_count, receive_type, root, comm));
}

int MPI_Igather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Igather");
  const uint64_t start =
      gather(call, Action::kIgather, comm, root, send, one(send_count, send_type), one(receive_count, receive_type));
  return call.leave(
      PMPI_Igather(send, send_count, send_type, receive, receive_count, receive_type, root, comm, request), request,
      start);
}

int MPI_Gatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int receive_counts[],
                const int receive_places[], MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const Call call("MPI_Gatherv");
  gatherv(call, Action::kGatherv, comm, root, send, one(send_count, send_type), receive_counts, receive_type);
  return call.leave(
      PMPI_Gatherv(send, send_count, send_type, receive, receive_counts, receive_places, receive_type, root, comm));
}

int MPI_Igatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int receive_counts[],
                 const int receive_places[], MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Igatherv");
  const uint64_t start =
      gatherv(call, Action::kIgatherv, comm, root, send, one(send_count, send_type), receive_counts, receive_type);
  return call.leave(PMPI_Igatherv(send, send_count, send_type, receive, receive_counts, receive_places, receive_type,
                                  root, comm, request),
                    request, start);
}

int MPI_Scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const Call call("MPI_Scatter");
  scatter(call, Action::kScatter, comm, root, one(send_count, send_type), receive, one(receive_count, receive_type));
  return call.leave(PMPI_Scatter(send, send_count, send_type, receive, receive_count, receive_type, root, comm));
}

int MPI_Iscatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Iscatter");
  const uint64_t start = scatter(call, Action::kIscatter, comm, root, one(send_count, send_type), receive,
                                 one(receive_count, receive_type));
  return call.leave(
      PMPI_Iscatter(send, send_count, send_type, receive, receive_count, receive_type, root, comm, request), request,
      start);
}

int MPI_Scatterv(const void* send, const int send_counts[], const int send_places[], MPI_Datatype send_type,
                 void* receive, int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const Call call("MPI_Scatterv");
  scatterv(call, Action::kScatterv, comm, root, send_counts, send_type, receive, one(receive_count, receive_type));
  return call.leave(
      PMPI_Scatterv(send, send_counts, send_places, send_type, receive, receive_count, receive_type, root, comm));
}

int MPI_Iscatterv(const void* send, const int send_counts[], const int send_places[], MPI_Datatype send_type,
                  void* receive, int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                  MPI_Request* request) {
  const Call call("MPI_Iscatterv");
  const uint64_t start =
      scatterv(call, Action::kIscatterv, comm, root, send_counts, send_type, receive, one(receive_count, receive_type));
  return call.leave(PMPI_Iscatterv(send, send_counts, send_places, send_type, receive, receive_count, receive_type,
                                   root, comm, request),
                    request, start);
}

int MPI_Reduce_scatter(const void* send, void* receive, const int counts[], MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm) {
  const Call call("MPI_Reduce_scatter");
  reduce_scatter(call, Action::kReduceScatter, comm, counts, type);
  return call.leave(PMPI_Reduce_scatter(send, receive, counts, type, op, comm));
}

int MPI_Ireduce_scatter(const void* send, void* receive, const int counts[], MPI_Datatype type, MPI_Op op,
                        MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Ireduce_scatter");
  const uint64_t start = reduce_scatter(call, Action::kIreduceScatter, comm, counts, type);
  return call.leave(PMPI_Ireduce_scatter(send, receive, counts, type, op, comm, request), request, start);
}

int MPI_Reduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const Call call("MPI_Reduce_scatter_block");
  reduce_scatter_block(call, Action::kReduceScatter, comm, count, type);
  return call.leave(PMPI_Reduce_scatter_block(send, receive, count, type, op, comm));
}

int MPI_Ireduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                              MPI_Request* request) {
  const Call call("MPI_Ireduce_scatter_block");
  const uint64_t start = reduce_scatter_block(call, Action::kIreduceScatter, comm, count, type);
  return call.leave(PMPI_Ireduce_scatter_block(send, receive, count, type, op, comm, request), request, start);
}

}  // extern "C"
