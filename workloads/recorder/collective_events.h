// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Records the events of collectives.
#pragma once

#include <cstdint>

#include "workloads/recorder/recording.h"

namespace fabrictwin::recorder {

/// The data of one side of a collective: one count, or one for each member, with one datatype or one for each member.
struct CollectiveSide {
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int* counts = nullptr;          ///< Counts by member; nullptr: as many zeros, if `each`.
  const MPI_Datatype* types = nullptr;  ///< Datatypes by member: the trace has bytes.
  bool each = false;
};

/// Where MPI ignores an argument, events have the value that the other ranks know, so that no reader needs another
/// rank's event. Each function returns the number of the request that a nonblocking collective starts, else 0.
uint64_t record_barrier(Recording& recording, Action action, MPI_Comm comm);
/// Records MPI_Bcast and MPI_Ibcast.
uint64_t record_bcast(Recording& recording, Action action, MPI_Comm comm, int root, CollectiveSide side);
/// Records MPI_Reduce and MPI_Ireduce.
uint64_t record_reduce(Recording& recording, Action action, MPI_Comm comm, int root, CollectiveSide side);
/// Records reductions without a root. The time of the reduction itself is not known: 0.
uint64_t record_reduction(Recording& recording, Action action, MPI_Comm comm, CollectiveSide side);
/// Records allgather(v) and alltoall(v).
uint64_t record_all(Recording& recording, Action action, MPI_Comm comm, CollectiveSide sent, CollectiveSide received);
/// Records gather(v) and scatter(v).
uint64_t record_rooted(Recording& recording, Action action, MPI_Comm comm, int root, CollectiveSide sent,
                       CollectiveSide received);

/// The number of members and the own rank; nothing if the communicator is unknown.
inline int members_of(Recording& recording, MPI_Comm comm) {
  const Communicator* const communicator = recording.communicator(comm);
  return communicator == nullptr ? 0 : communicator->size();
}
inline int rank_in(Recording& recording, MPI_Comm comm) {
  const Communicator* const communicator = recording.communicator(comm);
  return communicator == nullptr ? 0 : communicator->rank;
}

}  // namespace fabrictwin::recorder
