// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls that a trace cannot hold. They go on as ever; the recording of the rank ends and says why.
#include "workloads/recorder/define_as.h"
#include "workloads/recorder/recording.h"

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

// Any of them.
template <auto kFunction, Name kName, const char* kWhy, typename... Arguments>
int refused(Arguments... arguments) {
  const Call call(kName.text);
  if (call) call->refuse_call(kName.text, kWhy);
  return call.leave(kFunction(arguments...));
}

}  // namespace

#define FABRICTWIN_REFUSE(name, why) FABRICTWIN_DEFINE_AS(MPI_##name, refused<&PMPI_##name, "MPI_" #name, why>)

FABRICTWIN_REFUSE(Intercomm_create, kIntercommunicator)
FABRICTWIN_REFUSE(Comm_spawn, kIntercommunicator)
FABRICTWIN_REFUSE(Comm_spawn_multiple, kIntercommunicator)
FABRICTWIN_REFUSE(Comm_accept, kIntercommunicator)
FABRICTWIN_REFUSE(Comm_connect, kIntercommunicator)
FABRICTWIN_REFUSE(Comm_join, kIntercommunicator)
FABRICTWIN_REFUSE(Win_create, kOneSided)
FABRICTWIN_REFUSE(Win_allocate, kOneSided)
FABRICTWIN_REFUSE(Win_allocate_shared, kOneSided)
FABRICTWIN_REFUSE(Win_create_dynamic, kOneSided)
FABRICTWIN_REFUSE(Neighbor_allgather, kNeighbours)
FABRICTWIN_REFUSE(Ineighbor_allgather, kNeighbours)
FABRICTWIN_REFUSE(Neighbor_allgatherv, kNeighbours)
FABRICTWIN_REFUSE(Ineighbor_allgatherv, kNeighbours)
FABRICTWIN_REFUSE(Neighbor_alltoall, kNeighbours)
FABRICTWIN_REFUSE(Ineighbor_alltoall, kNeighbours)
FABRICTWIN_REFUSE(Neighbor_alltoallv, kNeighbours)
FABRICTWIN_REFUSE(Ineighbor_alltoallv, kNeighbours)
FABRICTWIN_REFUSE(Neighbor_alltoallw, kNeighbours)
FABRICTWIN_REFUSE(Ineighbor_alltoallw, kNeighbours)
FABRICTWIN_REFUSE(Cancel, kCancel)
FABRICTWIN_REFUSE(Grequest_start, kGeneralized)
FABRICTWIN_REFUSE(Comm_idup, kLater)
#if MPI_VERSION >= 4
FABRICTWIN_REFUSE(Comm_idup_with_info, kLater)
FABRICTWIN_REFUSE(Psend_init, kPartitioned)
FABRICTWIN_REFUSE(Precv_init, kPartitioned)
FABRICTWIN_REFUSE(Session_init, kSession)
FABRICTWIN_REFUSE(Comm_create_from_group, kSession)
FABRICTWIN_REFUSE(Intercomm_create_from_groups, kSession)
FABRICTWIN_REFUSE(Isendrecv, kBoth)
FABRICTWIN_REFUSE(Isendrecv_replace, kBoth)
FABRICTWIN_REFUSE(Allgather_init, kPersistent)
FABRICTWIN_REFUSE(Allgatherv_init, kPersistent)
FABRICTWIN_REFUSE(Allreduce_init, kPersistent)
FABRICTWIN_REFUSE(Alltoall_init, kPersistent)
FABRICTWIN_REFUSE(Alltoallv_init, kPersistent)
FABRICTWIN_REFUSE(Alltoallw_init, kPersistent)
FABRICTWIN_REFUSE(Barrier_init, kPersistent)
FABRICTWIN_REFUSE(Bcast_init, kPersistent)
FABRICTWIN_REFUSE(Exscan_init, kPersistent)
FABRICTWIN_REFUSE(Gather_init, kPersistent)
FABRICTWIN_REFUSE(Gatherv_init, kPersistent)
FABRICTWIN_REFUSE(Neighbor_allgather_init, kPersistent)
FABRICTWIN_REFUSE(Neighbor_allgatherv_init, kPersistent)
FABRICTWIN_REFUSE(Neighbor_alltoall_init, kPersistent)
FABRICTWIN_REFUSE(Neighbor_alltoallv_init, kPersistent)
FABRICTWIN_REFUSE(Neighbor_alltoallw_init, kPersistent)
FABRICTWIN_REFUSE(Reduce_init, kPersistent)
FABRICTWIN_REFUSE(Reduce_scatter_block_init, kPersistent)
FABRICTWIN_REFUSE(Reduce_scatter_init, kPersistent)
FABRICTWIN_REFUSE(Scan_init, kPersistent)
FABRICTWIN_REFUSE(Scatter_init, kPersistent)
FABRICTWIN_REFUSE(Scatterv_init, kPersistent)
FABRICTWIN_REFUSE(Win_allocate_c, kOneSided)
FABRICTWIN_REFUSE(Win_allocate_shared_c, kOneSided)
FABRICTWIN_REFUSE(Win_create_c, kOneSided)
FABRICTWIN_REFUSE(Ineighbor_allgather_c, kNeighbours)
FABRICTWIN_REFUSE(Ineighbor_allgatherv_c, kNeighbours)
FABRICTWIN_REFUSE(Ineighbor_alltoall_c, kNeighbours)
FABRICTWIN_REFUSE(Ineighbor_alltoallv_c, kNeighbours)
FABRICTWIN_REFUSE(Ineighbor_alltoallw_c, kNeighbours)
FABRICTWIN_REFUSE(Neighbor_allgather_c, kNeighbours)
FABRICTWIN_REFUSE(Neighbor_allgather_init_c, kNeighbours)
FABRICTWIN_REFUSE(Neighbor_allgatherv_c, kNeighbours)
FABRICTWIN_REFUSE(Neighbor_allgatherv_init_c, kNeighbours)
FABRICTWIN_REFUSE(Neighbor_alltoall_c, kNeighbours)
FABRICTWIN_REFUSE(Neighbor_alltoall_init_c, kNeighbours)
FABRICTWIN_REFUSE(Neighbor_alltoallv_c, kNeighbours)
FABRICTWIN_REFUSE(Neighbor_alltoallv_init_c, kNeighbours)
FABRICTWIN_REFUSE(Neighbor_alltoallw_c, kNeighbours)
FABRICTWIN_REFUSE(Neighbor_alltoallw_init_c, kNeighbours)
FABRICTWIN_REFUSE(Allgather_c, kLarge)
FABRICTWIN_REFUSE(Allgather_init_c, kLarge)
FABRICTWIN_REFUSE(Allgatherv_c, kLarge)
FABRICTWIN_REFUSE(Allgatherv_init_c, kLarge)
FABRICTWIN_REFUSE(Allreduce_c, kLarge)
FABRICTWIN_REFUSE(Allreduce_init_c, kLarge)
FABRICTWIN_REFUSE(Alltoall_c, kLarge)
FABRICTWIN_REFUSE(Alltoall_init_c, kLarge)
FABRICTWIN_REFUSE(Alltoallv_c, kLarge)
FABRICTWIN_REFUSE(Alltoallv_init_c, kLarge)
FABRICTWIN_REFUSE(Alltoallw_c, kLarge)
FABRICTWIN_REFUSE(Alltoallw_init_c, kLarge)
FABRICTWIN_REFUSE(Bcast_c, kLarge)
FABRICTWIN_REFUSE(Bcast_init_c, kLarge)
FABRICTWIN_REFUSE(Bsend_c, kLarge)
FABRICTWIN_REFUSE(Bsend_init_c, kLarge)
FABRICTWIN_REFUSE(Exscan_c, kLarge)
FABRICTWIN_REFUSE(Exscan_init_c, kLarge)
FABRICTWIN_REFUSE(Gather_c, kLarge)
FABRICTWIN_REFUSE(Gather_init_c, kLarge)
FABRICTWIN_REFUSE(Gatherv_c, kLarge)
FABRICTWIN_REFUSE(Gatherv_init_c, kLarge)
FABRICTWIN_REFUSE(Iallgather_c, kLarge)
FABRICTWIN_REFUSE(Iallgatherv_c, kLarge)
FABRICTWIN_REFUSE(Iallreduce_c, kLarge)
FABRICTWIN_REFUSE(Ialltoall_c, kLarge)
FABRICTWIN_REFUSE(Ialltoallv_c, kLarge)
FABRICTWIN_REFUSE(Ialltoallw_c, kLarge)
FABRICTWIN_REFUSE(Ibcast_c, kLarge)
FABRICTWIN_REFUSE(Ibsend_c, kLarge)
FABRICTWIN_REFUSE(Iexscan_c, kLarge)
FABRICTWIN_REFUSE(Igather_c, kLarge)
FABRICTWIN_REFUSE(Igatherv_c, kLarge)
FABRICTWIN_REFUSE(Imrecv_c, kLarge)
FABRICTWIN_REFUSE(Irecv_c, kLarge)
FABRICTWIN_REFUSE(Ireduce_c, kLarge)
FABRICTWIN_REFUSE(Ireduce_scatter_block_c, kLarge)
FABRICTWIN_REFUSE(Ireduce_scatter_c, kLarge)
FABRICTWIN_REFUSE(Irsend_c, kLarge)
FABRICTWIN_REFUSE(Iscan_c, kLarge)
FABRICTWIN_REFUSE(Iscatter_c, kLarge)
FABRICTWIN_REFUSE(Iscatterv_c, kLarge)
FABRICTWIN_REFUSE(Isend_c, kLarge)
FABRICTWIN_REFUSE(Isendrecv_c, kLarge)
FABRICTWIN_REFUSE(Isendrecv_replace_c, kLarge)
FABRICTWIN_REFUSE(Issend_c, kLarge)
FABRICTWIN_REFUSE(Mrecv_c, kLarge)
FABRICTWIN_REFUSE(Recv_c, kLarge)
FABRICTWIN_REFUSE(Recv_init_c, kLarge)
FABRICTWIN_REFUSE(Reduce_c, kLarge)
FABRICTWIN_REFUSE(Reduce_init_c, kLarge)
FABRICTWIN_REFUSE(Reduce_scatter_block_c, kLarge)
FABRICTWIN_REFUSE(Reduce_scatter_block_init_c, kLarge)
FABRICTWIN_REFUSE(Reduce_scatter_c, kLarge)
FABRICTWIN_REFUSE(Reduce_scatter_init_c, kLarge)
FABRICTWIN_REFUSE(Rsend_c, kLarge)
FABRICTWIN_REFUSE(Rsend_init_c, kLarge)
FABRICTWIN_REFUSE(Scan_c, kLarge)
FABRICTWIN_REFUSE(Scan_init_c, kLarge)
FABRICTWIN_REFUSE(Scatter_c, kLarge)
FABRICTWIN_REFUSE(Scatter_init_c, kLarge)
FABRICTWIN_REFUSE(Scatterv_c, kLarge)
FABRICTWIN_REFUSE(Scatterv_init_c, kLarge)
FABRICTWIN_REFUSE(Send_c, kLarge)
FABRICTWIN_REFUSE(Send_init_c, kLarge)
FABRICTWIN_REFUSE(Sendrecv_c, kLarge)
FABRICTWIN_REFUSE(Sendrecv_replace_c, kLarge)
FABRICTWIN_REFUSE(Ssend_c, kLarge)
FABRICTWIN_REFUSE(Ssend_init_c, kLarge)
#endif
