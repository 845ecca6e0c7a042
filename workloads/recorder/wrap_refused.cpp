// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrappers of calls that a trace cannot express. They proceed as usual; the recording of the rank ends and says why.
#include "workloads/recorder/profiled.h"

using namespace fabrictwin::recorder;  // NOLINT(google-build-using-namespace): MPI's functions are in no namespace

namespace {

constexpr char kIntercommunicator[] = "communication between groups of processes cannot be in a trace";
constexpr char kOneSided[] = "one-sided communication cannot be in a trace";
constexpr char kNeighbours[] = "collectives of neighbours cannot be in a trace";
constexpr char kCancel[] = "a trace cannot tell what became of a cancelled message";
constexpr char kGeneralized[] = "what ends a generalized request cannot be in a trace";
constexpr char kLater[] = "the number of a communicator that is made later cannot be agreed upon";
#if MPI_VERSION >= 4
constexpr char kPartitioned[] = "messages in parts cannot be in a trace";
constexpr char kPersistent[] = "persistent collectives cannot be in a trace";
constexpr char kSession[] = "sessions cannot be in a trace";
constexpr char kLarge[] = "calls with counts of more than 32 bits are not recorded";
constexpr char kBoth[] = "one request for a send and a receive cannot be in a trace";
#endif

// Wraps any such call.
template <auto kFunction, Name kName, const char* kWhy, typename... Arguments>
int refused(Arguments... arguments) {
  const Call call(kName.text);
  if (call) call->refuse_call(kName.text, kWhy);
  return call.leave(kFunction(arguments...));
}

}  // namespace

