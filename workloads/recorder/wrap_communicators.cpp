// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Communicators that are made and freed.
#include "workloads/recorder/recording.h"

using namespace fabrictwin::recorder;  // NOLINT(google-build-using-namespace): MPI's functions are in no namespace

namespace {

// The end of a call that made `comm`, on each of its members; MPI_COMM_NULL on those that are not.
int made(const Call& call, int code, const MPI_Comm* comm) {
  if (code != MPI_SUCCESS || *comm == MPI_COMM_NULL || Recording::get() == nullptr) return call.leave(code);
  if (!call) {
    CommunicatorTable::add_unrecorded(*comm);
    return code;
  }
  const uint32_t number = call->communicators().add(*comm);
  if (number == 0) {
    call->refuse_call(call.name(), "there are more communicators at a time than a trace can have");
    return call.leave(code);
  }
  const Communicator& communicator = *call->communicators().find(*comm);
  call->write(Action::kCommCreate, communicator.members.size() + 2, 0, [&](EventEncoder& event) {
    event.number(number).number(communicator.members.size());
    for (const int32_t member : communicator.members) event.number(static_cast<uint64_t>(member));
  });
  return call.leave(code);
}

void record_free(Recording& recording, MPI_Comm comm) {
  const Communicator* const communicator = recording.communicators().find(comm);
  if (communicator == nullptr || comm == MPI_COMM_WORLD) return;
  recording.write(Action::kCommFree, 1, 0, [&](EventEncoder& event) { event.number(communicator->number); });
  recording.communicators().remove(comm);
}

}  // namespace

extern "C" {

int MPI_Comm_free(MPI_Comm* comm) {
  const Call call("MPI_Comm_free");
  if (call) record_free(*call, *comm);
  return call.leave(PMPI_Comm_free(comm));
}

int MPI_Comm_disconnect(MPI_Comm* comm) {
  const Call call("MPI_Comm_disconnect");
  if (call) record_free(*call, *comm);
  return call.leave(PMPI_Comm_disconnect(comm));
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made_comm) {
  const Call call("MPI_Comm_dup");
  return made(call, PMPI_Comm_dup(comm, made_comm), made_comm);
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made_comm) {
  const Call call("MPI_Comm_dup_with_info");
  return made(call, PMPI_Comm_dup_with_info(comm, info, made_comm), made_comm);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made_comm) {
  const Call call("MPI_Comm_split");
  return made(call, PMPI_Comm_split(comm, color, key, made_comm), made_comm);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made_comm) {
  const Call call("MPI_Comm_split_type");
  return made(call, PMPI_Comm_split_type(comm, type, key, info, made_comm), made_comm);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made_comm) {
  const Call call("MPI_Comm_create");
  return made(call, PMPI_Comm_create(comm, group, made_comm), made_comm);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made_comm) {
  const Call call("MPI_Comm_create_group");
  return made(call, PMPI_Comm_create_group(comm, group, tag, made_comm), made_comm);
}

int MPI_Cart_create(MPI_Comm comm, int dimensions, const int sizes[], const int periods[], int reorder,
                    MPI_Comm* made_comm) {
  const Call call("MPI_Cart_create");
  return made(call, PMPI_Cart_create(comm, dimensions, sizes, periods, reorder, made_comm), made_comm);
}

int MPI_Cart_sub(MPI_Comm comm, const int remain[], MPI_Comm* made_comm) {
  const Call call("MPI_Cart_sub");
  return made(call, PMPI_Cart_sub(comm, remain, made_comm), made_comm);
}

int MPI_Graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm* made_comm) {
  const Call call("MPI_Graph_create");
  return made(call, PMPI_Graph_create(comm, nodes, index, edges, reorder, made_comm), made_comm);
}

int MPI_Dist_graph_create(MPI_Comm comm, int count, const int sources[], const int degrees[], const int destinations[],
                          const int weights[], MPI_Info info, int reorder, MPI_Comm* made_comm) {
  const Call call("MPI_Dist_graph_create");
  return made(call,
              PMPI_Dist_graph_create(comm, count, sources, degrees, destinations, weights, info, reorder, made_comm),
              made_comm);
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int sources[], const int source_weights[], int out,
                                   const int destinations[], const int destination_weights[], MPI_Info info,
                                   int reorder, MPI_Comm* made_comm) {
  const Call call("MPI_Dist_graph_create_adjacent");
  return made(call,
              PMPI_Dist_graph_create_adjacent(comm, in, sources, source_weights, out, destinations, destination_weights,
                                              info, reorder, made_comm),
              made_comm);
}

}  // extern "C"
