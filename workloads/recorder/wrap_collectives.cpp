// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrappers of blocking and nonblocking collectives.
#include "workloads/recorder/collective_events.h"
#include "workloads/recorder/profiled.h"

using namespace fabrictwin::recorder;  // NOLINT(google-build-using-namespace): MPI's functions are in no namespace

namespace {

CollectiveSide one(MPI_Count count, MPI_Datatype type) { return {.count = count, .type = type}; }
CollectiveSide each(const int* counts, MPI_Datatype type) { return {.type = type, .counts = counts, .each = true}; }
CollectiveSide each(const int* counts, const MPI_Datatype* types) {
  return {.counts = counts, .types = types, .each = true};
}
// Stands for counts that only the root has.
const CollectiveSide kNothing = {.type = MPI_DATATYPE_NULL, .each = true};
bool in_place(const void* buffer) { return buffer == MPI_IN_PLACE; }

// These use only the arguments that MPI defines: those of the root only, or not those of a buffer in place.

uint64_t all(const Call& call, Action action, MPI_Comm comm, const void* buffer, CollectiveSide sent,
             CollectiveSide received) {
  return call ? record_all(*call, action, comm, in_place(buffer) ? received : sent, received) : 0;
}

// These templates wrap calls by the shape of their arguments. A nonblocking call has one more: Request is MPI_Request*.

template <auto kFunction, Name kName, Action kAction, typename... Request>
int barrier(MPI_Comm comm, Request... request) {
  const Call call(kName.text);
  const uint64_t start = call ? record_barrier(*call, kAction, comm) : 0;
  return call.leave(kFunction(comm, request...), start, request...);
}

template <auto kFunction, Name kName, Action kAction, typename... Request>
int bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, Request... request) {
  const Call call(kName.text);
  const uint64_t start = call ? record_bcast(*call, kAction, comm, root, one(count, type)) : 0;
  return call.leave(kFunction(buffer, count, type, root, comm, request...), start, request...);
}

template <auto kFunction, Name kName, Action kAction, typename... Request>
int reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
           Request... request) {
  const Call call(kName.text);
  const uint64_t start = call ? record_reduce(*call, kAction, comm, root, one(count, type)) : 0;
  return call.leave(kFunction(send, receive, count, type, op, root, comm, request...), start, request...);
}

// Wraps allreduce, scan and exscan.
template <auto kFunction, Name kName, Action kAction, typename... Request>
int reduction(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
              Request... request) {
  const Call call(kName.text);
  const uint64_t start = call ? record_reduction(*call, kAction, comm, one(count, type)) : 0;
  return call.leave(kFunction(send, receive, count, type, op, comm, request...), start, request...);
}

template <auto kFunction, Name kName, Action kAction, typename... Request>
int reduce_scatter(const void* send, void* receive, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   Request... request) {
  const Call call(kName.text);
  const uint64_t start = call ? record_reduction(*call, kAction, comm, each(counts, type)) : 0;
  return call.leave(kFunction(send, receive, counts, type, op, comm, request...), start, request...);
}

template <auto kFunction, Name kName, Action kAction, typename... Request>
int reduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                         Request... request) {
  const Call call(kName.text);
  uint64_t start = 0;
  if (call) {
    // Every member has the same count.
    const std::vector<int> counts(static_cast<size_t>(members_of(*call, comm)), count);
    start = record_reduction(*call, kAction, comm, each(counts.data(), type));
  }
  return call.leave(kFunction(send, receive, count, type, op, comm, request...), start, request...);
}

// Wraps allgather and alltoall.
template <auto kFunction, Name kName, Action kAction, typename... Request>
int all_same(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
             MPI_Datatype receive_type, MPI_Comm comm, Request... request) {
  const Call call(kName.text);
  const uint64_t start = all(call, kAction, comm, send, one(send_count, send_type), one(receive_count, receive_type));
  return call.leave(kFunction(send, send_count, send_type, receive, receive_count, receive_type, comm, request...),
                    start, request...);
}

template <auto kFunction, Name kName, Action kAction, typename... Request>
int allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int counts[],
               const int places[], MPI_Datatype type, MPI_Comm comm, Request... request) {
  const Call call(kName.text);
  uint64_t start = 0;
  if (call) {
    const CollectiveSide sent = in_place(send) ? one(counts[rank_in(*call, comm)], type) : one(send_count, send_type);
    start = record_all(*call, kAction, comm, sent, each(counts, type));
  }
  return call.leave(kFunction(send, send_count, send_type, receive, counts, places, type, comm, request...), start,
                    request...);
}

// Wraps alltoallv and alltoallw: Types is MPI_Datatype, or an array of them.
template <auto kFunction, Name kName, Action kAction, typename Types, typename... Request>
int all_different(const void* send, const int send_counts[], const int send_places[], Types send_types, void* receive,
                  const int receive_counts[], const int receive_places[], Types receive_types, MPI_Comm comm,
                  Request... request) {
  const Call call(kName.text);
  const uint64_t start =
      all(call, kAction, comm, send, each(send_counts, send_types), each(receive_counts, receive_types));
  return call.leave(kFunction(send, send_counts, send_places, send_types, receive, receive_counts, receive_places,
                              receive_types, comm, request...),
                    start, request...);
}