FABRICTWIN_WRAP(refused, Intercomm_create, kIntercommunicator)
FABRICTWIN_WRAP(refused, Comm_spawn, kIntercommunicator)
FABRICTWIN_WRAP(refused, Comm_spawn_multiple, kIntercommunicator)
FABRICTWIN_WRAP(refused, Comm_accept, kIntercommunicator)
FABRICTWIN_WRAP(refused, Comm_connect, kIntercommunicator)
FABRICTWIN_WRAP(refused, Comm_join, kIntercommunicator)
FABRICTWIN_WRAP(refused, Win_create, kOneSided)
FABRICTWIN_WRAP(refused, Win_allocate, kOneSided)
FABRICTWIN_WRAP(refused, Win_allocate_shared, kOneSided)
FABRICTWIN_WRAP(refused, Win_create_dynamic, kOneSided)
FABRICTWIN_WRAP(refused, Neighbor_allgather, kNeighbours)
FABRICTWIN_WRAP(refused, Ineighbor_allgather, kNeighbours)
FABRICTWIN_WRAP(refused, Neighbor_allgatherv, kNeighbours)
FABRICTWIN_WRAP(refused, Ineighbor_allgatherv, kNeighbours)
FABRICTWIN_WRAP(refused, Neighbor_alltoall, kNeighbours)
FABRICTWIN_WRAP(refused, Ineighbor_alltoall, kNeighbours)
FABRICTWIN_WRAP(refused, Neighbor_alltoallv, kNeighbours)
FABRICTWIN_WRAP(refused, Ineighbor_alltoallv, kNeighbours)
FABRICTWIN_WRAP(refused, Neighbor_alltoallw, kNeighbours)
FABRICTWIN_WRAP(refused, Ineighbor_alltoallw, kNeighbours)
FABRICTWIN_WRAP(refused, Cancel, kCancel)
FABRICTWIN_WRAP(refused, Grequest_start, kGeneralized)
FABRICTWIN_WRAP(refused, Comm_idup, kLater)
#if MPI_VERSION >= 4
FABRICTWIN_WRAP(refused, Comm_idup_with_info, kLater)
FABRICTWIN_WRAP(refused, Psend_init, kPartitioned)
FABRICTWIN_WRAP(refused, Precv_init, kPartitioned)
FABRICTWIN_WRAP(refused, Session_init, kSession)
FABRICTWIN_WRAP(refused, Comm_create_from_group, kSession)
FABRICTWIN_WRAP(refused, Intercomm_create_from_groups, kSession)
FABRICTWIN_WRAP(refused, Isendrecv, kBoth)
FABRICTWIN_WRAP(refused, Isendrecv_replace, kBoth)
FABRICTWIN_WRAP(refused, Allgather_init, kPersistent)
FABRICTWIN_WRAP(refused, Allgatherv_init, kPersistent)
FABRICTWIN_WRAP(refused, Allreduce_init, kPersistent)
FABRICTWIN_WRAP(refused, Alltoall_init, kPersistent)
FABRICTWIN_WRAP(refused, Alltoallv_init, kPersistent)
FABRICTWIN_WRAP(refused, Alltoallw_init, kPersistent)
FABRICTWIN_WRAP(refused, Barrier_init, kPersistent)
FABRICTWIN_WRAP(refused, Bcast_init, kPersistent)
FABRICTWIN_WRAP(refused, Exscan_init, kPersistent)
FABRICTWIN_WRAP(refused, Gather_init, kPersistent)
FABRICTWIN_WRAP(refused, Gatherv_init, kPersistent)
FABRICTWIN_WRAP(refused, Neighbor_allgather_init, kPersistent)
FABRICTWIN_WRAP(refused, Neighbor_allgatherv_init, kPersistent)
FABRICTWIN_WRAP(refused, Neighbor_alltoall_init, kPersistent)
FABRICTWIN_WRAP(refused, Neighbor_alltoallv_init, kPersistent)
FABRICTWIN_WRAP(refused, Neighbor_alltoallw_init, kPersistent)
FABRICTWIN_WRAP(refused, Reduce_init, kPersistent)
FABRICTWIN_WRAP(refused, Reduce_scatter_block_init, kPersistent)
FABRICTWIN_WRAP(refused, Reduce_scatter_init, kPersistent)
FABRICTWIN_WRAP(refused, Scan_init, kPersistent)
FABRICTWIN_WRAP(refused, Scatter_init, kPersistent)
FABRICTWIN_WRAP(refused, Scatterv_init, kPersistent)
FABRICTWIN_WRAP(refused, Win_allocate_c, kOneSided)
FABRICTWIN_WRAP(refused, Win_allocate_shared_c, kOneSided)
FABRICTWIN_WRAP(refused, Win_create_c, kOneSided)
FABRICTWIN_WRAP(refused, Ineighbor_allgather_c, kNeighbours)
FABRICTWIN_WRAP(refused, Ineighbor_allgatherv_c, kNeighbours)
FABRICTWIN_WRAP(refused, Ineighbor_alltoall_c, kNeighbours)
FABRICTWIN_WRAP(refused, Ineighbor_alltoallv_c, kNeighbours)
FABRICTWIN_WRAP(refused, Ineighbor_alltoallw_c, kNeighbours)
FABRICTWIN_WRAP(refused, Neighbor_allgather_c, kNeighbours)
FABRICTWIN_WRAP(refused, Neighbor_allgather_init_c, kNeighbours)
FABRICTWIN_WRAP(refused, Neighbor_allgatherv_c, kNeighbours)
FABRICTWIN_WRAP(refused, Neighbor_allgatherv_init_c, kNeighbours)
FABRICTWIN_WRAP(refused, Neighbor_alltoall_c, kNeighbours)
FABRICTWIN_WRAP(refused, Neighbor_alltoall_init_c, kNeighbours)
FABRICTWIN_WRAP(refused, Neighbor_alltoallv_c, kNeighbours)
FABRICTWIN_WRAP(refused, Neighbor_alltoallv_init_c, kNeighbours)
FABRICTWIN_WRAP(refused, Neighbor_alltoallw_c, kNeighbours)
FABRICTWIN_WRAP(refused, Neighbor_alltoallw_init_c, kNeighbours)
FABRICTWIN_WRAP(refused, Allgather_c, kLarge)
FABRICTWIN_WRAP(refused, Allgather_init_c, kLarge)
FABRICTWIN_WRAP(refused, Allgatherv_c, kLarge)
FABRICTWIN_WRAP(refused, Allgatherv_init_c, kLarge)
FABRICTWIN_WRAP(refused, Allreduce_c, kLarge)
FABRICTWIN_WRAP(refused, Allreduce_init_c, kLarge)
FABRICTWIN_WRAP(refused, Alltoall_c, kLarge)
FABRICTWIN_WRAP(refused, Alltoall_init_c, kLarge)
FABRICTWIN_WRAP(refused, Alltoallv_c, kLarge)
FABRICTWIN_WRAP(refused, Alltoallv_init_c, kLarge)
FABRICTWIN_WRAP(refused, Alltoallw_c, kLarge)
FABRICTWIN_WRAP(refused, Alltoallw_init_c, kLarge)
FABRICTWIN_WRAP(refused, Bcast_c, kLarge)
FABRICTWIN_WRAP(refused, Bcast_init_c, kLarge)
FABRICTWIN_WRAP(refused, Bsend_c, kLarge)
FABRICTWIN_WRAP(refused, Bsend_init_c, kLarge)
FABRICTWIN_WRAP(refused, Exscan_c, kLarge)
FABRICTWIN_WRAP(refused, Exscan_init_c, kLarge)
FABRICTWIN_WRAP(refused, Gather_c, kLarge)
FABRICTWIN_WRAP(refused, Gather_init_c, kLarge)
FABRICTWIN_WRAP(refused, Gatherv_c, kLarge)
FABRICTWIN_WRAP(refused, Gatherv_init_c, kLarge)
FABRICTWIN_WRAP(refused, Iallgather_c, kLarge)
FABRICTWIN_WRAP(refused, Iallgatherv_c, kLarge)
FABRICTWIN_WRAP(refused, Iallreduce_c, kLarge)
FABRICTWIN_WRAP(refused, Ialltoall_c, kLarge)
FABRICTWIN_WRAP(refused, Ialltoallv_c, kLarge)
FABRICTWIN_WRAP(refused, Ialltoallw_c, kLarge)
FABRICTWIN_WRAP(refused, Ibcast_c, kLarge)
FABRICTWIN_WRAP(refused, Ibsend_c, kLarge)
FABRICTWIN_WRAP(refused, Iexscan_c, kLarge)
FABRICTWIN_WRAP(refused, Igather_c, kLarge)
FABRICTWIN_WRAP(refused, Igatherv_c, kLarge)
FABRICTWIN_WRAP(refused, Imrecv_c, kLarge)
FABRICTWIN_WRAP(refused, Irecv_c, kLarge)
FABRICTWIN_WRAP(refused, Ireduce_c, kLarge)
FABRICTWIN_WRAP(refused, Ireduce_scatter_block_c, kLarge)
FABRICTWIN_WRAP(refused, Ireduce_scatter_c, kLarge)
FABRICTWIN_WRAP(refused, Irsend_c, kLarge)
FABRICTWIN_WRAP(refused, Iscan_c, kLarge)
FABRICTWIN_WRAP(refused, Iscatter_c, kLarge)
FABRICTWIN_WRAP(refused, Iscatterv_c, kLarge)
FABRICTWIN_WRAP(refused, Isend_c, kLarge)
FABRICTWIN_WRAP(refused, Isendrecv_c, kLarge)
FABRICTWIN_WRAP(refused, Isendrecv_replace_c, kLarge)
FABRICTWIN_WRAP(refused, Issend_c, kLarge)
FABRICTWIN_WRAP(refused, Mrecv_c, kLarge)
FABRICTWIN_WRAP(refused, Recv_c, kLarge)
FABRICTWIN_WRAP(refused, Recv_init_c, kLarge)
FABRICTWIN_WRAP(refused, Reduce_c, kLarge)
FABRICTWIN_WRAP(refused, Reduce_init_c, kLarge)
FABRICTWIN_WRAP(refused, Reduce_scatter_block_c, kLarge)
FABRICTWIN_WRAP(refused, Reduce_scatter_block_init_c, kLarge)
FABRICTWIN_WRAP(refused, Reduce_scatter_c, kLarge)
FABRICTWIN_WRAP(refused, Reduce_scatter_init_c, kLarge)
FABRICTWIN_WRAP(refused, Rsend_c, kLarge)
FABRICTWIN_WRAP(refused, Rsend_init_c, kLarge)
FABRICTWIN_WRAP(refused, Scan_c, kLarge)
FABRICTWIN_WRAP(refused, Scan_init_c, kLarge)
FABRICTWIN_WRAP(refused, Scatter_c, kLarge)
FABRICTWIN_WRAP(refused, Scatter_init_c, kLarge)
FABRICTWIN_WRAP(refused, Scatterv_c, kLarge)
FABRICTWIN_WRAP(refused, Scatterv_init_c, kLarge)
FABRICTWIN_WRAP(refused, Send_c, kLarge)
FABRICTWIN_WRAP(refused, Send_init_c, kLarge)
FABRICTWIN_WRAP(refused, Sendrecv_c, kLarge)
FABRICTWIN_WRAP(refused, Sendrecv_replace_c, kLarge)
FABRICTWIN_WRAP(refused, Ssend_c, kLarge)
FABRICTWIN_WRAP(refused, Ssend_init_c, kLarge)
#endif