// Wraps gather and scatter.
template <auto kFunction, Name kName, Action kAction, typename... Request>
int rooted_same(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                MPI_Datatype receive_type, int root, MPI_Comm comm, Request... request) {
  const Call call(kName.text);
  uint64_t start = 0;
  if (call) {
    const CollectiveSide sent = one(send_count, send_type);
    const CollectiveSide received = one(receive_count, receive_type);
    constexpr bool kGathers = kAction == Action::kGather || kAction == Action::kIgather;
    const bool is_root = rank_in(*call, comm) == root;
    const bool only_sent = kGathers ? !is_root : is_root && in_place(receive);
    const bool only_received = kGathers ? is_root && in_place(send) : !is_root;
    start = record_rooted(*call, kAction, comm, root, only_received ? received : sent, only_sent ? sent : received);
  }
  return call.leave(
      kFunction(send, send_count, send_type, receive, receive_count, receive_type, root, comm, request...), start,
      request...);
}

template <auto kFunction, Name kName, Action kAction, typename... Request>
int gatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int counts[],
            const int places[], MPI_Datatype type, int root, MPI_Comm comm, Request... request) {
  const Call call(kName.text);
  uint64_t start = 0;
  if (call) {
    const bool is_root = rank_in(*call, comm) == root;
    start = record_rooted(*call, kAction, comm, root,
                          is_root && in_place(send) ? one(counts[root], type) : one(send_count, send_type),
                          is_root ? each(counts, type) : kNothing);
  }
  return call.leave(kFunction(send, send_count, send_type, receive, counts, places, type, root, comm, request...),
                    start, request...);
}

template <auto kFunction, Name kName, Action kAction, typename... Request>
int scatterv(const void* send, const int counts[], const int places[], MPI_Datatype type, void* receive,
             int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm, Request... request) {
  const Call call(kName.text);
  uint64_t start = 0;
  if (call) {
    const bool is_root = rank_in(*call, comm) == root;
    start = record_rooted(*call, kAction, comm, root, is_root ? each(counts, type) : kNothing,
                          is_root && in_place(receive) ? one(counts[root], type) : one(receive_count, receive_type));
  }
  return call.leave(kFunction(send, counts, places, type, receive, receive_count, receive_type, root, comm, request...),
                    start, request...);
}

}  // namespace

FABRICTWIN_WRAP(barrier, Barrier, Action::kBarrier)
FABRICTWIN_WRAP(barrier, Ibarrier, Action::kIbarrier)
FABRICTWIN_WRAP(bcast, Bcast, Action::kBcast)
FABRICTWIN_WRAP(bcast, Ibcast, Action::kIbcast)
FABRICTWIN_WRAP(reduce, Reduce, Action::kReduce)
FABRICTWIN_WRAP(reduce, Ireduce, Action::kIreduce)
FABRICTWIN_WRAP(reduction, Allreduce, Action::kAllreduce)
FABRICTWIN_WRAP(reduction, Iallreduce, Action::kIallreduce)
FABRICTWIN_WRAP(reduction, Scan, Action::kScan)
FABRICTWIN_WRAP(reduction, Iscan, Action::kIscan)
FABRICTWIN_WRAP(reduction, Exscan, Action::kExscan)
FABRICTWIN_WRAP(reduction, Iexscan, Action::kIexscan)
FABRICTWIN_WRAP(reduce_scatter, Reduce_scatter, Action::kReduceScatter)
FABRICTWIN_WRAP(reduce_scatter, Ireduce_scatter, Action::kIreduceScatter)
FABRICTWIN_WRAP(reduce_scatter_block, Reduce_scatter_block, Action::kReduceScatter)
FABRICTWIN_WRAP(reduce_scatter_block, Ireduce_scatter_block, Action::kIreduceScatter)
FABRICTWIN_WRAP(all_same, Allgather, Action::kAllgather)
FABRICTWIN_WRAP(all_same, Iallgather, Action::kIallgather)
FABRICTWIN_WRAP(all_same, Alltoall, Action::kAlltoall)
FABRICTWIN_WRAP(all_same, Ialltoall, Action::kIalltoall)
FABRICTWIN_WRAP(allgatherv, Allgatherv, Action::kAllgatherv)
FABRICTWIN_WRAP(allgatherv, Iallgatherv, Action::kIallgatherv)
FABRICTWIN_WRAP(all_different, Alltoallv, Action::kAlltoallv)
FABRICTWIN_WRAP(all_different, Ialltoallv, Action::kIalltoallv)
FABRICTWIN_WRAP(all_different, Alltoallw, Action::kAlltoallv)
FABRICTWIN_WRAP(all_different, Ialltoallw, Action::kIalltoallv)
FABRICTWIN_WRAP(rooted_same, Gather, Action::kGather)
FABRICTWIN_WRAP(rooted_same, Igather, Action::kIgather)
FABRICTWIN_WRAP(gatherv, Gatherv, Action::kGatherv)
FABRICTWIN_WRAP(gatherv, Igatherv, Action::kIgatherv)
FABRICTWIN_WRAP(rooted_same, Scatter, Action::kScatter)
FABRICTWIN_WRAP(rooted_same, Iscatter, Action::kIscatter)
FABRICTWIN_WRAP(scatterv, Scatterv, Action::kScatterv)
FABRICTWIN_WRAP(scatterv, Iscatterv, Action::kIscatterv)
